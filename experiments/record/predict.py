"""Predict the times of a program's launches on every GPU whose prices are recorded, without a GPU.

    python -m experiments.record.predict [--name NAME] [--longer F [--timed ARGUMENTS]] PROGRAM [ARGUMENT...]
    python -m experiments.record.predict --chosen SET

The program, which nvcc has made for sm_90 with -cudart shared, runs on the SIMT machine; what that counts and
the prices in results/<gpu>/rates.jsonl are all that is needed. Writes results/predicted/<name>.csv, a row for
each GPU and each launch that differs: microseconds, cold; the charge that prevails and the next one; the
error that 90% of the recorded kernels of this kind do not exceed; or why there is no number; and how busy
each unit is, in percent of its peak, and what is busiest (analysis/model/busy.py). --longer F predicts each
launch with F times as many blocks, for a program that is counted at a smaller size than it is timed; --timed
gives the arguments of the larger size. python -m experiments.record.time_programs times what is predicted.

--chosen predicts what choose.py has chosen for SET, at both sizes: of the first LAUNCHES launches one of each
kernel and shape, in results/predicted/SET. The machine's clock predicts them, too, within LIMIT_S seconds a
run: clock_us, from the start of the first block on; how far the halves of a sample are apart, of the time;
the first reason for which warps wait; or why there is no number.
"""

import argparse
import csv
import io
import json
import os
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from analysis.core.errors import EvidenceError
from analysis.model import busy
from experiments.record import choose
from simt.try_cuda.report import predictions as programs

ROOT = Path(__file__).resolve().parents[2]
MACHINE = ROOT / "build/simt-run"
NO_LAUNCH = ("invalid argument", "invalid configuration argument")  # as a GPU refuses it, too
FOUND = 3  # exit status of simt-run: the program has ended well, and the checks have found something
COLUMNS = ["program", "arguments", "gpu", "launch", "launches", "kernel", "grid", "block", "longer"]
CLOCKED = ["clock_us", "clock_apart", "clock_stall", "clock_unknown"]
LAUNCHES, LIMIT_S = 8, 60  # of a chosen program
COLUMNS += ["predicted_us", "limiter", "then", "band", "outside", *busy.COUNTED, "busiest"]


