"""The machine's checks find what is wrong with each program of hazards/, and accuse no correct one.

Each program is built twice: optimised, as it runs on a GPU, and with -G. What the compiler removes is found in
the second; both together must give what is expected, and nothing else. So under several seeds: a verdict does
not depend on the schedule.
"""

import csv
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from itertools import product

from tests.simt import programs

BUILDS = ("hazards", "hazards_unoptimised")
SEEDS = (0, 1)
FOLDER = programs.BINARIES.parent

# What the machine says of each kind, the more special first. An illegal address is not said to be a race.
SAID = {
    "of writes of one value": "same_value",
    "data race": "race",
    "missing fence": "missing_acquire",
    "uninitialised read": "uninitialised_read",
    "divergent barrier": "divergent_barrier",
    "divergent warp": "divergent_warp",
    "deadlock": "deadlock",
    "an illegal address": "out_of_bounds",
    "of shared memory is accessed": "out_of_bounds",
}
MACHINE = "SIMT machine: "
# In the optimised program these faults of the source are not there any more.
REMOVED = {"constant_payload_no_barrier", "unused_value_no_barrier", "unused_store_of_all", "mask_without_caller"}


def listed() -> dict[str, str]:
    """Name and expectation of every program."""
    command = [programs.MACHINE, FOLDER / BUILDS[0], "--list"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {row["name"]: row["expected"] for row in csv.DictReader(lines)}


def kind_of(line: str) -> str:
    return next((kind for text, kind in SAID.items() if text in line), line)


def found(build: str, name: str, seed: int) -> set[str]:
    """The kinds of what the machine says of a program; a wrong result, if it says nothing."""
    command = [programs.MACHINE, "--seed", str(seed), FOLDER / build, name]
    environment = os.environ | {"SIMT_CHECKS": "1"}
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=programs.SECONDS, check=False
    )
    said = {kind_of(line) for line in done.stderr.splitlines() if line.startswith(MACHINE)}
    if said:
        assert done.returncode != 0, done.stderr
    elif not done.stdout.endswith("the result is right\n"):
        said = {done.stdout.strip() or done.stderr.strip() or f"status {done.returncode}"}
    return said


def test_every_fault_is_found_and_no_correct_program_is_accused():
    expected = listed()
    tasks = list(product(expected, BUILDS, SEEDS))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(tasks, pool.map(lambda task: found(task[1], task[0], task[2]), tasks), strict=True))
    wrong = []
    for (name, build, seed), kinds in results.items():
        right = set() if expected[name] == "clean" else {expected[name]}
        if build == BUILDS[0] and name in REMOVED:
            right = set()
        if expected[name] == "race":  # what a race writes may be there already, in some orders
            kinds = kinds - {"same_value"} if "race" in kinds else kinds
        if kinds != right:
            wrong.append(f"{name} ({expected[name]}), {build}, seed {seed}: {', '.join(kinds) or 'nothing'}")
    assert not wrong, "\n".join(wrong)
    assert len(expected) > 190
