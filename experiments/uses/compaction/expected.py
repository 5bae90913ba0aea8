"""Compaction: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO_CLAIM, NOT_COUNTED, REFUTED
from analysis.test.made_up import COUNTED, Found, N, changed, counted_row, references, with_findings
from experiments.uses.compaction import analysis as compaction

PERCENTS = (0, 10, 100)


def default_counts() -> list[dict]:
    rows = []
    for way in compaction.WAYS:
        name = f"cursor/by:{way}" if way in compaction.CURSORS else way
        for percent in PERCENTS:
            counters = {"launches": 3, "barriers": 4, "atomic_requests": 0}
            counters |= {"global_bytes_read": 8 * COUNTED, "global_bytes_written": 4 * COUNTED}
            case = f"compact/{name}/kept_percent:{percent}/n:{COUNTED}"
            rows.append(counted_row(case, counters, **counters, places_by_order=0))
    return rows


def default_times() -> dict:
    """The scan in tiles takes as long as the fastest cursor."""
    times = {}
    for cache in ("cold", "warm"):
        tail = f"/cache:{cache}/n:{N}"
        for percent in PERCENTS:
            kept = f"/kept_percent:{percent}{tail}"
            times |= {f"compact/mask{kept}": 300.0, f"compact/tiles{kept}": 100.0}
            times |= {f"compact/cub_device{kept}": 100.0, f"compact/cursor/by:block{kept}": 100.0}
            times |= {f"compact/cursor/by:{way}{kept}": 900.0 for way in ("thread", "warp")}
        times |= references(tail)
    lost = {name: 0 if "kept_percent:0" in name else 9 for name in times if "cursor" in name}
    return {name: Found(time, out_of_order=lost.get(name, 0)) for name, time in times.items()}


VERDICTS = [
    (
        None,
        None,
        (CONFIRMED, NO_CLAIM),
        "preserve the order and are 1.00 times as fast as the fastest cursor, which leaves up to 9",
    ),
    (
        None,
        changed(default_times(), tiles=111),
        (CONFIRMED, NO_CLAIM),
        "0.90 times as fast as the fastest cursor",
    ),
    (
        None,
        with_findings(default_times(), "by:thread", out_of_order=500),
        (CONFIRMED, NO_CLAIM),
        "which leaves up to 9 elements",  # as the fastest does
    ),
    (None, changed(default_times(), block__warm=40), (CONFIRMED, NO_CLAIM), "as fast as"),
    (
        None,
        with_findings(default_times(), "tiles__percent:10/", out_of_order=1),
        (REFUTED, NO_CLAIM),
        "leaves 1 element out of order",
    ),
    (None, with_findings(default_times(), "mask", out_of_order=1), (REFUTED, NO_CLAIM), "out of order."),
    (
        None,
        with_findings(default_times(), "cursor", out_of_order=0),
        (CONFIRMED, NO_CLAIM),
        "as fast as the fastest cursor.",
    ),
    (False, None, (CONFIRMED, NO_CLAIM), ""),
    (None, False, (NOT_COUNTED, NO_CLAIM), "was not looked at"),
]
