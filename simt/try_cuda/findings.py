"""What the machine's checks found in a program."""

from dataclasses import dataclass
from pathlib import Path

BENIGN = {"same_value", "first_read"}  # races by the models that have no effect on any GPU we know
HINTS = {"unwritten_copy"}  # may be meant


def name_of(kernel: str) -> str:
    """A kernel's name without what it returns and its parameters."""
    name = kernel.removeprefix("void ")
    depth = 0
    for at in range(len(name) - 1, -1, -1) if name.endswith(")") else ():
        depth += {")": 1, "(": -1}.get(name[at], 0)
        if depth == 0:
            return name[:at]
    return name


@dataclass
class Finding:
    hazard: str  # simt/order/findings.h
    kernel: str
    line: tuple[str, int]  # file and number
    other: str  # the other access, as file:line; empty if there is none
    text: str
    times: int
    seed: int = 0  # of the first schedule that showed it
    cure: str = ""  # one sentence; empty if none is known
    allowed: str = ""  # why: by a comment on its line, or "--allow"
    program: str = ""  # in which it was found: optimised, unoptimised, both

    @classmethod
    def of(cls, row: dict) -> "Finding":
        """Of the JSON of simt-run."""
        known = (row[name] for name in ("other", "text", "times", "seed", "cure", "allowed"))
        return cls(row["hazard"], row["kernel"], (row["file"], row["line"]), *known)

    @property
    def names(self) -> set[str]:
        """By which --allow may name it."""
        file, number = self.line
        return {self.hazard, f"{Path(file).name}:{number}", self.other}

    @property
    def fails(self) -> bool:
        return not self.allowed and self.hazard not in BENIGN | HINTS

    @property
    def fails_strictly(self) -> bool:
        return not self.allowed and self.hazard not in HINTS

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
        kind = "hint: " if self.hazard in HINTS else kind
        kind = f"allowed ({self.allowed}): " if self.allowed else kind
        cure = f"\n       cure: {self.cure}" if self.cure and not self.allowed else ""
        return f"{kind}{name_of(self.kernel)}{what} ({where}{seed}{times}){cure}"


def once(findings: list[Finding], program: str) -> dict[tuple, Finding]:
    unique: dict[tuple, Finding] = {}
    for finding in findings:
        first = unique.setdefault(finding.key, finding)
        first.program = program
        if first is not finding:
            first.times += finding.times
    return unique


def merged(optimised: list[Finding], unoptimised: list[Finding]) -> list[Finding]:
    """Each finding once. Of two texts, that of the program that is not optimised names the arrays."""
    known = once(optimised, "optimised")
    for key, finding in once(unoptimised, "unoptimised").items():
        # Where nothing is inlined, a fault in a header of CUDA's does not know the user's line.
        same = [each for each in known.values() if (each.hazard, each.kernel) == ("fault", finding.kernel)]
        if finding.hazard == "fault" and not finding.line[1] and same:
            same[0].program = "both"
            continue
        if key in known:
            finding.program = "both"
            finding.seed = min(finding.seed, known[key].seed)
        known[key] = finding
    return list(known.values())
