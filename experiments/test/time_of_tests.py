"""Prints where the time of make test or make test-rest went: by stage, by kind of test, and the slowest five.

Reads build/tests.csv, when each stage began, and the reports of ctest and pytest, build/tests.<name>.xml.
"""

import csv
import itertools
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

BUILD = Path(__file__).resolve().parents[2] / "build"
KINDS = {  # by the room of pytest's tests; all others are of programs
    "analysis": "analysis",
    "paper": "page",
    "experiments": "experiments and whole runs",
    "simt.try_cuda": "programs tried",
    "simt": "SIMT machine",
    "kernels": "mutants",
}


def stages(build: Path) -> dict[str, float]:
    """Seconds by stage; the last row is the end."""
    with (build / "tests.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    return {name: float(end) - float(begin) for (name, begin), (_, end) in itertools.pairwise(rows)}


def tests(build: Path) -> list[tuple[float, str, str]]:
    """Seconds, kind and name of each test."""
    found = []
    for path in sorted(build.glob("tests.*.xml")):
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            module, name, kind = case.get("classname", ""), case.get("name", ""), "machine and kernels"
            if path.name == "tests.pytest.xml":  # a module: experiments.test.test_make
                kind = next((KINDS[room] for room in KINDS if module.startswith(f"{room}.")), "set-up")
                name = f"{module.replace('.', '/')}.py::{name}"
            found.append((float(case.get("time", 0)), kind, name))
    return found


def table(build: Path) -> list[str]:
    wall, cases = stages(build), tests(build)
    by_kind = Counter()
    for seconds, kind, _ in cases:
        by_kind[kind] += seconds
    lines = [f"time      {sum(wall.values()):5.0f} s in all"]
    lines += [f"time      {seconds:5.0f} s {name}" for name, seconds in wall.items()]
    lines += [f"tests     {seconds:5.0f} s {kind}, added up" for kind, seconds in by_kind.most_common()]
    return lines + [f"slowest   {seconds:5.1f} s {name}" for seconds, _, name in sorted(cases)[:-6:-1]]


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in table(BUILD))
