"""Allocation: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis import allocation
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import COUNTED, Found, N, changed, counted_row, references, with_findings

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
    (None, None, HOLDS, "and is as fast as the cursor"),
    (None, changed(default_times(), scan=109), HOLDS, "1.09 times slower than the cursor"),
    (None, changed(default_times(), scan=111), FAILS, "free in no case"),
    (None, changed(default_times(), scan__warm=111), HOLDS, ""),
    (
        None,
        changed(default_times(), **{"scan__mean:1/": 200}),
        LIMITS,
        "at 64 elements per run if runs are of similar length and at 64 elements per run if one run is",
    ),
    (
        None,
        changed(default_times(), scan__one_long=200),
        LIMITS,
        "at every mean if runs are of similar length and nowhere if one run is long",
    ),
    (None, changed(default_times(), cursor__one_long=50), LIMITS, "up to 2.0 times slower than the cursor"),
    (
        None,
        with_findings(default_times(), "scan__mean:64", out_of_order=2),
        FAILS,
        "up to 2 runs out of order",
    ),
    (None, with_findings(default_times(), "cursor", out_of_order=0), FAILS, "so does the atomic cursor"),
    (False, None, HOLDS, ""),
    (None, False, NOT_MEASURED, "Neither order nor time"),
]
