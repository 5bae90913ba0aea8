"""Allocation: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO_CLAIM, NOT_COUNTED, REFUTED
from analysis.test.made_up import COUNTED, Found, N, changed, counted_row, references, with_findings
from experiments.uses.allocation import analysis as allocation

MEANS = (1, 64)


def default_counts() -> list[dict]:
    rows = []
    for way in allocation.WAYS:
        for lengths in allocation.LENGTHS:
            for mean in MEANS:
                counters = {"launches": 2, "barriers": 4, "atomic_requests": 0}
                case = f"decode/{way}/lengths:{lengths}/mean:{mean}/n:{COUNTED}"
                moved = {"global_bytes_read": 8 * COUNTED, "global_bytes_written": 4 * COUNTED}
                rows.append(counted_row(case, counters, **counters, **moved))
    return rows


def default_times() -> dict:
    """The scan takes as long as the cursor, which places some runs out of order."""
    times = {}
    for cache in ("cold", "warm"):
        tail = f"/cache:{cache}/n:{N}"
        for lengths in allocation.LENGTHS:
            for mean in MEANS:
                for way in (*allocation.WAYS, "cub_device"):
                    name = f"decode/{way}/lengths:{lengths}/mean:{mean}{tail}"
                    times[name] = Found(100.0, out_of_order=9 if way == "cursor" and mean == 1 else 0)
        times |= references(tail)
    return times


VERDICTS = [
    (None, None, (CONFIRMED, NO_CLAIM), "preserves the order and is"),
    (None, changed(default_times(), scan=111), (CONFIRMED, NO_CLAIM), "0.90 times as fast"),
    (
        None,
        changed(default_times(), cursor__one_long=50),
        (CONFIRMED, NO_CLAIM),
        "0.50 (one long run",
    ),
    (
        None,
        with_findings(default_times(), "scan__mean:64", out_of_order=2),
        (REFUTED, NO_CLAIM),
        "leaves 2 runs out of order",
    ),
    (
        None,
        with_findings(default_times(), "cursor", out_of_order=0),
        (CONFIRMED, NO_CLAIM),
        "as fast as an atomic cursor.",
    ),
    (False, None, (CONFIRMED, NO_CLAIM), "which leaves 9 runs out of order"),
    (None, False, (NOT_COUNTED, NO_CLAIM), "was not looked at"),
]
