"""Compaction: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis import compaction
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import COUNTED, Found, N, changed, counted_row, references, with_findings

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
    (None, None, HOLDS, "the faster scan is as fast as the fastest cursor"),
    (None, changed(default_times(), tiles=109), HOLDS, "1.09 times slower than the fastest cursor"),
    (None, changed(default_times(), tiles=111), LIMITS, "preserving order costs 11% more time"),
    (None, changed(default_times(), tiles=111, mask=100), HOLDS, ""),
    (None, changed(default_times(), **{"block__percent:0/": 50}), LIMITS, "where 10% or 100% are selected"),
    (
        None,
        changed(default_times(), **{"block__percent:0/": 40}),
        LIMITS,
        "up to 2.5 times slower than the fastest cursor",
    ),
    (None, changed(default_times(), block=40), FAILS, "is 2.5 times slower than the fastest cursor"),
    (None, changed(default_times(), block__warm=40), HOLDS, ""),
    (None, with_findings(default_times(), "tiles__percent:10/", out_of_order=1), FAILS, "scan in tiles"),
    (None, with_findings(default_times(), "mask", out_of_order=1), FAILS, "out of order: mask in memory"),
    (None, with_findings(default_times(), "cursor", out_of_order=0), FAILS, "so do the atomic cursors"),
    (False, None, HOLDS, ""),
    (None, False, NOT_MEASURED, "Neither order nor time"),
]
