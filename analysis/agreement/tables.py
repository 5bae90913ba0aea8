"""The agreement as tables of the report."""

import pandas

from analysis.agreement.cells import BULK, QUANTITIES
from analysis.agreement.traffic import by_kernel
from analysis.common import words
from analysis.common.tables import COUNTERS, Table

FEW = 24  # up to this many differing cells are printed one by one


def summary(table: pandas.DataFrame) -> Table:
    """Equal cells out of all, a row per kernel, a column per quantity; those of bulk copies share one."""
    equal = table.assign(equal=table["cause"] == "")
    shown = {name: (name,) for name in QUANTITIES if name not in BULK} | {"bulk bytes": tuple(sorted(BULK))}
    rows = [
        [kernel, *[of_all(cells[cells["quantity"].isin(each)]) for each in shown.values()], of_all(cells)]
        for kernel, cells in equal.groupby("kernel", sort=False)
    ]
    names = [QUANTITIES.get(name, name).replace(" ", "\n", 1) for name in shown]
    columns = ["kernel", *names, "all"]
    caption = "Cells in which the GPU's counters equal the count, out of all, by kernel and quantity."
    return Table(caption, columns, rows, wide=True, source=COUNTERS)


def of_all(cells: pandas.DataFrame) -> str:
    equal, of = map(words.integer, (cells["equal"].sum(), len(cells)))
    return f"{equal} of {of}" if len(cells) else words.NOTHING


def differences(table: pandas.DataFrame) -> Table | None:
    """The kernels and quantities in which some cell differs."""
    rows = []
    for (kernel, quantity), cells in table.groupby(["kernel", "quantity"], sort=False):
        differing = cells[cells["cause"] != ""]
        if differing.empty:
            continue
        causes = words.listing(differing["cause"].unique())
        equal = f"{len(cells) - len(differing)} of {len(cells)}"
        rows.append([kernel, QUANTITIES[quantity], causes, equal, largest(differing)])
    if not rows:
        return None
    caption = (
        "Kernels and quantities whose counters and counts differ: equal cells, and the widest difference."
    )
    columns = ["kernel", "quantity", "cause", "equal", "widest"]
    return Table(caption, columns, rows, text_columns=3, source=COUNTERS)


def largest(differing: pandas.DataFrame) -> str:
    relative = differing["difference"] / differing["counted"].clip(lower=1)
    return signed(relative[relative.abs().idxmax()])


def signed(relative: float) -> str:
    size = abs(relative)
    return f"{'−' if relative < 0 else '+'}{size:.{0 if size >= 0.1 else 1}%}"


def differing_cells(table: pandas.DataFrame) -> Table | None:
    """Every cell that differs, if they are at most FEW."""
    differing = table[table["cause"] != ""]
    if differing.empty or len(differing) > FEW:
        return None
    rows = [
        [
            cell["case"],
            QUANTITIES[cell["quantity"]],
            cell["cause"],
            *[words.integer(None if pandas.isna(cell[each]) else cell[each]) for each in NUMBERS],
        ]
        for cell in differing.to_dict("records")
    ]
    columns = ["case", "quantity", "cause", *NUMBERS]
    return Table("Every cell that differs.", columns, rows, wide=True, text_columns=3, source=COUNTERS)


NUMBERS = ("predicted", "counted", "hardware")


def candidates(metrics: pandas.DataFrame | None) -> Table | None:
    """Which metric measures which quantity, and why."""
    if metrics is None:
        return None
    rows = [
        [
            QUANTITIES.get(each["quantity"], each["quantity"]),
            breakable(each["metric"]),
            "chosen" if each["chosen"] else "rejected",
            f"{each['equal']} of {each['cases']}" if each["cases"] else words.NOTHING,
            spread(each["spread"]),
        ]
        for each in metrics.to_dict("records")
    ]
    runs = words.small(int(metrics["runs"].max()))
    caption = (
        "Metrics chosen for each quantity, and why: cases in which every run equals the count, and the "
        f"widest spread over {runs} runs of a case."
    )
    if (metrics["cases"] == 0).any():
        caption += " A dash: the GPU does not have the metric."
    columns = ["quantity", "metric", "", "cases equal\nto the count", "spread\nover runs"]
    return Table(caption, columns, rows, wide=True, text_columns=3, source=COUNTERS)


def spread(relative: float) -> str:
    if pandas.isna(relative):
        return words.NOTHING
    return f"{relative:.1%}" if relative else "none"


def breakable(formula: str) -> str:
    """A line break after each operator."""
    return formula.replace(" + ", " +\n").replace(" - ", " -\n")


def traffic(table: pandas.DataFrame) -> Table | None:
    """Bytes per byte of the vector."""
    if table.empty:
        return None
    rows = [
        [
            each["kernel"],
            str(each["cases"]),
            between(each["least_n"], each["most_n"], lambda n: words.power(int(n))),
            "n" if each["predicted"] == 1 else f"{each['predicted']}n",
            between(each["least_counted"], each["most_counted"], "{:.2f}".format, "n"),
            between(each["least"], each["most"], "{:.3f}".format, "n"),
        ]
        for each in by_kernel(table).to_dict("records")
    ]
    caption = (
        "Bytes read and written in the GPU's memory, cold, at the largest n of each claim; n stands for the "
        "bytes of the vector. Counted: sectors and bulk copies on the SIMT machine, at the largest n that it "
        "counts."
    )
    columns = ["kernel", "cases", "elements", "predicted", "counted", "measured"]
    return Table(caption, columns, rows, wide=True, source=COUNTERS)


def between(least: float, most: float, said, unit: str = "") -> str:
    """One number, or a range; a dash if there is none."""
    if pandas.isna(least):
        return words.NOTHING
    low, high = said(least), said(most)
    return f"{low}{unit}" if low == high else f"{low}–{high}{unit}"
