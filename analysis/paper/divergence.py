"""Spaced against contiguous threads: lanes and warps, instructions, conflicts, time."""

import pandas

from analysis.common import plotting, words
from analysis.common.looks import BLOCK_SCANS
from analysis.common.thread_mappings import PAIRS, case, counts, half_blocks_over_spaced, paces, relative
from analysis.paper.block_scans import per_element

CLAIM = "divergence"
TRACED = "reduce/tree/threads:{}/index:plain/block:32/tile:64/n:64"
NAMES = {("reduce", "tree"): "reduction", ("scan", "brent_kung"): "Brent-Kung"}
QUANTITIES = {
    "active_warps": "active warps",
    "bank_conflicts": "bank conflicts",
    "warp_instructions": "warp instructions",
}


def numbers(recorded) -> dict:
    trace = pandas.read_csv(recorded.results / "simt" / f"{CLAIM}.trace.csv")
    evidence = recorded.of(CLAIM)
    ratios, timed = ratios_of(evidence), evidence.timed
    halving = [
        paces(timed, "halving", each)[("reduce", "tree"), "plain"] for each in ("spaced", "contiguous")
    ]
    padded = {name: ratios[f"{name}, padded"] for name in NAMES.values()}
    return {
        "lanes": {
            each: lanes_of(trace[trace["case"] == TRACED.format(each)])
            for each in ("spaced", "contiguous", "halving")
        },
        "rows": [
            [name, *(f"{value:.2f}" if value else words.NOTHING for value in each.values())]
            for name, each in ratios.items()
        ],
        "warps": words.rounded(1 / max(each["active_warps"] for each in ratios.values()), 2),
        "slower": words.pace({name: each["time"] for name, each in ratios.items()}, "spaced ones"),
        "halving": words.pace(halving, "the other two"),
        "half_block": [f"{1 / ratio:.2f}" for ratio in half_blocks_over_spaced(timed).values()],
        "bk_instructions": words.percent(padded["Brent-Kung"]["warp_instructions"]),
        "bk_time": words.percent(padded["Brent-Kung"]["time"]),
        "red_instructions": words.percent(padded["reduction"]["warp_instructions"]),
        "red_time": words.percent(padded["reduction"]["time"]),
    }


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


def lanes_of(trace: pandas.DataFrame) -> list[list[int]]:
    """By step: the lanes that apply the operator."""
    ops = trace[trace["kind"] == "op"]
    return [sorted(map(int, step["lane"].unique())) for _, step in ops.groupby("step")]


def draw(recorded):
    """Four ratios of contiguous to spaced threads, for each kernel: warps fall, time does not."""
    evidence = recorded.of(CLAIM)
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.75)
    columns = list(QUANTITIES.values()) + ["time"]
    for place, (name, ratios) in enumerate(ratios_of(evidence).items()):
        scan, plain = "Brent" in name, "plain" in name
        color = BLOCK_SCANS["brent_kung"].color if scan else plotting.GREY
        values = list(ratios.values())
        shown = [(column + 0.16 * (place - 1.5), value) for column, value in enumerate(values) if value]
        axes.plot(
            *zip(*shown, strict=True),
            linestyle="none",
            marker="D" if scan else "o",
            color=color,
            markerfacecolor=color if plain else "white",
            label=name,
            markersize=4.5,
        )
    axes.axhline(1, color=plotting.BLACK, linewidth=0.8)
    axes.set_yscale("log", base=2)
    axes.set_ylim(0.22, 2.6)
    axes.set_yticks([0.25, 0.5, 1, 2], ["¼", "½", "equal", "2×"])
    axes.minorticks_off()
    axes.set_xlim(-0.5, 3.5)
    axes.set_xticks(range(4), [each.replace(" ", "\n") for each in columns])
    axes.tick_params(axis="x", length=0)
    axes.set_ylabel("contiguous : spaced")
    axes.grid(axis="y")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=2, handletextpad=0.2)
    return figure


DRAWINGS = {"divergence": draw}
