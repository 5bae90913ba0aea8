"""Run the tests, and say where the time went: python -m experiments.test.run [--rest [PART]]

Without --rest, those of make test; with it those that make test leaves out, or one part of them. Printed is
the time by stage, by kind of test, and of the slowest five, from build/tests.<name>.xml of ctest and pytest.
"""

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from experiments.test.project import FEW

BUILD = Path("build").absolute()
PROGRAMS = [f"experiment_{claim}" for claim in (*FEW, "work")]  # which tests of pytest run
KINDS = {  # by the room of pytest's tests; all others are of programs
    "analysis": "analysis",
    "paper": "page",
    "experiments": "experiments and whole runs",
    "simt.try_cuda": "programs tried",
    "simt": "SIMT machine",
    "kernels": "mutants",
}
PARTS = {  # of make test-rest, by what pytest runs; what ctest runs is of the kernels
    "kernels": ["kernels/test"],
    "simt": ["simt", "--ignore=simt/try_cuda"],
    "programs": ["simt/try_cuda"],
    "claims": ["experiments/test", "analysis/test", "paper/test", ".setup/test"],
}


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


def table(build: Path, stages: dict[str, float]) -> list[str]:
    """`stages`: the seconds of each."""
    cases = tests(build)
    by_kind = Counter()
    for seconds, kind, _ in cases:
        by_kind[kind] += seconds
    lines = [f"time      {sum(stages.values()):5.0f} s in all"]
    lines += [f"time      {seconds:5.0f} s {name}" for name, seconds in stages.items()]
    lines += [f"tests     {seconds:5.0f} s {kind}, added up" for kind, seconds in by_kind.most_common()]
    return lines + [f"slowest   {seconds:5.1f} s {name}" for seconds, _, name in sorted(cases)[:-6:-1]]


def main(arguments: list[str]) -> int:
    is_rest, part = "--rest" in arguments, "".join(arguments[1:])
    at_a_time = "1" if os.environ.get("GPU_ARCH") else "2"  # a GPU runs one test at a time
    target, label, which = "tests", "--label-exclude", "not full"
    if is_rest:
        target, label, which = "_".join(["tests_rest", *arguments[1:]]), "--label-regex", "full"
    ctest = ["ctest", "--test-dir", "build/gpu", "--output-on-failure", "--no-tests=error", label, "full"]
    ctest += ["--parallel", at_a_time, "--output-junit", f"{BUILD}/tests.ctest.xml"]
    pytest = [sys.executable, "-m", "pytest", "--numprocesses", "3", "--dist", "loadgroup", "-m", which]
    pytest += ["--junit-xml", f"{BUILD}/tests.pytest.xml", *PARTS.get(part, [])]
    stages = {
        "build": [".setup/build.sh", target, "simt-run", "simt_programs", *PROGRAMS],
        "machine and kernels": ctest,
        "analysis and whole runs": pytest,
    }
    if part not in ("", "kernels"):
        del stages["machine and kernels"]
    for former in BUILD.glob("tests.*"):
        former.unlink()
    seconds = {}
    for name, command in stages.items():
        print(f"test      {name}", flush=True)
        began = time.monotonic()
        if status := subprocess.run(command, check=False).returncode:
            return abs(status)
        seconds[name] = time.monotonic() - began
    print(*table(BUILD, seconds), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
