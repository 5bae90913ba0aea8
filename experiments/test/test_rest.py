"""What make test runs and leaves to make test-rest, and what both say of their time."""

import pytest

from experiments.test.project import ROOT
from experiments.test.rest import some
from experiments.test.run import table
from kernels.test.mutants.run import Sources

LEFT_OUT = {"long_vectors.cu", "scan_parts_nccl.cu", "scan_ring_variants.cu"}


def test_make_test_runs_every_kernel():
    sources = Sources(ROOT)
    tests = [path for path in (ROOT / "kernels/test").glob("*.cu") if path.name not in LEFT_OUT]
    included = set().union(*(sources.included(path.relative_to(ROOT).as_posix()) for path in tests))
    kernels = [path for room in ("textbook", "fast") for path in (ROOT / "kernels" / room).rglob("*.cuh")]
    assert len(kernels) > 50
    assert [name for path in kernels if (name := path.relative_to(ROOT).as_posix()) not in included] == []


def test_some_are_kept_and_the_others_marked():
    one, two = some(["a", "b"], ["b"])
    assert (one.values, [mark.name for mark in one.marks], two) == (("a",), ["full"], "b")
    with pytest.raises(ValueError, match="there is no c"):
        some(["a", "b"], ["b", "c"])


CTEST = '<testsuite><testcase name="simt/copies" classname="simt/copies" time="4.5"/></testsuite>'
PYTEST = """<testsuites><testsuite>
<testcase classname="experiments.test.test_make" name="test_a" time="2.0"/>
<testcase classname="simt.try_cuda.test.test_page" name="test_b[1]" time="7.25"/>
<testcase classname="experiments.test.test_make" name="test_c" time="1.0"/>
</testsuite></testsuites>"""


def test_the_time_is_shown_by_stage_kind_and_the_slowest(tmp_path):
    (tmp_path / "tests.ctest.xml").write_text(CTEST)
    (tmp_path / "tests.pytest.xml").write_text(PYTEST)
    assert table(tmp_path, {"build": 70.5, "machine and kernels": 19.5}) == [
        "time         90 s in all",
        "time         70 s build",
        "time         20 s machine and kernels",
        "tests         7 s programs tried, added up",
        "tests         4 s machine and kernels, added up",
        "tests         3 s experiments and whole runs, added up",
        "slowest     7.2 s simt/try_cuda/test/test_page.py::test_b[1]",
        "slowest     4.5 s simt/copies",
        "slowest     2.0 s experiments/test/test_make.py::test_a",
        "slowest     1.0 s experiments/test/test_make.py::test_c",
    ]
