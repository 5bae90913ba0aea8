"""Published suites of faulty programs: a verdict is the suite's label, or an argument says why it is not.

Their programs are not in this repository. results/simt/suites.csv has what the machine found in them, and
simt/test/suites.csv the arguments. Binaries in build/suites, if suites/build.py has built them, must give
these verdicts.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from simt.test import programs
from simt.test.suites import build as suites
from simt.test.test_hazards import rows

TABLE = programs.ROOT / "results/simt/suites.csv"
ARGUMENTS = programs.ROOT / "simt/test/suites.csv"
BINARIES = programs.ROOT / "build/suites"
READINGS = {"optimised": "PTX", "unoptimised": "PTX", "volatile_weak": "C++"}
SIZES = {
    "ScoR": (14, 18),
    "Indigo": (180, 410),
    "Indigo3": (25, 57),
    "ECL": (6, 6),
}  # correct programs and faulty ones


def verdict(cell: str) -> str:
    """Of what the machine reports, the kinds that labels know: a missing fence makes a race."""
    return " ".join(sorted({"race" if kind == "missing_acquire" else kind for kind in cell.split()}))


def test_the_label_is_in_the_name():
    assert all(suites.label(row["name"]) == row["expected"] for row in rows(TABLE))


@pytest.mark.parametrize(
    ("name", "bugs", "label"),
    [
        ("BFS_CUDA_E_Data_IntType_NoRaceBug_BoundsBug_Thread", ["Bounds"], "out_of_bounds"),
        ("PR_CUDA_Pull_FloatType_NoBoundsBug_RaceBug", ["Race"], "race"),
        ("MIS_CUDA_V_Topo_NoNbrBoundsBug_UninitializedBug", ["Uninitialized"], "uninitialised_read"),
        ("TC_CUDA_E_NoNbrBoundsBug_NoSyncBug_Persist", [], "clean"),
    ],
)
def test_the_bugs_of_indigo3_are_words_of_a_name(name, bugs, label):
    assert (suites.BUG.findall(name), suites.label(name)) == (bugs, label)


def test_a_verdict_is_the_label_or_argued():
    table = rows(TABLE)
    for suite, sizes in SIZES.items():
        labels = [row["expected"] for row in table if row["kind"] == suite]
        assert (labels.count("clean"), len(labels) - labels.count("clean")) == sizes
    other = {
        (row["name"], row["expected"], reading, verdict(row[column]))
        for row in table
        for column, reading in READINGS.items()
        if verdict(row[column]) != row["expected"]
    }
    argued = rows(ARGUMENTS)
    assert other == {(row["program"], row["label"], row["volatile"], row["verdict"]) for row in argued}
    assert all(row["reason"] for row in argued)


def test_programs_are_compiled_for_the_architectures_that_are_asked_for(monkeypatch, tmp_path):
    """Without being asked nvcc compiles for one that the machine is not, if not told otherwise."""
    flags = []
    monkeypatch.setattr(suites, "compiled", lambda unit, some: flags.append(some) or unit)
    monkeypatch.setattr(suites, "call", flags.append)
    with ThreadPoolExecutor(1) as pool:
        suites.Build(tmp_path, [75, 90], pool).programs("ScoR", [], tmp_path, [""])
    assert len(flags) == 4  # to compile and to link, optimised and not
    codes = [f"-gencode=arch=compute_{number},code=sm_{number}" for number in (75, 90)]
    assert all(set(codes) <= set(map(str, some)) for some in flags)


@pytest.mark.full
@pytest.mark.parametrize(
    ("suite", "sample"), [("scor", ""), ("indigo", "^(path_compression|pull_node_neighbors_warp)")]
)
def test_a_sample_is_found_again(suite, sample, tmp_path):
    if not (BINARIES / f"{suite}_unoptimised").exists():
        pytest.skip(f"there is no {suite} in build/suites: simt/test/suites/build.py builds it")
    command = [sys.executable, "-m", "simt.test.hazards.record", "--simt", programs.MACHINE]
    command += ["--binary", BINARIES / suite, "--table", "suites", "--only", sample, "--out", tmp_path]
    done = subprocess.run(
        [*command, "--volatile-weak", "--seeds", "4"],
        cwd=programs.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    measured = rows(tmp_path / "simt/suites.csv")
    names = {row["name"] for row in measured}
    assert measured == [row for row in rows(TABLE) if row["name"] in names]
