"""Spaced against contiguous threads: lanes and warps, instructions, conflicts, time."""

import pandas

from analysis.common import plotting, words
from analysis.common.looks import BLOCK_SCANS

CLAIM = "divergence"
TRACED = "reduce/tree/threads:{}/index:plain/block:32/tile:64/n:64"
KERNELS = {
    "reduction, plain": {"operation": "reduce", "algorithm": "tree", "index": "plain"},
    "reduction, padded": {"operation": "reduce", "algorithm": "tree", "index": "padded"},
    "Brent-Kung, plain": {"operation": "scan", "algorithm": "brent_kung", "index": "plain"},
    "Brent-Kung, padded": {"operation": "scan", "algorithm": "brent_kung", "index": "padded"},
}
QUANTITIES = {
    "active_warps": "active warps",
    "bank_conflicts": "bank conflicts",
    "warp_instructions": "warp instructions",
}


def numbers(recorded) -> dict:
    trace = pandas.read_csv(recorded.results / "simt" / f"{CLAIM}.trace.csv")
    evidence = recorded.of(CLAIM)
    ratios = {name: ratios_of(evidence, factors) for name, factors in KERNELS.items()}
    halving = [
        time(evidence, KERNELS["reduction, plain"], each) for each in ("halving", "spaced", "contiguous")
    ]
    half = {
        index: time(evidence, KERNELS[f"Brent-Kung, {index}"], "contiguous", 1024)
        / time(evidence, KERNELS[f"Brent-Kung, {index}"], "contiguous", 512)
        for index in ("plain", "padded")
    }
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
        "halving": words.pace([halving[0] / halving[1], halving[0] / halving[2]], "the other two"),
        "half_block": [f"{half['plain']:.2f}", f"{half['padded']:.2f}"],
        "bk_instructions": words.percent(ratios["Brent-Kung, padded"]["warp_instructions"]),
        "red_instructions": words.percent(ratios["reduction, padded"]["warp_instructions"]),
        "red_time": words.percent(ratios["reduction, padded"]["time"]),
    }


def time(evidence, factors: dict, threads: str, block: int | None = None) -> float:
    """With the largest block if none is given: that of the spaced form."""
    of = factors | {"threads": threads, "cache": "cold"}
    block = block or max(evidence.timed.levels("block", **factors))
    return evidence.timed.time(**of, block=block).value


def ratios_of(evidence, factors: dict) -> dict:
    """Contiguous relative to spaced threads, in blocks of the same size."""
    block = max(evidence.timed.levels("block", **factors))

    def count(results, quantity: str, threads: str) -> float:
        rows = results.where(**factors, threads=threads, block=block, tile=1024)
        rows = rows[rows[quantity].notna()].sort_values("n")
        return float(rows.iloc[-1][quantity] / rows.iloc[-1]["n"])

    found = {}
    for quantity in QUANTITIES:
        results = evidence.counters if quantity == "warp_instructions" else evidence.counted
        spaced, contiguous = (count(results, quantity, each) for each in ("spaced", "contiguous"))
        found[quantity] = contiguous / spaced if spaced else None
    found["time"] = time(evidence, factors, "contiguous") / time(evidence, factors, "spaced")
    return found


def lanes_of(trace: pandas.DataFrame) -> list[list[int]]:
    """By step: the lanes that apply the operator."""
    ops = trace[trace["kind"] == "op"]
    return [sorted(map(int, step["lane"].unique())) for _, step in ops.groupby("step")]


def draw(recorded):
    """Four ratios of contiguous to spaced threads, for each kernel: warps fall, time does not."""
    evidence = recorded.of(CLAIM)
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.75)
    columns = list(QUANTITIES.values()) + ["time"]
    for place, (name, factors) in enumerate(KERNELS.items()):
        scan, plain = "Brent" in name, "plain" in name
        color = BLOCK_SCANS["brent_kung"].color if scan else plotting.GREY
        values = list(ratios_of(evidence, factors).values())
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
