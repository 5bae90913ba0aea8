"""README.md and reference.md show what the commands print."""

import re
import shlex

import pytest

from experiments.test.project import ROOT

FOLDER = ROOT / "simt/try_cuda"
TEXT = "".join((FOLDER / name).read_text() for name in ("README.md", "reference.md"))
BLOCKS = re.findall(r"```\n\$ simt/try (.*?)\n(.*?)```", TEXT, re.DOTALL)


def test_there_are_commands():
    assert len(BLOCKS) == 5


@pytest.mark.full
@pytest.mark.parametrize("command, shown", BLOCKS, ids=[command for command, _ in BLOCKS])
def test_a_command_prints_what_is_shown(command, shown, attempt, monkeypatch):
    monkeypatch.setenv("COLUMNS", "150")
    result = attempt(*shlex.split(command))
    printed = result.output + result.errors
    for part in shown.split("...\n"):
        assert part in printed


@pytest.mark.full
def test_two_programs_compare_as_is_shown(attempt, tmp_path):
    source = FOLDER / "examples/transpose.cu"
    padded = tmp_path / "padded.cu"
    padded.write_text(source.read_text().replace("#define WIDTH 32", "#define WIDTH 33"))
    printed = attempt(source, "--against", padded, "--once", "--seeds", 1).output
    (shown,) = re.findall(r"```\n(transpose.cu -> .*?)```", TEXT, re.DOTALL)
    for line in shown.splitlines():
        assert line.removesuffix(" ...") in printed
