"""padding: storing element i at A[i + i/32] removes the bank conflicts of the tree scan."""

from math import log10

from analysis.common import by_tile, plotting, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.render import Drawing
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

QUESTION = (
    "Two scans with the same steps and operations may differ in the shared-memory banks that they access. "
    "Does one index map remove the conflicts?"
)
RULE = (
    "Holds if the padded tree scan has no bank conflict at any tile and element size tried, and is faster "
    "than the plain one at all of them, cold. Fails if it has conflicts at every size where the plain one "
    "has any, or is faster at none. Otherwise it holds within limits. Faster: a lower median, and 95% "
    "confidence intervals that do not overlap."
)
CAPTION = (
    "Top: bank conflicts of one tile. Bottom: time of the whole scan by tile size, median and 95% "
    "confidence interval, cold. CUB device and the copy have no tile."
)

MAPS = {  # larger open markers below smaller closed ones, so that equal values stay distinguishable
    "plain": Look("plain", plotting.RED, "o", "-", filled=False),
    "padded16": Look("i + i/16", plotting.PURPLE, "v", (0, (5, 1))),
    "two_level": Look("i + i/32 + i/1024", plotting.ORANGE, "D", ":", filled=False, size=8),
    "swizzled": Look("XOR swizzle", plotting.GREEN, "s", "--", filled=False, size=5.5),
    "padded": Look("i + i/32", plotting.BLUE, "o", size=3.5),
}
TRACED = 64


def scan(**factors) -> dict:
    return {"operation": "scan", "algorithm": "blelloch", **factors}


def sizes(results: Results) -> list[tuple[int, int]]:
    """Element size in bytes and tile of all cases, apart from the traced ones."""
    cases = results.where(**scan())
    cases = cases[cases["n"] == cases["n"].max()]
    return sorted({(int(size), int(tile)) for size, tile in zip(cases["bytes"], cases["tile"], strict=True)})


def conflicts(
    counted: Results | None, index: str, size: int, tile: int, quantity="bank_conflicts"
) -> float | None:
    """Bank conflicts of one tile; `quantity` for another counter."""
    return by_tile.count(counted, quantity, **scan(index=index, bytes=size, tile=tile))


def time_of(timed: Results, index: str, size: int, tile: int, cache: str = "cold"):
    return timed.time(**scan(index=index, bytes=size, tile=tile, cache=cache, n=largest(timed)))


def largest(timed: Results) -> int:
    return max(timed.levels("n", **scan()))


def size_in_words(size: tuple[int, int]) -> str:
    return f"{size[1]:,} elements of {size[0]} bytes"


def verdict(evidence: Evidence) -> Verdict:
    counted, timed = evidence.counted, evidence.timed
    if counted is None:
        return Verdict(NOT_MEASURED, "The bank conflicts were not counted.")
    pairs = {
        each: [conflicts(counted, index, *each) for index in ("plain", "padded")] for each in sizes(counted)
    }
    if any(None in pair for pair in pairs.values()):
        return Verdict(NOT_MEASURED, "The bank conflicts were not counted plain and padded at every size.")
    residue = [each for each, (_, padded) in pairs.items() if padded]
    if not [each for each, (plain, _) in pairs.items() if plain and each not in residue]:
        return Verdict(FAILS, "The padded scan has bank conflicts at every size where the plain one has any.")
    times = {
        each: [timed and time_of(timed, index, *each) for index in ("plain", "padded")] for each in pairs
    }
    found = counts_in_words(pairs, residue)
    if not all(plain and padded for plain, padded in times.values()):
        return Verdict(NOT_MEASURED, f"{found}; whether it is faster was not timed.")
    slower = [each for each, (plain, padded) in times.items() if not padded.below(plain)]
    if len(slower) == len(times):
        return Verdict(FAILS, f"{found}, but it is faster at no size.")
    speed = (
        f"faster at {len(times) - len(slower)} of {len(times)} sizes" if slower else "faster at every size"
    )
    return Verdict(LIMITS if residue or slower else HOLDS, f"{found}; it is {speed}.")


def counts_in_words(pairs: dict, residue: list) -> str:
    if not residue:
        return f"The padded scan has no bank conflict at any of {len(pairs)} sizes"
    left = words.listing([tiles_in_words(size, residue, list(pairs)) for size in sorted(dict(residue))])
    free = f"{len(pairs) - len(residue)} of {len(pairs)} sizes"
    return f"The padded scan has no bank conflict at {free}, but has some at {left}"


