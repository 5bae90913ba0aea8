"""Why a hardware counter may differ from the count.

A cause is a sentence and a proof. The proof looks at both rows of the case and must hold to the last unit:
a difference that no cause accounts for is unexplained. To add a cause, write its proof and put it in CAUSES.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pandas

UNEXPLAINED = "unexplained"


@dataclass(frozen=True)
class Pair:
    """A case as the SIMT machine counted it and as the hardware did: the two rows of results."""

    counted: dict
    hardware: dict

    def both(self, quantity: str) -> bool:
        """Whether both rows say how much it was."""
        return all(pandas.notna(row.get(quantity)) for row in (self.counted, self.hardware))

    def saved(self, quantity: str) -> int | None:
        """How much less the hardware did than was counted; None if one of them does not say."""
        return int(self.counted[quantity] - self.hardware[quantity]) if self.both(quantity) else None


@dataclass(frozen=True)
class Cause:
    """`proven` answers for one of `quantities` at a time."""

    name: str
    sentence: str
    quantities: tuple[str, ...]
    proven: Callable[[Pair, str], bool]


def cause_of(pair: Pair, quantity: str) -> str:
    """The first cause whose proof holds, by name."""
    proven = (cause for cause in CAUSES if quantity in cause.quantities and cause.proven(pair, quantity))
    return next((cause.name for cause in proven), UNEXPLAINED)


def merges(pair: Pair, side: str) -> int | None:
    """Requests that merging saved, if as many accesses wider than an element were executed; else None."""
    wide = pair.hardware.get(f"wide_shared_{side}s")
    saved = pair.saved(f"shared_{side}_requests")
    return int(wide) if pandas.notna(wide) and saved is not None and wide == saved else None


def merged_pairs(pair: Pair, quantity: str) -> bool:
    """Two neighbours in one access.

    Each wide access saves one request. Of four-byte elements and more than sixteen lanes, the pair took two
    wavefronts twice, one of each two a conflict, and takes two in all, without a conflict; with up to sixteen
    it took one twice, and takes one. So it saves two wavefronts and two conflicts, or one and none: what is
    saved in wavefronts, less half of what is saved in conflicts, is one for each wide access. Of eight-byte
    elements everything is twice as much.
    """
    merged = {side: merges(pair, side) for side in ("load", "store")}
    if None in merged.values() or not any(merged.values()):
        return False
    if quantity.endswith("_requests"):
        return True
    wavefronts = {side: pair.saved(f"shared_{side}_wavefronts") for side in merged}
    conflicts = pair.saved("bank_conflicts")
    if None in wavefronts.values() or conflicts is None:
        return False
    words = (pair.hardware.get("element_bytes") or 4) / 4  # of a case's own vectors they are not known
    in_range = all(words * merged[side] <= wavefronts[side] <= 2 * words * merged[side] for side in merged)
    return in_range and sum(wavefronts.values()) - conflicts / 2 == words * sum(merged.values())


def idle_lanes_add(pair: Pair, quantity: str) -> bool:
    """Every lane that instructions are issued for applies the operator, its result wanted or not."""
    row = pair.hardware
    needed = ("operator_instructions", "thread_instructions", "warp_instructions")
    if any(pandas.isna(row.get(name)) for name in needed) or not pair.both(quantity):
        return False
    lanes = row["operator_instructions"] * row["thread_instructions"] / row["warp_instructions"]
    return pair.counted[quantity] < row[quantity] == lanes


def seeds_in_two_stores(pair: Pair, quantity: str) -> bool:
    """A sector more for each part, whose seed is written once."""
    parts, saved = pair.counted.get("parts"), pair.saved(quantity)
    return pandas.notna(parts) and saved is not None and -saved == int(parts)


CAUSES = (
    Cause(
        "merged",
        "nvcc merges accesses to two neighbours in shared memory into one of twice the width. The GPU "
        "executed as many accesses wider than an element (`LDS.64` among its opcodes) as there are requests "
        "missing, and they save the "
        "wavefronts and conflicts that such pairs take.",
        (
            "shared_load_requests",
            "shared_store_requests",
            "shared_load_wavefronts",
            "shared_store_wavefronts",
            "bank_conflicts",
        ),
        merged_pairs,
    ),
    Cause(
        "idle lanes add",
        "nvcc lets every lane apply the operator, and only those store the result that are meant to. The GPU "
        "executed it in as many lanes as its instructions were issued for.",
        ("ops",),
        idle_lanes_add,
    ),
    Cause(
        "seed in two stores",
        "The seed of a part is a value and whether there is one. nvcc stores the two one after the other, "
        "g++ at once: a sector more for each part.",
        ("global_store_sectors",),
        seeds_in_two_stores,
    ),
)
