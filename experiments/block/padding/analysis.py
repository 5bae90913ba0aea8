"""padding: storing element i at A[i + i/32] removes the bank conflicts of the tree scan."""

from collections.abc import Mapping
from math import log10

import pandas

from analysis.core import charts, plotting, sweep, words
from analysis.core.claim import Evidence, Look, Results, Table, Verdict, judge, told
from analysis.core.verdict import grouped
from experiments.block.lanes import lane_map
from experiments.block.tile_scans import tile_references

MAPS = {  # larger open markers below smaller closed ones, so that equal values stay distinguishable
    "plain": Look("plain", plotting.RED, "o", "-", filled=False),
    "padded16": Look("i + i/16", plotting.PURPLE, "v", (0, (5, 1))),
    "two_level": Look("i + i/32 + i/1024", plotting.ORANGE, "D", ":", filled=False, size=8),
    "swizzled": Look("XOR swizzle", plotting.GREEN, "s", "--", filled=False, size=5.5),
    "padded": Look("i + i/32", plotting.BLUE, "o", size=3.5),
}
TRACED = 64
WORDS = [(plotting.PALER, 0.84), (plotting.SKY, 0.42), (plotting.RED, 0.84)]  # words in the bank: 0, 1, 2
SCAN = {"operation": "scan", "algorithm": "blelloch"}


def sizes(results: Results | None) -> dict[int, list[int]]:
    """The tiles of the longest vector, by element size in bytes."""
    n = sweep.longest(results, **SCAN)
    every = sorted(results.levels("bytes", **SCAN, n=n)) if results else []
    return {size: sorted(results.levels("tile", **SCAN, bytes=size, n=n)) for size in every}


def conflicts(counted: Results | None, index: str, size: int) -> sweep.Numbers:
    """Bank conflicts of one tile, by tile."""
    tiles, factors = sizes(counted).get(size, []), SCAN | {"index": index, "bytes": size}
    found = {tile: sweep.per_tile(counted, "bank_conflicts", tile, **factors) for tile in tiles}
    return {tile: value for tile, value in found.items() if value is not None}


def times(timed: Results | None, index: str, size: int) -> sweep.Curve:
    """By tile, of the longest vector."""
    return sweep.times(timed, "tile", **SCAN, index=index, bytes=size, n=sweep.longest(timed, **SCAN))


def left_over(counted: Results | None, index: str) -> dict[tuple[str, int], bool]:
    """Whether a map leaves conflicts, by element and tile."""
    left = {size: conflicts(counted, index, size) for size in sizes(counted)}
    return {(f"{size}-byte elements", tile): of[tile] > 0 for size, of in left.items() for tile in of}


def relative(timed: Results | None, index: str, base: str) -> dict[tuple[str, int], float]:
    """Times with one map relative to those with another, by element and tile."""
    found = {}
    for size in sizes(timed):
        ratios = sweep.ratios(times(timed, index, size), times(timed, base, size))
        found |= {(f"{size}-byte elements", tile): ratio for tile, ratio in ratios.items()}
    return found


def verdict(evidence: Evidence) -> Verdict:
    left = left_over(evidence.counted, "padded")
    faster, n = {}, sweep.longest(evidence.timed, **SCAN)
    for size in sizes(evidence.timed):
        plain, padded = (times(evidence.timed, index, size) for index in ("plain", "padded"))
        for tile, time in plain.items():
            name = f"{tile:,} elements of {size} bytes"
            faster[name] = evidence.floor.faster(padded.get(tile), time, n)
    finding = told("padding", **numbers(evidence)) if left else told("padding")
    return judge(not any(left.values()) if left else None, faster, finding)


def numbers(evidence: Evidence) -> dict:
    """Where i + i/32 leaves conflicts, its gain; where a second level removes them, and its cost."""
    left, second = (left_over(evidence.counted, index) for index in ("padded", "two_level"))
    mended = {size: some and not second.get(size, True) for size, some in left.items()}
    cost = relative(evidence.timed, "two_level", "padded")
    return {
        "sizes": len(left),
        "conflicts_at": sum(left.values()),
        "where": grouped(left),
        "padded_over_plain": list(relative(evidence.timed, "padded", "plain").values()),
        "second_level_where": grouped(mended),
        "second_level_over_padded": [cost[size] for size in mended if mended[size] and size in cost],
    }