def tiles_in_words(size: int, some: list[tuple[int, int]], every: list[tuple[int, int]]) -> str:
    """The tiles of elements of `size` bytes that are among `some`."""
    tiles = [f"{tile:,}" for each, tile in some if each == size]
    if len(tiles) == len([each for each, _ in every if each == size]):
        return f"every tile of {size}-byte elements"
    return f"{words.listing(tiles)} elements of {size} bytes"


def figure(evidence: Evidence):
    """A row for the conflicts and one for the times, where known; a column for each element size."""
    rows = [(draw_conflicts, evidence.counted), (draw_times, evidence.timed)]
    rows = [(draw, results) for draw, results in rows if results]
    element_sizes = sorted({size for _, results in rows for size, _ in sizes(results)})
    columns = len(element_sizes)
    height = 0.7 + 1.6 * len(rows)
    figure, axes = plotting.new_figure(plotting.WIDE, height, nrows=len(rows), ncols=columns, sharex=True)
    for row, (draw, results) in enumerate(rows):
        for column, size in enumerate(element_sizes):
            draw(axes[row * columns + column], results, size)
    for panel, size in zip(axes, element_sizes, strict=False):
        panel.set_title(f"{size}-byte elements")
    for panel in axes[-columns:]:
        panel.set_xlabel("tile size, elements")
    plotting.legend_on_top(figure, MAPS.values())
    plotting.sources(figure, evidence)
    return figure


def draw_conflicts(axes, counted: Results, size: int) -> None:
    tiles = [tile for each, tile in sizes(counted) if each == size]
    for index, look in MAPS.items():
        found = {tile: conflicts(counted, index, size, tile) for tile in tiles}
        shown = {tile: value for tile, value in found.items() if value is not None}
        axes.plot(list(shown), list(shown.values()), **look.style())
    finish(axes, tiles)
    axes.set_yscale("symlog", linthresh=1, linscale=0.4)
    axes.set_ylim(-0.3, 10 ** (0.25 + log10(max(1, *(line.get_ydata().max() for line in axes.lines)))))
    axes.set_yticks([0, 1, 10, 100, 1000], ["0", "1", "10", "100", "1,000"])
    if axes.get_subplotspec().is_first_col():
        axes.set_ylabel("bank conflicts\nper tile")


def draw_times(axes, timed: Results, size: int) -> None:
    tiles = [tile for each, tile in sizes(timed) if each == size]
    for index, look in MAPS.items():
        found = {tile: time_of(timed, index, size, tile) for tile in tiles}
        plotting.time_line(axes, look, {tile: time for tile, time in found.items() if time})
    references = reference_curves(timed, size, tiles)
    plotting.reference_curves(axes, references)
    finish(axes, tiles)
    if axes.get_subplotspec().is_last_col():
        plotting.name_curves(axes, references)
    if axes.get_subplotspec().is_first_col():
        axes.set_ylabel("time, µs (cold)")


def reference_curves(timed: Results, size: int, tiles: list[int]) -> by_tile.Curves:
    factors = {"cache": "cold", "bytes": size, "n": largest(timed)}
    return by_tile.device_curves(timed, tiles, **factors) | by_tile.block_curve(timed, tiles, **factors)


def finish(axes, tiles: list[int]) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xticks(tiles, [f"{tile:,}" for tile in tiles])
    axes.set_xlim(tiles[0] / 1.3, tiles[-1] * 1.3)
    axes.minorticks_off()
    axes.margins(y=0.1)
    axes.set_ylim(bottom=0)
    axes.grid(axis="y")


def drawings(evidence: Evidence) -> list[Drawing]:
    if evidence.counted is None or evidence.counted.trace is None:
        return []
    caption = (
        f"Banks that one warp accesses in each step of Blelloch's scan of {TRACED} elements of 4 bytes, "
        "plain and padded. Half box: one word in the bank; full box: two words, which take two passes. Drawn "
        "from the SIMT machine's trace."
    )
    return [Drawing("banks", draw_banks(evidence.counted), caption)]


