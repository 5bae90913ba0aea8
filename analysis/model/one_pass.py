"""What keeps one pass of look-back from the speed of a copy: not the bytes, as another scan shows."""

from analysis.common import sweep, words
from analysis.common.evidence import Results
from analysis.common.prose import told

SCAN = {"operation": "scan", "algorithm": "ours", "submit": "stream", "cache": "cold"}
COPY = {"algorithm": "device_to_device", "submit": "stream", "cache": "cold"}


def sentences(timed: Results | None) -> list[str]:
    """From the times of copy_speed: the fast scan beside a copy, at the longest vector of each type."""
    found = []
    for kind in timed.levels("type", **SCAN) if timed else []:
        n = sweep.longest(timed, **SCAN, type=kind)
        scan, copy = (timed.time(**of, type=kind, n=n) for of in (SCAN, COPY))
        found += [copy.value / scan.value] if scan and copy else []
    return list(filter(None, [told("one pass", share=words.span(found, words.share) if found else None)]))
