"""Runs a program on the SIMT machine, and reads what that observed."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .build import MACHINE
from .findings import Finding
from .observed import Launch, Observed, load

FAULTY, TIME_IS_UP, INTERRUPTED = 3, 124, 130  # exit statuses of simt-run
GRACE = 10  # seconds, for a program that its own time limit does not end
OF_MACHINE = "SIMT machine: "
OF_SCHEDULES = re.compile(r"\d+ of \d+ schedules run|one of them again:|the budget of ")
LIBRARY = re.compile(rb"\0(lib(?:cublas|cufft|curand|cusolver|cusparse|cudnn|nvrtc|npp)\w*\.so[.\d]*)\0")


@dataclass(frozen=True)
class Schedule:
    seed: int = 0
    seeds: int = 1  # so many schedules, from that seed on
    budget: int = 60  # seconds after which no further one begins
    limit: int = 60  # seconds, of each
    launches: int = 0  # end the program after so many; 0: after all
    traced: int = 0  # the launch whose requests are written, from 1; 0: none
    settings: tuple[str, ...] = ()  # of the machine: names of variables that are set to 1
    block: int = 0  # of the launch that is traced
    megabytes: int = 0  # end the program when it takes more; 0: never
    clock: str = ""  # the GPU by whose prices the machine's clock goes; then nothing is checked
    at_once: str = ""  # file:line, as if no result were waited for there

    def options(self) -> list[str]:
        values = {
            "--seed": self.seed,
            "--seeds": self.seeds,
            "--budget": self.budget,
            "--limit": self.limit,
            "--launches": self.launches,
            "--trace": self.traced,
        }
        zeros = {"--budget"}
        options = [word for name, n in values.items() if n or name in zeros for word in (name, str(n))]
        if self.clock:
            options += ["--counts-only", "--clock", self.clock]
        return options + (["--at-once", self.at_once] if self.at_once else [])


@dataclass
class Run:
    observed: Observed
    status: int
    messages: list[str]  # of the machine, findings left out
    seconds: float


@dataclass
class Outcome:
    """Of one program: its own exit status, the launches that were selected, and why it was stopped."""

    files: list[Path]
    status: int
    launches: list[Launch]
    findings: list[Finding]
    stopped: str | None
    waits: str = ""  # the report by the clock


def listen(errors: IO[bytes], messages: list[str], is_silent: bool) -> None:
    """Show what the program writes there; what the machine says is kept."""
    for line in iter(errors.readline, b""):
        if line.startswith(OF_MACHINE.encode()):
            messages.append(line.decode(errors="replace").rstrip().removeprefix(OF_MACHINE))
        elif not is_silent:
            sys.stderr.buffer.write(line)
            sys.stderr.buffer.flush()


def run(program: Path, arguments: list[str], schedule: Schedule, is_silent: bool = False) -> Run:
    """Run the program in the working directory. Silent: it reads nothing, and its output is not shown."""
    nothing = subprocess.DEVNULL if is_silent else None
    with tempfile.TemporaryDirectory(prefix="try-") as folder:
        out = Path(folder) / "observed.json"
        command = [MACHINE, *schedule.options(), "--json", out, program, *arguments]
        process = subprocess.Popen(
            command,
            stdin=nothing,
            stdout=nothing,
            stderr=subprocess.PIPE,
            env=os.environ
            | dict.fromkeys((*schedule.settings, "SIMT_PARTIAL"), "1")
            | {"SIMT_TRACED_BLOCK": str(schedule.block), "SIMT_MEGABYTES": str(schedule.megabytes)},
        )
        messages: list[str] = []
        listener = threading.Thread(target=listen, args=(process.stderr, messages, is_silent), daemon=True)
        listener.start()
        began = time.monotonic()
        try:
            status = process.wait(schedule.limit * schedule.seeds + GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            status = TIME_IS_UP
        except KeyboardInterrupt:  # what was counted is shown all the same
            process.send_signal(signal.SIGINT)
            try:
                status = process.wait(GRACE)
            except (subprocess.TimeoutExpired, KeyboardInterrupt):
                process.kill()
                status = process.wait()
        listener.join(1)
        observed = load(out)
    rest = [line for line in messages if not is_told_otherwise(line, observed.findings)]
    return Run(observed, status, rest, time.monotonic() - began)


def is_told_otherwise(message: str, findings: list[Finding]) -> bool:
    """As a finding, or in the words of missing()."""
    bare = message.removeprefix("allowed: ").partition(" (first with ")[0]
    return OF_SCHEDULES.match(message) is not None or any(bare == each.text for each in findings)


def ending(run: Run, schedule: Schedule) -> str | None:
    """How the program ended, if that is worth a line."""
    if run.observed.stopped == "memory":
        return "the program takes more memory than it may (--memory GB allows more)"
    if run.status == INTERRUPTED:
        return None
    if run.status == TIME_IS_UP:
        return f"the program has not ended after {schedule.limit:,} s (--limit SECONDS allows more)"
    if run.observed.stopped == "launches":
        return f"stopped after {len(run.observed.launches):,} launches, before its end (--launches)"
    if run.status < 0:
        return f"the program was ended by {signal.Signals(-run.status).name}"
    if run.status not in (0, FAULTY):
        return f"the program returned {run.status}"
    return None


def library(program: Path) -> str | None:
    """Of CUDA's libraries for the host the first that the program is linked to, as libcublas.so.13."""
    name = LIBRARY.search(program.read_bytes())
    return name[1].decode() if name else None


def missing(run: Run, schedule: Schedule) -> str | None:
    """Which schedules were not run, as there was no time for them."""
    done = len(run.observed.seeds)
    if done == 0 or done >= schedule.seeds:
        return None
    return (
        f"{done} of {schedule.seeds} schedules were run in {schedule.budget:,} s; "
        f"--seed {schedule.seed + done} --seeds {schedule.seeds - done} runs the rest, "
        "--budget SECONDS allows more"
    )


def say(text: str) -> None:
    print(f"try: {text}", file=sys.stderr, flush=True)