def draw_banks(counted: Results):
    cells = [(plotting.PALER, 0.84), (plotting.SKY, 0.42), (plotting.RED, 0.84)]  # words in the bank: 0, 1, 2
    figure, axes = plotting.new_figure(plotting.WIDE, 2.6, ncols=2, sharey=True)
    for index, panel in zip(("plain", "padded"), axes, strict=True):
        steps = banks_by_step(counted, index)
        plotting.lane_map(panel, [banks for _, banks in steps], cells, [name for name, _ in steps])
        clashes = sum(count > 1 for _, banks in steps for count in banks)
        panel.set_title(f"{MAPS[index].label}: {words.plural(clashes, 'bank')} with two words")
        panel.set_xlabel("bank")
    axes[0].set_ylabel("stride")
    return figure


def banks_by_step(counted: Results, index: str) -> list[tuple[str, list[int]]]:
    """For each step that applies the operator: its stride, and the most words of any request in each bank.

    Banks are numbered from that of the tile's first element.
    """
    trace = counted.trace
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
        stride = TRACED // 2 // len(set(lanes))
        found.append(
            (f"{'down' if down else 'up'} {stride}", [min(most.get(bank, 0), 2) for bank in range(32)])
        )
    return found


def numbers(evidence: Evidence) -> dict:
    found = {"conflicts": {}, "us": {}, "reference_us": {}}
    if evidence.counted:
        for size, tile in sizes(evidence.counted):
            counts = {index: conflicts(evidence.counted, index, size, tile) for index in MAPS}
            found["conflicts"][f"{size} {tile}"] = counts
    if evidence.timed:
        for size, tile in sizes(evidence.timed):
            times = {index: time_of(evidence.timed, index, size, tile) for index in MAPS}
            found["us"][f"{size} {tile}"] = {index: time.value for index, time in times.items() if time}
        found["n"] = largest(evidence.timed)
    return found


def text(numbers: dict) -> list[str]:
    paragraphs = []
    counted = {key: each for key, each in numbers["conflicts"].items() if None not in each.values()}
    if counted:
        worst = max(counted, key=lambda key: counted[key]["plain"] / int(key.split()[1]))
        free = [MAPS[index].label for index in MAPS if not any(each[index] for each in counted.values())]
        paragraphs.append(
            f"Plain, a tile of {named(worst)} has {words.integer(counted[worst]['plain'])} bank "
            "conflicts, the most per element; padded by i + i/32, "
            f"{words.integer(counted[worst]['padded'])}. "
            + (
                f"Free of conflicts at every size: {words.listing(free)}."
                if free
                else "No map is free of conflicts at every size."
            )
        )
    timed = {key: each for key, each in numbers["us"].items() if "plain" in each and "padded" in each}
    if timed:
        ratios = {key: each["padded"] / each["plain"] for key, each in timed.items()}
        saved = words.extremes({named(key): 1 - ratio for key, ratio in ratios.items()}, words.share)
        fastest = [min(each, key=each.get) for each in timed.values()]
        winner = max(MAPS, key=fastest.count)
        paragraphs.append(
            f"Padding saves {saved} of the time. The map that is fastest most often is {MAPS[winner].label}, "
            f"at {fastest.count(winner)} of {len(timed)} sizes."
        )
    return paragraphs


def named(key: str) -> str:
    size, tile = key.split()
    return size_in_words((int(size), int(tile)))


def tables(evidence: Evidence) -> list[Table]:
    """Predicted and counted for plain and padded, counted for the other maps, and times."""
    columns = [
        "bytes",
        "tile",
        "plain,\npredicted",
        "plain,\ncounted",
        "padded,\npredicted",
        "padded,\ncounted",
    ]
    columns += ["i + i/16,\ncounted", "swizzle,\ncounted", "two-level,\ncounted"]
    columns += ["plain, cold,\nµs [95% CI]", "padded, cold,\nµs [95% CI]"]
    every = sorted(
        {size for results in (evidence.counted, evidence.timed) if results for size in sizes(results)}
    )
    caption = "Bank conflicts of one tile, by index map, and the time of the whole vector, cold."
    return [Table(caption, columns, [table_row(evidence, *size) for size in every], wide=True)]


def table_row(evidence: Evidence, size: int, tile: int) -> list[str]:
    counted, timed = evidence.counted, evidence.timed
    pair = [
        words.integer(conflicts(counted, index, size, tile, quantity))
        for index in ("plain", "padded")
        for quantity in ("predicted_bank_conflicts", "bank_conflicts")
    ]
    others = [
        words.integer(conflicts(counted, index, size, tile))
        for index in ("padded16", "swizzled", "two_level")
    ]
    times = [words.interval(timed and time_of(timed, index, size, tile)) for index in ("plain", "padded")]
    return [str(size), f"{tile:,}", *pair, *others, *times]
