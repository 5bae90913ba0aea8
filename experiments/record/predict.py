"""Predict by the machine's clock the times of a program's launches, without a GPU.

    python -m experiments.record.predict [--name NAME] [--longer N [--timed ARGUMENTS]] PROGRAM [ARGUMENT...]
    python -m experiments.record.predict --chosen SET

The program, which nvcc has made for sm_90 with -cudart shared, runs on the SIMT machine; that and the prices
in results/<gpu>/clock.csv are all that is needed. Writes results/predicted/<name>.csv, a row for each GPU
with prices and for each kernel and shape of its launches: clock_us, from the start of the first block on,
caches empty; how far the halves of a sample are apart, of the time; the first reason for which warps wait;
or why there is no number. --longer N takes each launch with N times as many blocks, for a program that runs
here at a smaller size than it is timed; --timed gives the arguments of the larger size.
python -m experiments.record.time_programs times what is predicted.

--chosen predicts what choose.py has chosen for SET, at both sizes, in results/predicted/SET.csv: the first
LAUNCHES launches, within LIMIT_S seconds a run. Programs that the table has are not predicted again.
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
from threading import Lock

from analysis.model.clock import PRICES
from experiments.record import choose

ROOT = Path(__file__).resolve().parents[2]
MACHINE = ROOT / "build/simt-run"
NO_LAUNCH = ("invalid argument", "invalid configuration argument")  # as a GPU refuses it, too
FOUND = 3  # exit status of simt-run: the program has ended well, and the checks have found something
LAUNCHES, LIMIT_S = 8, 60  # of a chosen program
CLOCKED = ["clock_us", "clock_apart", "clock_stall", "clock_unknown"]
COLUMNS = ["program", "arguments", "gpu", "launch", "launches", "kernel", "grid", "block", "longer", *CLOCKED]


def gpus(results: Path) -> list[str]:
    """Folders of those with prices."""
    return sorted(path.parent.name for path in results.glob(f"*/{PRICES}"))


def launched(program: Path, arguments: list[str], *options: str, is_alone: bool) -> list[dict]:
    """Those in the JSON of simt-run. Alone: in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts.json"
        done = subprocess.run(
            [MACHINE, "--counts-only", *options, "--json", out, program.resolve(), *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL if is_alone else None,
            cwd=folder if is_alone else None,
            check=False,
        )
        if not out.exists():
            raise SystemExit(f"predict: {program} returned {done.returncode} before it launched anything")
        if done.returncode not in (0, FOUND):
            print(f"predict: {program} returned {done.returncode}", file=sys.stderr)
        return numbered(json.loads(out.read_text(encoding="utf-8"))["launches"])


def numbered(launches: list[dict]) -> list[dict]:
    """Those that a GPU launches, too, and so numbers."""
    return [each for each in launches if each.get("refused") not in NO_LAUNCH]


def clocked(launch: dict) -> dict[str, str]:
    """CLOCKED of a launch in the JSON of simt-run --clock."""
    clock = launch.get("clock", {"unknown": launch.get("refused", "not at its end when its time was over")})
    if clock["unknown"]:
        return dict.fromkeys(CLOCKED, "") | {"clock_unknown": clock["unknown"]}
    halves = clock["halves_us"]
    return {
        "clock_us": f"{clock['us'] - clock['launch_us']:.4g}",
        "clock_apart": f"{abs(halves[0] - halves[1]) / clock['us']:.4f}" if halves else "",
        "clock_stall": max(clock["stalls"], key=clock["stalls"].get),
        "clock_unknown": "",
    }


def rows_of(program: dict[str, str], longer: int, launches: dict[str, list[dict]]) -> list[dict]:
    """Launches of one kernel and shape are one row; `launch` is the first of them, from 1. program: its
    columns; launches: by GPU."""
    rows: dict[tuple, dict] = {}
    for gpu, own in launches.items():
        for number, launch in enumerate(own, 1):
            shape = program | {
                "gpu": gpu,
                "kernel": launch["kernel"],
                "grid": "x".join(map(str, launch["grid"])),
                "block": "x".join(map(str, launch["block"])),
                "longer": str(longer),
            }
            row = shape | clocked(launch) | {"launch": number, "launches": 0}
            rows.setdefault(tuple(shape.values()), row)["launches"] += 1
    return list(rows.values())


def read(target: Path) -> list[dict]:
    """What an earlier run, which was interrupted, has left."""
    if not target.exists():
        return []
    with target.open(encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        if table.fieldnames != COLUMNS:
            raise SystemExit(f"predict: {target} was made by an earlier version, and stays as it is")
        return list(table)


def keep(rows: list[dict], target: Path) -> None:
    text = io.StringIO()
    table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.part")
    part.write_text(text.getvalue(), encoding="utf-8")
    os.replace(part, target)


def predicted(
    program: Path, arguments: list[str], results: Path, *options: str, is_alone: bool = False
) -> dict[str, list[dict]]:
    """Its launches by the clock of each GPU."""
    return {
        gpu: launched(program, arguments, *options, "--clock", gpu, is_alone=is_alone)
        for gpu in gpus(results)
    }


def told(name: str, rows: list[dict]) -> str:
    known = sum(not each["clock_unknown"] for each in rows)
    return f"predict   {name}: {known} of {len(rows)} launches by the clock"


def predict_chosen(options: argparse.Namespace) -> int:
    target, lock = options.out / f"{options.chosen}.csv", Lock()
    done = read(target)
    known = {row["program"] for row in done}
    chosen = [
        each for each in choose.chosen(options.chosen) if not each.refused and each.program not in known
    ]

    def predict(of: choose.Candidate) -> None:
        rows = []
        limits = ("--launches", str(LAUNCHES), "--limit", str(LIMIT_S))
        for arguments in filter(None, (of.arguments, of.smaller)):
            binary = choose.BINARIES / of.program
            found = predicted(binary, arguments.split(), options.results, *limits, is_alone=True)
            rows += rows_of({"program": of.program, "arguments": arguments}, 1, found)
        if not rows:
            print(f"predict   {of.program}: it launches no kernel", flush=True)
            return
        with lock:
            done.extend(rows)
            keep(sorted(done, key=lambda row: row["program"]), target)
        print(told(of.program, rows), flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(predict, chosen))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", type=Path, nargs="?")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    parser.add_argument("--chosen", choices=choose.SETS, help="those of choose.py")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--name", help="of the table (the program's)")
    parser.add_argument("--longer", type=int, default=1, metavar="N", help="times as many blocks (1)")
    parser.add_argument("--timed", metavar="ARGUMENTS", help="those that are timed (those given)")
    parser.add_argument("--results", type=Path, default=ROOT / "results", help="with the prices of each GPU")
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
    if options.longer < 1:
        print(f"predict: --longer {options.longer}: at least 1", file=sys.stderr)
        return 2
    name = options.name or options.program.stem
    longer = ("--longer", str(options.longer))
    found = predicted(options.program, options.arguments, options.results, *longer)
    timed = options.timed or shlex.join(options.arguments)
    rows = rows_of({"program": options.program.stem, "arguments": timed}, options.longer, found)
    if not rows:
        print(f"predict: {name}: the program launched no kernel", file=sys.stderr)
        return 1
    target = options.out / f"{name}.csv"
    keep(rows, target)
    print(f"{told(name, rows)}, in {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
