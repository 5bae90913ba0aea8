"""@claim@: made-up evidence, and the verdict that follows from it."""

from analysis.core.verdict import CONFIRMED, NO_CLAIM, NOT_COUNTED, REFUTED
from analysis.test.made_up import counted_row, with_counter

CASE = "@operation@"


def default_counts() -> list[dict]:
    """Every case with what is counted."""
    wavefronts = {"shared_load_wavefronts": 8, "shared_store_wavefronts": 8}
    return [counted_row(f"{CASE}/n:1024", bank_conflicts=0, **wavefronts)]


def default_times() -> dict:
    """Microseconds by case."""
    return {f"{CASE}/cache:{cache}/n:1024": 100.0 for cache in ("cold", "warm")}


# Counts and times (None: those above; False: none), the answers, and a part of the finding.
VERDICTS = [
    (None, None, (CONFIRMED, NO_CLAIM), "It has 0 bank conflicts."),
    (with_counter(default_counts(), CASE, "bank_conflicts", 7), None, (REFUTED, NO_CLAIM), "has 7"),
    (False, None, (NOT_COUNTED, NO_CLAIM), "not counted"),
]
