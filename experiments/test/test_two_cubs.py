"""Two versions of CUB in one program: the linker must not merge symbols of the two."""

import re
import subprocess
from pathlib import Path

import pytest

from experiments.test.project import ROOT

OBJECTS = ROOT / "build/gpu/CMakeFiles/harness_cub.dir/experiments/libraries"
WEAK = re.compile(r"^[0-9a-f]+ [VWu] (.*)$", re.MULTILINE)
TWO_OF_A_KIND = ("cub", "thrust", "cuda")  # the namespaces that exist in two versions


def weak_names(path: Path) -> set[str]:
    """The weak symbols of an object file: of several definitions, the linker keeps one."""
    names = subprocess.run(["nm", "--demangle", path], capture_output=True, text=True, check=True).stdout
    return set(WEAK.findall(names))


def of_two_kinds(names: set[str]) -> list[str]:
    return sorted(name for name in names if any(re.search(rf"\b{kind}::", name) for kind in TWO_OF_A_KIND))


def test_the_linker_has_no_choice_between_them():
    toolkit, newest = OBJECTS / "cub_toolkit.cu.o", OBJECTS / "cub_newest.cu.o"
    if not toolkit.exists():
        pytest.skip("what is timed is not built: make gpu")
    if not newest.exists():
        pytest.skip("built without the newest CUB")
    toolkit, newest = weak_names(toolkit), weak_names(newest)
    assert len(of_two_kinds(toolkit)) > 100
    assert len(of_two_kinds(newest)) > 100
    assert of_two_kinds(toolkit & newest) == []
