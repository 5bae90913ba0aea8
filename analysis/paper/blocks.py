"""Block scans: what each is counted to do and what it takes, at one tile and over all of them."""

import numpy
from matplotlib.ticker import NullFormatter

from analysis.common import plotting, sweep, words
from analysis.common.evidence import Results
from analysis.common.looks import BLOCK_SCANS

CLAIM, TILE = "shuffle", 1024
TILES = (64, 128, 256, 512, 1024, 2048)
SCANS = {  # in the order of the table: from the most to the fewest operations that run one after another
    "hillis_steele": ("hillis_steele", {}),
    "sklansky": ("sklansky", {}),
    "brent_kung": ("brent_kung", {}),
    "blelloch": ("blelloch", {}),
    "kogge_stone": ("kogge_stone", {}),
    "raking_2": ("raking", {"items": 2}),
    "raking_8": ("raking", {"items": 8}),
}
NAMES = {name: BLOCK_SCANS[look].label for name, (look, _) in SCANS.items()} | {
    "raking_2": "raking, 2 each",
    "raking_8": "raking, 8 each",
}
ISSUE = 4  # warp instructions that a multiprocessor can issue per cycle, one for each of its schedulers
WAVEFRONTS = ("shared_load_wavefronts", "shared_store_wavefronts")


def copy_of(timed: Results):
    return timed.time(algorithm="device_to_device", cache="cold")


def multiple(timed: Results, factors: dict) -> float | None:
    """The time of a case as a multiple of that of a copy of the same length."""
    time, copy = timed.time(operation="scan", cache="cold", **factors), copy_of(timed)
    return time.value / copy.value if time and copy else None


def per_element(results: Results | None, quantity: str, **factors) -> float | None:
    """A count per element, at the longest vector of these cases that has it."""
    if results is None or quantity not in results.rows:
        return None
    rows = results.where(operation="scan", **factors)
    rows = rows[rows[quantity].notna()].sort_values("n")
    return None if rows.empty else float(rows.iloc[-1][quantity] / rows.iloc[-1]["n"])


def charge(evidence, **factors) -> dict | None:
    """Cycles per element and multiprocessor: to issue the instructions, and to serve the wavefronts."""
    instructions = per_element(evidence.counters, "warp_instructions", **factors)
    wavefronts = [per_element(evidence.counted, each, **factors) for each in WAVEFRONTS]
    if instructions is None or None in wavefronts:
        return None
    return {"issue": instructions / ISSUE, "banks": sum(wavefronts)}


