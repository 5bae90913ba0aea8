"""Time the launches that predict.py has predicted, each once and alone, on this machine's GPU.

    python -m experiments.record.time_programs --binaries FOLDER --predicted TABLE [--out FILE]

The binaries are those that were predicted, by their names. Needs NVIDIA's ncu and Python's standard library,
no more. ncu empties the caches before each launch, as the prediction assumes. Beside the time stands what is
busiest, in percent of its peak: `issue` of the schedulers, `alu`, `fma`, `fp64` and `xu` of the pipes that
compute, `pipe` of the one to shared and global memory, `dram` of memory.
"""

import argparse
import csv
import os
import re
import shlex
import subprocess
import sys
import tempfile
from math import prod
from pathlib import Path

from experiments.record import counters, recording
from experiments.record.recording import ROOT, RecordError

TIME = "gpu__time_duration.sum"
OF_PEAK = ".avg.pct_of_peak_sustained_elapsed"
BUSY = {
    "issue": f"smsp__issue_active{OF_PEAK}",
    **{each: f"sm__inst_executed_pipe_{each}{OF_PEAK}" for each in ("alu", "fma", "fp64", "xu")},
    "pipe": f"l1tex__data_pipe_lsu_wavefronts{OF_PEAK}",
    "dram": f"dram__throughput{OF_PEAK}",
}
LIMIT_S = 120  # of a program


def predicted(table: Path) -> list[dict[str, str]]:
    """One row a launch that differs, whatever GPU it is predicted for."""
    if not table.is_file():
        raise RecordError(f"{table}: nothing is predicted; python -m experiments.record.predict does it")
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return list(
        {tuple(row[name] for name in ("program", "arguments", "launch")): row for row in rows}.values()
    )


def profiled(of: list[dict[str, str]], binaries: Path) -> list[dict[str, str]]:
    """ncu's rows of these launches of one run, in their order."""
    binary = binaries.resolve() / of[0]["program"]
    numbers = [int(row["launch"]) for row in of]
    with tempfile.TemporaryDirectory(prefix="timed-") as scratch:
        log = Path(scratch) / "ncu.csv"
        command = [counters.profiler(), "--csv", "--page", "raw", "--print-units", "base"]
        command += ["--clock-control", "none", "--metrics", ",".join([TIME, *BUSY.values()])]
        command += ["--launch-skip", str(min(numbers) - 1)]
        command += ["--launch-count", str(max(numbers) - min(numbers) + 1), "--log-file", log]
        try:
            subprocess.run(
                [*command, binary, *shlex.split(of[0]["arguments"])],
                cwd=scratch,
                env=os.environ
                | {"LD_LIBRARY_PATH": f"{binaries.resolve()}:{os.environ.get('LD_LIBRARY_PATH', '')}"},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=LIMIT_S,
                check=False,
            )
        except (subprocess.TimeoutExpired, OSError) as error:
            raise RecordError(f"{binary}: {error}") from None
        text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    found = [
        each
        for each in csv.DictReader(line for line in text.splitlines() if not line.startswith("=="))
        if each["ID"]
    ]
    if len(found) <= max(numbers) - min(numbers):
        raise RecordError(f"{of[0]['program']}: ncu shows no launch {max(numbers)}: {text.strip()[-200:]}")
    return [found[number - min(numbers)] for number in numbers]


def timed(row: dict[str, str], found: dict[str, str]) -> dict[str, str]:
    """The launch's row of the table; it must be of the kernel and of the grid that were predicted."""
    blocks = prod(map(int, re.findall(r"\d+", found["Grid Size"])))
    expected = prod(map(int, row["grid"].split("x"))) * float(row["longer"])
    name = re.search(r"\w+(?=[<(])", found["Kernel Name"])[0]
    if blocks != expected or name not in row["kernel"]:
        raise RecordError(
            f"{row['program']}: launch {row['launch']} is {name} of {blocks} blocks, not as predicted"
        )
    us = float(found[TIME].replace(",", "")) / 1000
    return (
        {name: row[name] for name in ("program", "arguments", "launch", "kernel")}
        | {"us": f"{us:.4g}"}
        | {name: f"{float(found[metric].replace(',', '')):.1f}" for name, metric in BUSY.items()}
    )


def record(options: argparse.Namespace) -> None:
    name = recording.ask_gpu("name")
    about = {"gpu": name, "driver": recording.ask_gpu("driver_version"), "profiler": counters.version()}
    out = options.out or ROOT / "results" / recording.slug(name) / f"programs.{options.predicted.stem}.csv"
    rows, failures = [], []
    runs: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in predicted(options.predicted):
        runs.setdefault((row["program"], row["arguments"]), []).append(row)
    for number, ((program, arguments), of) in enumerate(runs.items(), 1):
        try:
            rows += [
                timed(row, found) | about
                for row, found in zip(of, profiled(of, options.binaries), strict=True)
            ]
        except RecordError as error:
            failures.append(str(error))
            print(f"timed     {error}", file=sys.stderr, flush=True)
            continue
        print(f"timed     {number} of {len(runs)}: {program} {arguments}: {len(of)} launches", flush=True)
        recording.write_table(out, rows)  # after each run: an interrupted recording loses nothing
    if failures:
        raise RecordError(f"{len(failures)} of {len(runs)} runs without times")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--binaries", type=Path, required=True, help="folder of the compiled programs")
    parser.add_argument("--predicted", type=Path, required=True, help="the table of predict.py")
    parser.add_argument("--out", type=Path, help="the table (results/<gpu>/programs.<name of predicted>)")
    options = parser.parse_args()
    return recording.run("time_programs", lambda: record(options))


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    sys.exit(main())
