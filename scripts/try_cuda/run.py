"""Runs a compiled program, and reads what the machine observed of it."""

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from . import TryError
from .observed import Observed, lines_of, load
from .preprocess import shown

FAULTED = 3  # exit status, see simt/trial/session.cpp


@dataclass(frozen=True)
class Schedule:
    seed: int = 0
    limit: float = 60  # seconds
    launches: int = 0  # end the program after so many; 0: after all
    cores: int = 0  # 0: all
    unset_allowed: bool = False  # are reads of what was never written warnings?
    traced: tuple[int, int] | None = None  # number of a launch, from 1, and of a block


def environment(schedule: Schedule, out: Path) -> dict[str, str]:
    values = {
        "SIMT_TRIAL": str(out),
        "SIMT_SEED": str(schedule.seed),
        "SIMT_LIMIT": str(int(schedule.limit) + 1),
    }
    if schedule.launches:
        values["SIMT_LAUNCHES"] = str(schedule.launches)
    if schedule.cores:
        values["SIMT_CORES"] = str(schedule.cores)
    if schedule.unset_allowed:
        values["SIMT_UNSET"] = "1"
    if schedule.traced:
        values["SIMT_TRACED"] = f"{schedule.traced[0] - 1},{schedule.traced[1]}"
    return os.environ | values


def run(program: Path, arguments: list[str], schedule: Schedule) -> tuple[Observed, int]:
    """Run the program in the working directory. Returns what was observed, and its exit status."""
    out = program.with_suffix(".observed")
    process = subprocess.Popen([str(program), *arguments], env=environment(schedule, out))
    try:
        status = process.wait(schedule.limit)
    except subprocess.TimeoutExpired:
        raise TryError(endless(program, process, schedule.limit)) from None
    except KeyboardInterrupt:
        process.wait()
        raise
    return load(out, program), status


def endless(program: Path, process: subprocess.Popen, limit: float) -> str:
    """Ask the machine where the program is, and end it."""
    place = program.with_suffix(".observed.place")
    process.send_signal(signal.SIGUSR2)
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    return f"the program has not ended after {limit:g} s (--limit SECONDS allows more){where(program, place)}"


def where(program: Path, place: Path) -> str:
    if not place.exists():
        return ""
    found = re.match(r"(\d+) (.*)", place.read_text(encoding="utf-8"))
    file, line = lines_of(program, {int(found[1])})[int(found[1])]
    return f"; it is in {found[2]}" + (f", {shown(file)}:{line}" if line else "")


def ending(status: int, observed: Observed) -> str | None:
    """How the program ended, if that is worth a line."""
    if observed.stopped:
        return f"stopped after {len(observed.launches):,} launches, before its end (--launches)"
    if status < 0:
        return f"the program was ended by {signal.Signals(-status).name}"
    if status != 0 and observed.fault is None:
        return f"the program returned {status}"
    return None


def say(text: str) -> None:
    print(f"try: {text}", file=sys.stderr)
