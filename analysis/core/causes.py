"""Why a count may differ from what it is compared with: the GPU's counter, or the closed form of the source.

A cause is a proof and a sentence. The proof uses both rows of the case and must hold exactly: a difference
that no cause accounts for is unexplained. To add a cause, write its proof and append it to OF_GPU, if the
machine and the GPU differ, or to OF_COMPILER, if the machine code does not do what the source says.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pandas

from analysis.core.prose import told

UNEXPLAINED = "unexplained"
SIZES = {"int8": 1, "int16": 2, "int64": 8, "double": 8}  # bytes of an element, by the factor `type`; else 4


@dataclass(frozen=True)
class Pair:
    """A case as the SIMT machine counted it, and what its counts are compared with: the hardware counters or
    the closed forms, by quantity."""

    counted: dict
    other: dict

    def both(self, quantity: str) -> bool:
        """Whether both rows have the quantity."""
        return all(pandas.notna(row.get(quantity)) for row in (self.counted, self.other))

    def equal(self, *quantities: str) -> bool:
        return all(self.both(each) and self.counted[each] == self.other[each] for each in quantities)

    def saved(self, quantity: str) -> int | None:
        """What the other has more than was counted; None if one of them lacks it."""
        return int(self.other[quantity] - self.counted[quantity]) if self.both(quantity) else None


@dataclass(frozen=True)
class Cause:
    """`proven` is asked about one of `quantities` at a time."""

    name: str  # its sentence: "cause: <name>" in paper/sentences.md
    quantities: tuple[str, ...]
    proven: Callable[[Pair, str], bool]

    @property
    def sentence(self) -> str:
        return told(f"cause: {self.name}")


def cause_of(causes: tuple[Cause, ...], pair: Pair, quantity: str) -> str:
    """The first cause whose proof holds, by name."""
    proven = (cause for cause in causes if quantity in cause.quantities and cause.proven(pair, quantity))
    return next((cause.name for cause in proven), UNEXPLAINED)


def merges(pair: Pair) -> int | None:
    """Load requests that wide accesses save, beyond the other row's, if just so many are missing; else None.

    An access of 8 or 16 bytes takes the place of as many requests as elements fit into it.
    """
    row = pair.counted
    element = row.get("bytes") if pandas.notna(row.get("bytes")) else SIZES.get(row.get("type"), 4)
    saved = sum(wide_loads(pair, size) * (size // element - 1) for size in (8, 16) if size > element)
    return saved if saved > 0 and saved == pair.saved("shared_load_requests") else None


def wide_loads(pair: Pair, size: int) -> int:
    """Loads of so many bytes that were counted, beyond those of the other row; a closed form has none."""
    name = f"shared_loads_of_{size}_bytes"
    more, less = (row.get(name) for row in (pair.counted, pair.other))
    return int(more or 0) - (int(less) if pandas.notna(less) else 0)


def merged_loads(pair: Pair, quantity: str) -> bool:
    """Two neighbours in one access.

    Each access of the pair took two wavefronts, one of them a conflict, if more than sixteen lanes were at
    work; merged, they take two in total and no conflict. With up to sixteen lanes each took one; merged, they
    take one. So each merged pair saves two wavefronts and two conflicts, or one and none: the saved
    wavefronts minus half the saved conflicts is one per pair.
    """
    merged = merges(pair)
    if merged is None or quantity == "shared_load_requests":
        return merged is not None
    wavefronts, conflicts = (pair.saved(each) for each in ("shared_load_wavefronts", "bank_conflicts"))
    if wavefronts is None or conflicts is None:
        return False
    return merged <= wavefronts <= 2 * merged and wavefronts - conflicts / 2 == merged


def moved_past_a_barrier(pair: Pair, quantity: str) -> bool:
    """As many additions by as many warps between as many barriers, but in more of the steps between them."""
    row = pair.counted
    if not pair.equal("ops", "warp_ops", "barriers") or not pair.both("active_warps"):
        return False
    more = -pair.saved("active_warps")
    return more > 0 and row["active_warps"] <= row["warp_ops"] and pair.saved(quantity) < 0


def hoisted(pair: Pair, quantity: str) -> bool:
    """As many warps apply the operator as often, between as many barriers, but with more lanes."""
    return pair.equal("warp_ops", "barriers") and pair.both(quantity) and pair.saved(quantity) < 0


OF_GPU: tuple[Cause, ...] = ()  # none is known
OF_COMPILER = (
    Cause("merged", ("shared_load_requests", "shared_load_wavefronts", "bank_conflicts"), merged_loads),
    Cause("moved", ("active_warps", "operator_steps"), moved_past_a_barrier),
    Cause("hoisted", ("ops",), hoisted),
)
CAUSES = OF_GPU + OF_COMPILER
