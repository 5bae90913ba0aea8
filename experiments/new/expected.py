"""@claim@: made-up evidence, and the verdict that follows from it."""

from analysis.core.verdict import CONFIRMED, NO_CLAIM, NOT_COUNTED, REFUTED
from analysis.test.made_up import counted_row, with_counter

OPS = {"brent_kung": 2036, "sklansky": 5120}  # of one tile


def default_counts() -> list[dict]:
    """Every case with its closed form, if it has one, and what is counted."""
    return [counted_row(f"scan/{each}/n:1024", {"ops": ops}, ops=ops) for each, ops in OPS.items()]


def default_times() -> dict:
    """Microseconds by case."""
    return {f"scan/{each}/cache:{cache}/n:1024": 100.0 for each in OPS for cache in ("cold", "warm")}


# Counts and times (None: those above; False: none), the answers, and a part of the finding.
VERDICTS = [
    (None, None, (CONFIRMED, NO_CLAIM), "Sklansky does 2.51 times the operations"),
    (with_counter(default_counts(), "sklansky", "ops", 7), None, (REFUTED, NO_CLAIM), "7 ops, not 5,120"),
    (False, None, (NOT_COUNTED, NO_CLAIM), "not counted"),
]
