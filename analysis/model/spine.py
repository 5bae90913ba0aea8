"""Of what a host spine consists: the copy of the block sums to the host, their scan there, the copy back, and
the rest: waiting for the host and launching what follows, less the levels of the GPU that fall away."""

from analysis.common.evidence import Results
from analysis.common.prose import told

PARTS = ("to_host", "scan", "to_device")
SCAN = {"operation": "scan", "algorithm": "three_phase", "vector": "device"}


def taken_apart(timed: Results) -> dict | None:
    """Microseconds of each part at the longest vector, and what a host spine adds to the scan in all."""
    n = max(timed.levels("n", **SCAN, spine="host"), default=0)
    whole = [timed.time(**SCAN, spine=spine, n=n, cache="cold") for spine in ("host", "device")]
    if not all(whole):
        return None
    of_part = {
        part: timed.time(operation="spine", algorithm=part, n=n, cache="cold")
        for part in PARTS
        if timed.levels("n", operation="spine", algorithm=part)
    }
    known = {part: time.value for part, time in of_part.items() if time}
    added = whole[0].value - whole[1].value
    rest = {"rest": added - sum(known.values())} if len(known) == len(PARTS) else {}
    return {"n": n, "added_us": added} | known | rest


def sentences(timed: Results | None) -> list[str]:
    found = taken_apart(timed) if timed else None
    return [told("host spine", **found)] if found else []
