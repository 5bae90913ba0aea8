"""What a claim's rule may answer."""

from dataclasses import dataclass

HOLDS = "holds"
LIMITS = "holds within limits"
FAILS = "fails"
NOT_MEASURED = "not measured"
STATUSES = (HOLDS, LIMITS, FAILS, NOT_MEASURED)


@dataclass(frozen=True)
class Verdict:
    """One of STATUSES, and in one or two sentences why."""

    status: str
    reason: str

    def __post_init__(self):
        if self.status not in STATUSES:
            raise ValueError(f"a verdict is one of {', '.join(STATUSES)}, not '{self.status}'")
