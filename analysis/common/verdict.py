"""The possible answers of a claim's rule."""

from dataclasses import dataclass

HOLDS = "holds"
LIMITS = "holds within limits"
FAILS = "fails"
NOT_MEASURED = "not measured"
STATUSES = (HOLDS, LIMITS, FAILS, NOT_MEASURED)


@dataclass(frozen=True)
class Verdict:
    """One of STATUSES, with the reason in one or two sentences."""

    status: str
    reason: str

    def __post_init__(self):
        if self.status not in STATUSES:
            raise ValueError(f"a verdict is one of {', '.join(STATUSES)}, not '{self.status}'")
