"""One submission: compiled and run in a box of its own, and judged."""

import hashlib
import json
import os
import re
import shutil
import signal
import time
from collections import Counter
from dataclasses import dataclass, fields
from math import ceil
from pathlib import Path

from .. import TryError
from ..build import LIBRARY, MACHINE, OPTIMISED, ROOT, Options, nvcc
from ..findings import Finding
from ..observed import load
from ..quantities import conflicts
from ..report import clock
from ..run import FAULTY, OF_MACHINE, OF_SCHEDULES, TIME_IS_UP
from .box import MOST_FILE, MOST_OUTPUT, crowding, own_user, shut_in

COMPILE_MB = 3000
SEEDS = 2  # schedules


@dataclass(frozen=True)
class Expected:
    prints: str
    teacher: str = ""
    arguments: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    seconds: int = 10
    memory_mb: int = 1024
    compile_seconds: int = 60
    matches: bool = False
    longer: int = 1

    @classmethod
    def read(cls, path: Path) -> "Expected":
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            known = {field.name for field in fields(cls)}
            if not isinstance(content, dict) or "prints" not in content or set(content) - known:
                raise TryError(f"{path}: an object with prints, and of {', '.join(sorted(known))}")
            tuples = {
                name: tuple(map(str, content[name])) for name in ("arguments", "options") if name in content
            }
            return cls(**(content | tuples))
        except (OSError, ValueError) as error:
            raise TryError(f"{path}: {error}") from None

    def is_met(self, printed: str) -> bool:
        if self.matches:
            return re.search(self.prints, printed) is not None
        return printed.split() == self.prints.split()


@dataclass
class Verdict:
    name: str
    built: str = ""  # yes, no, time, memory, ..
    ran: str = ""  # yes, or how it ended
    right: str = ""  # yes, no
    findings: str = ""  # kinds that count, with how many
    conflicts: str = ""
    predicted: str = ""  # of all launches, by the clock of clock.GPU; or why not
    seconds: float = 0.0
    note: str = ""  # one line of the compiler's or the machine's


def sources(submission: Path) -> list[Path]:
    if submission.is_file():
        return [submission]
    return sorted(
        path for path in submission.iterdir() if path.suffix in (".cu", ".cpp", ".h", ".cuh", ".hpp")
    )


def text_of(path: Path, most: int = 100_000) -> str:
    with path.open("rb") as file:
        return file.read(most).decode(errors="replace")


def one_line(text: str) -> str:
    wanted = next((line for line in text.splitlines() if "error" in line), text.partition("\n")[0])
    return "".join(letter if letter.isprintable() else " " for letter in wanted)[:200]


def judge(submission: Path, name: str, expected: Expected, work: Path) -> Verdict:
    """Compile and run it in a folder of its own under `work`, which is removed afterwards."""
    verdict, began = Verdict(name), time.monotonic()
    folder, output = work / f"{name}.box", work / f"{name}.out"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        for path in sources(submission):
            if path.is_symlink() or path.stat().st_size > MOST_FILE:
                raise TryError(f"{path.name}: a link, or too large")
            shutil.copyfile(path, folder / path.name)
        files = [path.name for path in sources(submission) if path.suffix in (".cu", ".cpp")]
        flags = [*Options(others=list(expected.options)).flags(), *OPTIMISED]
        command = [nvcc(), *flags, "-o", "program", *files]
        seconds = expected.compile_seconds * crowding()
        why, status = shut_in(command, folder, seconds, COMPILE_MB, output, own_user())
        verdict.built = why or ("yes" if status == 0 else "no")
        if verdict.built != "yes":
            verdict.note = one_line(text_of(output))
            return verdict
        run(verdict, expected, folder, output)
    except TryError as error:
        verdict.built, verdict.note = "no", str(error)
    finally:
        verdict.seconds = round(time.monotonic() - began, 2)
        for path, _, _ in os.walk(folder):
            os.chmod(path, 0o700)
        shutil.rmtree(folder, ignore_errors=True)
        output.unlink(missing_ok=True)
    return verdict


def run(verdict: Verdict, expected: Expected, folder: Path, output: Path) -> None:
    seconds = ceil(expected.seconds * crowding())
    command = [MACHINE, "--seeds", SEEDS, "--budget", max(1, seconds // 2), "--limit", seconds]
    command += ["--json", folder / "observed.json", "./program", *expected.arguments]
    why, status = shut_in(command, folder, seconds + 1, expected.memory_mb, output, own_user())
    lines = text_of(output, MOST_OUTPUT).splitlines()
    machine = [line for line in lines if line.startswith(OF_MACHINE)]
    printed = "\n".join(line for line in lines if line not in machine)
    verdict.ran = why or ending(status)
    try:
        observed = load(folder / "observed.json")
    except (ValueError, KeyError, OSError, TypeError):
        verdict.ran, verdict.note = why or "no", "its counts cannot be read"
        return
    verdict.right = "yes" if verdict.ran == "yes" and expected.is_met(printed) else "no"
    verdict.findings = kinds(observed.findings)
    others = [line for line in machine if not OF_SCHEDULES.match(line.removeprefix(OF_MACHINE))]
    findings = sorted(observed.findings, key=lambda each: not each.fails)  # what counts first
    verdict.note = findings[0].text[:200] if findings else one_line("\n".join(others))
    launches = [launch for launch in observed.launches if not launch.refused]
    verdict.conflicts = str(sum(conflicts(launch.total) for launch in launches))
    if launches and verdict.ran == "yes":
        verdict.predicted = by_the_clock(expected, folder, output)


def ending(status: int) -> str:
    """`yes` if the program ran to its end, with findings or without."""
    if status in (0, FAULTY):
        return "yes"
    if status == TIME_IS_UP:
        return "time"
    if status < 0 or status > 128:
        number = -status if status < 0 else status - 128
        return f"signal {signal.Signals(number).name if number in set(signal.Signals) else number}"
    return f"returned {status}"


def kinds(findings: list[Finding]) -> str:
    counted = Counter(each.hazard for each in findings if each.fails)
    return ", ".join(f"{name} {count}" for name, count in sorted(counted.items()))


def by_the_clock(expected: Expected, folder: Path, output: Path) -> str:
    """The program once more, with the clock, without checks. The prices are where it may read them."""
    seconds, out, prices = ceil(expected.seconds * crowding()), folder / "timed.json", folder / "clock.csv"
    shutil.copyfile(ROOT / f"results/{clock.GPU}/clock.csv", prices)
    command = [MACHINE, "--counts-only", "--clock", prices, "--longer", expected.longer, "--limit", seconds]
    command += ["--json", out, "./program", *expected.arguments]
    why, status = shut_in(command, folder, seconds + 1, expected.memory_mb, output, own_user())
    if (ended := why or ending(status)) != "yes":
        return f"none: with the clock {ended}"
    launches = [each for each in load(out).launches if not each.refused]
    unknown = next((each.clock["unknown"] for each in launches if not clock.us_of(each)), "")
    return f"none: {unknown}" if unknown else f"{sum(map(clock.us_of, launches)):.3g} us"


def digest(submission: Path, expected: Expected) -> str:
    content = hashlib.sha256(repr(expected).encode())
    for path in (*sources(submission), LIBRARY):
        if not path.is_symlink():
            content.update(path.name.encode() + path.read_bytes())
    return content.hexdigest()
