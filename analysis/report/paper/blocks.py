"""Block scans: what each is counted to do and what it takes, at one tile and over all of them, drawn too."""

from collections.abc import Callable, Iterable
from operator import itemgetter

import numpy

from analysis.core import plotting, sweep
from analysis.core.charts import name_ends
from analysis.core.evidence import Results
from analysis.core.looks import BLOCK_SCANS
from analysis.report.paper import block_scans
from analysis.report.paper.block_scans import ISSUE, MAPS, NAMES, SCANS, TILE, TILES, case, per_element
from experiments.block.work import analysis as work

AHEAD = "raking_8"  # the scan that a figure is about


def numbers(recorded) -> dict:
    evidence = recorded.of(block_scans.CLAIM)
    timed, over, of_work = evidence.timed, excess(evidence), recorded.of("work").timed
    ratio = block_scans.multiples(timed)
    best = {tile: min((v, k) for k, v in ratio.items() if k[2] == tile and v) for tile in TILES}
    fastest = {tile: f"{NAMES[key[0]]}, {key[1]}" for tile, (_, key) in best.items()}
    flat = [value for (_, _, tile), value in ratio.items() if tile == 64 and value]
    gain = ratio["raking_8", "plain", TILE] / ratio["raking_8", "padded", TILE]
    at_best = work.trees_at_best(of_work)  # the faster tree against Hillis-Steele
    of_trees = [ratio[name, "plain", tile] for name in ("brent_kung", "blelloch") for tile in TILES]

    def pace(a: tuple, b: tuple) -> float:
        """How many times as fast a is as b."""
        return ratio[b] / ratio[a]

    return {
        "rows": [row(evidence, name, ratio) for name in SCANS],
        "tile": TILE,
        "n": sweep.longest(timed, algorithm="hillis_steele"),
        "fastest_range": ends(best[tile][0] for tile in TILES if tile >= 512),
        "trees_at_best": {
            "pace": ends(1 / ratio for ratio in at_best.values()),
            "tiles": ends(at_best),
        },
        "fastest_us": best[TILE][0] * block_scans.copy_of(timed).value,
        "copy_us": block_scans.copy_of(timed).value,
        "cub_ratio": block_scans.multiple(timed, algorithm="cub_block", tile=TILE),
        "fastest_by_tile": [[tile, fastest[tile], best[tile][0]] for tile in TILES],
        "hillis_steele": {f"plain_{tile}": against_tree(of_work, tile) for tile in (1024, 2048)},
        "trees_least": min(of_trees),
        "charge_range": charge_range(recorded),
        "ks_over_hs": pace(("kogge_stone", "plain", TILE), ("hillis_steele", "plain", TILE)),
        "ks_over_sklansky": pace(("kogge_stone", "plain", TILE), ("sklansky", "plain", TILE)),
        "sklansky_over_trees": ends(over_trees(ratio, tile) for tile in TILES if tile >= 512),
        "sklansky_over_best_tree": pace(("sklansky", "plain", TILE), ("brent_kung", "padded", TILE)),
        "padding_gains_raking": gain,
        "plateau": {"spread": max(flat) / min(flat), "ratio": max(flat)},
        "largest": largest(evidence, ratio),
        "excess": ends(over.values()),
        "excess_at": max(over, key=over.get),
        "correlation": correlations(recorded),
    }


def ends(values: Iterable[float]) -> list[float]:
    """The least and the greatest."""
    every = list(values)
    return [min(every), max(every)]


def excess(evidence) -> dict[str, float]:
    """By scan and map: the measured time relative to the longer of its two bars."""
    found = block_scans.bills(evidence)
    return {f"{NAMES[name]}, {index}": time / max(of.values()) for name, index, of, time in found}


def over_trees(ratio: dict, tile: int) -> float:
    """How many times as fast plain Sklansky is as the fastest tree, plain or padded."""
    trees = [ratio[name, index, tile] for name in ("brent_kung", "blelloch") for index in MAPS]
    return min(trees) / ratio["sklansky", "plain", tile]