def numbers(recorded) -> dict:
    evidence = recorded.of(CLAIM)
    timed = evidence.timed
    ratio = {
        (name, index, tile): multiple(timed, {"algorithm": look, "index": index, "tile": tile, **more})
        for name, (look, more) in SCANS.items()
        for index in ("plain", "padded")
        for tile in TILES
    }
    best = {tile: min((v, k) for k, v in ratio.items() if k[2] == tile and v) for tile in TILES}
    fastest = {tile: f"{NAMES[key[0]]}, {key[1]}" for tile, (_, key) in best.items()}

    def pace(a: tuple, b: tuple) -> str:
        return words.faster_or_slower(ratio[a] / ratio[b])

    return {
        "gpu": timed.machine["name"],
        "rows": [row(evidence, name, ratio) for name in SCANS],
        "tile": words.integer(TILE),
        "n": words.power(sweep.longest(timed, algorithm="hillis_steele")),
        "fastest": fastest[TILE],
        "fastest_ratio": f"{best[TILE][0]:.2f}",
        "fastest_us": words.rounded(best[TILE][0] * copy_of(timed).value),
        "copy_us": words.rounded(copy_of(timed).value),
        "cub_ratio": f"{multiple(timed, {'algorithm': 'cub_block', 'tile': TILE}):.2f}",
        "fastest_by_tile": [[words.integer(tile), fastest[tile], f"{best[tile][0]:.2f}"] for tile in TILES],
        "hillis_steele": {
            f"{index}_{tile}": against_tree(recorded.of("work").timed, index, tile)
            for index in ("plain", "padded")
            for tile in (1024, 2048)
        },
        "trees_least": f"{least_of_trees(ratio):.2f}",
        "charge_range": charge_range(evidence),
        "ks_over_hs": pace(("kogge_stone", "plain", TILE), ("hillis_steele", "plain", TILE)),
        "ks_over_sklansky": pace(("kogge_stone", "plain", TILE), ("sklansky", "plain", TILE)),
        "sklansky_over_best_tree": pace(("sklansky", "plain", TILE), ("brent_kung", "padded", TILE)),
        "padding_gains_brent_kung": words.rounded(
            ratio["brent_kung", "plain", TILE] / ratio["brent_kung", "padded", TILE], 3
        ),
        "padding_gains_raking": words.rounded(
            ratio["raking_8", "plain", TILE] / ratio["raking_8", "padded", TILE], 2
        ),
        "worst_us": words.rounded(
            max(v for k, v in ratio.items() if v and k[2] == 64) * copy_of(timed).value
        ),
        "plateau": plateau(ratio),
        "largest": largest(evidence, ratio),
        "excess": words.span(excess(evidence).values()),
        "excess_at": max(excess(evidence), key=excess(evidence).get),
        "correlation": correlations(evidence),
    }


def cycles(evidence, factors: dict) -> float:
    """The measured time in cycles per element and multiprocessor."""
    machine = evidence.timed.machine
    n = sweep.longest(evidence.timed, algorithm="hillis_steele")
    per_us = machine["sm_clock_mhz"] * machine["sm_count"]
    return multiple(evidence.timed, factors) * copy_of(evidence.timed).value * per_us / n


def bills(evidence) -> list[tuple]:
    """Of each scan of one tile, plain and padded: its charges, and its time in the same cycles."""
    found = []
    for name, (look, more) in SCANS.items():
        for index in ("plain", "padded"):
            of = {"algorithm": look, "tile": TILE, "index": index, **more}
            found.append((name, look, index, charge(evidence, **of), cycles(evidence, of)))
    return found


def excess(evidence) -> dict[str, float]:
    """By scan and map: the measured time relative to the longer of its two bars."""
    return {
        f"{NAMES[name]}, {index}": time / max(of.values()) for name, _, index, of, time in bills(evidence)
    }


def against_tree(timed: Results, index: str, tile: int) -> str:
    """Hillis-Steele against Blelloch, both with this index map, in this tile."""
    hillis_steele, blelloch = (
        timed.time(algorithm=each, index=index, tile=tile, cache="cold").value
        for each in ("hillis_steele", "blelloch")
    )
    return words.faster_or_slower(hillis_steele / blelloch) or "as fast"


def least_of_trees(ratio: dict) -> float:
    """The least multiple of a copy's time that a tree takes without padding."""
    trees = ("brent_kung", "blelloch")
    return min(value for (name, index, _), value in ratio.items() if name in trees and index == "plain")


def charge_range(evidence) -> dict:
    """By shape: operations an element, and multiples of a copy's time, tiles of 64 apart."""
    found = [each for each in points(evidence) if each["tile"] > 64]
    shapes = {"trees": ("brent_kung", "blelloch"), "raking": ("raking",)}
    return {
        shape: {
            key: words.span([each[key] for each in found if each["look"] in looks], "{:.1f}".format)
            for key in ("ops", "time")
        }
        for shape, looks in shapes.items()
    }


def plateau(ratio: dict) -> dict:
    """Tiles of 64: how far the scans are apart there."""
    values = [value for (_, _, tile), value in ratio.items() if tile == 64 and value]
    return {"spread": f"{max(values) / min(values) - 1:.1%}", "ratio": f"{max(values):.1f}"}


