"""Kernels whose time has a part that the model does not know, and why: shown, but not among its errors."""

from analysis.model.kernels import Kernel
from analysis.model.work import Work

WAITS = "its blocks wait for the sums of earlier blocks"
HOST = "the host scans the block sums"
ATOMICS = "it updates memory atomically, which has no price"
SPILLS = "registers are spilled to memory"
CACHES = "caches decide what it moves"
OFTEN = 4  # times that a sector is touched
SHARE = 0.05  # of the requests to global memory: fewer do not decide
UNEVEN = "one block has most of the work"
# By the case: what the host does is no launch, and counts are sums over blocks.
RULES = (("spine:host", HOST), ("lengths:one_long", UNEVEN), ("decode/cursor", ATOMICS))


def outside(kernel: Kernel) -> str:
    """Why, or "" if the model should know all of the time."""
    named = (why for part, why in RULES if part in kernel.case)
    return next(named, "") or next(filter(None, map(reason, kernel.work)), "")


def reason(work: Work) -> str:
    """The same of one launch, by what is counted."""
    requests = max(work.requests, 1.0)
    if work.sum("volatile_load_requests") > 0:
        return WAITS
    if work.sum("atomic_sectors") > SHARE * requests:
        return ATOMICS
    if work.sum("local_load_requests") + work.sum("local_store_requests") > SHARE * requests:
        return SPILLS
    sectors = work.sum("global_load_sectors") + work.sum("global_store_sectors")
    moved = (work.bytes_read + work.bytes_written) / 32
    return CACHES if moved and sectors > OFTEN * moved else ""