def against_tree(timed: Results, tile: int) -> float:
    """How many times as fast Hillis-Steele is as Blelloch, both plain, in this tile."""
    both = [case(each, "plain", tile) for each in ("hillis_steele", "blelloch")]
    hillis_steele, blelloch = (timed.time(**each, cache="cold").value for each in both)
    return blelloch / hillis_steele


def charge_range(recorded) -> dict:
    """By shape: operations an element, and multiples of a copy's time."""
    found = {}
    for shape, looks in {"trees": ("brent_kung", "blelloch"), "raking": ("raking",)}.items():
        own = [each for each in block_scans.points(recorded) if each["look"] in looks]
        found[shape] = {key: ends(each[key] for each in own) for key in ("ops", "time")}
    return found


def largest(evidence, ratio: dict) -> dict:
    """Hillis-Steele where a block has a thread for each element, and where each thread takes two."""
    found = {}
    for tile in (1024, 2048):
        of = case("hillis_steele", "plain", tile)
        found[str(tile)] = {
            "ratio": ratio["hillis_steele", "plain", tile],
            "barriers": round(per_element(evidence.counted, "barriers", **of) * tile),
            "instructions": per_element(evidence.counters, "warp_instructions", **of),
        }
    return found


def row(evidence, name: str, ratio: dict) -> list:
    counts = [per_element(evidence.counted, of, **case(name)) for of in ("ops", "barriers")]
    cells = [NAMES[name], *(count * TILE for count in counts)]
    for index in MAPS:
        of = block_scans.charge(evidence, **case(name, index))
        cells += [of["banks"] * TILE, of["issue"] * ISSUE * TILE, ratio[name, index, TILE]]
    return cells


def correlations(recorded) -> dict:
    """Of the logarithms of time with operations, with the larger of issue and banks, with the charge that
    the clock finds busiest, and with the clock's time, over every block scan; with operations also over those
    of one map."""
    found = block_scans.points(recorded)

    def correlation(points: list[dict], of: Callable[[dict], float]) -> float:
        pairs = [[each["time"], of(each)] for each in points]
        return numpy.corrcoef(numpy.log(pairs), rowvar=False)[0, 1]

    by_map = {index: [each for each in found if each["index"] == index] for index in MAPS}
    ops = itemgetter("ops")
    return {
        "cases": len(found),
        "ops": correlation(found, ops),
        "two": correlation(found, lambda each: max(each["issue"], each["banks"])),
        "busy": correlation(found, itemgetter("busy")),
        "clock": correlation(found, itemgetter("clock")),
        "ops_by_map": {index: correlation(points, ops) for index, points in by_map.items()},
    }


def draw_clock(recorded):
    """Left: time against operations; right: against the clock's."""
    found = block_scans.points(recorded)
    figure, panels = plotting.new_figure(plotting.NARROW, 2.05, ncols=2, sharey=True)
    ways = {"What the notes count": "ops", "What the clock says": "clock"}
    for axes, (title, of) in zip(panels, ways.items(), strict=True):
        for look, style in BLOCK_SCANS.items():
            mine = [(each[of], each["time"]) for each in found if each["look"] == look]
            marks = {"marker": style.marker, "markersize": 4, "linestyle": "none", "label": style.label}
            marks |= {"markeredgecolor": style.color, "markeredgewidth": 0.9, "markerfacecolor": "none"}
            axes.plot(*zip(*mine, strict=True), **marks)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log", base=2)
        axes.set_title(title)
        axes.grid()
    left, right = panels
    right.plot([1, 5.2], [1, 5.2], color=plotting.GREY, linewidth=0.8, zorder=1)
    left.set_xticks([2, 4, 8], ["2", "4", "8"])
    right.set_xticks([1, 2, 4], ["copy", "2×", "4×"])
    left.set_yticks([1, 2, 4], ["copy", "2×", "4×"])
    left.set(xlabel="operations per element", ylabel="time relative to a copy")
    right.set_xlabel("predicted time")
    for axes in panels:
        axes.minorticks_off()
    legend = {"loc": "outside lower center", "ncols": 3, "columnspacing": 1, "handletextpad": 0.2}
    figure.legend(*left.get_legend_handles_labels(), **legend)
    return figure