def largest(evidence, ratio: dict) -> dict:
    """Hillis-Steele where a block has a thread for each element, and where each thread takes two."""
    found = {}
    for tile in (1024, 2048):
        of = {"algorithm": "hillis_steele", "index": "plain", "tile": tile}
        found[str(tile)] = {
            "ratio": f"{ratio['hillis_steele', 'plain', tile]:.2f}",
            "barriers": words.integer(per_element(evidence.counted, "barriers", **of) * tile),
            "instructions": f"{per_element(evidence.counters, 'warp_instructions', **of):.2f}",
        }
    return found


def row(evidence, name: str, ratio: dict) -> list[str]:
    look, more = SCANS[name]

    def count(quantity: str, index: str = "plain") -> str:
        value = per_element(evidence.counted, quantity, algorithm=look, tile=TILE, index=index, **more)
        return words.integer(value * TILE)

    cells = [NAMES[name], count("ops"), count("barriers")]
    for index in ("plain", "padded"):
        of = charge(evidence, algorithm=look, tile=TILE, index=index, **more)
        cells += [words.integer(of["banks"] * TILE), words.integer(of["issue"] * ISSUE * TILE)]
        cells.append(f"{ratio[name, index, TILE]:.2f}")
    return cells


def points(evidence) -> list[dict]:
    """Every block scan that was timed, counted and profiled: operations, charge and time, by element."""
    found = []
    for look, more in SCANS.values():
        for tile in TILES:
            for index in ("plain", "padded"):
                factors = {"algorithm": look, "tile": tile, "index": index, **more}
                time, of = multiple(evidence.timed, factors), charge(evidence, **factors)
                ops = per_element(evidence.counted, "ops", **factors)
                if time and of and ops:
                    found.append({"look": look, "tile": tile, "ops": ops, "time": time, **of})
    return found


def correlations(evidence) -> dict:
    """Of the logarithms of time with operations and with the larger charge, tiles of 64 apart."""
    found = [each for each in points(evidence) if each["tile"] > 64]
    time = numpy.log([each["time"] for each in found])
    ops = numpy.log([each["ops"] for each in found])
    charged = numpy.log([max(each["issue"], each["banks"]) for each in found])
    return {
        "cases": words.integer(len(found)),
        "ops": f"{numpy.corrcoef(time, ops)[0, 1]:.2f}".replace("-", "−"),
        "charge": f"{numpy.corrcoef(time, charged)[0, 1]:.2f}",
    }


def draw_charge(recorded):
    """Left: time against operations; right: against the larger of the two charges."""
    evidence = recorded.of(CLAIM)
    figure, panels = plotting.new_figure(plotting.NARROW, 2.25, ncols=2, sharey=True)
    titles = ("What the notes count", "What is charged for")
    labels = ("operations per element", "cycles per element and SM")
    for axes, title, label, of in zip(
        panels, titles, labels, (lambda p: p["ops"], lambda p: max(p["issue"], p["banks"])), strict=True
    ):
        for look, style in BLOCK_SCANS.items():
            mine = [each for each in points(evidence) if each["look"] == look]
            for small in (True, False):
                chosen = [each for each in mine if (each["tile"] == 64) == small]
                color = plotting.PALE if small else style.color
                axes.plot(
                    [of(each) for each in chosen],
                    [each["time"] for each in chosen],
                    color=color,
                    marker=style.marker,
                    markersize=3.2,
                    linestyle="none",
                    zorder=1 if small else 3,
                    label=None if small else style.label,
                )
        axes.set_xscale("log", base=2)
        axes.set_yscale("log", base=2)
        axes.set_xticks([0.5, 1, 2, 4, 8], ["½", "1", "2", "4", "8"])
        axes.set_title(title)
        axes.set_xlabel(label)
        axes.grid()
    panels[1].set_xlim(0.25, 2.2)
    panels[1].set_xticks([0.25, 0.5, 1, 2], ["¼", "½", "1", "2"])
    panels[0].set_yticks([1, 2, 4], ["1×", "2×", "4×"])
    for axes in panels:
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.minorticks_off()
    panels[0].set_ylabel("time, multiple of a copy")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=3, columnspacing=1, handletextpad=0.2)
    return figure


