"""Reading results: factors, machines, and a one-line message for every error."""

import json
import re
from collections.abc import Callable

import pytest

from analysis.__main__ import main
from analysis.agreement.cells import forms
from analysis.common.closed_forms import closed_forms
from analysis.common.errors import EvidenceError
from analysis.common.files import claims_in
from analysis.common.loading import load, read, table_of
from tests.analysis.made_up import BY_STEP, counted_row, document, evidence, timed_rows, write, write_table
from tests.analysis.made_up_counters import counted, counters, counters_document, write_counters

CASE = "scan/blelloch/index:plain/tile:1024/n:65536"


def test_factors_are_columns(folders):
    row = evidence(folders[0], "demo", [counted_row(CASE, ops=7)], None).counted.rows.iloc[0]
    assert [row[factor] for factor in ("operation", "algorithm", "index")] == ["scan", "blelloch", "plain"]
    assert (row["tile"], row["n"]) == (1024, 65536)


def test_a_table_of_another_case_is_refused(folders):
    path = write(folders[0], "simt", document("demo", [counted_row(CASE)]))
    write_table(path, "steps", "case,launch,step,ops\nscan/other/n:2,0,0,1\n")
    with pytest.raises(EvidenceError, match="the case 'scan/other/n:2' is not in the recording"):
        read(path)


def test_a_factor_is_not_taken_for_google_benchmarks_own_column(folders):
    row = counted_row("reduce/tree/threads:spaced/n:64", ops=63) | {"threads": 1}
    found = evidence(folders[0], "demo", [row], None)
    assert found.counted.levels("threads") == ["spaced"]


def test_counts_and_medians(folders):
    found = evidence(folders[0], "demo", [counted_row(CASE, ops=7, active_lanes=2.5)], {CASE: 100.0})
    assert found.counted.count("ops", algorithm="blelloch") == 7
    assert found.counted.count("active_lanes", algorithm="blelloch") == 2.5
    assert found.counted.count("ops", algorithm="sklansky") is None
    assert found.counted.count("launches", algorithm="blelloch") is None
    assert found.timed.time(index="plain").value == 100.0
    assert found.timed.time(index="padded") is None


def test_a_file_is_read_anew_when_it_or_a_table_beside_it_changes(folders):
    row = counted_row(CASE, ops=7)
    path = write(folders[0], "simt", document("demo", [row]))
    first = read(path)
    assert read(path) is first and first.steps is None
    write(folders[0], "simt", document("demo", [row | {BY_STEP: [4, 3]}]))
    assert read(path).steps["ops"].tolist() == [4, 3]
    write(folders[0], "simt", document("demo", [counted_row(CASE, ops=12)]))
    assert read(path).count("ops", algorithm="blelloch") == 12


def test_several_cases_are_not_one(folders):
    rows = [counted_row("scan/blelloch/n:2", ops=2), counted_row("scan/blelloch/n:4", ops=6)]
    with pytest.raises(EvidenceError, match="more than one case"):
        evidence(folders[0], "demo", rows, None).counted.count("ops", algorithm="blelloch")


def test_the_reference_gpu_comes_first(folders):
    for machine, gpu in (("a100", "A100"), ("nvidia-h200", "NVIDIA H200"), ("rtx", "RTX")):
        write(folders[0], machine, document("demo", timed_rows({CASE: 1.0}), gpu=gpu))
    write(folders[0], "simt", document("demo", [counted_row(CASE)]))
    found = load(folders[0], "demo")
    assert [each.timed.machine["name"] for each in found] == ["NVIDIA H200", "A100", "RTX"]
    assert all(each.counted is found[0].counted for each in found)


def test_counters_of_other_kernels_than_the_times_are_noticed(folders):
    write(folders[0], "gpu", document("demo", timed_rows({CASE: 1.0}), gpu="GPU", code="new"))
    for code, stale in (("new", False), ("old", True), (None, False)):
        write_counters(folders[0], counters_document("demo", [counters(counted())], "GPU", code=code), "gpu")
        assert load(folders[0], "demo")[0].stale_counters is stale


def test_every_stated_closed_form_is_compared(folders):
    rows = [
        counted_row("scan/a/n:2", {"ops": 1, "barriers": 2}, ops=1, barriers=3),
        counted_row("scan/b/n:2", {"ops": 5}, ops=5),
    ]
    counted = evidence(folders[0], "demo", rows, None).counted
    found = forms(counted)
    assert len(found) == 3
    wrong = found[found["other"] != found["counted"]]
    assert wrong[["case", "quantity"]].values.tolist() == [["scan/a/n:2", "barriers"]]
    equal, said = closed_forms(counted)
    assert equal is False and "scan/a/n:2" in said
    assert closed_forms(counted, "ops") == (True, "")


