"""What the SIMT machine observed of a program: launches, counted by source line, and findings."""

import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from .findings import Finding, name_of

Line = tuple[str, int]  # file and number
ELSEWHERE: Line = ("", 0)  # what no line of the user's causes
STRIDES = ("shared_stride", "global_stride", "shared_width", "shared_narrow")
WITHIN_A_LAUNCH = ("time", "memory", "interrupt")  # may have stopped the program
NO_COUNTS = {"kernel", "grid", "block", "shared_bytes", "registers", "cluster_blocks", "refused", "memsets"}
NO_COUNTS |= {"active_lanes", "bank_conflicts", "sectors_read", "sectors_written"}
NO_COUNTS |= {"steps", "lines", "requests", "clock", "names_lines"}


@cache
def source_lines(file: str) -> list[str]:
    """None of a file that is not there: #line may name any, and a program may be built elsewhere."""
    path = Path(file)
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []


def shown(file: str) -> str:
    """A path relative to the working directory, if it lies in there."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except ValueError:
        return file


@dataclass(frozen=True)
class Request:
    """One request of block 0 to shared memory."""

    line: Line
    kind: str  # load, store
    step: int  # barriers of the block before it
    warp: int
    size: int  # bytes of a lane
    passes: int  # over the banks
    lanes: list[tuple[int, int]]  # and the byte of shared memory


@dataclass
class Launch:
    number: int  # from 1
    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    refused: str | None  # why it did not come about
    total: Counter
    lines: dict[Line, Counter]
    requests: list[Request] = field(default_factory=list)
    strides: dict[Line, dict[str, int]] = field(default_factory=dict)  # bytes from lane to lane, and of one
    clock: dict = field(default_factory=dict)  # how long it takes and why its warps wait, if asked for
    names_lines: bool = True  # the program does, the user's or a library's
    is_whole: bool = True  # else its counts are of a part


@dataclass
class Observed:
    launches: list[Launch]
    findings: list[Finding]
    stopped: str | None  # before the program's end: "launches" or "time"
    seeds: list[int]  # of the schedules that were run
    architecture: int = 90  # of the GPU that the machine was: 86 for sm_86


def load(path: Path) -> Observed:
    """Read what simt-run --json wrote; nothing if the program was killed."""
    if not path.exists():
        return Observed([], [], None, [])
    content = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    launches = [launch_of(number, row) for number, row in enumerate(content["launches"], 1)]
    ended_by_fault = {row["kernel"] for row in content["findings"] if row["hazard"] == "fault"}
    for launch, row in zip(launches, content["launches"], strict=True):
        is_last = launch is launches[-1]
        launch.is_whole = row["kernel"] not in ended_by_fault and not (
            is_last and content["stopped"] in WITHIN_A_LAUNCH
        )
    return Observed(
        launches,
        [Finding.of(row) for row in content["findings"]],
        content["stopped"],
        content["seeds"],
        content["architecture"],
    )


def launch_of(number: int, row: dict) -> Launch:
    lines = {
        (line["file"], line["line"]): Counter(
            {name: count for name, count in line.items() if name not in ("file", "line", *STRIDES)}
        )
        for line in row["lines"]
    }
    return Launch(
        number,
        name_of(row["kernel"]),
        tuple(row["grid"]),
        tuple(row["block"]),
        row["shared_bytes"],
        row.get("refused"),
        Counter({name: count for name, count in row.items() if name not in NO_COUNTS and count}),
        with_rest(lines, row),
        [request_of(request) for request in row.get("requests", [])],
        {
            (line["file"], line["line"]): {name: line[name] for name in STRIDES if name in line}
            for line in row["lines"]
        },
        row.get("clock", {}),
        row.get("names_lines", True),
    )


def with_rest(lines: dict[Line, Counter], row: dict) -> dict[Line, Counter]:
    """What the launch has counted and no instruction: barriers of a cluster."""
    rest = row["cluster_barriers"]
    if rest:
        lines.setdefault(ELSEWHERE, Counter()).update(barriers=rest, cluster_barriers=rest)
    return lines


def request_of(row: dict) -> Request:
    line = (row["file"], row["line"])
    return Request(line, row["kind"], row["step"], row["warp"], row["bytes"], row["passes"], row["lanes"])
