"""The pictures of the block scans: what they are charged for, their bill in one tile, their times by tile."""

from matplotlib.ticker import NullFormatter

from analysis.common import plotting, sweep
from analysis.common.ends import name_ends
from analysis.common.looks import BLOCK_SCANS
from analysis.paper.block_scans import CLAIM, NAMES, SCANS, TILES, bills, copy_of, cycles_of, multiple, points


def draw_charge(recorded):
    """Left: time against operations; right: against the larger of the two charges."""
    found = points(recorded.of(CLAIM))
    figure, panels = plotting.new_figure(plotting.NARROW, 2.25, ncols=2, sharey=True)
    titles = ("What the notes count", "What is charged for")
    labels = ("operations per element", "cycles per element and SM")
    for axes, title, label, of in zip(
        panels, titles, labels, (lambda p: p["ops"], lambda p: max(p["issue"], p["banks"])), strict=True
    ):
        for look, style in BLOCK_SCANS.items():
            mine = [each for each in found if each["look"] == look]
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
    axes.axvline(
        cycles_of(evidence.timed, copy_of(evidence.timed).value),
        color=plotting.GREY,
        linestyle=":",
        linewidth=1,
    )
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
        ends = []
        for name, (look, more) in SCANS.items():
            factors = {"algorithm": look, "index": index, **more}
            curve = {tile: multiple(timed, factors | {"tile": tile}) for tile in TILES}
            curve = {tile: value for tile, value in curve.items() if value}
            style = BLOCK_SCANS[look].style() | ({"linestyle": ":"} if name == "raking_2" else {})
            axes.plot(list(curve), list(curve.values()), **style)
            ends.append((curve[max(curve)], NAMES[name], BLOCK_SCANS[look].color, max(curve)))
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
        name_ends(axes, ends, 2500, 0.23, 0.13)
    panels[0].set_ylabel("time, multiple of a copy")
    return figure


DRAWINGS = {"charge": draw_charge, "bill": draw_bill, "tiles": draw_tiles}
