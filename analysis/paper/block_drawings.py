"""The pictures of the block scans: what they are charged for, their bill in one tile, their times by tile."""

from analysis.common import plotting, sweep
from analysis.common.charts import name_ends
from analysis.common.looks import BLOCK_SCANS
from analysis.paper import block_scans
from analysis.paper.block_scans import CLAIM, NAMES, SCANS, TILES, bills, copy_of, cycles_of

AHEAD = "raking_8"  # the scan that a figure is about


def draw_charge(recorded):
    """Left: time against operations; right: against the largest of the five charges."""
    found = block_scans.points(recorded)
    figure, panels = plotting.new_figure(plotting.NARROW, 2.05, ncols=2, sharey=True)
    ways = {"What the notes count": "ops", "What is charged for": "charge"}
    for axes, (title, of) in zip(panels, ways.items(), strict=True):
        for look, style in BLOCK_SCANS.items():
            mine = [(each[of], each["time"]) for each in found if each["look"] == look]
            marks = {"color": style.color, "marker": style.marker, "markersize": 3.2, "linestyle": "none"}
            axes.plot(*zip(*mine, strict=True), **marks, label=style.label)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log", base=2)
        axes.set_title(title)
        axes.grid()
    left, right = panels
    right.plot([1, 5.2], [1, 5.2], color=plotting.GREY, linewidth=0.8, zorder=1)
    left.set_xticks([2, 4, 8], ["2", "4", "8"])
    right.set_xticks([1, 2, 4], ["1", "2", "4"])
    left.set_yticks([1, 2, 4], ["copy", "2×", "4×"])
    left.set(xlabel="operations an element", ylabel="time")
    right.set_xlabel("largest charge, of a copy")
    for axes in panels:
        axes.minorticks_off()
    legend = {"loc": "outside lower center", "ncols": 3, "columnspacing": 1, "handletextpad": 0.2}
    figure.legend(*left.get_legend_handles_labels(), **legend)
    return figure


def draw_bill(recorded):
    """Of every scan of one tile, plain and padded: issue and banks, the longer one coloured, and the time."""
    evidence = recorded.of(CLAIM)
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.75)
    colors, names = {"issue": plotting.BLUE, "banks": plotting.RED}, []
    for row, (name, index, of, time) in enumerate(bills(evidence)):
        y = row + 0.7 * (row // 2)
        names.append((y, f"{NAMES[name]}, {index}" if index == "plain" else "padded"))
        for charge, offset in (("issue", -0.22), ("banks", 0.22)):
            longer = of[charge] == max(of.values())
            axes.barh(y + offset, of[charge], 0.44, color=colors[charge] if longer else plotting.PALE)
        axes.plot([time] * 2, [y - 0.5, y + 0.5], color=plotting.BLACK, linewidth=1.6)
    above = {"xytext": (0, 2), "textcoords": "offset points", "ha": "center", "fontsize": 7}
    axes.annotate("time", (bills(evidence)[0][-1], -0.5), **above)
    copy = cycles_of(evidence.timed, copy_of(evidence.timed).value)
    axes.axvline(copy, color=plotting.GREY, linestyle=":", linewidth=1)
    axes.annotate("copy", (copy, -0.5), **above)
    axes.set_yticks(*zip(*names, strict=True))
    axes.set(xlim=(0, None), ylim=(names[-1][0] + 0.6, -0.6), xlabel="cycles an element and SM")
    axes.tick_params(axis="y", length=0)
    for charge, said, row in (("issue", "issue is longer", 10), ("banks", "banks are longer", 12)):
        style = {"color": colors[charge], "fontsize": 8, "fontweight": "bold", "va": "center"}
        axes.text(1.2, names[row][0] + 0.4, said, **style)
    return figure


def draw_tiles(recorded):
    """Time by tile, plain and padded, with the name of each scan at its line."""
    found = block_scans.multiples(recorded.of(CLAIM).timed)
    figure, panels = plotting.new_figure(plotting.WIDE, 2.1, ncols=2, sharey=True)
    titles = {"plain": "Plain: element i at word i", "padded": "Padded: at i + i/32"}
    for axes, (index, title) in zip(panels, titles.items(), strict=True):
        ends = []
        for name, (look, _) in SCANS.items():
            curve = {tile: found[name, index, tile] for tile in TILES if found[name, index, tile]}
            style = {"color": plotting.GREY, "linewidth": 0.8, "markersize": 2.6, "zorder": 2}
            if name == AHEAD:
                style = {"color": BLOCK_SCANS[look].color, "linewidth": 3, "markersize": 5, "zorder": 3}
            axes.plot(list(curve), list(curve.values()), marker=BLOCK_SCANS[look].marker, **style)
            ends.append((curve[max(curve)], NAMES[name], style["color"], max(curve)))
        axes.axhline(1, color=plotting.BLACK, linewidth=1)
        sweep.finish(axes, "", title, "elements of a tile", TILES)
        axes.set_yscale("log", base=2)
        axes.set(xlim=(55, 6800), ylim=(0.9, 5.8))
        axes.set_yticks([1, 2, 4], ["copy", "2×", "4×"])
        axes.minorticks_off()
        name_ends(axes, ends, 2500, 0.26, 0.13)
    panels[0].set_ylabel("time")
    return figure


DRAWINGS = {"charge": draw_charge, "bill": draw_bill, "tiles": draw_tiles}
