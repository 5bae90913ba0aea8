"""A copy of the project in which to run make."""

import os
import re
import shutil
import signal
import subprocess
import time
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from analysis.core import claims

ROOT = Path(__file__).resolve().parents[2]
NOT_COPIED = {"build", ".venv", ".git", "results", "figures", "__pycache__", ".pytest_cache", ".ruff_cache"}
CLAIMS = claims.names()
SOURCES = {claim: claims.file_of(claim, f"{claim}.cu") for claim in CLAIMS}
# Counted and drawn in a copy: quick, and recorded on a GPU. For make test, CMakeLists.txt builds few others.
FEW = ["active_lanes", "allocation"]
RECORDED = (*FEW, "noise", "rates", "padding", "work")  # of GPUs: what the model of time needs, at the least


LONGEST_WAIT = 900  # seconds


def is_nothing(output: str) -> bool:
    return output.startswith("done      nothing to do") and len(output.splitlines()) == 1


def clean_environment() -> dict:
    """The environment without the variables set by the make that runs these tests."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MAKE", "MFLAGS", "GPU_ARCH"))
    }


@dataclass(frozen=True)
class Project:
    """A copy of the project that make treats as on a machine without a GPU."""

    folder: Path
    epoch: float = field(default_factory=lambda: time.time() - time.monotonic())

    def start(self, *arguments: str) -> subprocess.Popen:
        return subprocess.Popen(
            ["make", "GPU_ARCH=", *arguments],
            cwd=self.folder,
            env=clean_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            # A background test run ignores SIGINT, and child processes would inherit that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def make(self, *arguments: str) -> str:
        """Run make, which must succeed. Returns its output."""
        process = self.start(*arguments)
        output, _ = process.communicate()
        assert process.returncode == 0, output
        return output

    def ahead(self) -> float:
        """Seconds by which the newest file here lies in the future: the machine's clock was set back."""
        files = (path for path in self.folder.rglob("*") if path.is_file() and not path.is_symlink())
        return max(path.stat().st_mtime for path in files) - time.time()

    def was_set_back(self) -> bool:
        """The machine's clock, since the copy was made."""
        return time.time() - time.monotonic() < self.epoch - 1 or self.ahead() > 1

    def make_does_nothing(self) -> None:
        """Run make, which must find all of it made. It goes by the times of files: if the machine's clock was
        set back, what was built then is older than what it was built from, so the same time is waited for."""
        output = self.make()
        if is_nothing(output):
            return
        explained = ["ninja", "-C", "build/gpu", "-d", "explain", "experiments", "traces", "simt-run"]
        why = subprocess.run(explained, cwd=self.folder, capture_output=True, text=True, check=False)
        said = f"{output}\n{why.stderr}\n{why.stdout}"
        if not self.was_set_back():
            pytest.fail(said, pytrace=False)
        warnings.warn(f"this machine's clock was set back while the test ran:\n{said}", stacklevel=2)
        time.sleep(min(max(self.ahead(), 0) + 1, LONGEST_WAIT))
        self.make()
        assert is_nothing(self.make()), said

    def make_fails(self, *arguments: str) -> str:
        """Run make, which must fail. Returns its output."""
        process = self.start(*arguments)
        output, _ = process.communicate()
        assert process.returncode != 0, output
        return output

    def run(self, *command: str) -> None:
        subprocess.run(command, cwd=self.folder, env=clean_environment(), check=True)

    def interrupt(self, line: str, seconds: float, how: signal.Signals) -> None:
        """Run make and signal its process group `seconds` after it prints a matching line."""
        process = self.start()
        seen = ""
        for printed in process.stdout:
            seen += printed
            if re.search(line, printed):
                break
        else:
            pytest.fail(f"make never printed {line}:\n{seen}")
        time.sleep(seconds)
        os.killpg(process.pid, how)
        process.communicate(timeout=60)

    def take_over(self, folder: str, claims: list[str], step: str) -> None:
        """Our files of these claims in a folder, as if a step, an expression of `claim`, made them here."""
        (self.folder / folder).mkdir(parents=True, exist_ok=True)
        for path in [path for claim in claims for path in ROOT.glob(f"{folder}/{claim}.*")]:
            shutil.copyfile(path, self.folder / folder / path.name)
        modules = "from analysis import make; from experiments.record import count"
        stamps = f"for claim in {claims}: {step}._replace(run=lambda place: 0).run_in_child('')"
        self.run(".venv/bin/python", "-c", f"{modules}\n{stamps}")

    def files(self) -> dict[str, bytes]:
        """The content of every file outside the build folders, by path."""
        paths = [path for path in self.folder.rglob("*") if path.is_file()]
        ours = [path.relative_to(self.folder) for path in paths]
        kept = [path for path in ours if not {"build", ".venv", "__pycache__"} & set(path.parts)]
        return {str(path): (self.folder / path).read_bytes() for path in kept}


def copy_project(folder: Path, claims: Iterable[str] = CLAIMS) -> Project:
    """The project with these experiments, nothing built or drawn, and what GPUs RECORDED of some claims.

    Its .venv is a link to ours. A document over many claims takes what there is: of few it is soon drawn.
    """
    shutil.copytree(
        ROOT,
        folder,
        ignore=lambda parent, names: NOT_COPIED & set(names)
        if Path(parent) == ROOT
        else {"__pycache__"} & set(names),
        dirs_exist_ok=True,
    )
    for claim in set(CLAIMS) - set(claims):
        (folder / SOURCES[claim]).unlink()
    (folder / ".venv").symlink_to(ROOT / ".venv")
    recorded = set(RECORDED) & set(claims)
    for path in ROOT.glob("results/nvidia-*/*"):
        if path.suffix == ".csv" or path.name.split(".")[0] in recorded:
            copy = folder / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    return Project(folder)
