"""Sweeps: the same cases at every level of a factor, such as a length or a tile; their panels and tables.

A curve has a value for each level: a median time, or a number such as a count or a ratio of times.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from analysis.core import charts, plotting, words
from analysis.core.evidence import Results
from analysis.core.noise_floor import Floor
from analysis.core.plotting import Look
from analysis.core.statistics import Median

Curve = dict[int, Median]
Numbers = dict[int, float]
REFERENCES = ("device_to_device", "cub_device")
TIMES, COUNTERS = "times", "counters"  # the kind of GPU data that a table shows


# --- Values


def times(timed: Results | None, over: str, levels: Iterable[int] = (), cache="cold", **factors) -> Curve:
    """Times of the cases with these factors, by level; at all of them unless some are given."""
    if timed is None:
        return {}
    every = levels or sorted(timed.levels(over, **factors))
    found = {level: timed.time(**factors, **{over: level}, cache=cache) for level in every}
    return {level: time for level, time in found.items() if time}


def ratios(some: Curve, base: Curve) -> Numbers:
    """Ratios of medians, at the levels of both."""
    return {level: time.value / base[level].value for level, time in some.items() if level in base}


def over_n(timed: Results | None, some: dict, base: dict, cache: str = "cold") -> Numbers:
    """Times of the cases with some factors relative to those with others, by length."""
    return ratios(times(timed, "n", cache=cache, **some), times(timed, "n", cache=cache, **base))


def within(found: Numbers, floor: Floor, slack: float) -> dict[int, bool]:
    """By length: whether the ratio is at most 1 + slack, or within the noise floor."""
    return {n: floor.as_fast(ratio, n, slack) for n, ratio in found.items()}


def per_tile(counted: Results | None, quantity: str, tile: int, **factors) -> float | None:
    """A count per tile, from the longest vector of the case with these factors."""
    lengths = counted.levels("n", tile=tile, **factors) if counted else []
    total = counted.count(quantity, tile=tile, **factors, n=max(lengths)) if lengths else None
    return None if total is None else total * tile / max(lengths)


def longest(results: Results | None, **factors) -> int:
    """The longest vector of these cases; 0 if there are none."""
    return max(results.levels("n", **factors), default=0) if results else 0


def most(results: Results | None, quantity: str, **factors) -> int | None:
    """The largest count of these cases; None if it was not counted."""
    known = results is not None and quantity in results.rows
    return int(results.where(**factors)[quantity].max()) if known else None


# --- Panels


def lines(axes: Axes, curves: Mapping[Look, Mapping[int, Median | float]]) -> None:
    """Times with their intervals, and numbers, by level."""
    for look, curve in curves.items():
        if all(isinstance(value, Median) for value in curve.values()):
            charts.time_line(axes, look, curve)
        else:
            axes.plot(list(curve), list(curve.values()), label=look.label, **look.style())


def finish(
    axes: Axes, label: str, title: str, of: str = "elements, n", ticks: Sequence[int] = (), every: int = 1
) -> None:
    """A panel over a number on a logarithmic scale, by default n; `ticks`: the levels, if all are marked, of
    which each `every`th is named, the last one too."""
    axes.set_xscale("log", base=2)
    if ticks:
        named = set(ticks[::-every])
        axes.set_xticks(ticks, [f"{level:,}" if level in named else "" for level in ticks])
        axes.minorticks_off()
    axes.set(xlabel=of, ylabel=label, title=title)
    axes.grid(axis="y" if ticks else "both")


def by_place(axes: Axes, levels: Sequence, label: str, title: str, of: str) -> None:
    """A panel over places 0, 1, 2 ..: levels too uneven for a scale, or with names."""
    axes.set_xticks(range(len(levels)), [str(level) for level in levels])
    axes.set(xlabel=of, ylabel=label, title=title)
    axes.grid(axis="y")
    axes.set_axisbelow(True)


def at_places(curve: Mapping[int, Median | float], levels: Sequence[int]) -> dict[int, Median | float]:
    return {levels.index(level): value for level, value in curve.items()}


def band(axes: Axes, slack: float) -> None:
    """The ratios that count as 1: `slack` to either side."""
    axes.axhspan(1 - slack, 1 + slack, color=plotting.PALE, linewidth=0)
    axes.axhline(1, color=plotting.BLACK, linewidth=0.6)


# --- Tables


@dataclass(frozen=True)
class Table:
    """Cells are strings, ready to print; a newline is a line break.

    The first `text_columns` columns are words; if all are, they are sentences, with code between backquotes.
    `source`: the kind of GPU data it shows; the report says so if these are of earlier kernels.
    """

    caption: str
    columns: list[str]
    rows: list[list[str]]
    text_columns: int = 1
    source: str = TIMES

    def __post_init__(self):
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"table '{self.caption}': a row does not have {len(self.columns)} cells")


def table(
    caption: str,
    names: Sequence[str],
    keys: Iterable[tuple],
    cells: dict[str, Callable],
    looks: Mapping[object, Look] | None = None,
    **options,
) -> Table:
    """A row for each key: its parts, in the columns `names`, then a cell for each function of the key.

    A part that is in `looks` is printed as its label, a number in a column "n" as a power of two. Rows
    without any cell are left out.
    """
    rows = []
    for key in keys:
        row = [cell(*key) for cell in cells.values()]
        if set(row) != {words.NOTHING}:
            parts = [printed(name, part, looks or {}) for name, part in zip(names, key, strict=False)]
            rows.append(parts + row)
    return Table(caption, [*names, *cells], rows, **options)


def printed(name: str, part: object, looks: Mapping[object, Look]) -> str:
    if part in looks:
        return looks[part].label
    if isinstance(part, str):
        return part
    return words.power(part) if name == "n" else words.integer(part)


def count_cell(counted: Results | None, quantity: str, **factors) -> str:
    """A count; "7, not 8" if its closed form is another number."""
    value = counted.count(quantity, **factors) if counted else None
    stated = counted.count(f"predicted_{quantity}", **factors) if counted else None
    said = words.integer(value)
    return said if stated in (None, value) else f"{said}, not {words.integer(stated)}"


def time_cell(timed: Results | None, **factors) -> str:
    return words.interval(timed.time(**{"cache": "cold"} | factors) if timed else None)


def cells_of_counts(counted: Results | None, names: Mapping[str, str], case: Callable[..., dict]) -> dict:
    """For table(): a column for each quantity, by its name, of the case that a key names."""
    return {
        name: lambda *key, of=quantity: count_cell(counted, of, **case(*key))
        for quantity, name in names.items()
    }
