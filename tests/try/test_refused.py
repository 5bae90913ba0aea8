"""What does not run gets one clear line, or the compiler's own at the user's line."""

import re

import pytest

from tests.rest import some
from tests.runs.project import ROOT

REFUSED = sorted((ROOT / "tests/try/refused").glob("*.cu"))


@pytest.mark.parametrize("path", some(REFUSED, ["ptx"], lambda path: path.stem), ids=lambda path: path.stem)
def test_what_does_not_run_is_said_in_one_line(path, attempt, stated):
    result = attempt(path, *(stated(path, "Options") or "").split())
    assert result.status == 2, result.output + result.errors
    says = stated(path, "Says")
    assert says in result.errors or re.search(says, result.errors), result.errors
    assert "error: " in result.errors or len(result.errors.splitlines()) == 1


def test_a_missing_file(attempt):
    result = attempt("no/such.cu")
    assert (result.status, result.errors) == (2, "try: no/such.cu: no such file\n")


def test_a_kernel_or_a_launch_that_is_not_there(attempt):
    path = ROOT / "tests/try/programs/vector_add.cu"
    assert "no such kernel was launched; these were: add" in attempt(path, "--kernel", "copy").errors
    assert "--launch 2: the program has 1 launches" in attempt(path, "--launch", 2).errors


def test_help(attempt):
    result = attempt("--help")
    assert result.status == 0 and "--html" in result.output
