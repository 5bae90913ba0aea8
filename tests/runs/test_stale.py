"""Recordings whose kernels differ from the GPU binaries are listed with the command to rerun."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILT = {"machine_code": "digest", "architecture": "90", "compiler": "nvcc 13.0.88"}
REMEDIES = {
    "results/gpu/demo.json": "run make record on that GPU",
    "results/gpu/demo.counters.json": "run make counters on that GPU",
    "results/gpu/repeat/demo.json": "run scripts/record.py --repeat on that GPU",
}


def record(
    path: Path, digest: str | None = "digest", compiler: str = "nvcc 13.0.88, g++ 12", gpu: str = "9.0"
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    provenance = {"compiler": compiler} | ({"machine_code": digest} if digest else {})
    path.write_text(
        json.dumps({"context": {"machine": {"compute_capability": gpu}, "provenance": provenance}})
    )


@pytest.fixture
def folder(tmp_path) -> Path:
    """A binary's digest and a matching recording of each kind; SIMT results have no digest."""
    (tmp_path / "binaries").mkdir()
    (tmp_path / "binaries/demo.machine_code").write_text(json.dumps(BUILT))
    for name in REMEDIES:
        record(tmp_path / name)
    record(tmp_path / "results/simt/demo.json", digest=None)
    return tmp_path


def stale(folder: Path) -> tuple[int, list[str]]:
    """Exit status and output lines."""
    command = [sys.executable, ROOT / "scripts/stale.py", "--binaries", folder / "binaries"]
    done = subprocess.run(
        [*command, "--results", folder / "results"], capture_output=True, text=True, check=False
    )
    return done.returncode, (done.stdout + done.stderr).splitlines()


def test_recordings_of_the_binaries_kernels_are_fresh(folder):
    assert stale(folder) == (0, ["stale     0 of 3 recordings, 0 not compared"])


@pytest.mark.parametrize("name", REMEDIES)
@pytest.mark.parametrize("digest", ["other", None])
def test_a_recording_of_other_kernels_is_named(folder, name, digest):
    record(folder / name, digest)
    said = f"stale     {name}: made with other kernels than experiments/demo.cu has; {REMEDIES[name]}"
    assert stale(folder) == (1, [said, "stale     1 of 3 recordings, 0 not compared"])


def test_a_recording_of_no_experiment_is_named(folder):
    record(folder / "results/gpu/gone.json")
    status, (said, _) = stale(folder)
    assert (status, said) == (1, "stale     results/gpu/gone.json: there is no such experiment; delete it")


@pytest.mark.parametrize("other", [{"compiler": "nvcc 12.9.1, g++ 12"}, {"gpu": "8.0"}])
def test_what_was_compiled_otherwise_is_not_compared(folder, other):
    record(folder / "results/gpu/demo.json", "other", **other)
    status, said = stale(folder)
    assert status == 0
    assert said[0].startswith("skipped   results/gpu/demo.json: the binaries are of sm_90 by nvcc 13.0.88")
    assert said[1] == "stale     0 of 3 recordings, 1 not compared"


def test_without_binaries_it_says_what_to_do(folder):
    (folder / "binaries/demo.machine_code").unlink()
    assert stale(folder) == (1, [f"stale: no binaries in {folder}/binaries: make gpu builds them"])


def with_kernels(folder: Path, claim: str, timed: list[str], counted: str) -> None:
    path = folder / f"binaries/{claim}.machine_code"
    path.write_text(json.dumps(BUILT | {"kernels": timed}))
    simt = folder / f"results/simt/{claim}.json"
    simt.write_text(json.dumps({"context": {"machine": {"kernels": counted}}}))


def test_a_kernel_that_is_timed_and_not_counted_is_named(folder):
    with_kernels(folder, "demo", ["scan", "compiled_kernel"], "scan")
    assert stale(folder)[0] == 0
    with_kernels(folder, "demo", ["scan", "scan_faster"], "scan")
    status, said = stale(folder)
    assert (status, said[-1]) == (1, "uncounted demo: scan_faster is timed and not counted")


def test_an_excuse_that_is_not_needed_is_named(folder):
    with_kernels(folder, "scan_ideas", ["scan", "scan_look_back"], "scan")
    assert stale(folder)[0] == 0
    with_kernels(folder, "scan_ideas", ["scan", "scan_look_back"], "scan scan_look_back")
    status, said = stale(folder)
    assert (status, said[-1]) == (1, "uncounted scan_ideas: scan_look_back needs no excuse in stale.py")
