"""What all recordings share: the GPU and its state, the binaries, all results or none.

Only Python's standard library is needed, so that a recording runs where the build tools are missing.
"""

import argparse
import contextlib
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from analysis.core import recorded
from experiments.record.convert import from_benchmark

ROOT = Path(__file__).resolve().parents[2]

STATE = {
    "sm_clock_mhz": ["clocks.sm"],
    "memory_clock_mhz": ["clocks.mem"],
    "temperature_c": ["temperature.gpu"],
    "power_w": ["power.draw"],
    # The name in newer drivers, and in older ones.
    "throttle_reasons": ["clocks_event_reasons.active", "clocks_throttle_reasons.active"],
}
SOURCES = ["kernels", "experiments", "CMakeLists.txt"]  # the paths that the git state covers


class RecordError(Exception):
    """Why nothing could be recorded, in one line."""


def gpu_id() -> str:
    """The GPU that CUDA programs see first, as nvidia-smi names it."""
    return os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")[0] or "0"


def ask_gpu(field: str) -> str:
    command = ["nvidia-smi", f"--id={gpu_id()}", f"--query-gpu={field}", "--format=csv,noheader,nounits"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        raise RecordError("no nvidia-smi here: recording needs an NVIDIA GPU and its driver") from None
    said = (answer.stdout + answer.stderr).strip()
    if answer.returncode != 0 or not said:
        raise RecordError(f"no GPU: nvidia-smi says: {' '.join(said.split())}")
    return said.splitlines()[0].strip()


def gpu_state() -> dict[str, str]:
    """Clocks, temperature, power and throttle reasons; "unknown" if the driver does not report one."""
    state = {}
    for name, fields in STATE.items():
        state[name] = "unknown"
        for field in fields:
            with contextlib.suppress(RecordError):
                state[name] = ask_gpu(field)
                break
    return state


def slug(name: str) -> str:
    """'NVIDIA H200' -> 'nvidia-h200'; 'NVIDIA H100 80GB HBM3' -> 'nvidia-h100': recordings say the memory."""
    model = re.sub(r" \d+ ?GB HBM\w*$", "", name, flags=re.IGNORECASE)
    return re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")


def git_state(arguments: argparse.Namespace) -> dict:
    """The commit that the binaries were built from: --git-commit, or else that of this checkout."""
    if arguments.git_commit:
        return {"git_commit": arguments.git_commit, "git_dirty": arguments.git_dirty}

    def git(*words: str) -> str:
        command = ["git", "-C", ROOT, *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        changes = git("status", "--porcelain", "--", *SOURCES)
        return {"git_commit": git("rev-parse", "HEAD"), "git_dirty": bool(changes)}
    except (OSError, subprocess.CalledProcessError):
        return {"git_commit": "unknown", "git_dirty": "unknown"}


def claims_in(binaries: Path) -> list[str]:
    files = [each for each in binaries.glob("*") if each.is_file() and not each.suffix]
    found = sorted(each.name for each in files if os.access(each, os.X_OK))
    if not found:
        raise RecordError(f"no binaries in {binaries}: make gpu builds them")
    return found


def chosen(arguments: argparse.Namespace) -> list[str]:
    """The claims that were asked for; all, if none was."""
    every = claims_in(arguments.binaries)
    if unknown := sorted(set(arguments.claims) - set(every)):
        raise RecordError(f"{arguments.binaries} has no binary {', '.join(unknown)}: make gpu builds them")
    return arguments.claims or every


def machine_code(binaries: Path, claim: str) -> str:
    """The digest that the build wrote beside a binary."""
    path = binaries / f"{claim}.machine_code"
    try:
        return json.loads(path.read_text(encoding="utf-8"))["machine_code"]
    except (OSError, ValueError, KeyError) as error:
        raise RecordError(f"{path}: no digest of machine code ({error}); make gpu writes it") from error


def write_table(path: Path, rows: list[dict]) -> None:
    """Rows as CSV, whole or not at all; what a row lacks is 0."""
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    part = path.with_name(f".{path.name}.part")
    with part.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, restval=0, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    part.replace(path)


def seconds_of(files: list[str], folders: list[Path]) -> float | None:
    """Seconds that the files took when last recorded, in the first folder that has each; None if unknown."""
    total = 0.0
    for name in files:
        contexts = filter(None, (recorded.context_of(folder / name) for folder in folders))
        times = (context.provenance.get("wall_seconds") for context in contexts)
        if not (seconds := next(filter(None, times), None)):
            return None
        total += seconds
    return total


def time_left(files: list[str], done: int, elapsed: float, target: Path) -> str:
    """How long the files after the first `done` take, as ", about 20 s left"; empty if unknown.

    The earlier recording may be of another GPU or of more repetitions: what is done tells how much slower or
    faster this one is.
    """
    folders = [target, ROOT / "results" / "nvidia-h200"] if done else [target]
    before, rest = seconds_of(files[:done], folders), seconds_of(files[done:], folders)
    if rest is None or before is None:
        return ""
    return f", about {rest * (elapsed / before if done else 1):.0f} s left"


def environment_for(binaries: Path) -> dict[str, str]:
    """The environment of a binary: libraries beside it are found, and GPUs have nvidia-smi's numbers."""
    libraries = [str(binaries), os.environ.get("LD_LIBRARY_PATH", "")]
    return os.environ | {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
        "LD_LIBRARY_PATH": ":".join(each for each in libraries if each),
    }


def read_results(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def move_into_place(part: Path, target: Path) -> None:
    """Move all files. Ctrl-C is ignored meanwhile, so that none is left behind."""
    target.mkdir(parents=True, exist_ok=True)
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    for path in sorted(part.iterdir()):
        os.replace(path, target / path.name)
    signal.signal(signal.SIGINT, handler)


class Recording:
    """Files of results on their way to a folder.

    What it prints begins with the verb. measure(claim, scratch) returns the results of a claim: it runs the
    binary, with `scratch` for its output.
    """

    def __init__(
        self,
        verb: str,
        arguments: argparse.Namespace,
        target: Path,
        suffix: str,
        measure: Callable[[str, Path], dict],
    ):
        self.verb, self.started = verb, time.monotonic()
        self.arguments, self.target, self.suffix, self.measure = arguments, target, suffix, measure
        self.part = arguments.out / f".{target.name}.part"

    def all_or_nothing(self, claims: list[str]) -> None:
        """Nothing is moved into place before all of these claims are measured."""
        with self._room():
            for claim in self._progress(claims):
                self._write(claim)
            move_into_place(self.part, self.target)
        self._say_done(len(claims))

    def one_by_one(self, claims: list[str]) -> None:
        """Each claim is moved into place once it is measured; one that fails does not stop the others."""
        failed = []
        with self._room():
            for claim in self._progress(claims):
                try:
                    self._write(claim)
                except RecordError as error:
                    print(f"{self.verb}: {error}", file=sys.stderr)
                    failed.append(claim)
                move_into_place(self.part, self.target)
        self._say_done(len(claims) - len(failed))
        if failed:
            raise RecordError(f"not measured: {', '.join(failed)}")

    @contextlib.contextmanager
    def _room(self) -> Iterator[None]:
        """A folder for what is not complete yet, gone afterwards."""
        shutil.rmtree(self.part, ignore_errors=True)
        self.part.mkdir(parents=True)
        try:
            yield
        finally:
            shutil.rmtree(self.part, ignore_errors=True)

    def _progress(self, claims: list[str]) -> Iterator[str]:
        """The claims, each announced with the time left."""
        files = [f"{claim}{self.suffix}" for claim in claims]
        for done, claim in enumerate(claims):
            left = time_left(files, done, time.monotonic() - self.started, self.target)
            print(f"{self.verb:9} {claim} ({done + 1} of {len(claims)}{left})", flush=True)
            yield claim

    def _say_done(self, claims: int) -> None:
        seconds = time.monotonic() - self.started
        print(f"{self.verb:9} {claims} claims in {seconds:.0f} s, in {self.target}")

    def _write(self, claim: str) -> None:
        with tempfile.TemporaryDirectory(prefix="recording-") as scratch:
            document = self.measure(claim, Path(scratch))
        code = {"machine_code": machine_code(self.arguments.binaries, claim)}
        document["context"]["provenance"] |= code | git_state(self.arguments)
        text = recorded.text_of(from_benchmark(document))
        (self.part / f"{claim}{self.suffix}").write_text(text, encoding="utf-8")


def options(about: str) -> argparse.ArgumentParser:
    """The command-line options of all recordings."""
    parser = argparse.ArgumentParser(description=about.split("\n", 1)[0])
    option = parser.add_argument
    option("--binaries", type=Path, default=ROOT / "build/gpu/experiments", help="folder of the GPU binaries")
    option("--out", type=Path, default=ROOT / "results", help="folder in which <gpu>/ is written")
    option("--git-commit", help="commit of the binaries, if this is not a git checkout")
    option("--git-dirty", action="store_true", help="with --git-commit: there were uncommitted changes")
    return parser


def run(verb: str, record: Callable[[], None]) -> int:
    """Run a recording and return its exit status; a failure is one line, which begins with the verb."""
    try:
        record()
    except RecordError as error:
        print(f"{verb}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{verb}: interrupted; earlier results stay", file=sys.stderr)
        return 130
    return 0
