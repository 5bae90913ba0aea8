"""Spaced against contiguous threads: lanes and warps, instructions, conflicts, time."""

from analysis.core import plotting
from analysis.core.looks import BLOCK_SCANS
from analysis.report.paper.block_scans import per_element
from experiments.block.divergence import analysis as divergence
from experiments.block.divergence.analysis import (
    PAIRS,
    THREADS,
    TREE,
    activity,
    case,
    counts,
    paces,
    relative,
)

NAMES = {("reduce", "tree"): "reduction", ("scan", "brent_kung"): "Brent-Kung"}
COLUMNS = ("active warps", "bank conflicts", "warp instructions", "time")


def numbers(recorded) -> dict:
    evidence = recorded.of("divergence")
    ratios, timed = ratios_of(evidence), evidence.timed
    halving = [paces(timed, "halving", each)[TREE, "plain"] for each in ("spaced", "contiguous")]
    padded = {}
    for name, of in (("bk", ratios["Brent-Kung, padded"]), ("red", ratios["reduction, padded"])):
        padded |= {f"{name}_instructions": of["warp_instructions"], f"{name}_time": of["time"]}
    lanes = {each: activity(evidence.counted, each) for each in THREADS}
    return {
        "lanes": {each: [sorted(map(int, busy)) for _, busy in steps] for each, steps in lanes.items()},
        "rows": [[name, *(value or None for value in of.values())] for name, of in ratios.items()],
        "warps": 1 / max(each["active_warps"] for each in ratios.values()),
        "slower": {name: 1 / each["time"] for name, each in ratios.items()},
        "halving": sorted(1 / ratio for ratio in halving),
        "half_block": [1 / ratio for ratio in divergence.half_blocks_over_spaced(timed).values()],
    } | padded


def ratios_of(evidence) -> dict[str, dict[str, float | None]]:
    """By kernel and map: contiguous relative to spaced threads, in blocks of the same size."""

    def instructions(*key) -> float | None:
        return per_element(evidence.counters, "warp_instructions", **case(*key))

    found = {of: counts(evidence.counted, of, "contiguous") for of in ("active_warps", "bank_conflicts")}
    found["warp_instructions"] = relative(instructions, "contiguous", "spaced")
    found["time"] = paces(evidence.timed, "contiguous")
    return {
        f"{NAMES[kernel]}, {index}": {of: ratios.get((kernel, index)) for of, ratios in found.items()}
        for kernel, index in PAIRS
    }


def draw(recorded):
    """Ratios of contiguous to spaced threads, a mark for each kernel: warps fall, time does not."""
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.75)
    axes.axhspan(1, 4, color="#f6dccb", linewidth=0)
    for row, (name, ratios) in enumerate(ratios_of(recorded.of("divergence")).items()):
        scan, plain = "Brent" in name, "plain" in name
        color = BLOCK_SCANS["brent_kung"].color if scan else plotting.GREY
        beside = 0.09 * (row - 1.5)
        shown = [(place + beside, value) for place, value in enumerate(ratios.values()) if value]
        style = {"marker": "D" if scan else "o", "linestyle": "none", "color": color, "markersize": 4.5}
        style |= {"markerfacecolor": color if plain else "white"}
        axes.plot(*zip(*shown, strict=True), **style, label=name)
    axes.axhline(1, color=plotting.BLACK, linewidth=1)
    axes.text(3.45, 2.15, "more\nthan spaced", fontsize=7, color=plotting.RED, ha="right", va="center")
    axes.set_yscale("log", base=2)
    axes.set_yticks([0.25, 0.5, 1, 2], ["¼", "½", "equal", "2×"])
    axes.minorticks_off()
    axes.set_xticks(range(4), [each.replace(" ", "\n") for each in COLUMNS])
    axes.tick_params(axis="x", length=0)
    axes.set(xlim=(-0.3, 3.5), ylim=(0.24, 2.6), ylabel="contiguous : spaced")
    axes.legend(loc="lower right", ncols=1, handlelength=1.6, borderpad=0)
    return figure


DRAWINGS = {"divergence": draw}