def draw_bill(recorded):
    """A bar each for issue and banks, and a dot for the time, of every scan of one tile."""
    evidence = recorded.of(CLAIM)
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 3.1)
    names = []
    for row, (name, look, index, of, time) in enumerate(bills(evidence)):
        y = row + 0.5 * (row // 2)
        names.append((y, f"{NAMES[name]}, {index}" if index == "plain" else "padded"))
        axes.barh(y - 0.2, of["issue"], 0.36, color="#8a8a8a", label=None if row else "issue")
        axes.barh(y + 0.2, of["banks"], 0.36, color="#cfcfcf", label=None if row else "banks")
        axes.plot(time, y, "o", color=BLOCK_SCANS[look].color, markersize=5)
    machine = evidence.timed.machine
    n = sweep.longest(evidence.timed, algorithm="hillis_steele")
    copy = copy_of(evidence.timed).value * machine["sm_clock_mhz"] * machine["sm_count"] / n
    axes.axvline(copy, color=plotting.GREY, linestyle=":", linewidth=1)
    axes.set_yticks(*zip(*names, strict=True))
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(left=0)
    axes.set_xlabel("cycles per element and SM")
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    axes.plot([], [], "o", color=plotting.BLACK, markersize=5, label="measured time")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=3, handletextpad=0.4)
    return figure


def draw_tiles(recorded):
    """Time by tile, plain and padded, with the name of each scan at its line."""
    timed = recorded.of(CLAIM).timed
    figure, panels = plotting.new_figure(plotting.WIDE, 2.35, ncols=2, sharey=True)
    for axes, index in zip(panels, ("plain", "padded"), strict=True):
        ends = {}
        for name, (look, more) in SCANS.items():
            factors = {"algorithm": look, "index": index, **more}
            curve = {tile: multiple(timed, factors | {"tile": tile}) for tile in TILES}
            curve = {tile: value for tile, value in curve.items() if value}
            style = BLOCK_SCANS[look].style() | ({"linestyle": ":"} if name == "raking_2" else {})
            axes.plot(list(curve), list(curve.values()), **style)
            ends[name] = (max(curve), curve[max(curve)], BLOCK_SCANS[look].color)
        axes.axhline(1, color=plotting.GREY, linewidth=1)
        sweep.finish(
            axes,
            "",
            "Plain: element i at word i" if index == "plain" else "Padded: at i + i/32",
            "tile, elements",
            TILES,
        )
        axes.set_yscale("log", base=2)
        axes.set_ylim(0.9, 5.8)
        axes.set_yticks([1, 2, 4], ["copy", "2×", "4×"])
        axes.minorticks_off()
        axes.set_xlim(55, 6800)
        direct_labels(axes, ends)
    panels[0].set_ylabel("time, multiple of a copy")
    return figure


def direct_labels(axes, ends: dict, gap: float = 0.23) -> None:
    """Names at the right of the last points, at least `gap` apart on the logarithmic scale."""
    below = -9.0
    for name, (tile, value, color) in sorted(ends.items(), key=lambda item: item[1][1]):
        below = max(numpy.log2(value), below + gap, 0.13)
        axes.annotate(
            NAMES[name],
            (tile, value),
            (2500, 2**below),
            fontsize=6.5,
            color=color,
            va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4},  # over the grid
            arrowprops={
                "arrowstyle": "-",
                "color": color,
                "linewidth": 0.4,
                "shrinkA": 0,
                "shrinkB": 2,
                "relpos": (0, 0.5),
            },
        )


DRAWINGS = {"charge": draw_charge, "bill": draw_bill, "tiles": draw_tiles}
