"""Runs a program on the SIMT machine, and reads what that observed."""

import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .build import MACHINE
from .findings import Finding
from .observed import Launch, Observed, load

FAULTY, TIME_IS_UP, INTERRUPTED = 3, 124, 130  # exit statuses of simt-run; a program may have the same
GRACE = 10  # seconds, for a program that its own time limit does not end
OF_MACHINE = "SIMT machine: "
UP_TO_ADDRESS = re.compile(r".*?0x[0-9a-f]+\b")
OF_SCHEDULES = re.compile(r"\d+ of \d+ schedules run|one of them again:|the budget of ")
OF_HOST = rb"cublas|cufft|curand|cusolver|cusparse|cudnn|nccl|nvrtc|npp"  # libraries of CUDA's
LIBRARY = re.compile(rb"\0(lib(?:" + OF_HOST + rb")\w*\.so[.\d]*)\0")
FUNCTION = re.compile(rb"\0((?:" + OF_HOST + rb"|nppi|npps)[A-Z]\w*)\0")


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
    longer: int = 1  # times as large a grid, for the clock
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
            options += ["--counts-only", "--clock", self.clock, "--longer", str(self.longer)]
        return options + (["--at-once", self.at_once] if self.at_once else [])


@dataclass
class Run:
    observed: Observed
    status: int  # the program's own, TIME_IS_UP or INTERRUPTED if it has none
    messages: list[str]  # of the machine, findings left out
    seconds: float
    is_cut: bool = False  # by a limit, or by the user: it has no status of its own
    failed: str = ""  # the last call of the runtime that did, if the status says that something did


@dataclass
class Outcome:
    """Of one program: its own exit status, the launches that were selected, and why it was stopped."""

    files: list[Path]
    status: int
    launches: list[Launch]
    findings: list[Finding]
    stopped: str | None
    waits: str = ""  # the report by the clock
    library: str = ""  # for the host, that the program calls and the machine does not run


def listen(errors: IO[bytes], messages: list[str], is_silent: bool) -> None:
    """Show what the program writes there; what the machine says is kept."""
    for line in iter(errors.readline, b""):
        if line.startswith(OF_MACHINE.encode()):
            messages.append(line.decode(errors="replace").rstrip().removeprefix(OF_MACHINE))
        elif not is_silent:
            sys.stderr.buffer.write(line)
            sys.stderr.buffer.flush()


class Input:
    """What the user's program reads: both programs, and each of their schedules, are given the same."""

    def __init__(self) -> None:
        self.kept = tempfile.TemporaryFile()  # noqa: SIM115
        self.begin: int | None = None  # of a file, where it was
        with suppress(OSError, ValueError):
            self.begin = os.lseek(0, 0, os.SEEK_CUR)

    def first(self) -> int | None:
        return None if self.begin is not None else subprocess.PIPE

    def again(self) -> IO[bytes] | None:
        if self.begin is None:
            self.kept.seek(0)
            return self.kept
        os.lseek(0, self.begin, os.SEEK_SET)
        return None

    def pump(self, process: subprocess.Popen) -> None:
        """Of what is no file: pass on what comes, until the program has ended."""
        with suppress(OSError, ValueError), process.stdin as to:
            while process.poll() is None:
                if select.select([0], [], [], 0.02)[0]:
                    text = os.read(0, 4096)
                    if not text:
                        break
                    self.kept.write(text)
                    to.write(text)
                    to.flush()


def outcome_of(told: str, raw: int) -> tuple[int, bool]:
    """The program's own status, the first that is not 0, and was its first schedule cut off? By what the
    machine has told of each schedule (Recorder), and the status of simt-run, if it did not come to that."""
    ends = [line.split()[:2] for line in told.splitlines()]
    if raw < 0 or not ends:
        return raw, raw in (TIME_IS_UP, INTERRUPTED)
    if ends[0][1] not in ("-", "launches"):
        return int(ends[0][0]), True
    own = [int(status) & 0xFF for status, why in ends if why in ("-", "launches")]
    crashed = raw if raw not in (0, FAULTY, TIME_IS_UP, INTERRUPTED) else 0
    return next(filter(None, own), crashed), False