def counted(program: Path, arguments: list[str], *options: str) -> dict:
    """The JSON of simt-run."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts.json"
        done = subprocess.run(
            [MACHINE, "--counts-only", *options, "--json", out, program.resolve(), *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL if options else None,
            cwd=folder if options else None,
            check=False,
        )
        if not out.exists():
            raise SystemExit(f"predict: {program} returned {done.returncode} before it launched anything")
        if done.returncode not in (0, FOUND) and not options:
            print(f"predict: {program} returned {done.returncode}", file=sys.stderr)
        return json.loads(out.read_text(encoding="utf-8"))


def launched(launches: list[dict]) -> list[dict]:
    """Those that a GPU launches, too, and numbers."""
    return [each for each in launches if each.get("refused") not in NO_LAUNCH]


def clocked(launch: dict) -> dict[str, str]:
    """CLOCKED of a launch in the JSON of simt-run --clock."""
    clock = launch.get("clock", {"unknown": launch.get("refused", f"not at its end after {LIMIT_S} s")})
    if clock["unknown"]:
        return dict.fromkeys(CLOCKED, "") | {"clock_unknown": clock["unknown"]}
    halves = clock["halves_us"]
    return {
        "clock_us": f"{clock['us'] - clock['launch_us']:.4g}",
        "clock_apart": f"{abs(halves[0] - halves[1]) / clock['us']:.4f}" if halves else "",
        "clock_stall": max(clock["stalls"], key=clock["stalls"].get),
        "clock_unknown": "",
    }


def rows_of(
    program: dict[str, str],
    content: dict,
    longer: float,
    results: Path,
    figures: Path,
    clocks: dict[str, list[dict]] | None = None,
) -> list[dict]:
    """Launches that are alike are one row; `launch` is the first of them, from 1. program: its columns.
    clocks: by GPU, the launches by the clock; then those of one kernel and shape are alike."""
    stopped, errors, rows = programs.stopped_kernels(content), programs.bands(figures), {}
    for gpu in programs.gpus(results):
        for number, launch in enumerate(launched(content["launches"]), 1):
            if launch.get("refused"):
                found = programs.Prediction(outside=launch["refused"])
            else:
                work = programs.work_in(launch).longer(longer, None)
                found = programs.predicted(work, gpu, errors, launch["kernel"] in stopped)
            shape = program | {
                "gpu": gpu.folder,
                "kernel": launch["kernel"],
                "grid": "x".join(map(str, launch["grid"])),
                "block": "x".join(map(str, launch["block"])),
                "longer": f"{longer:g}",
            }
            row = shape | {
                "predicted_us": "" if found.outside else f"{found.us:.4g}",
                "limiter": found.limiter,
                "then": found.then,
                "band": "" if found.outside else f"{found.band:.2f}",
                "outside": found.outside,
            }
            share = {name: f"{found.busy[name]:.1f}" if found.busy else "" for name in busy.COUNTED}
            share |= {"busiest": busy.busiest(found.busy) if found.busy else ""}
            if clocks is not None:
                own = launched(clocks[gpu.folder])
                share |= clocked(own[number - 1] if number <= len(own) else {})
            key = tuple((row if clocks is None else shape).values())
            first = rows.setdefault(key, row | share | {"launch": number, "launches": 0})
            first["launches"] += 1
    return list(rows.values())


def keep(rows: list[dict], columns: list[str], target: Path) -> None:
    text = io.StringIO()
    table = csv.DictWriter(text, columns, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.part")
    part.write_text(text.getvalue(), encoding="utf-8")
    os.replace(part, target)


def predict_chosen(options: argparse.Namespace) -> int:
    chosen = [each for each in choose.chosen(options.chosen) if not each.refused]
    gpus = [gpu.folder for gpu in programs.gpus(options.results)]

    def predict(of: choose.Candidate) -> None:
        target, rows = ROOT / f"results/predicted/{options.chosen}/{of.program}.csv", []
        if target.exists():  # of an earlier run that was interrupted
            return
        for arguments in filter(None, (of.arguments, of.smaller)):
            binary, limits = choose.BINARIES / of.program, ("--launches", str(LAUNCHES))
            content = counted(binary, arguments.split(), *limits)
            limits += ("--limit", str(LIMIT_S))
            clocks = {
                gpu: counted(binary, arguments.split(), *limits, "--clock", gpu)["launches"] for gpu in gpus
            }
            program = {"program": of.program, "arguments": arguments}
            rows += rows_of(program, content, 1, options.results, options.figures, clocks)
        if not rows:
            print(f"predict   {of.program}: it launches no kernel", flush=True)
            return
        keep(rows, COLUMNS + CLOCKED, target)
        known = sum(not each["clock_unknown"] for each in rows)
        print(f"predict   {of.program}: {known} of {len(rows)} launches by the clock", flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(predict, chosen))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", type=Path, nargs="?")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    parser.add_argument("--chosen", choices=choose.SETS, help="those of choose.py, by the clock, too")
    parser.add_argument("--jobs", type=int, default=2, help="of them at a time (%(default)s)")
    parser.add_argument("--name", help="of the table (the program's)")
    parser.add_argument("--longer", type=float, default=1.0, help="times as many blocks (%(default)s)")
    parser.add_argument("--timed", metavar="ARGUMENTS", help="of the program when it is timed (the same)")
    parser.add_argument("--results", type=Path, default=ROOT / "results", help="folder of the recordings")
    parser.add_argument("--figures", type=Path, default=ROOT / "figures", help="folder of model.json")
    parser.add_argument("--out", type=Path, default=ROOT / "results/predicted", help="folder of the table")
    options = parser.parse_args()
    if options.chosen:
        return predict_chosen(options)
    if options.program is None:
        parser.error("the program is missing, or --chosen")
    if not options.program.is_file() or not MACHINE.is_file():
        missing = options.program if MACHINE.is_file() else f"{MACHINE} (make simt builds it)"
        print(f"predict: {missing}: no such file", file=sys.stderr)
        return 2
    name = options.name or options.program.stem
    content = counted(options.program, options.arguments)
    timed = options.timed or shlex.join(options.arguments)
    program = {"program": options.program.stem, "arguments": timed}
    try:
        rows = rows_of(program, content, options.longer, options.results, options.figures)
    except EvidenceError as error:
        print(f"predict: {error}", file=sys.stderr)
        return 1
    if not rows:
        print(f"predict: {name}: the program launched no kernel", file=sys.stderr)
        return 1
    target = options.out / f"{name}.csv"
    keep(rows, COLUMNS, target)
    known = sum(not row["outside"] for row in rows)
    print(f"predict   {name}: {known} of {len(rows)} launches, in {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
