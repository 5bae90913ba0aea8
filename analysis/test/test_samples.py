"""The tables of programs of others: which launches are compared, and what is said without a GPU."""

from pathlib import Path

import pytest

from analysis.core.errors import EvidenceError
from analysis.report.printed import samples

ROOT = Path(__file__).resolve().parents[2]
OLD = [name for name in samples.QUANTITIES if name.startswith(("shared", "bank", "global", "barriers"))]
PROGRAMS = "program,kernels,launches,passed\nsum,1,3,yes\nsort,2,9,no\nwmma,1,1,no\n"
FINDINGS = """program,file,line,found,in,wrong,why
sort,sort.cu,7,data race,both,the sample,nothing orders them
sort,sort.cu,8,data race,optimised,the sample,nothing orders them
sort,sort.cu,9,uninitialised read,both,,
"""
HEAD = ",".join([*samples.SHAPE, *OLD]) + "\n"
COUNTED = HEAD + "sum,add,4x1x1,32x1x1,1,2,3,4,0,16,17,5\nsort,swap,1x1x1,32x1x1,1,1,1,1,0,4,4,0\n"
READ = HEAD + "sum,add,4x1x1,32x1x1,1,2,3,4,1,16,,5\nsum,add,8x1x1,32x1x1,9,9,9,9,9,9,9,9\n"


@pytest.fixture
def results(tmp_path) -> Path:
    tables = {"samples.csv": PROGRAMS, "samples.findings.csv": FINDINGS, "samples.launches.csv": COUNTED}
    for name, text in tables.items():
        (tmp_path / "simt").mkdir(exist_ok=True)
        (tmp_path / "simt" / name).write_text(text)
    return tmp_path


def read_by_gpu(results: Path, text: str) -> None:
    (results / "nvidia-h200").mkdir()
    (results / "nvidia-h200/samples.counters.csv").write_text(text)


def test_without_samples_there_is_nothing(tmp_path):
    assert samples.contents(tmp_path) is None


def test_without_a_gpu_nothing_is_compared(results):
    found = samples.contents(results)
    assert (found["programs"], found["verified"], found["gpu"]) == ("3", "1", "")
    assert found["differences"] == []
    race = [("sort.cu", ["7", "8"], "data race"), ("sort.cu", ["9"], "uninitialised read")]
    first, second, _ = found["rows"]
    none = {"shapes": 0, "equal": 0, "compared": 0}
    assert first == {"program": "sum", "found": [], "kernels": "1", "launches": "3", "passed": "yes"} | none
    assert (second["found"], second["kernels"], second["launches"], second["passed"]) == (
        race,
        "2",
        "9",
        "no",
    )


def test_launches_of_one_kernel_and_shape_are_compared(results):
    """Not what one machine alone has, nor what this GPU has no metric for."""
    read_by_gpu(results, READ)
    found = samples.contents(results)
    assert (found["equal"], found["compared"]) == ("6", "7")
    assert [(row["shapes"], row["equal"], row["compared"]) for row in found["rows"][:2]] == [
        (1, 6, 7),
        (0, 0, 0),
    ]
    assert found["differences"] == [{"kernel": "add", "counts": [["bank conflicts", "0", "1"]]}]


def test_each_finding_is_judged(results):
    found = samples.contents(results)
    assert (found["faulty"], found["at_fault"]) == ("1", "0")  # one of its lines is not judged
    assert found["judged"] == [
        ["sort.cu", ["7", "8"], "data race", "the sample", "nothing orders them"],
        ["sort.cu", ["9"], "uninitialised read", "–", "–"],
    ]
    committed = samples.contents(ROOT / "results")
    assert committed["faulty"] == committed["at_fault"] != "0"


def test_a_damaged_table_is_one_line(results):
    read_by_gpu(results, "program,kernel\nsum,add\n")
    with pytest.raises(EvidenceError, match="it lacks grid, block, barriers"):
        samples.contents(results)


def test_planted_faults_are_tallied_by_kind(results):
    rows = "program,fault,found\nsum,barrier,yes\nsort,barrier,no\nsum,bound,yes\n"
    (results / "simt/planted.csv").write_text(rows)
    found = samples.contents(results)["planted"]
    assert (found["faults"], found["found"]) == ("3", "2")
    assert found["rows"] == [["barrier", "2", "2", "1"], ["bound", "1", "1", "1"]]
