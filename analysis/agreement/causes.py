"""Why a hardware counter may differ from the count.

A cause is a sentence and a proof. The proof uses both rows of the case and must hold exactly: a difference
that no cause accounts for is unexplained. To add a cause, write its proof and append it to CAUSES.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pandas

UNEXPLAINED = "unexplained"


@dataclass(frozen=True)
class Pair:
    """A case as counted by the SIMT machine and by the hardware: the two rows of results."""

    counted: dict
    hardware: dict

    def both(self, quantity: str) -> bool:
        """Whether both rows have the quantity."""
        return all(pandas.notna(row.get(quantity)) for row in (self.counted, self.hardware))

    def saved(self, quantity: str) -> int | None:
        """The count minus the hardware's; None if one of them lacks it."""
        return int(self.counted[quantity] - self.hardware[quantity]) if self.both(quantity) else None


@dataclass(frozen=True)
class Cause:
    """`proven` is asked about one of `quantities` at a time."""

    name: str
    sentence: str
    quantities: tuple[str, ...]
    proven: Callable[[Pair, str], bool]


def cause_of(pair: Pair, quantity: str) -> str:
    """The first cause whose proof holds, by name."""
    proven = (cause for cause in CAUSES if quantity in cause.quantities and cause.proven(pair, quantity))
    return next((cause.name for cause in proven), UNEXPLAINED)


def wider(pair: Pair, side: str) -> int | None:
    """Accesses wider than an element that the GPU executed and the source does not have; None if unknown."""
    wide = pair.hardware.get(f"wide_shared_{side}s")
    if pandas.isna(wide):
        return None
    widths = [size for size in (8, 16) if size > (pair.hardware.get("element_bytes") or 4)]
    return int(wide - sum(pair.counted.get(f"shared_{side}s_of_{size}_bytes") or 0 for size in widths))


def merges(pair: Pair, side: str) -> int | None:
    """Requests that merging saved, if exactly as many accesses of twice the width ran; else None."""
    wide, saved = wider(pair, side), pair.saved(f"shared_{side}_requests")
    return wide if wide is not None and wide == saved else None


def merged_pairs(pair: Pair, quantity: str) -> bool:
    """Two neighbours in one access.

    Each wide access saves one request. With four-byte elements and more than sixteen lanes, each access of
    the pair took two wavefronts, one of them a conflict; merged, they take two in total and no conflict. With
    up to sixteen lanes each took one; merged, they take one. So merging saves two wavefronts and two
    conflicts, or one and none: the saved wavefronts minus half the saved conflicts is one per wide access.
    With eight-byte elements all of this doubles.
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
    words = (pair.hardware.get("element_bytes") or 4) / 4  # unknown for vectors that a case brings itself
    in_range = all(words * merged[side] <= wavefronts[side] <= 2 * words * merged[side] for side in merged)
    return in_range and sum(wavefronts.values()) - conflicts / 2 == words * sum(merged.values())


def idle_lanes_add(pair: Pair, quantity: str) -> bool:
    """Every lane that instructions are issued for applies the operator, whether or not its result is used."""
    row = pair.hardware
    needed = ("operator_instructions", "thread_instructions", "warp_instructions")
    if any(pandas.isna(row.get(name)) for name in needed) or not pair.both(quantity):
        return False
    lanes = row["operator_instructions"] * row["thread_instructions"] / row["warp_instructions"]
    return pair.counted[quantity] < row[quantity] == lanes


def members_apart(pair: Pair, quantity: str) -> bool:
    """Each sector of the vector once more: two members of 4 bytes in accesses of their own."""
    row, saved = pair.counted, pair.saved(quantity)
    if not row.get("elements_of_parts", 0) > 0 or row.get("bytes") != 8 or saved is None:
        return False
    return -saved == int(row["n"]) * 8 // 32


CAUSES = (
    Cause(
        "merged",
        "nvcc merges accesses to two neighbours in shared memory into one of twice the width. The GPU "
        "executed exactly as many accesses wider than an element (such as `LDS.64`) as requests are missing, "
        "and the savings in wavefronts and conflicts match.",
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
        "nvcc lets every lane apply the operator, but predicates the store of the result. The GPU executed "
        "the operator in exactly as many lanes as its instructions were issued for.",
        ("ops",),
        idle_lanes_add,
    ),
    Cause(
        "members apart",
        "nvcc loads and stores a struct of two members, which is aligned to 4 bytes, member by member, g++ "
        "as a whole: each sector of the vector is accessed once more.",
        ("global_load_sectors", "global_store_sectors"),
        members_apart,
    ),
)
