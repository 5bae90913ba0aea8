"""What is shown of the counters of a launch or a line."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass


def conflicts(counts: Counter) -> int:
    """Passes over the banks beyond the fewest that the requests need."""
    return wavefronts(counts) - counts["ideal_wavefronts"]


def wavefronts(counts: Counter) -> int:
    kinds = ("shared_load", "shared_store", "shared_atomic", "matrix_load", "matrix_store")
    return sum(counts[f"{kind}_wavefronts"] for kind in kinds)


def requests(counts: Counter) -> int:
    memories = ("shared", "matrix", "global", "local")
    plain = sum(counts[f"{memory}_{kind}_requests"] for memory in memories for kind in ("load", "store"))
    return plain + counts["atomic_requests"]


def sectors(counts: Counter) -> int:
    kinds = ("global_load_sectors", "global_store_sectors", "atomic_sectors", "bulk_sectors_stored")
    return sum(counts[kind] for kind in kinds)


def lanes(counts: Counter) -> float | None:
    """Mean lanes at work of an instruction; None without instructions."""
    instructions = counts["warp_instructions"]
    return counts["thread_instructions"] / instructions if instructions else None


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


def counted(name: str) -> Callable[[Counter], int]:
    return lambda counts: counts[name]


QUANTITIES = [
    Quantity("instructions", "that warps issue", counted("warp_instructions"), max),
    Quantity("lanes", "mean lanes at work of an instruction, of 32", lanes, min),
    Quantity("divergent", "branches whose lanes part", counted("divergent_branches"), max),
    Quantity("requests", "memory instructions of warps", requests),
    Quantity("wavefronts", "passes over the banks of shared memory", wavefronts),
    Quantity("conflicts", "of these, bank conflicts", conflicts, max),
    Quantity("sectors", "of 32 bytes of global memory", sectors, max),
    Quantity("atomics", "atomic instructions of warps", counted("atomic_requests"), max),
    Quantity("barriers", "barriers of blocks", counted("barriers")),
    Quantity(
        "shuffles",
        "shuffles, votes and reductions of warps",
        lambda counts: counts["shuffles"] + counts["votes"] + counts["warp_reductions"],
    ),
]


def with_counts(launches: list) -> list[Quantity]:
    """Those that any of these launches has: a column of dots says nothing."""
    total = sum((launch.total for launch in launches), Counter())
    return [each for each in QUANTITIES if each.of(total)]


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