def draw_bill(recorded):
    """Of every scan of one tile, plain and padded: issue and wavefronts, the longer one coloured, and the
    time, all relative to a copy's time."""
    evidence = recorded.of(block_scans.CLAIM)
    copy = block_scans.cycles_of(evidence.timed, block_scans.copy_of(evidence.timed).value)
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.75)
    colors, names = {"issue": plotting.BLUE, "banks": plotting.RED}, []
    for row, (name, index, of, time) in enumerate(block_scans.bills(evidence)):
        y = row + 0.7 * (row // 2)
        names.append((y, f"{NAMES[name]}, {index}" if index == "plain" else "padded"))
        for part, offset in (("issue", -0.22), ("banks", 0.22)):
            longer = of[part] == max(of.values())
            axes.barh(y + offset, of[part] / copy, 0.44, color=colors[part] if longer else plotting.PALE)
        axes.plot([time / copy] * 2, [y - 0.5, y + 0.5], color=plotting.BLACK, linewidth=1.6)
    above = {"xytext": (0, 2), "textcoords": "offset points", "ha": "center", "fontsize": 7}
    axes.annotate("measured", (block_scans.bills(evidence)[0][-1] / copy, -0.5), **above)
    axes.axvline(1, color=plotting.GREY, linestyle=":", linewidth=1)
    axes.set_yticks(*zip(*names, strict=True))
    axes.set(xlim=(0, None), ylim=(names[-1][0] + 0.6, -0.6), xlabel="time relative to a copy")
    axes.set_xticks([0, 1, 2, 3, 4], ["0", "copy", "2×", "3×", "4×"])
    axes.tick_params(axis="y", length=0)
    for part, said, row in (("issue", "issue", 10), ("banks", "wavefronts", 12)):
        style = {"color": colors[part], "fontsize": 8, "fontweight": "bold", "va": "center"}
        axes.text(2.5, names[row][0] + 0.4, said, **style)
    return figure


def draw_tiles(recorded):
    """Time by tile, plain and padded, with the name of each scan at its line."""
    found = block_scans.multiples(recorded.of(block_scans.CLAIM).timed)
    figure, panels = plotting.new_figure(plotting.WIDE, 2.1, ncols=2, sharey=True)
    titles = {"plain": "Plain: element i at word i", "padded": "Padded: at i + i/32"}
    for axes, (index, title) in zip(panels, titles.items(), strict=True):
        ends = []
        for name, (look, _) in SCANS.items():
            curve = {tile: found[name, index, tile] for tile in TILES if found[name, index, tile]}
            style = {"color": BLOCK_SCANS[look].color, "linewidth": 1, "markersize": 3, "zorder": 2}
            if name == AHEAD:
                style |= {"linewidth": 3, "markersize": 5, "zorder": 3}
            axes.plot(list(curve), list(curve.values()), marker=BLOCK_SCANS[look].marker, **style)
            ends.append((curve[max(curve)], NAMES[name], style["color"], max(curve)))
        axes.axhline(1, color=plotting.BLACK, linewidth=1)
        sweep.finish(axes, "", title, "elements of a tile", TILES)
        axes.set_yscale("log", base=2)
        axes.set(xlim=(55, 6800), ylim=(0.9, 5.8))
        axes.set_yticks([1, 2, 4], ["copy", "2×", "4×"])
        axes.minorticks_off()
        name_ends(axes, ends, 2500, 0.26, 0.13)
    panels[0].set_ylabel("time relative to a copy")
    return figure


DRAWINGS = {"clock": draw_clock, "bill": draw_bill, "tiles": draw_tiles}
