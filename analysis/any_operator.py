"""any_operator: a scan takes any associative operator with a neutral element."""

from analysis.common import plotting, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import Median
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

MARGIN = 0.10
QUESTION = "So far the operator was the sum of numbers. What changes with another operator?"
RULE = (
    "A wrong result aborts the experiment. Fails if the counted operations, steps, barriers or launches of a "
    "scan differ between operators. Holds if, besides, no scan takes more than "
    f"{MARGIN:.0%} longer with an operator than with the sum of elements of the same size, by medians, cold. "
    "Otherwise it holds within limits: any operator works, but some cost more."
)
CAPTION = (
    "Time of each scan by operator: numbers of 4 bytes above, elements of 8 bytes below; medians and 95% "
    "confidence intervals, cold. The last three operators are not commutative."
)
CAPTION_WITHOUT_TIMES = "Operations per element of each scan by operator, counted."

SCANS = {
    "hillis_steele": Look("Hillis-Steele", plotting.RED, "s", filled=False),
    "brent_kung": Look("Brent-Kung", plotting.PURPLE, "D"),
    "blelloch": Look("Blelloch", plotting.ORANGE, "v", filled=False),
    "kogge_stone": Look("Kogge-Stone", plotting.GREEN, "^"),
    "look_back": Look("look-back", plotting.BLUE, "o"),
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


def case(scan: str, operator: tuple[str, int]) -> dict:
    return {"operation": "scan", "algorithm": scan, "operator": operator[0], "bytes": operator[1]}


def count(counted: Results | None, quantity: str, scan: str, operator: tuple[str, int]) -> float | None:
    return counted and counted.count(quantity, **case(scan, operator))


def time_of(timed: Results | None, scan: str, operator: tuple[str, int], cache="cold") -> Median | None:
    return timed and timed.time(**case(scan, operator), cache=cache)


def counts(counted: Results | None) -> dict[tuple[str, str], list[float | None]]:
    """By scan and quantity: what was counted with each operator."""
    return {
        (scan, quantity): [count(counted, quantity, scan, operator) for operator in OPERATORS]
        for scan in OURS
        for quantity in SAME
    }


def prices(timed: Results | None) -> dict[tuple[str, tuple[str, int]], float | None]:
    """By scan and operator: time relative to the sum of elements of the same size."""
    found = {}
    for scan in OURS:
        for operator in OPERATORS:
            if operator[0] != "sum":
                mine, plain = (time_of(timed, scan, each) for each in (operator, ("sum", operator[1])))
                found[scan, operator] = mine.value / plain.value if mine and plain else None
    return found


def verdict(evidence: Evidence) -> Verdict:
    found = counts(evidence.counted)
    if any(None in each for each in found.values()):
        return Verdict(NOT_MEASURED, "Not every scan was counted with every operator.")
    for (scan, quantity), each in found.items():
        if len(set(each)) > 1:
            said = words.listing([words.integer(value) for value in dict.fromkeys(each)])
            return Verdict(FAILS, f"{SCANS[scan].label} counts {said} {SAME[quantity]}, by operator.")
    said = (
        f"All results are correct, and each of {len(OURS)} scans counts the same operations, steps, barriers "
        f"and launches with each of {len(OPERATORS)} operators"
    )
    price = prices(evidence.timed)
    if None in price.values():
        return Verdict(NOT_MEASURED, f"{said}; what they cost in time was not measured.")
    worst = max(price, key=price.get)
    dear = [pair for pair, ratio in price.items() if ratio > 1 + MARGIN]
    said += f". Relative to a sum of the same size an operator takes up to {words.percent(price[worst])} time"
    if not dear:
        return Verdict(HOLDS, f"{said}.")
    said += f" ({OPERATORS[worst[1]]} in {SCANS[worst[0]].label})"
    operators = words.listing([OPERATORS[each] for each in OPERATORS if each in {of for _, of in dear}])
    return Verdict(LIMITS, f"{said}; more than {MARGIN:.0%} longer: {operators}.")


def figure(evidence: Evidence):
    timed = evidence.timed
    rows = [sum(size == each for _, size in OPERATORS) for each in SIZES]
    figure, axes = plotting.new_figure(
        plotting.WIDE, 3.3, nrows=len(SIZES), height_ratios=[each + 1 for each in rows]
    )
    for panel, size in zip(axes, SIZES, strict=True):
        if timed:
            draw_times(panel, timed, size)
        elif evidence.counted:
            draw_counts(panel, evidence.counted, size)
        panel.set_title(f"Elements of {size} bytes")
    for panel in axes:
        panel.set_xlim(0, 1.05 * max(each.dataLim.x1 for each in axes))
    axes[-1].set_xlabel(
        f"{words.power(largest(timed))} elements, µs (cold)" if timed else "operations per element"
    )
    plotting.legend_on_top(figure, [SCANS[scan] for scan in (SCANS if timed else OURS)])
    plotting.sources(figure, evidence, counts=timed is None)
    return figure


def largest(results: Results) -> int:
    return max(results.levels("n", operation="scan"))


def draw_times(axes, timed: Results, size: int) -> None:
    operators = [each for each in OPERATORS if each[1] == size]
    copy = timed.time(algorithm="device_to_device", bytes=size, cache="cold")
    series = [(look, [time_of(timed, scan, each) for each in operators]) for scan, look in SCANS.items()]
    references = {"device_to_device": copy} if copy else {}
    plotting.time_chart(axes, references, [OPERATORS[each] for each in operators], series)


def draw_counts(axes, counted: Results, size: int) -> None:
    operators = [each for each in OPERATORS if each[1] == size]
    for scan in OURS:
        found = [count(counted, "ops", scan, each) for each in operators]
        values = [value / largest(counted) for value in found if value is not None]
        axes.plot(values, range(len(values)), **SCANS[scan].style() | {"linestyle": "none"})
    axes.set_yticks(range(len(operators)), [OPERATORS[each] for each in operators])
    axes.set_ylim(len(operators) - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.grid(axis="x")


def numbers(evidence: Evidence) -> dict:
    found = {}
    counted = counts(evidence.counted)
    if not any(None in each for each in counted.values()):
        n = largest(evidence.counted)
        found["operations"] = {scan: counted[scan, "ops"][0] / n for scan in OURS}
        found["alike"] = sum(len(set(each)) == 1 for each in counted.values())
        found["compared"] = len(counted)
    found["prices"] = {
        OPERATORS[operator]: {
            scan: ratio for (scan, of), ratio in prices(evidence.timed).items() if of == operator
        }
        for operator in OPERATORS
        if operator[0] != "sum"
    }
    doubled = {
        scan: [time_of(evidence.timed, scan, ("sum", size)) for size in reversed(SIZES)] for scan in SCANS
    }
    found["doubled"] = {scan: pair[0].value / pair[1].value for scan, pair in doubled.items() if all(pair)}
    return found


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if operations := numbers.get("operations"):
        said = words.extremes({SCANS[scan].label: each for scan, each in operations.items()}, words.decimal)
        paragraphs.append(
            f"In {numbers['alike']} of {numbers['compared']} pairs of scan and quantity "
            f"({words.listing(list(SAME.values()))}) all operators have the same count. The scans take "
            f"{said} operations per element."
        )
    if doubled := numbers["doubled"]:
        ratios = {
            f"{operator} in {SCANS[scan].label}": ratio
            for operator, of in numbers["prices"].items()
            for scan, ratio in of.items()
            if ratio
        }
        said = [f"The sum of {SIZES[1]}-byte elements is "]
        said[0] += f"{words.pace(doubled.values(), f'that of {SIZES[0]}-byte ones')}."
        if ratios:
            said.append(f"The other operators are {words.pace(ratios, 'the sum of the same size')}.")
        paragraphs.append(" ".join(said))
    return paragraphs


def tables(evidence: Evidence) -> list[Table]:
    columns = ["scan", "operator", "bytes", *(name for name in SAME.values())]
    columns += ["shared\naccesses", "cold,\nµs [95% CI]", "warm,\nµs", "of the sum's\ntime"]
    rows, price = [], prices(evidence.timed)
    for scan, look in SCANS.items():
        for operator, name in OPERATORS.items():
            cold, warm = (time_of(evidence.timed, scan, operator, cache) for cache in ("cold", "warm"))
            cells = [counted_cell(evidence.counted, each, scan, operator) for each in SAME]
            ratio = price.get((scan, operator))
            if scan in OURS or cold:
                rows.append(
                    [look.label, name, str(operator[1]), *cells, accesses(evidence.counted, scan, operator)]
                    + [
                        words.interval(cold),
                        words.microseconds(warm),
                        f"{ratio:.0%}" if ratio else words.NOTHING,
                    ]
                )
    caption = (
        "Counts of the shorter vector, predicted | counted where there is a closed form, and times of the "
        "longer one. Shared accesses: requests, as compiled for the SIMT machine."
    )
    return [Table(caption, columns, rows, wide=True, text_columns=2)]


def counted_cell(counted: Results | None, quantity: str, scan: str, operator: tuple[str, int]) -> str:
    predicted, found = (count(counted, each + quantity, scan, operator) for each in ("predicted_", ""))
    stated = [] if predicted is None else [predicted]
    return " | ".join(words.integer(value) for value in [*stated, found])


def accesses(counted: Results | None, scan: str, operator: tuple[str, int]) -> str:
    both = [count(counted, f"shared_{each}_requests", scan, operator) for each in ("load", "store")]
    return words.integer(None if None in both else sum(both))
