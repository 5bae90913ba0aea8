"""Read the GPU's counters for unmodified programs: a row for the first launch of each kernel and shape.

    python -m simt.test.samples.counters --binaries build/samples-gpu --out FILE

The programs and their arguments are those of samples.csv, the binaries those of run.py --build.
Needs NVIDIA's ncu and Python's standard library, no more. The SIMT machine's side of the comparison is
results/simt/samples.launches.csv, of run.py.
"""

import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from experiments.record import counters, recording
from experiments.record.recording import RecordError
from simt.test.samples.run import COUNTED, Program, first_of_each_shape, programs

INVOCATIONS = "^[1-4]$"  # of each kernel, which are profiled: the samples repeat theirs a hundred times
LAUNCHES = 64  # of a program, if that selects none
QUANTITIES = {name: counters.COUNTS[name] for name in COUNTED if name in counters.COUNTS}
METRICS = [
    *counters.metrics_of(" + ".join(QUANTITIES.values())),
    counters.WARP_OPCODES,
    counters.THREAD_OPCODES,
]


def command_of(selection: list[str], log: Path) -> list[str]:
    return [
        *(counters.profiler(), "--csv", "--page", "raw", "--print-units", "base"),
        *("--print-metric-instances", "details", "--print-kernel-base", "function"),
        *(
            "--clock-control",
            "none",
            "--cache-control",
            "none",
            "--metrics",
            ",".join(dict.fromkeys(METRICS)),
        ),
        *(*selection, "--log-file", str(log)),
    ]


def profiled(program: Program, binaries: Path, selection: list[str], limit: float) -> list[dict[str, str]]:
    """ncu's rows, one a launch. A program that fails of itself still has the rows of what it launched."""
    with tempfile.TemporaryDirectory(prefix="counters-") as scratch:
        log = Path(scratch) / "ncu.csv"
        command = [*command_of(selection, log), binaries.resolve() / program.binary, *program.arguments]
        try:
            subprocess.run(
                command,
                cwd=scratch,
                env=os.environ | {"LD_LIBRARY_PATH": f"{binaries.resolve()}"},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise RecordError(f"{program.name}: not at its end after {limit:g} s") from None
        text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    if "ERR_NVGPUCTRPERM" in text:
        raise RecordError("the driver lets only root read the GPU's counters: run it as root")
    rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("==")))
    complaints = [line for line in text.splitlines() if line.startswith(("==ERROR==", "==WARNING=="))]
    if not rows and complaints and "No kernels were profiled" not in text:
        raise RecordError(f"{program.name}: {complaints[0]}")
    return [row for row in rows if row["ID"]]  # the first row holds the units


def launches_of(program: Program, binaries: Path, limit: float) -> list[dict[str, str]]:
    for selection in (["--kernel-id", f":::{INVOCATIONS}"], ["--launch-count", str(LAUNCHES)]):
        if found := profiled(program, binaries, selection, limit):
            return found
    raise RecordError(f"{program.name}: no kernel was profiled")


def row_of(program: Program, launch: dict[str, str]) -> dict[str, object]:
    """One row of the table. A quantity that this GPU has no metric for is empty."""
    row = {"program": program.name, "kernel": launch["Kernel Name"]}
    row |= {name: "x".join(re.findall(r"\d+", launch[f"{name.title()} Size"])) for name in ("grid", "block")}
    row |= {name: counters.value_of(formula, launch) for name, formula in QUANTITIES.items()}
    return row | {"barriers": counters.from_opcodes(launch, 4).get("barriers")}


def record(options: argparse.Namespace) -> None:
    about = {
        "gpu": recording.ask_gpu("name"),
        "driver": recording.ask_gpu("driver_version"),
        "profiler": counters.version(),
    }
    rows, failures = [], []
    for program in programs(options.only):
        try:
            launches = launches_of(program, options.binaries, options.limit)
        except RecordError as error:
            failures.append(str(error))
            print(f"counters  {error}", file=sys.stderr, flush=True)
            continue
        found = first_of_each_shape(row_of(program, launch) for launch in launches)
        rows += [row | about for row in found]
        print(
            f"counters  {program.name}: {len(launches)} launches, {len(found)} kernels and shapes", flush=True
        )
        recording.write_table(options.out, rows)  # after each program: an interrupted recording loses nothing
    if failures:
        raise RecordError(f"{len(failures)} programs without counters")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--binaries", type=Path, required=True, help="folder with the compiled programs")
    parser.add_argument("--out", type=Path, required=True, help="the table")
    parser.add_argument("--limit", type=float, default=60, help="seconds of each program (default: 60)")
    parser.add_argument("--only", metavar="REGEX", default="", help="programs whose name contains this")
    options = parser.parse_args()
    return recording.run("counters", lambda: record(options))


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    sys.exit(main())
