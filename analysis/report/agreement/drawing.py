"""The figure: counts against hardware counters, and bytes moved per byte of the vector."""

import numpy
import pandas

from analysis.core import charts, plotting, words
from analysis.core.agreement import compared, differing, tally
from analysis.core.plotting import Look
from analysis.report.agreement.traffic import by_kernel

GROUPS = {
    "instructions": Look("instructions", plotting.SKY, "x"),
    "branches": Look("branches", plotting.GREY, "1"),
    "operations": Look("operations", plotting.BLUE, "o", filled=False),
    "requests": Look("shared requests", plotting.ORANGE, "s", filled=False),
    "wavefronts": Look("shared wavefronts", plotting.GREEN, "^", filled=False),
    "conflicts": Look("bank conflicts", plotting.RED, "D", filled=False),
    "sectors": Look("global sectors", plotting.PURPLE, "v", filled=False),
    "others": Look("barriers, launches", plotting.BLACK, "+"),
}
STEPS = 15  # marks of equal cells a power of ten: closer ones cover one another


def group_of(quantity: str) -> str:
    return "operations" if quantity == "ops" else next((key for key in GROUPS if key in quantity), "others")


def figure(table: pandas.DataFrame, traffic: pandas.DataFrame, machine: str, stale: bool):
    """Two panels side by side; without traffic only the left one, one column wide."""
    kernels = by_kernel(traffic)
    if len(kernels):
        height = max(3.3, 0.75 + 0.145 * len(kernels))
        figure, (left, right) = plotting.new_figure(plotting.WIDE, height, ncols=2, width_ratios=[1.35, 1])
        draw_traffic(right, kernels)
    else:
        figure, (left,) = plotting.new_figure(plotting.NARROW, 3.3)
    draw_cells(left, table)
    note = ", partly of other kernels than the times" if stale else ""
    plotting.foot(figure, f"Counters: recorded on {words.with_article(machine)}{note}.")
    return figure


def draw_cells(axes, table: pandas.DataFrame) -> None:
    """Every cell, equal ones once; those that differ are filled."""
    table = compared(table)
    most = 4 * max(table["counted"].max(), table["other"].max(), 1)
    axes.plot([0, most], [0, most], color=plotting.GREY, linewidth=0.6, zorder=1)
    groups = table["quantity"].map(group_of)
    for key, look in GROUPS.items():
        cells = apart(table[groups == key])
        style = look.style() | {"linestyle": "none", "markersize": 4, "markeredgewidth": 0.7}
        if len(cells):
            axes.plot(cells["counted"], cells["other"], label=look.label, zorder=2, **style)
        found = differing(cells)
        axes.plot(found["counted"], found["other"], zorder=3, **style | {"markerfacecolor": look.color})
    axes.set_xscale("symlog", linthresh=1)
    axes.set_yscale("symlog", linthresh=1)
    axes.set(xlim=(-0.3, most), ylim=(-0.3, most))
    axes.set(xlabel="counted on the SIMT machine", ylabel="GPU's hardware counters")
    equal = tally(table)
    axes.set_title(f"{words.integer(equal['equal'])} of {words.integer(equal['cells'])} cells equal")
    axes.legend(loc="upper left", handletextpad=0.2, labelspacing=0.25, borderpad=0)


def apart(cells: pandas.DataFrame) -> pandas.DataFrame:
    """Of the cells that would be drawn over one another, the first; all that differ."""
    place = (STEPS * numpy.log10(cells["counted"].astype(float).clip(lower=0.1))).round()
    shown = ~pandas.DataFrame({"place": place, "differs": cells["difference"]}).duplicated()
    return cells[shown]


def signed(relative: float) -> str:
    """+1.8%, −50%."""
    return f"{'−' if relative < 0 else '+'}{abs(relative):.{0 if abs(relative) >= 0.1 else 1}%}"


def draw_traffic(axes, kernels: pandas.DataFrame) -> None:
    """Measured passes over the vector, a bar per kernel, with the range of its cases; ticks: predicted."""
    for passes in range(1, int(kernels["predicted"].max()) + 1):
        axes.axvline(passes, color=plotting.GREY, linewidth=0.5, linestyle=":", zorder=0)
    for row, kernel in enumerate(kernels.to_dict("records")):
        axes.barh(row, kernel["most"], height=0.74, color=plotting.SKY, zorder=1)
        axes.plot([kernel["least"], kernel["most"]], [row, row], color=plotting.BLACK, linewidth=1, zorder=2)
        axes.plot([kernel["predicted"]] * 2, [row - 0.42, row + 0.42], color=plotting.RED, zorder=3)
    ticks = range(0, int(kernels["predicted"].max()) + 1)
    axes.set_xticks(ticks, ["0", "n", *[f"{tick}n" for tick in ticks[2:]]])
    charts.name_rows(axes, kernels["kernel"].tolist())
    axes.set(xlabel="bytes moved (n: one pass)", title="Memory traffic, cold")
