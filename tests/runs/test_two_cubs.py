"""Two versions of CUB in one program: the linker must not merge symbols of the two."""

import re
import subprocess

import pytest

from tests.runs.project import ROOT

LIBRARY = ROOT / "build/gpu/libharness.a"
WEAK = re.compile(r"^[0-9a-f]+ [VWu] (.*)$", re.MULTILINE)
TWO_OF_A_KIND = ("cub", "thrust", "cuda")  # the namespaces that exist in two versions


def weak_names(member: str) -> set[str]:
    """The weak symbols of an object file: of several definitions, the linker keeps one."""
    command = ["nm", "--demangle", LIBRARY]
    names = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return set(WEAK.findall(names.split(f"\n{member}:\n", 1)[1].split("\n\n", 1)[0]))


def of_two_kinds(names: set[str]) -> list[str]:
    return sorted(name for name in names if any(re.search(rf"\b{kind}::", name) for kind in TWO_OF_A_KIND))


def test_the_linker_has_no_choice_between_them():
    if not LIBRARY.exists():
        pytest.skip("the GPU binaries are not built: make gpu")
    members = subprocess.run(["ar", "t", LIBRARY], capture_output=True, text=True, check=True).stdout.split()
    if "cub_newest.cu.o" not in members:
        pytest.skip("built without the newest CUB")
    toolkit, newest = weak_names("cub.cu.o"), weak_names("cub_newest.cu.o")
    assert len(of_two_kinds(toolkit)) > 100
    assert len(of_two_kinds(newest)) > 100
    assert of_two_kinds(toolkit & newest) == []
