"""The CUDA programs of this folder, built by nvcc, and the SIMT machine that runs them."""

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MACHINE = Path(os.environ.get("SIMT_RUN", ROOT / "build" / "simt-run"))
BINARIES = Path(os.environ.get("SIMT_PROGRAMS", ROOT / "build" / "gpu" / "tests" / "simt"))
SECONDS = 120  # at most, for one program


@dataclass
class Run:
    status: int
    out: str
    errors: str
    launches: list[dict]  # with their counts


def names(kind: str) -> list[str]:
    """Of the programs in simt/test/<kind> and its families."""
    return sorted(path.stem for path in (HERE / kind).rglob("*.cu"))


def program(kind: str, name: str) -> list[str | Path]:
    """What runs a program, which CMake builds (programs.cmake): <binary>; of a family, <family> <name>."""
    family = [path.parent.name for path in (HERE / kind).glob(f"*/{name}.cu")]
    path = BINARIES.joinpath(kind, *(family or [name]))
    assert path.exists(), f"{path} is missing: build the target simt_programs, or set SIMT_PROGRAMS"
    return [path, name] if family else [path]


def run(kind: str, name: str, *arguments: str, options: tuple[str, ...] = (), checks: bool = False) -> Run:
    """Run a program on the machine, with options of simt-run; with checks for hazards, or counts alone."""
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.json"
        without = () if checks else ("--counts-only",)
        command = [MACHINE, "--json", counts, *without, *options, *program(kind, name), *arguments]
        environment = os.environ | {"SIMT_CHECKS": str(int(checks))}
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS, check=False, env=environment
        )
        launches = json.loads(counts.read_text())["launches"] if counts.exists() else []
    return Run(done.returncode, done.stdout, done.stderr, launches)
