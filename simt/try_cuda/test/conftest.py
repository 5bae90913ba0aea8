"""simt/try, run on a program; and what a program of this folder states of itself in its first lines."""

import json
import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from experiments.test.project import ROOT


@dataclass(frozen=True)
class Result:
    status: int
    output: str
    errors: str
    json: dict | None  # of --json, if that was asked for

    def total(self) -> Counter:
        """The counters of all launches."""
        return sum((Counter(launch["total"]) for launch in self.json["launches"]), Counter())


@pytest.fixture
def attempt(tmp_path):
    """attempt(file, ..., options) runs simt/try from the project's folder, with --json if `counted`."""

    def run(*arguments: object, counted: bool = False) -> Result:
        words = list(map(str, arguments))
        at = words.index("--") if "--" in words else len(words)
        out = tmp_path / "out.json"
        command = [ROOT / "simt/try", *words[:at], *(["--json", out] if counted else []), *words[at:]]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        content = json.loads(out.read_text()) if counted and out.exists() else None
        return Result(done.returncode, done.stdout, done.stderr, content)

    return run


@pytest.fixture
def stated():
    def find(path: Path, what: str) -> str | None:
        """What a line `// <what>: ...` of the program says; None if it has none."""
        line = re.search(rf"^// {what}: (.*)$", path.read_text(), re.MULTILINE)
        return line[1] if line else None

    return find


@pytest.fixture
def written(tmp_path):
    def write(name: str, text: str):
        path = tmp_path / name
        path.write_text(text.lstrip())
        return path

    return write
