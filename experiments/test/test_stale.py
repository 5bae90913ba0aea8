"""Recordings whose kernels differ from the GPU binaries are listed with the command to rerun."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.core import claims, recorded
from analysis.test.made_up import case

ROOT = Path(__file__).resolve().parents[2]
SIMT = {"kind": "simt", "name": "SIMT machine"}
BUILT = {"machine_code": "digest", "architecture": "90", "compiler": "nvcc 13.0.88"}
REMEDIES = {
    "results/gpu/demo.jsonl": "run make record on that GPU",
    "results/gpu/demo.counters.jsonl": "run make counters on that GPU",
    "results/gpu/repeat/demo.jsonl": "run python -m experiments.record.times --repeat on that GPU",
}


def record(
    path: Path, digest: str | None = "digest", compiler: str = "nvcc 13.0.88, g++ 12", gpu: str = "9.0"
) -> None:
    machine = {"kind": "gpu", "name": "GPU", "compute_capability": gpu}
    write(path, machine, {"compiler": compiler} | ({"machine_code": digest} if digest else {}))


def write(path: Path, machine: dict, provenance: dict, rule: str = "a rule") -> None:
    timed = machine["kind"] == "gpu" and "counters" not in path.name
    about = {"provenance": provenance, "metrics": {"ops": "a metric"} if "counters" in path.name else {}}
    cases = [case("scan/a/n:1", **({"times_us": [1]} if timed else {}))]
    made = recorded.recording(path.name.split(".")[0], recorded.rule_of(rule), machine, cases, **about)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(recorded.text_of(made))


@pytest.fixture
def folder(tmp_path) -> Path:
    """A binary's digest and a matching recording of each kind; SIMT results have no digest."""
    (tmp_path / "binaries").mkdir()
    (tmp_path / "binaries/demo.machine_code").write_text(json.dumps(BUILT))
    for name in REMEDIES:
        record(tmp_path / name)
    write(tmp_path / "results/simt/demo.jsonl", SIMT, {})
    return tmp_path


def stale(folder: Path) -> tuple[int, list[str]]:
    """Exit status and output lines."""
    command = [sys.executable, "-m", "experiments.record.stale", "--binaries", folder / "binaries"]
    done = subprocess.run(
        [*command, "--results", folder / "results"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.returncode, (done.stdout + done.stderr).splitlines()


def test_recordings_of_the_binaries_kernels_are_fresh(folder):
    assert stale(folder) == (0, ["stale     0 of 3 recordings, 0 not compared"])


@pytest.mark.parametrize("name", REMEDIES)
@pytest.mark.parametrize("digest", ["other", None])
def test_a_recording_of_other_kernels_is_named(folder, name, digest):
    record(folder / name, digest)
    said = f"stale     {name}: made with other kernels than demo.cu has; {REMEDIES[name]}"
    assert stale(folder) == (1, [said, "stale     1 of 3 recordings, 0 not compared"])


def test_a_recording_of_no_experiment_is_named(folder):
    record(folder / "results/gpu/gone.jsonl")
    status, (said, _) = stale(folder)
    assert (status, said) == (1, "stale     results/gpu/gone.jsonl: there is no such experiment; delete it")


@pytest.mark.parametrize("other", [{"compiler": "nvcc 12.9.1, g++ 12"}, {"gpu": "8.0"}])
def test_what_was_compiled_otherwise_is_not_compared(folder, other):
    record(folder / "results/gpu/demo.jsonl", "other", **other)
    status, said = stale(folder)
    assert status == 0
    assert said[0].startswith("skipped   results/gpu/demo.jsonl: the binaries are of sm_90 by nvcc 13.0.88")
    assert said[1] == "stale     0 of 3 recordings, 1 not compared"


def test_without_binaries_it_says_what_to_do(folder):
    (folder / "binaries/demo.machine_code").unlink()
    assert stale(folder) == (1, [f"stale: no binaries in {folder}/binaries: make gpu builds them"])


def with_kernels(folder: Path, claim: str, timed: list[str], counted: str) -> None:
    path = folder / f"binaries/{claim}.machine_code"
    path.write_text(json.dumps(BUILT | {"kernels": timed}))
    write(folder / f"results/simt/{claim}.jsonl", SIMT | {"kernels": counted}, {})


def test_a_kernel_that_is_timed_and_not_counted_is_named(folder):
    with_kernels(folder, "demo", ["scan", "compiled_kernel"], "scan")
    assert stale(folder)[0] == 0
    with_kernels(folder, "demo", ["scan", "scan_faster"], "scan")
    status, said = stale(folder)
    assert (status, said[-1]) == (1, "uncounted demo: scan_faster is timed and not counted")


def test_an_excuse_that_is_not_needed_is_named(folder):
    with_kernels(folder, "scan_ideas", ["scan", "scan_look_back_seeded"], "scan")
    assert stale(folder)[0] == 0
    with_kernels(folder, "scan_ideas", ["scan", "scan_look_back_seeded"], "scan scan_look_back_seeded")
    status, said = stale(folder)
    assert (status, said[-1]) == (
        1,
        "uncounted scan_ideas: scan_look_back_seeded needs no excuse in not_counted.csv",
    )


def test_a_rule_in_other_words_is_said_and_makes_nothing_stale(folder):
    (folder / "experiments/made_up/demo").mkdir(parents=True)
    members = "".join(f'    .{field} = "x",\n' for field in claims.FIELDS[1:-1])
    for rule, said in (("A rule.", 1), ("Another rule.", 2)):  # a full stop is no other rule
        text = f'const harness::Claim CLAIM = {{\n    .order = 1,\n{members}    .fails_if = "{rule}",\n}};\n'
        (folder / "experiments/made_up/demo/demo.cu").write_text(text)
        status, lines = stale(folder)
        assert (status, len(lines)) == (0, said)
    assert lines[0] == "reworded  3 recordings, made when the rule had other words: demo"
