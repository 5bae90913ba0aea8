"""any_operator: a scan takes any associative operator with a neutral element."""

from analysis.core import charts, looks, plotting, sweep, words
from analysis.core.claim import NO_CLAIM, Evidence, Look, Median, Results, Table, Verdict, judge, told

SCANS = {
    **looks.of("hillis_steele", "brent_kung", "blelloch", "kogge_stone", "look_back"),
    "cub_device": plotting.REFERENCES["cub_device"],
}
OURS = [scan for scan in SCANS if scan != "cub_device"]
OPERATORS = {
    ("sum", 4): "sum",
    ("max", 4): "maximum",
    ("sum", 8): "sum",
    ("affine", 8): "affine maps",
    ("bicyclic", 8): "brackets",
    ("segmented_sum", 8): "segmented sum",
}
SIZES = (4, 8)
SAME = {"ops": "operations", "operator_steps": "steps", "barriers": "barriers", "launches": "launches"}


def case(scan: str, operator: str, size: int) -> dict:
    return {"operation": "scan", "algorithm": scan, "operator": operator, "bytes": size}


def time_of(timed: Results | None, scan: str, operator: str, size: int) -> Median | None:
    return timed.time(**case(scan, operator, size), cache="cold") if timed else None


def over_sum(timed: Results | None, scan: str) -> dict[str, float]:
    """By operator: time relative to the sum of elements of the same size."""
    found = {}
    for (operator, size), name in OPERATORS.items():
        mine, plain = (time_of(timed, scan, each, size) for each in (operator, "sum"))
        if operator != "sum" and mine and plain:
            found[f"{name} in {SCANS[scan].label}"] = mine.value / plain.value
    return found


def verdict(evidence: Evidence) -> Verdict:
    different = told("any_operator: differs")
    right = True if evidence.counted else None
    for scan in OURS if evidence.counted else ():
        for quantity, name in SAME.items():
            found = {evidence.counted.count(quantity, **case(scan, *operator)) for operator in OPERATORS}
            if None in found:
                return judge(None, NO_CLAIM, different)
            if len(found) > 1 and right:
                counts = [words.integer(value) for value in sorted(found)]
                right, who = False, SCANS[scan].label
                different = told("any_operator: differs", scan=who, counts=counts, quantity=name)
    prices = {name: ratio for scan in OURS for name, ratio in over_sum(evidence.timed, scan).items()}
    finding = told("any_operator", scans=len(OURS), operators=len(OPERATORS), prices=prices)
    return judge(right, NO_CLAIM, finding if right else different)


@plotting.of_times
def figure(evidence: Evidence):
    heights = [1 + sum(size == each for _, size in OPERATORS) for each in SIZES]
    figure, axes = plotting.new_figure(plotting.WIDE, 3.3, nrows=len(SIZES), height_ratios=heights)
    for panel, size in zip(axes, SIZES, strict=True):
        draw_times(panel, evidence.timed, size)
        panel.set_title(f"Elements of {size} bytes")
    for panel in axes:
        panel.set_xlim(0, 1.05 * max(each.dataLim.x1 for each in axes))
    n = sweep.longest(evidence.timed, operation="scan")
    axes[-1].set_xlabel(f"{words.power(n)} elements, µs (cold)")
    plotting.legend_on_top(figure, SCANS.values())
    return figure


def draw_times(axes, timed: Results, size: int) -> None:
    operators = [each for each in OPERATORS if each[1] == size]
    copy = timed.time(algorithm="device_to_device", bytes=size, cache="cold")
    series = [(look, [time_of(timed, scan, *each) for each in operators]) for scan, look in SCANS.items()]
    references = {"device_to_device": copy} if copy else {}
    charts.time_chart(axes, references, [OPERATORS[each] for each in operators], series)


def tables(evidence: Evidence) -> list[Table]:
    cells = sweep.cells_of_counts(evidence.counted, SAME, case)
    cells["cold,\nµs [95% CI]"] = lambda *key: words.interval(time_of(evidence.timed, *key))
    keys = [(scan, *operator) for scan in SCANS for operator in OPERATORS]
    names = {operator: Look(name, plotting.BLACK) for (operator, _), name in OPERATORS.items()}
    caption = told("any_operator: table")
    return [sweep.table(caption, ["scan", "operator", "bytes"], keys, cells, SCANS | names, text_columns=2)]
