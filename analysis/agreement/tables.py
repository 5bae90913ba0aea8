"""The agreement as tables of the report."""

import pandas

from analysis.agreement.cells import BULK, compared, differing, name_of, tally
from analysis.agreement.traffic import by_kernel
from analysis.common import words
from analysis.common.tables import COUNTERS, Table

FEW = 24  # up to this many differing cells are printed one by one


SHOWN = {  # a column of the summary, and its quantities
    "warp\ninstructions": ("warp_instructions",),
    "thread\ninstructions": ("thread_instructions", "thread_instructions_pred_on"),
    "branches": ("branches", "divergent_branches"),
    "operations": ("ops",),
    "shared\nrequests": ("shared_load_requests", "shared_store_requests"),
    "shared\nwavefronts": ("shared_load_wavefronts", "shared_store_wavefronts", "bank_conflicts"),
    "global\nsectors": ("global_load_sectors", "global_store_sectors"),
    "bulk\nbytes": tuple(sorted(BULK)),
    "barriers,\nlaunches": ("barriers", "launches"),
}


def summary(table: pandas.DataFrame) -> Table:
    """Equal cells out of all, a row per kernel, a column per group of quantities."""
    rows = [
        [kernel, *[of_all(cells[cells["quantity"].isin(each)]) for each in SHOWN.values()], of_all(cells)]
        for kernel, cells in table.groupby("kernel", sort=False)
    ]
    caption = (
        "Cells in which the GPU's counters equal the count, out of all compared, by kernel; thread "
        "instructions with those predicated on, branches with the divergent, wavefronts with the conflicts. "
        "A plus: further cells, which depend on the order of blocks."
    )
    return Table(caption, ["kernel", *SHOWN, "all"], rows, wide=True, source=COUNTERS)


def of_all(cells: pandas.DataFrame) -> str:
    found = tally(cells)
    said = f"{words.integer(found['equal'])} of {words.integer(found['cells'])}" if found["cells"] else ""
    more = f"+{words.integer(found['by_order'])}" if found["by_order"] else ""
    return " ".join(filter(None, (said, more))) or words.NOTHING


def differences(table: pandas.DataFrame, other: str) -> Table | None:
    """The kernels and quantities in which some cell differs. other: what is compared with the counts."""
    rows = []
    for (kernel, quantity), cells in compared(table).groupby(["kernel", "quantity"], sort=False):
        found = differing(cells)
        if found.empty:
            continue
        causes = words.listing(found["cause"].unique())
        equal = f"{len(cells) - len(found)} of {len(cells)}"
        rows.append([kernel, name_of(quantity), causes, equal, largest(found)])
    if not rows:
        return None
    caption = (
        f"Kernels and quantities whose {other} and counts differ: equal cells, and the widest difference."
    )
    columns = ["kernel", "quantity", "cause", "equal", "widest"]
    return Table(caption, columns, rows, text_columns=3, source=COUNTERS)


def largest(found: pandas.DataFrame) -> str:
    relative = found["difference"] / found["counted"].clip(lower=1)
    return signed(relative[relative.abs().idxmax()])


def signed(relative: float) -> str:
    size = abs(relative)
    if size < LEAST:
        return f"{'−' if relative < 0 else '+'} less than {LEAST:.2%}"
    return f"{'−' if relative < 0 else '+'}{size:.{0 if size >= 0.1 else 1 if size >= 0.001 else 2}%}"


LEAST = 0.0001  # a smaller difference is said to be less than this


def differing_cells(table: pandas.DataFrame) -> Table | None:
    """Every cell that differs, if they are at most FEW."""
    found = differing(table)
    if found.empty or len(found) > FEW:
        return None
    rows = [
        [
            cell["case"],
            name_of(cell["quantity"]),
            cell["cause"],
            *[words.integer(cell[each]) for each in NUMBERS],
        ]
        for cell in found.to_dict("records")
    ]
    columns = ["case", "quantity", "cause", "counted", "GPU"]
    return Table("Every cell that differs.", columns, rows, wide=True, text_columns=3, source=COUNTERS)


NUMBERS = ("counted", "other")


def candidates(metrics: pandas.DataFrame | None) -> Table | None:
    """Which metric measures which quantity, and why."""
    if metrics is None:
        return None
    rows = [
        [
            name_of(each["quantity"]),
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
