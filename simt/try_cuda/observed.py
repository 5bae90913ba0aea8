"""What the SIMT machine observed of a program: launches, counted by source line, and findings."""

import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

Line = tuple[str, int]  # file and number
ELSEWHERE: Line = ("", 0)  # what no line of the user's causes
BENIGN = {"same_value", "first_read"}  # races by the models that have no effect on any GPU we know
NO_COUNTS = {
    "kernel",
    "grid",
    "block",
    "shared_bytes",
    "refused",
    "active_lanes",
    "bank_conflicts",
    "lines",
    "requests",
    "registers",
    "sectors_read",
    "sectors_written",
    "steps",
}

STRIDES = ("shared_stride", "global_stride", "shared_width")
WITHIN_A_LAUNCH = ("time", "memory", "interrupt")  # may have stopped the program
OF_WORK = ("kernel", "grid", "block", "shared_bytes", "registers", "sectors_read", "sectors_written", "steps")


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


def name_of(kernel: str) -> str:
    """A kernel's name without what it returns and its parameters."""
    name = kernel.removeprefix("void ")
    depth = 0
    for at in range(len(name) - 1, -1, -1) if name.endswith(")") else ():
        depth += {")": 1, "(": -1}.get(name[at], 0)
        if depth == 0:
            return name[:at]
    return name


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
    work: dict = field(default_factory=dict)  # as simt-run writes it: what a prediction needs
    is_whole: bool = True  # else its counts are of a part


@dataclass
class Finding:
    hazard: str  # simt/order/findings.h
    kernel: str
    line: Line
    other: str  # the other access, as file:line; empty if there is none
    text: str
    times: int
    seed: int = 0  # of the first schedule that showed it
    cure: str = ""  # one sentence; empty if none is known
    allowed: str = ""  # why: by a comment on its line, or "--allow"
    program: str = ""  # in which it was found: optimised, unoptimised, both

    @property
    def fails(self) -> bool:
        return not self.allowed and self.hazard not in BENIGN

    @property
    def key(self) -> tuple:
        """Two findings of one hazard, kernel and pair of lines are one."""
        file, number = self.line
        return self.hazard, self.kernel, frozenset((f"{Path(file).name}:{number}", self.other))

    def __str__(self) -> str:
        what = self.text.removeprefix(self.kernel).replace(f"{self.kernel}::", "")
        where = "in both programs" if self.program == "both" else f"in the {self.program} program"
        seed = f", with --seed {self.seed}" if self.seed else ""
        times = "" if self.times == 1 else f", {self.times:,} times"
        kind = "benign on every GPU we know: " if self.hazard in BENIGN else ""
        kind = f"allowed ({self.allowed}): " if self.allowed else kind
        cure = f"\n       cure: {self.cure}" if self.cure and not self.allowed else ""
        return f"{kind}{name_of(self.kernel)}{what} ({where}{seed}{times}){cure}"


@dataclass
class Observed:
    launches: list[Launch]
    findings: list[Finding]
    stopped: str | None  # before the program's end: "launches" or "time"
    seeds: list[int]  # of the schedules that were run


def load(path: Path) -> Observed:
    """Read what simt-run --json wrote; nothing if the program was killed."""
    if not path.exists():
        return Observed([], [], None, [])
    content = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    launches = [launch_of(number, row) for number, row in enumerate(content["launches"], 1)]
    ended_by_fault = {row["kernel"] for row in content["findings"] if row["hazard"] == "fault"}
    for launch in launches:
        is_last = launch is launches[-1]
        launch.is_whole = launch.work["kernel"] not in ended_by_fault and not (
            is_last and content["stopped"] in WITHIN_A_LAUNCH
        )
    return Observed(
        launches,
        [finding_of(row) for row in content["findings"]],
        content["stopped"],
        content["seeds"],
    )


def finding_of(row: dict) -> Finding:
    line = (row["file"], row["line"])
    known = (row[name] for name in ("other", "text", "times", "seed", "cure", "allowed"))
    return Finding(row["hazard"], row["kernel"], line, *known)


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
        {name: row[name] for name in OF_WORK},
    )


def with_rest(lines: dict[Line, Counter], row: dict) -> dict[Line, Counter]:
    """What the launch has counted and no instruction: barriers of a cluster."""
    rest = row["barriers"] - sum(counts["barriers"] for counts in lines.values())
    if rest:
        lines.setdefault(ELSEWHERE, Counter())["barriers"] += rest
    return lines


def request_of(row: dict) -> Request:
    line = (row["file"], row["line"])
    return Request(line, row["kind"], row["step"], row["warp"], row["bytes"], row["passes"], row["lanes"])


def once(findings: list[Finding], program: str) -> dict[tuple, Finding]:
    found: dict[tuple, Finding] = {}
    for finding in findings:
        first = found.setdefault(finding.key, finding)
        first.program = program
        if first is not finding:
            first.times += finding.times
    return found


def merged(optimised: list[Finding], unoptimised: list[Finding]) -> list[Finding]:
    """Each finding once. Of two texts, that of the program that is not optimised names the arrays."""
    found = once(optimised, "optimised")
    for key, finding in once(unoptimised, "unoptimised").items():
        # Where nothing is inlined, a fault in a header of CUDA's does not know the user's line.
        same = [each for each in found.values() if (each.hazard, each.kernel) == ("fault", finding.kernel)]
        if finding.hazard == "fault" and not finding.line[1] and same:
            same[0].program = "both"
            continue
        if key in found:
            finding.program = "both"
            finding.seed = min(finding.seed, found[key].seed)
        found[key] = finding
    return list(found.values())
