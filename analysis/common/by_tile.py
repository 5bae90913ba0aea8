"""Panels over the tile size, every tile of a vector being scanned, and words for tiles."""

from collections.abc import Sequence

from matplotlib.axes import Axes

from analysis.common import plotting, words
from analysis.common.evidence import Results
from analysis.common.statistics import Median

Curves = dict[str, dict[int, Median]]  # by algorithm and tile


def count(counted: Results | None, quantity: str, tile: int, **factors) -> float | None:
    """A count per tile, from the longest vector of the case with these factors."""
    lengths = counted.levels("n", tile=tile, **factors) if counted else []
    total = counted.count(quantity, tile=tile, **factors, n=max(lengths)) if lengths else None
    return None if total is None else total * tile / max(lengths)


def block_curve(timed: Results, every: Sequence[int], **factors) -> Curves:
    """CUB's block scan, if it was timed in every tile."""
    times = {tile: timed.time(algorithm="cub_block", tile=tile, **factors) for tile in every}
    return {"cub_block": times} if all(times.values()) else {}


def device_curves(timed: Results, every: Sequence[int], **factors) -> Curves:
    """CUB's device-wide scan and the copy, which have no tile: one time for all of them."""
    times = {each: timed.time(algorithm=each, **factors) for each in ("cub_device", "device_to_device")}
    return {algorithm: dict.fromkeys(every, time) for algorithm, time in times.items() if time}


def finish(panels: Sequence[Axes], every: Sequence[int], references: Curves, size: float = 7) -> None:
    """Finish panels with times: one scale for all, and the references, labelled at the right."""
    for axes in panels:
        plotting.reference_curves(axes, references)
        axes.set_xscale("log", base=2)
        axes.set_xticks(every, [f"{tile:,}" for tile in every], fontsize=size)
        axes.minorticks_off()
        axes.set_xlabel("tile size, elements")
        axes.grid(axis="y")
    top = max(axes.get_ylim()[1] for axes in panels)
    for axes in panels:
        axes.set_ylim(0, top)
    plotting.name_curves(panels[-1], references)


def in_words(some: list[int], every: list[int]) -> str:
    """in tiles of 512 and 1,024; in tiles of 128 to 2,048; in every tile but 512."""
    if some in ([], every):
        return "in every tile" if some else "in no tile"
    others = [tile for tile in every if tile not in some]
    if len(some) > 3:
        first = every.index(some[0])
        if some == every[first : first + len(some)]:
            return f"in tiles of {some[0]:,} to {some[-1]:,}"
        if len(others) < len(some):
            return f"in every tile but {words.listing([f'{tile:,}' for tile in others])}"
    return f"in tiles of {words.listing([f'{tile:,}' for tile in some])}"
