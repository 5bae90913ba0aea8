"""Runs a program on the SIMT machine, and reads what that observed."""

import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .build import MACHINE
from .observed import Observed, load

FOUND, TIME_IS_UP = 3, 124  # exit statuses of simt-run
GRACE = 10  # seconds, for a program that its own time limit does not end
OF_MACHINE = "SIMT machine: "


@dataclass(frozen=True)
class Schedule:
    seed: int = 0
    limit: int = 60  # seconds
    launches: int = 0  # end the program after so many; 0: after all
    traced: int = 0  # the launch whose requests are written, from 1; 0: none

    def options(self) -> list[str]:
        values = {
            "--seed": self.seed,
            "--limit": self.limit,
            "--launches": self.launches,
            "--trace": self.traced,
        }
        return [word for name, value in values.items() if value for word in (name, str(value))]


@dataclass
class Run:
    observed: Observed
    status: int
    said: list[str]  # by the machine, findings left out


def listen(errors: IO[bytes], said: list[str], is_silent: bool) -> None:
    """Show what the program writes there; what the machine says is kept."""
    for line in iter(errors.readline, b""):
        if line.startswith(OF_MACHINE.encode()):
            said.append(line.decode(errors="replace").rstrip().removeprefix(OF_MACHINE))
        elif not is_silent:
            sys.stderr.buffer.write(line)
            sys.stderr.buffer.flush()


def run(program: Path, arguments: list[str], schedule: Schedule, is_silent: bool = False) -> Run:
    """Run the program in the working directory. Silent: it reads nothing, and its output is not shown."""
    nothing = subprocess.DEVNULL if is_silent else None
    with tempfile.TemporaryDirectory(prefix="try-") as folder:
        out = Path(folder) / "observed.json"
        command = [MACHINE, *schedule.options(), "--json", out, program, *arguments]
        process = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=subprocess.PIPE)
        said: list[str] = []
        listener = threading.Thread(target=listen, args=(process.stderr, said, is_silent), daemon=True)
        listener.start()
        try:
            status = process.wait(schedule.limit + GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            status = TIME_IS_UP
        listener.join(1)
        observed = load(out)
    found = {finding.text for finding in observed.findings}
    return Run(observed, status, [line for line in said if line not in found])


def ending(run: Run, schedule: Schedule) -> str | None:
    """How the program ended, if that is worth a line."""
    if run.status == TIME_IS_UP:
        return f"the program has not ended after {schedule.limit:,} s (--limit SECONDS allows more)"
    if run.observed.stopped == "launches":
        return f"stopped after {len(run.observed.launches):,} launches, before its end (--launches)"
    if run.status < 0:
        return f"the program was ended by {signal.Signals(-run.status).name}"
    if run.status not in (0, FOUND):
        return f"the program returned {run.status}"
    return None


def say(text: str) -> None:
    print(f"try: {text}", file=sys.stderr, flush=True)
