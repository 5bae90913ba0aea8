"""Programs of others: a few of them, unmodified and with a fault planted; results/simt has what all say."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.test.project import ROOT
from simt.test.samples import run as samples

FEW = "^(vectorAdd|scalarProd|transpose|simpleCudaGraphs|simpleTexture|fp16ScalarProduct)$"
RESULTS = ROOT / "results/simt"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def sources() -> str:
    if not (given := os.environ.get("SAMPLES")):
        pytest.skip("no samples here: set SAMPLES to a folder with NVIDIA's cuda-samples and cccl")
    return given


@pytest.mark.full
def test_a_few_say_what_is_committed(sources, tmp_path):
    command = [
        sys.executable,
        "-m",
        "simt.test.samples.run",
        "--from",
        sources,
        "--only",
        FEW,
        "--out",
        tmp_path,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in ("samples.csv", "samples.launches.csv", "planted.csv"):
        made = [{key: row[key] for key in row if key != "seconds"} for row in rows(tmp_path / name)]
        programs = {row["program"] for row in made}
        committed = [row for row in rows(RESULTS / name) if row["program"] in programs]
        assert made == [{key: row[key] for key in row if key != "seconds"} for row in committed]


def test_every_program_ends_as_it_should():
    listed = [row["program"] for row in rows(ROOT / "simt/test/samples/samples.csv")]
    ended = {row["program"]: row["passed"] for row in rows(RESULTS / "samples.csv")}
    assert ended == dict.fromkeys(listed, "yes")


def test_every_finding_is_judged_and_every_planted_fault_found():
    assert all(row["wrong"] and row["why"] for row in rows(RESULTS / "samples.findings.csv"))
    planted = rows(RESULTS / "planted.csv")
    assert len(planted) == len(rows(ROOT / "simt/test/samples/planted.csv"))
    assert all(row["found"] == "yes" for row in planted)


def test_a_text_that_is_not_there_once_is_not_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(samples, "CACHE", tmp_path / "cache")
    folder = tmp_path / "cuda-samples/sum"
    folder.mkdir(parents=True)
    program = samples.Program(
        "sum N=32", "cuda-samples/sum", ["sum.cu"], [], [], "sum.cu: 1 << 20 -> 32; 9 -> 1"
    )
    (folder / "sum.cu").write_text("int n = 1 << 20, cycles = 9;")
    changed = samples.prepared(program, tmp_path) / program.folder / "sum.cu"
    assert changed.read_text() == "int n = 32, cycles = 1;"
    for text in ("int n = 1 << 20, cycles = 99;", "int cycles = 9;"):
        (folder / "sum.cu").write_text(text)
        with pytest.raises(samples.TryError, match="is there [02] times, not once"):
            samples.prepared(program, tmp_path)
    assert (folder / "sum.cu").read_text() == text


def test_of_a_program_that_crashes_what_it_said_is_found():
    lines = [
        "try: the program was ended by SIGSEGV",
        "try: f(int*): a.cu:7: data race on shared memory, byte 4",
    ]
    (finding,) = samples.findings_of({"findings": [], "said": lines})
    assert samples.place(finding) == "a.cu:7: data race"


def test_a_copy_that_lacks_a_source_is_one_line(tmp_path):
    command = [sys.executable, "-m", "simt.test.samples.run", "--from", tmp_path, "--only", "^vectorAdd$"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("samples   vectorAdd: ") and done.stderr.count("\n") == 1
    assert "vectorAdd.cu is not there: another version of the samples?" in done.stderr
