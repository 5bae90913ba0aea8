"""What the SIMT machine observed of a program: its launches, counted by source line, and its fault."""

import json
import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from .build import MACHINE
from .preprocess import is_users

Line = tuple[str, int]  # file and number
ELSEWHERE: Line = ("", 0)  # what no line of the user's causes


@dataclass
class Access:
    """One lane's part in one memory request of the traced block."""

    line: Line
    step: int
    warp: int
    request: int
    lane: int
    kind: str
    address: int  # of shared memory: the byte in its array
    array: str
    size: int
    cost: int  # of the whole request: passes over the banks, or sectors


@dataclass
class Launch:
    number: int  # from 1
    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    error: int
    total: Counter
    lines: dict[Line, Counter]
    warnings: list[str]
    trace: list[Access] = field(default_factory=list)

    @property
    def blocks(self) -> int:
        return self.grid[0] * self.grid[1] * self.grid[2]

    @property
    def threads(self) -> int:
        return self.block[0] * self.block[1] * self.block[2]


@dataclass
class Observed:
    launches: list[Launch]
    fault: str | None
    stopped: bool  # after as many launches as were asked for?


def lines_of(program: Path, sites: set[int]) -> dict[int, Line]:
    """The user's line of each site: of inlined calls the innermost that is in no header of the machine."""
    ordered = sorted(sites)
    addresses = "".join(f"{site - 1:#x}\n" for site in ordered)  # the byte before belongs to the call
    command = ["addr2line", "-a", "-i", "-e", str(program)]
    text = subprocess.run(command, input=addresses, capture_output=True, text=True, check=True).stdout
    found = {}
    for site, frames in zip(ordered, re.split(r"^0x[0-9a-f]+\n", text, flags=re.MULTILINE)[1:], strict=True):
        found[site] = ELSEWHERE
        for frame in frames.splitlines():
            position = re.fullmatch(r"(/.*):(\d+)(?: \(discriminator \d+\))?", frame)
            if position and is_users(position[1], MACHINE):
                found[site] = (position[1], int(position[2]))
                break
    return found


def load(path: Path, program: Path) -> Observed:
    """Read what simt/trial/session.cpp wrote while the program ran."""
    rows = []
    for text in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []:
        try:
            rows.append(json.loads(text))
        except json.JSONDecodeError:  # the program ended while it wrote
            break
    raw = [row for row in rows if "launch" in row]
    traced = {access[0] for row in raw for access in row["trace"]}
    lines = lines_of(program, traced | {int(site) for row in raw for site in row["sites"]})
    launches = [launch_of(number, row, lines) for number, row in enumerate(raw, 1)]
    fault = next((row["fault"] for row in rows if "fault" in row), None)
    return Observed(launches, fault, any("stopped" in row for row in rows))


def launch_of(number: int, row: dict, lines: dict[int, Line]) -> Launch:
    counts: dict[Line, Counter] = {}
    for site, counters in row["sites"].items():
        counts.setdefault(lines[int(site)], Counter()).update(counters)
    return Launch(
        number,
        row["launch"],
        tuple(row["grid"]),
        tuple(row["block"]),
        row["static_shared_bytes"] + row["dynamic_shared_bytes"],
        row["error"],
        Counter(row["total"]),
        counts,
        row["warnings"],
        [Access(lines[site], *rest) for site, *rest in row["trace"]],
    )
