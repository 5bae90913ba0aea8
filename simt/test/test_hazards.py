"""The machine's checks find what is wrong with each program of hazards/, and accuse no correct one.

Each program is built twice: optimised, as it runs on a GPU, and with -G. What the compiler has removed is
found in the second; what is found in either must be what is expected. hazards/record.py runs each under
several seeds: the programs of schedules.cu show their fault in some alone.
"""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from simt.test import programs

# In the optimised program these faults of the source are not there any more, or not to be seen.
REMOVED = {
    "constant_payload_no_barrier",
    "unused_value_no_barrier",
    "unused_store_of_all",
    "mask_without_caller",
    "cutlass_mask",
}


@pytest.mark.parametrize("place", ["barriers.cu:25", "barriers.cu:27"])  # of the write; of the read
def test_a_place_can_be_allowed(place):
    def found(*options: str) -> tuple[int, str]:
        command = [programs.MACHINE, *options, programs.BINARIES.parent / "hazards_some", "barrier_missing"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    status, line = found()
    assert status == 3 and "barriers.cu:25: data race" in line and "at barriers.cu:27;" in line
    assert found("--allow", place) == (0, "")
    assert found("--allow", "barriers.cu:2") == (3, line)
    assert found("--allow", "other.cu:25") == (3, line)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("bench", ["hazards_some", pytest.param("hazards", marks=pytest.mark.full)])
def test_every_fault_is_found_and_no_correct_program_is_accused(tmp_path, bench):
    binary = programs.BINARIES.parent / bench
    command = [sys.executable, "-m", "simt.test.hazards.record", "--simt", programs.MACHINE]
    command += ["--binary", binary, "--out", tmp_path, "--seconds", str(programs.SECONDS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    measured = rows(tmp_path / "simt/hazards.csv")
    wrong = [
        row
        for row in measured
        if row["unoptimised"] != row["expected"]
        or row["optimised"] != ("clean" if row["name"] in REMOVED else row["expected"])
    ]
    assert not wrong, "\n".join(map(str, wrong))
    committed, names = rows(programs.ROOT / "results/simt/hazards.csv"), {row["name"] for row in measured}
    assert measured == [row for row in committed if row["name"] in names or bench == "hazards"], (
        "run python -m simt.test.hazards.record --simt build/simt-run"
    )