def test_tables_beside_the_results(folders):
    path = write(folders[0], "simt", document("demo", [counted_row(CASE)]))
    assert read(path).steps is None and read(path).trace is None
    write_table(path, "steps", f"case,launch,kernel,step,ops\n{CASE},0,k,0,1\n{CASE},0,k,1,3\n")
    assert read(path).steps[["algorithm", "n", "ops"]].values.tolist() == [
        ["blelloch", 65536, 1],
        ["blelloch", 65536, 3],
    ]


def changed(number: int, change) -> Callable[[str], str]:
    """What spoils a file: a change of the object in this line, counted from 1."""

    def spoil(text: str) -> str:
        lines = text.splitlines()
        row = json.loads(lines[number - 1])
        change(row)
        lines[number - 1] = json.dumps(row)
        return "\n".join(lines) + "\n"

    return spoil


def line_of(text: str, number: int) -> str:
    return text.splitlines(keepends=True)[number - 1]


OLD = json.dumps({"context": {"schema": 1}, "benchmarks": []}, indent=2)
BAD = {
    "cut off": (lambda good: good[:-40], "line 3: not complete JSON"),
    "cut off after a line": (lambda good: line_of(good, 1) + line_of(good, 2), "line 2: the last of 1 cases"),
    "empty": (lambda good: "", "line 1: not complete JSON"),
    "a list": (lambda good: "[]\n" + good, "line 1: not a JSON object"),
    "another schema": (
        changed(1, lambda row: row.update(schema=2)),
        "line 1: not a context of schema 3 .*docs/",
    ),
    "no rule": (changed(1, lambda row: row.pop("rule")), "line 1: the context lacks 'rule'"),
    "a new member": (changed(1, lambda row: row.update(rules=1)), "line 1: the context has 'rules'"),
    "a wrong type": (changed(1, lambda row: row.update(machine="x")), "line 1: machine is not of type dict"),
    "another claim": (changed(1, lambda row: row.update(claim="x")), "line 1: it is about 'x'"),
    "no machine": (changed(1, lambda row: row["machine"].pop("kind")), "line 1: the machine has no kind"),
    "no cases": (changed(1, lambda row: row.update(cases=0)), "line 1: it has no cases"),
    "no factors": (changed(2, lambda row: row.pop("factors")), "line 2: the case has no factors"),
    "no algorithm": (
        changed(2, lambda row: row["factors"].pop("algorithm")),
        "line 2: the case has no factors",
    ),
    "a level that is neither": (
        changed(2, lambda row: row["factors"].update(n=1.0)),
        "line 2: the case has no factors, each a word or a whole number",
    ),
    "no time": (
        changed(3, lambda row: row["times_us"].append(0)),
        "line 3: the case scan/b/n:1 has no time",
    ),
    "no times": (changed(3, lambda row: row.pop("times_us")), "line 3: the case scan/b/n:1 has no times_us"),
    "not a number": (
        changed(2, lambda row: row.update(bytes=float("nan"))),
        "line 2: bytes of the case",
    ),
    "a text": (changed(2, lambda row: row.update(bytes="12")), "line 2: bytes of the case"),
    "a sample too few": (
        changed(2, lambda row: row.update(bytes=[1, 2])),
        "line 2: bytes of the case",
    ),
    "zero and not": (changed(2, lambda row: row.update(throttled=1)), "line 2: throttled of the case scan/a"),
    "a case twice": (lambda good: good + line_of(good, 2), "line 4: the case scan/a/n:1 appears twice"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_results_are_one_clear_line(kind, folders, capsys):
    """It names the line of the file and what to do, and nothing is drawn."""
    results, figures = folders
    spoiled, expected = BAD[kind]
    times = [row | {"bytes": 8, "throttled": 0} for row in timed_rows({"scan/a/n:1": 1.0, "scan/b/n:1": 2.0})]
    path = write(results, "gpu", document("work", times, gpu="GPU"))
    path.write_text(spoiled(path.read_text()))
    damaged = path.read_text()
    assert main(["work", f"--results={results}", f"--figures={figures}"]) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert said[0].startswith(f"analysis: {path}: ") and re.search(expected, said[0])
    assert said[0].endswith("; restore the committed file, or run make record on that GPU")
    assert list(figures.iterdir()) == [] and path.read_text() == damaged


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("case,launch\n", "lacks step, ops"),
        (f"case,launch,step,ops\n{CASE},0,1\n", "incomplete"),
        ("", "not a table"),
    ],
)
def test_bad_tables_are_one_clear_line(table, expected, folders):
    path = write(folders[0], "simt", document("demo", [counted_row(CASE)]))
    write_table(path, "steps", table)
    with pytest.raises(EvidenceError, match=expected) as error:
        read(path)
    assert "\n" not in str(error.value)


DAMAGED = [lambda good: good[:-9], lambda good: good[:20] + good[30:], lambda _: b"x"]


@pytest.mark.parametrize("spoiled", DAMAGED)
def test_a_damaged_table_is_one_clear_line(spoiled, folders):
    path = write(folders[0], "simt", document("demo", [counted_row(CASE) | {BY_STEP: range(99)}]))
    table = table_of(path, "steps")
    table.write_bytes(spoiled(table.read_bytes()))
    with pytest.raises(EvidenceError, match=f"^{table}: not a table .*; delete {path} and run make"):
        read(path)


