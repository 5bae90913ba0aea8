"""What all recordings share: the GPU and its state, the binaries, all results or none.

Only Python's standard library is needed, so that a recording runs where the build tools are missing.
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
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
    """'NVIDIA H200' -> 'nvidia-h200'"""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


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


def recorded(path: Path) -> dict:
    """The context of an earlier recording; empty if there is none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))["context"]
    except (OSError, ValueError, KeyError):
        return {}


def machine_code(binaries: Path, claim: str) -> str:
    """The digest that the build wrote beside a binary."""
    path = binaries / f"{claim}.machine_code"
    try:
        return json.loads(path.read_text(encoding="utf-8"))["machine_code"]
    except (OSError, ValueError, KeyError) as error:
        raise RecordError(f"{path}: no digest of machine code ({error}); make gpu writes it") from error


def up_to_date(path: Path, binaries: Path) -> bool:
    """Whether a recording was made with the kernels in the binary."""
    found = machine_code(binaries, path.name.split(".")[0])
    return recorded(path).get("provenance", {}).get("machine_code") == found


def seconds_for(files: list[str], target: Path) -> float | None:
    """Seconds that the last recording of these files took, here or on the reference GPU; None if unknown."""
    total = 0.0
    for name in files:
        for folder in (target, ROOT / "results" / "nvidia-h200"):
            if seconds := recorded(folder / name).get("provenance", {}).get("wall_seconds"):
                total += seconds
                break
        else:
            return None
    return total


def environment_for(binaries: Path) -> dict[str, str]:
    """The environment of a binary: libraries beside it are found, and GPUs have nvidia-smi's numbers."""
    libraries = [str(binaries), os.environ.get("LD_LIBRARY_PATH", "")]
    return os.environ | {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
        "LD_LIBRARY_PATH": ":".join(each for each in libraries if each),
    }


def read_results(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


# What Google Benchmark writes for every repetition and never varies here: one thread, one iteration.
BOILERPLATE = {"per_family_instance_index", "run_name", "threads", "iterations", "cpu_time"}


def text_of(document: dict) -> str:
    """JSON with one repetition per line, in the order of the cases rather than of the interleaved run."""
    context = json.dumps(document["context"], indent=2, ensure_ascii=False).replace("\n", "\n  ")
    rows = sorted(document["benchmarks"], key=lambda row: (row["family_index"], row["repetition_index"]))
    rows = [{key: value for key, value in row.items() if key not in BOILERPLATE} for row in rows]
    lines = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f'{{\n  "context": {context},\n  "benchmarks": [\n    {lines}\n  ]\n}}\n'


def move_into_place(part: Path, target: Path) -> None:
    """Move all files. Ctrl-C is ignored meanwhile, so that none is left behind."""
    target.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for path in sorted(part.iterdir()):
        os.replace(path, target / path.name)


def record_claims(
    arguments: argparse.Namespace, target: Path, suffix: str, measure: Callable[[str, Path], dict]
) -> None:
    """Write <target>/<claim><suffix> for every binary, or nothing.

    measure(claim, folder): run the claim's binary, with that folder for its output; return the results.
    """
    claims = claims_in(arguments.binaries)
    if arguments.if_needed:
        claims = [
            claim for claim in claims if not up_to_date(target / f"{claim}{suffix}", arguments.binaries)
        ]
    if not claims:
        return

    started = time.monotonic()
    part = arguments.out / f".{target.name}.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    verb = Path(sys.argv[0]).stem
    try:
        for place, claim in enumerate(claims):
            left = seconds_for([f"{each}{suffix}" for each in claims[place:]], target)
            hint = f", about {left:.0f} s left" if left else ""
            print(f"{verb:9} {claim} ({place + 1} of {len(claims)}{hint})", flush=True)
            with tempfile.TemporaryDirectory(prefix="recording-") as scratch:
                document = measure(claim, Path(scratch))
            code = {"machine_code": machine_code(arguments.binaries, claim)}
            document["context"]["provenance"] |= code | git_state(arguments)
            (part / f"{claim}{suffix}").write_text(text_of(document), encoding="utf-8")
        move_into_place(part, target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    print(f"{verb:9} {len(claims)} claims in {time.monotonic() - started:.0f} s, in {target}")


def options(about: str) -> argparse.ArgumentParser:
    """The command-line options of all recordings."""
    parser = argparse.ArgumentParser(description=about.split("\n", 1)[0])
    option = parser.add_argument
    option("--binaries", type=Path, default=ROOT / "build/gpu/experiments", help="folder of the GPU binaries")
    option("--out", type=Path, default=ROOT / "results", help="folder in which <gpu>/ is written")
    option(
        "--if-needed",
        action="store_true",
        help="only claims whose results are missing or were made with other kernels",
    )
    option("--git-commit", help="commit of the binaries, if this is not a git checkout")
    option("--git-dirty", action="store_true", help="with --git-commit: there were uncommitted changes")
    return parser


def run(record: Callable[[], None]) -> int:
    """Run a recording and return its exit status; a failure is reported in one line."""
    verb = Path(sys.argv[0]).stem
    try:
        record()
    except RecordError as error:
        print(f"{verb}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{verb}: interrupted; nothing was changed", file=sys.stderr)
        return 130
    return 0
