"""What is shown of the counters of a launch or a line."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

MEMORY = ("shared_load", "shared_store", "global_load", "global_store")


def conflicts(counts: Counter) -> int:
    """Passes over the banks beyond the fewest that the requests need."""
    return wavefronts(counts) - counts["ideal_wavefronts"]


def wavefronts(counts: Counter) -> int:
    return sum(counts[f"shared_{kind}_wavefronts"] for kind in ("load", "store", "atomic"))


def counted_requests(counts: Counter) -> int:
    """Memory requests whose lanes are counted: all but volatile loads."""
    return sum(counts[f"{kind}_requests"] for kind in MEMORY) + counts["atomic_requests"]


def sectors(counts: Counter) -> int:
    return counts["global_load_sectors"] + counts["global_store_sectors"] + counts["volatile_load_sectors"]


def lanes(counts: Counter) -> float | None:
    """Mean active lanes of a memory request; None without requests."""
    return counts["request_lanes"] / requests if (requests := counted_requests(counts)) else None


@dataclass(frozen=True)
class Quantity:
    name: str
    meaning: str
    of: Callable[[Counter], float | None]
    worst: Callable | None = None  # max or min, where the extreme line deserves a mark

    def text(self, counts: Counter) -> str:
        value = self.of(counts)
        if not value:
            return "."
        return f"{value:.1f}" if isinstance(value, float) else f"{value:,}"


QUANTITIES = [
    Quantity(
        "requests",
        "memory instructions of warps",
        lambda counts: counted_requests(counts) + counts["volatile_load_requests"],
    ),
    Quantity("wavefronts", "passes over the banks of shared memory", wavefronts),
    Quantity("conflicts", "of these, bank conflicts", conflicts, max),
    Quantity("sectors", "of 32 bytes of global memory", sectors, max),
    Quantity("atomics", "atomic instructions of warps", lambda counts: counts["atomic_requests"]),
    Quantity("barriers", "barriers of blocks", lambda counts: counts["barriers"]),
    Quantity(
        "shuffles",
        "shuffles, votes and reductions of warps",
        lambda counts: counts["shuffles"] + counts["votes"] + counts["warp_reductions"],
    ),
    Quantity("lanes", "mean active lanes of a memory request, of 32", lanes, min),
]


def worst_lines(lines: dict) -> set[tuple]:
    """(line, name of the quantity) for the lines that are worst in one, if there is any harm in it."""
    marked = set()
    for quantity in QUANTITIES:
        values = {line: value for line, counts in lines.items() if (value := quantity.of(counts))}
        if quantity.worst is None or len(set(values.values())) < 2:
            continue
        extreme = quantity.worst(values.values())
        if quantity.worst is max and extreme > 0 or extreme < 31.5:
            marked |= {(line, quantity.name) for line, value in values.items() if value == extreme}
    return marked
