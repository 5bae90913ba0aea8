"""The analysis of each claim, experiments/<family>/<claim>/analysis.py, and its faults as one line each."""

import importlib
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from analysis.core import claims
from analysis.core.errors import EvidenceError

ANALYSIS = "analysis.py"
GUIDE = "experiments/new/README.md"
# What an analysis defines. It may add cause, tables, text, drawings, numbers, and beyond_model: what the
# model of time does not know of the claim's kernels.
PARTS = ("verdict", "figure")


def has_analysis(claim: str) -> bool:
    return (claims.EXPERIMENTS.parent / claims.file_of(claim, ANALYSIS)).is_file()


def analysis_of(claim: str) -> ModuleType:
    path = claims.file_of(claim, ANALYSIS)
    if not has_analysis(claim):
        raise EvidenceError(f"{path}: missing; write it, beside {claim}.cu (see {GUIDE})")
    with faults_of(claim):
        module = importlib.import_module(claims.module_of(claim, "analysis"))
    if lacking := [part for part in PARTS if not hasattr(module, part)]:
        raise EvidenceError(f"{path}: does not define {', '.join(lacking)}; add it (see {GUIDE})")
    return module


@contextmanager
def faults_of(claim: str) -> Iterator[None]:
    """Any exception of a claim's analysis as one line that names the line to mend."""
    try:
        yield
    except EvidenceError:
        raise
    except Exception as error:
        what = " ".join(f"{type(error).__name__}: {error}".split())
        if "NoneType" in what:
            what += "; a count or time is None if no case has that quantity and those levels"
        mend = f"mend it (whole traceback: .venv/bin/python -m analysis {claim} --traceback)"
        raise EvidenceError(f"{place_of(claim, error)}: {what}; {mend}") from error


def place_of(claim: str, error: Exception) -> str:
    """File and line in which the error arose, if possible in the claim's analysis."""
    path = claims.file_of(claim, ANALYSIS)
    source = claims.EXPERIMENTS.parent / path
    if isinstance(error, SyntaxError) and error.filename == str(source):
        return f"{path}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(source)]
    last = f"{frames[-1].filename}:{frames[-1].lineno}"
    return f"{path}:{lines[-1]}" if lines else last
