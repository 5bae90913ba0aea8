"""Google Benchmark's JSON, and recordings of earlier versions, become one line a case; no sample is lost."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.core import recorded
from analysis.test.made_up import case
from experiments.record.convert import convert as of_file

ROOT = Path(__file__).resolve().parents[2]
A, B = "scan/a/cache:cold/n:64", "scan/b/threads:2/cache:cold/n:64"
CONTEXT = {
    "schema": 1,
    "claim": {"id": "demo", "fails_if": "It is not faster."},
    "machine": {"kind": "gpu", "name": "GPU"},
    "provenance": {"seed": 1},
    "skipped": [{"case": "scan/a/n:128", "reason": "too large"}],
}


def row(name: str, repetition: int, time: float, **more) -> dict:
    same = {"run_name": name, "run_type": "iteration", "repetitions": 2, "threads": 1, "iterations": 1}
    own = {
        "name": name,
        "repetition_index": repetition,
        "real_time": time,
        "cpu_time": 0.0,
        "time_unit": "us",
    }
    return own | same | {"bytes": 512.0, "throttled": 0.0} | more


# Google Benchmark's, interleaved; an earlier version's, which kept what differs from a case's first row.
INTERLEAVED = [row(A, 1, 2.5, mhz=1975.0), row(B, 0, 7.0), row(A, 0, 0.1 + 0.2, mhz=1980.0), row(B, 1, 7.0)]
KEPT = [
    row(A, 0, 0.1 + 0.2, mhz=1980.0),
    {"repetition_index": 1, "real_time": 2.5, "mhz": 1975.0},
    row(B, 0, 7.0),
    {"repetition_index": 1},
]
CASES = [
    case(A, bytes=512, mhz=[1980, 1975], times_us=[0.3, 2.5]),
    case(B, bytes=512, times_us=[7.0, 7.0]),
]


def convert(folder: Path) -> tuple[int, list[str]]:
    """Exit status and what was said."""
    command = [sys.executable, "-m", "experiments.record.convert", folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr).splitlines()


def write(path: Path, rows: list[dict], **context) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"context": CONTEXT | context, "benchmarks": rows}, indent=2))
    return path


@pytest.mark.parametrize("rows", [INTERLEAVED, KEPT])
def test_every_sample_is_kept(tmp_path, rows):
    path = write(tmp_path / "gpu/demo.json", rows)
    assert convert(tmp_path) == (0, [f"converted {path} to demo.jsonl"])
    made = recorded.read(tmp_path / "gpu/demo.jsonl")
    assert sorted(made.cases, key=lambda case: case["name"]) == CASES
    context = made.context
    assert (context.claim, context.machine, context.provenance) == ("demo", CONTEXT["machine"], {"seed": 1})
    assert (context.zero, context.skipped) == (["throttled"], CONTEXT["skipped"])
    assert context.rule == recorded.rule_of("it is not faster")
    assert made.full()[0]["throttled"] == 0
    assert not path.exists()


def test_counters_and_repetitions_are_converted_with_the_times(tmp_path):
    """One command converts the folder of a fork."""
    write(tmp_path / "gpu/demo.json", KEPT)
    write(tmp_path / "gpu/repeat/demo.json", KEPT)
    write(tmp_path / "gpu/demo.counters.json", [row(A, 0, 1.5, ops=7)], metrics={"ops": "a metric"})
    status, said = convert(tmp_path)
    assert (status, len(said)) == (0, 3)
    files = sorted(path.name for path in tmp_path.rglob("*") if path.is_file())
    assert files == ["demo.counters.jsonl", "demo.jsonl", "demo.jsonl"]
    assert recorded.read(tmp_path / "gpu/demo.counters.jsonl").cases == [case(A, bytes=512, ops=7)]
    assert convert(tmp_path) == (0, [f"convert: nothing to do in {tmp_path}"])


def test_what_was_counted_moves_with_its_tables(tmp_path):
    """A table that the claim no longer has is removed."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out/demo.trace.csv.gz").write_text("of cases that the claim had before\n")
    path = write(tmp_path / "in/demo.json", [row(A, 0, 0.0, ops=3)], machine={"kind": "simt", "name": "SIMT"})
    path.with_suffix(".steps.csv.gz").write_text("case\n")
    known = {"machine_code": "of another GPU", "counted": "digest", "architecture": "86"}
    (tmp_path / "code").write_text(json.dumps(known))
    of_file(path, tmp_path / "out", tmp_path / "code")
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == ["demo.jsonl", "demo.steps.csv.gz"]
    assert list((tmp_path / "in").iterdir()) == []
    made = recorded.read(tmp_path / "out/demo.jsonl")
    assert "times_us" not in made.cases[0] and made.context.provenance["machine_code"] == "digest"


BAD = {
    "cut off": (lambda text: text[:-30], "Expecting"),
    "another program's": (lambda _: '{"context": {}, "benchmarks": []}', "not results of an experiment"),
    "a failed case": (lambda text: text.replace('"mhz"', '"error_occurred": true, "mhz"', 1), "failed"),
    "another unit": (lambda text: text.replace('"us"', '"ms"', 1), "has no time in us"),
    "no time": (lambda text: text.replace("2.5", "0"), "line 2: .*has no time"),
    "a repetition twice": (
        lambda text: text.replace('"repetition_index": 1', '"repetition_index": 0'),
        "twice",
    ),
    "other quantities": (lambda text: text.replace('"mhz": 1975', '"hz": 1975'), "different quantities"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_is_not_understood_stays_as_it_is(tmp_path, kind):
    spoil, expected = BAD[kind]
    path = write(tmp_path / "gpu/demo.json", INTERLEAVED)
    path.write_text(spoil(path.read_text()))
    before = path.read_text()
    write(tmp_path / "gpu/other.json", KEPT, claim=CONTEXT["claim"] | {"id": "other"})
    status, said = convert(tmp_path)
    assert status == 1 and len(said) == 2, "the other file is converted all the same"
    (complaint,) = [line for line in said if line.startswith("convert: ")]
    assert complaint.startswith(f"convert: {path}: ") and complaint.endswith("; it is left as it is")
    assert re.search(expected, complaint)
    assert sorted(each.name for each in path.parent.iterdir()) == ["demo.json", "other.jsonl"]
    assert path.read_text() == before
