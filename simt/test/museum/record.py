"""Fill in what is found in the exhibits: the last columns of exhibits.csv.

With --simt, what the SIMT machine reports under any of four seeds: `found` and `line` of the faulty program,
`unoptimised` of its build with -G, and `cured` of the cured program, in both builds. A faulty program of
which nothing is reported is "missed"; if only the build with -G shows the fault, `line` is of that one.

Without, what NVIDIA's racecheck says of the faulty and of the cured program on a GPU, in the words of
simt/test/hazards/record.py: `racecheck` and `racecheck_cured`, which are empty until then.
"""

import argparse
import csv
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from experiments.record import recording
from simt.test.hazards import record as bench

HERE = Path(__file__).parent
TABLE = HERE / "exhibits.csv"
CURED = "_cured"
# Of a report: the place of the fault, and that of the other access or of those who wait; not where memory is
# allocated.
PLACE = re.compile(r"(?<!allocated)(?::| at) ([\w.]+\.(?:cu|cuh|h)):(\d+)")


def rows_of(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def places(printed: list[str | None], file: str) -> str:
    """Lines of the exhibit at which something is reported; of other files with their names."""
    lines = [line for text in printed if text for line in text.splitlines()]
    reports = [line for line in lines if line.startswith(bench.MACHINE) and "hint: " not in line]
    found = {place for line in reports for place in PLACE.findall(line)}
    return " ".join(
        line if name == file else f"{name}:{line}"
        for name, line in sorted(found, key=lambda each: (each[0] != file, each[0], int(each[1])))
    )


def on_machine(arguments: argparse.Namespace, name: str) -> dict[str, str]:
    binary = arguments.binary
    optimised, unoptimised = (
        bench.outputs(arguments, build, binary, name) for build in ("optimised", "unoptimised")
    )
    builds = [bench.found_in(printed).replace("clean", "missed") for printed in (optimised, unoptimised)]
    cured = {bench.on_machine(arguments, build, binary, name + CURED) for build in bench.BUILDS}
    shown = optimised if builds[0] != "missed" else unoptimised
    return {
        "found": builds[0],
        "line": places(shown, f"{name}.cu"),
        "unoptimised": builds[1],
        "cured": " ".join(sorted(cured)),
    }


def on_gpu(arguments: argparse.Namespace, name: str) -> dict[str, str]:
    columns = {"racecheck": name, "racecheck_cured": name + CURED}
    return {
        column: bench.under_tool(arguments, "racecheck", arguments.binary, program)
        for column, program in columns.items()
    }


def record(arguments: argparse.Namespace) -> None:
    arguments.binary = arguments.binary.resolve()
    runner = [arguments.simt.resolve()] if arguments.simt else []
    listed = {each["name"] for each in bench.programs_of(arguments.binary, "", *runner)}
    rows = rows_of(TABLE)
    shown = [row for row in rows if row["name"] in listed]
    one = on_machine if arguments.simt else on_gpu
    with ThreadPoolExecutor(os.cpu_count() if arguments.simt else arguments.workers) as pool:
        for row, found in zip(shown, pool.map(lambda row: one(arguments, row["name"]), shown), strict=True):
            row |= found
    recording.write_table(arguments.out, rows)
    print(f"museum    {len(shown)} of {len(rows)} exhibits, in {arguments.out}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    option = parser.add_argument
    option("--binary", type=Path, default=recording.ROOT / "build/gpu/tests/museum", help="the GPU binary")
    option("--simt", type=Path, metavar="SIMT-RUN", help="on the SIMT machine, which this program runs")
    option("--seeds", type=int, default=4, help="with --simt: schedules of each program")
    option("--out", type=Path, default=TABLE, help="the table that is written")
    option("--workers", type=int, default=8, help="processes that run at a time on a GPU")
    option("--seconds", type=float, default=60, help="time limit of a process")
    arguments = parser.parse_args()
    arguments.table = "museum"
    return recording.run("museum", lambda: record(arguments))


if __name__ == "__main__":
    sys.exit(main())