def failed_call(told: str) -> str:
    """Of the first schedule that did not return 0 the last call of the runtime that failed."""
    rests = ("".join(line.split(" ", 2)[2:]) for line in told.splitlines())
    return next(filter(None, rests), "")


def run(
    program: Path, arguments: list[str], schedule: Schedule, given: Input, is_silent: bool = False
) -> Run:
    """Run the program in the working directory. Silent: its output is not shown."""
    nothing = subprocess.DEVNULL if is_silent else None
    with tempfile.TemporaryDirectory(prefix="try-") as folder:
        out, told = Path(folder) / "observed.json", Path(folder) / "outcomes"
        command = [MACHINE, *schedule.options(), "--json", out, program, *arguments]
        process = subprocess.Popen(
            command,
            stdin=given.again() if is_silent else given.first(),
            stdout=nothing,
            stderr=subprocess.PIPE,
            env=os.environ
            | dict.fromkeys((*schedule.settings, "SIMT_PARTIAL"), "1")
            | {"SIMT_TRACED_BLOCK": str(schedule.block), "SIMT_MEGABYTES": str(schedule.megabytes)}
            | {"SIMT_OUTCOME": str(told)},
        )
        if process.stdin is not None:
            threading.Thread(target=given.pump, args=(process,), daemon=True).start()
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
        outcomes = told.read_text(encoding="utf-8", errors="replace") if told.exists() else ""
    own, is_cut = outcome_of(outcomes, status)
    rest = [line for line in messages if not is_told_otherwise(line, observed.findings)]
    is_cut |= status == TIME_IS_UP and own < 0
    return Run(observed, own, rest, time.monotonic() - began, is_cut, failed_call(outcomes))


def is_told_otherwise(message: str, findings: list[Finding]) -> bool:
    """As a finding, or in the words of missing(). Without checks the machine does not know which allocation
    is near an address."""
    bare = message.removeprefix("allowed: ").removeprefix("hint: ").partition(" (first with ")[0]
    address = UP_TO_ADDRESS.match(bare)
    is_known = any(bare == each.text or (address and each.text.startswith(address[0])) for each in findings)
    return OF_SCHEDULES.match(message) is not None or is_known


def ending(run: Run, schedule: Schedule) -> str | None:
    """How the program ended, if that is worth a line."""
    if run.observed.stopped == "memory":
        return "the program takes more memory than it may (--memory GB allows more)"
    if run.is_cut and run.status == INTERRUPTED:
        return None
    if run.is_cut:
        return f"the program has not ended after {schedule.limit:,} s (--limit SECONDS allows more)"
    if run.observed.stopped == "launches":
        return f"stopped after {len(run.observed.launches):,} launches, before its end (--launches)"
    if run.status < 0:
        return f"the program was ended by {signal.Signals(-run.status).name}"
    if run.status != 0:
        failed = f"; its last call that failed: {run.failed}" if run.failed else ""
        return f"the program returned {run.status}{failed}"
    return None


def library(program: Path) -> str:
    """Of CUDA's libraries for the host the first that the program calls, in words; "" if it calls none."""
    content = program.read_bytes()
    name, function = LIBRARY.search(content), FUNCTION.search(content)
    return f"{function[1].decode()} of {name[1].decode()}" if name and function else ""


def missing(run: Run, schedule: Schedule) -> str | None:
    """Which schedules were not run, as there was no time for them."""
    done = len(run.observed.seeds)
    if done == 0 or done >= schedule.seeds or run.observed.stopped == "interrupt":
        return None
    return (
        f"{done} of {schedule.seeds} schedules were run in {schedule.budget:,} s; "
        f"--seed {schedule.seed + done} --seeds {schedule.seeds - done} runs the rest, "
        "--budget SECONDS allows more"
    )


def say(text: str) -> None:
    print(f"try: {text}", file=sys.stderr, flush=True)