def test_counters_lie_beside_the_times(folders):
    row = counted(CASE)
    write(folders[0], "simt", document("demo", [row]))
    write(folders[0], "nvidia-h200", document("demo", timed_rows({CASE: 1.0}), gpu="NVIDIA H200"))
    write(folders[0], "a100", document("demo", timed_rows({CASE: 1.0}), gpu="A100"))
    assert [each.counters for each in load(folders[0], "demo")] == [None, None]
    write_counters(folders[0], counters_document("demo", [counters(row)]))
    first, second = load(folders[0], "demo")
    assert first.counters.count("ops", algorithm="blelloch") == row["ops"]
    assert first.counters.metrics["ops"] == "metric_of_ops"
    assert second.counters is None


def test_counters_alone_are_a_gpu_without_times(folders):
    write(folders[0], "a100", document("demo", timed_rows({CASE: 1.0}), gpu="A100"))
    write_counters(folders[0], counters_document("demo", [counters(counted(CASE))]))
    timed, untimed = load(folders[0], "demo")
    assert (timed.gpu.folder, timed.counters) == ("a100", None)
    assert (untimed.gpu.folder, untimed.timed) == ("nvidia-h200", None)


def test_counters_are_no_claim_of_their_own(folders):
    write_counters(folders[0], counters_document("demo", [counters(counted(CASE))]))
    assert claims_in(folders[0]) == ["demo"]


BAD_COUNTERS = {
    "a claim's name": (changed(1, lambda row: row.update(claim="demo.counters")), "about 'demo.counters'"),
    "not of a GPU": (
        changed(1, lambda row: row["machine"].update(kind="simt")),
        "line 1: counters that",
    ),
    "no metrics": (
        changed(1, lambda row: row.update(metrics={})),
        "line 2: .* has no times_us",
    ),
    "a fraction": (changed(2, lambda row: row.update(ops=1.5)), "line 2: ops is not a whole number"),
    "a word": (
        changed(2, lambda row: row.update(ops="n/a")),
        "line 2: ops of .* is not a number",
    ),
    "a case twice": (lambda good: good + line_of(good, 2), "line 3: .* appears twice"),
}


@pytest.mark.parametrize("kind", BAD_COUNTERS)
def test_bad_counters_are_one_clear_line(kind, folders):
    spoiled, expected = BAD_COUNTERS[kind]
    path = write_counters(folders[0], counters_document("demo", [counters(counted(CASE))]))
    path.write_text(spoiled(path.read_text()))
    with pytest.raises(EvidenceError, match=expected) as error:
        load(folders[0], "demo")
    assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)
    assert str(error.value).endswith("; restore the committed file, or run make counters on that GPU")


@pytest.mark.parametrize("name", ["work.json", "work.counters.json"])
def test_a_recording_of_an_earlier_version_is_not_overlooked(name, folders, capsys):
    write(folders[0], "simt", document("work", [counted_row(CASE)]))
    (folders[0] / "a100").mkdir()
    (folders[0] / "a100" / name).write_text(OLD)
    assert main(["work", f"--results={folders[0]}", f"--figures={folders[1]}"]) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1 and f"a100/{name}: a recording of an earlier version; run make convert" in said[0]


def test_times_are_no_counters(folders):
    path = write(folders[0], "gpu", document("demo", timed_rows({CASE: 1.0}), gpu="GPU"))
    path.rename(path.with_name("demo.counters.jsonl"))
    with pytest.raises(EvidenceError, match="line 1: counters name metrics, and nothing else does"):
        load(folders[0], "demo")


def test_damaged_counts_are_made_anew_by_make(folders):
    path = write(folders[0], "simt", document("demo", [counted_row(CASE)]))
    table = write_table(path, "steps", "case\n")
    with pytest.raises(EvidenceError, match=f"^{table}: it lacks .*; delete {path} and run make"):
        read(path)
    table.unlink()
    path.write_text('{"schema"')
    with pytest.raises(EvidenceError, match=f"^{path}: line 1: not complete JSON .*; delete {path}"):
        read(path)


def test_a_fault_of_the_source_names_the_source(folders):
    rows = [counted_row("scan/a/n:2", {"opps": 1}, ops=1), counted_row("scan/a/n:4", ops=1)]
    counted = evidence(folders[0], "demo", rows, None).counted
    with pytest.raises(EvidenceError, match=r"opps is not counted; mend predict\(\) in demo.cu"):
        closed_forms(counted)
    with pytest.raises(EvidenceError, match="^the analysis of demo: algorithm='a' names more than one case"):
        counted.count("ops", algorithm="a")


def test_no_results_at_all(folders, capsys):
    assert main(["work", f"--results={folders[0]}", f"--figures={folders[1]}"]) == 1
    assert "no results for this claim; run make" in capsys.readouterr().err