@plotting.of_both
def figure(evidence: Evidence):
    """A row for the conflicts and one for the times; a column for each element size."""
    every = sizes(evidence.timed)
    figure, axes = plotting.new_figure(plotting.WIDE, 3.9, nrows=2, ncols=len(every), sharex=True)
    for size, above, below in zip(every, axes, axes[len(every) :], strict=False):
        draw_conflicts(above, evidence.counted, size)
        sweep.finish(above, "", f"{size}-byte elements", "", sizes(evidence.counted)[size])
        draw_times(below, evidence.timed, size)
        sweep.finish(below, "", "", "tile size, elements", every[size])
        below.set_xlim(every[size][0] / 1.3, every[size][-1] * 1.3)
    axes[0].set_ylabel("bank conflicts\nper tile")
    axes[len(every)].set_ylabel("time, µs (cold)")
    plotting.legend_on_top(figure, MAPS.values())
    return figure


def draw_conflicts(axes, counted: Results, size: int) -> None:
    sweep.lines(axes, {look: conflicts(counted, index, size) for index, look in MAPS.items()})
    axes.set_yscale("symlog", linthresh=1, linscale=0.4)
    axes.set_ylim(-0.3, 10 ** (0.25 + log10(max(1, *(line.get_ydata().max() for line in axes.lines)))))
    axes.set_yticks([0, 1, 10, 100, 1000], ["0", "1", "10", "100", "1,000"])


def draw_times(axes, timed: Results, size: int) -> None:
    sweep.lines(axes, {look: times(timed, index, size) for index, look in MAPS.items()})
    n = sweep.longest(timed, **SCAN)
    references = tile_references(timed, sizes(timed)[size], bytes=size, n=n)
    charts.reference_curves(axes, references)
    axes.margins(y=0.1)
    axes.set_ylim(bottom=0)
    if axes.get_subplotspec().is_last_col():
        charts.name_curves(axes, references)


def drawings(evidence: Evidence) -> dict:
    if evidence.counted is None or evidence.counted.trace is None:
        return {}
    drawn = {index: MAPS[index].label for index in ("plain", "padded")}
    return {"banks": draw_banks(evidence.counted.trace, drawn, TRACED)}


def banks_by_step(trace: pandas.DataFrame, index: str, tile: int) -> list[tuple[str, list[int]]]:
    """For each step of Blelloch's scan of a tile: its stride, and the most words of any request in each bank.

    Only of steps that apply the operator. Banks are numbered from that of the tile's first element.
    """
    chosen = trace[(trace["algorithm"] == "blelloch") & (trace["index"] == index) & (trace["warp"] == 0)]
    first = chosen[chosen["kind"] != "op"]["word"].min()  # where the tile begins
    found, down = [], False
    for _, step in chosen.groupby("step"):
        lanes = step[step["kind"] == "op"]["lane"]
        if lanes.empty:
            down = down or bool(found)
            continue
        requests = step[step["kind"] != "op"].drop_duplicates(["kind", "request", "word"])
        banks = requests.assign(bank=(requests["word"] - first) % 32).groupby(["kind", "request", "bank"])
        most = banks.size().groupby("bank").max().to_dict()
        stride = tile // 2 // len(set(lanes))
        name = f"{'down' if down else 'up'} {stride}"
        found.append((name, [min(most.get(bank, 0), 2) for bank in range(32)]))
    return found


def draw_banks(trace: pandas.DataFrame, maps: Mapping[str, str], tile: int):
    """A panel for each index map, by its label."""
    figure, axes = plotting.new_figure(plotting.WIDE, 2.6, ncols=len(maps), sharey=True)
    for (index, label), panel in zip(maps.items(), axes, strict=True):
        steps = banks_by_step(trace, index, tile)
        lane_map(panel, [banks for _, banks in steps], WORDS, [name for name, _ in steps])
        clashes = sum(count > 1 for _, banks in steps for count in banks)
        panel.set_title(f"{label}: {words.plural(clashes, 'bank')} with two words")
        panel.set_xlabel("bank")
    axes[0].set_ylabel("stride")
    return figure


def tables(evidence: Evidence) -> list[Table]:
    def left(index: str):
        return lambda size, tile: words.integer(conflicts(evidence.counted, index, size).get(tile))

    def time(index: str):
        return lambda size, tile: words.interval(times(evidence.timed, index, size).get(tile))

    cells = {f"{look.label},\nconflicts": left(index) for index, look in MAPS.items()}
    cells |= {f"{index}, cold,\nµs [95% CI]": time(index) for index in ("plain", "padded")}
    keys = [(size, tile) for size, tiles in sizes(evidence.counted).items() for tile in tiles]
    return [sweep.table(told("padding: table"), ["bytes", "tile"], keys, cells)]
