"""The pictures of the block scans: what they are charged for, their bill in one tile, their times by tile."""

from analysis.common import plotting, sweep
from analysis.common.ends import name_ends
from analysis.common.looks import BLOCK_SCANS
from analysis.paper.block_scans import CLAIM, NAMES, SCANS, TILES, bills, copy_of, cycles_of, multiple, points

AHEAD = "raking_8"  # the scan that a figure is about


def draw_charge(recorded):
    """Left: time against operations; right: against the largest of the five charges."""
    found = points(recorded)
    figure, panels = plotting.new_figure(plotting.NARROW, 2.05, ncols=2, sharey=True)
    ways = {"What the notes count": "ops", "What is charged for": "charge"}
    for axes, (title, of) in zip(panels, ways.items(), strict=True):
        for look, style in BLOCK_SCANS.items():
            mine = [each for each in found if each["look"] == look]
            xs, ys = [each[of] for each in mine], [each["time"] for each in mine]
            marks = {"color": style.color, "marker": style.marker, "markersize": 3.2, "linestyle": "none"}
            axes.plot(xs, ys, **marks, label=style.label)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log", base=2)
        axes.set_title(title)
        axes.grid()
    panels[0].set_xticks([2, 4, 8], ["2", "4", "8"])
    panels[0].set_xlabel("operations an element")
    panels[1].plot([1, 5.2], [1, 5.2], color=plotting.GREY, linewidth=0.8, zorder=1)
    panels[1].set_xticks([1, 2, 4], ["1", "2", "4"])
    panels[1].set_xlabel("largest charge, of a copy")
    panels[0].set_yticks([1, 2, 4], ["copy", "2×", "4×"])
    for axes in panels:
        axes.minorticks_off()
    panels[0].set_ylabel("time")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3, columnspacing=1, handletextpad=0.2)
    return figure


def draw_bill(recorded):
    """Of every scan of one tile, plain and padded: issue and banks, the longer one coloured, and the time."""
    evidence = recorded.of(CLAIM)
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.75)
    colors, names = {"issue": plotting.BLUE, "banks": plotting.RED}, []
    for row, (name, _, index, of, time) in enumerate(bills(evidence)):
        y = row + 0.7 * (row // 2)
        names.append((y, f"{NAMES[name]}, {index}" if index == "plain" else "padded"))
        for charge, offset in (("issue", -0.22), ("banks", 0.22)):
            longer = of[charge] == max(of.values())
            color = colors[charge] if longer else plotting.PALE
            axes.barh(y + offset, of[charge], 0.44, color=color)
        axes.plot([time] * 2, [y - 0.5, y + 0.5], color=plotting.BLACK, linewidth=1.6)
    first = bills(evidence)[0]
    axes.annotate(
        "time", (first[-1], -0.5), xytext=(0, 2), textcoords="offset points", ha="center", fontsize=7
    )
    copy = cycles_of(evidence.timed, copy_of(evidence.timed).value)
    axes.axvline(copy, color=plotting.GREY, linestyle=":", linewidth=1)
    axes.annotate("copy", (copy, -0.5), xytext=(0, 2), textcoords="offset points", ha="center", fontsize=7)
    axes.set_yticks(*zip(*names, strict=True))
    axes.set_ylim(names[-1][0] + 0.6, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(left=0)
    axes.set_xlabel("cycles an element and SM")
    places = {"issue": (1.2, names[10][0]), "banks": (1.2, names[12][0])}
    said = {"issue": "issue is longer", "banks": "banks are longer"}
    for charge, (x, y) in places.items():
        axes.text(x, y + 0.4, said[charge], color=colors[charge], fontsize=8, fontweight="bold", va="center")
    return figure


def draw_tiles(recorded):
    """Time by tile, plain and padded, with the name of each scan at its line."""
    timed = recorded.of(CLAIM).timed
    figure, panels = plotting.new_figure(plotting.WIDE, 2.1, ncols=2, sharey=True)
    titles = {"plain": "Plain: element i at word i", "padded": "Padded: at i + i/32"}
    for axes, (index, title) in zip(panels, titles.items(), strict=True):
        ends = []
        for name, (look, more) in SCANS.items():
            curve = {
                tile: multiple(timed, {"algorithm": look, "index": index, "tile": tile} | more)
                for tile in TILES
            }
            curve = {tile: value for tile, value in curve.items() if value}
            ahead = name == AHEAD
            color = BLOCK_SCANS[look].color if ahead else plotting.GREY
            axes.plot(
                list(curve),
                list(curve.values()),
                color=color,
                linewidth=3 if ahead else 0.8,
                marker=BLOCK_SCANS[look].marker,
                markersize=5 if ahead else 2.6,
                zorder=3 if ahead else 2,
            )
            ends.append((curve[max(curve)], NAMES[name], color, max(curve)))
        axes.axhline(1, color=plotting.BLACK, linewidth=1)
        sweep.finish(axes, "", title, "elements of a tile", TILES)
        axes.set_yscale("log", base=2)
        axes.set_ylim(0.9, 5.8)
        axes.set_yticks([1, 2, 4], ["copy", "2×", "4×"])
        axes.minorticks_off()
        axes.set_xlim(55, 6800)
        name_ends(axes, ends, 2500, 0.26, 0.13)
    panels[0].set_ylabel("time")
    return figure


DRAWINGS = {"charge": draw_charge, "bill": draw_bill, "tiles": draw_tiles}
