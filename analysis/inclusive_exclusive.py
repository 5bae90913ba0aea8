"""inclusive_exclusive: each form of a scan follows from the other."""

from analysis.common import plotting, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import Median
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

MARGIN = 0.05
QUESTION = (
    "A tile needs the sum of all tiles before it, an exclusive scan; its elements may need an inclusive one. "
    "Does one form follow from the other?"
)
RULE = (
    f"A change of form is cheap if the scan takes less than {MARGIN:.0%} more time with it than without, by "
    "medians, at the longest vector, cold. Fails if a change adds more than one operation per element, "
    "counted, or if no change to one of the two forms is cheap. Holds if every change is. Otherwise it holds "
    "within limits. Scans with both forms built in play no part."
)
CAPTION = (
    "Time of the scan alone and with its form changed, at the longest vector; medians and 95% confidence "
    "intervals, cold. Kogge-Stone, look-back and CUB have both forms built in."
)
CAPTION_WITHOUT_TIMES = "Operations that a change of form adds, per element, counted."

SCANS = {
    "hillis_steele": "Hillis-Steele",
    "brent_kung": "Brent-Kung",
    "blelloch": "Blelloch",
    "kogge_stone": "Kogge-Stone",
    "look_back": "look-back, device-wide",
    "cub_device": "CUB, device-wide",
}
OWN_FORM = {"hillis_steele": "inclusive", "brent_kung": "inclusive", "blelloch": "exclusive"}
CHANGES = {
    "none": Look("alone", plotting.BLACK, "o"),
    "shift_input": Look("input shifted", plotting.ORANGE, "^"),
    "shift_output": Look("output shifted", plotting.BLUE, "v"),
    "add_input": Look("input added", plotting.RED, "s"),
}
BUILT_IN = {
    "inclusive": Look("built in, inclusive", plotting.GREEN, "D"),
    "exclusive": Look("built in, exclusive", plotting.GREEN, "D", filled=False),
}
COUNTED = ("ops", "bank_conflicts", "global_load_sectors")
PAIRS = [
    (scan, change)
    for scan, own in OWN_FORM.items()
    for change in ("shift_input" if own == "inclusive" else "add_input", "shift_output")
]


def form_of(scan: str, change: str) -> str:
    own = OWN_FORM[scan]
    return own if change == "none" else "exclusive" if own == "inclusive" else "inclusive"


def largest(results: Results) -> int:
    return max(results.levels("n", operation="scan"))


def count(counted: Results | None, quantity: str, scan: str, change: str) -> float | None:
    """A count per element."""
    if counted is None:
        return None
    n = largest(counted)
    total = counted.count(quantity, algorithm=scan, change=change, n=n)
    return None if total is None else total / n


def time_of(timed: Results | None, scan: str, change: str, cache: str = "cold", **form) -> Median | None:
    if timed is None:
        return None
    return timed.time(algorithm=scan, change=change, cache=cache, n=largest(timed), **form)


def ratios(timed: Results | None) -> dict[tuple[str, str], float | None]:
    """Time with a change relative to without it; None if one was not timed."""
    found = {}
    for scan, change in PAIRS:
        with_it, without = (time_of(timed, scan, each) for each in (change, "none"))
        found[scan, change] = with_it.value / without.value if with_it and without else None
    return found


def verdict(evidence: Evidence) -> Verdict:
    more = {
        pair: [count(evidence.counted, "ops", pair[0], each) for each in (pair[1], "none")] for pair in PAIRS
    }
    if any(None in pair for pair in more.values()):
        return Verdict(NOT_MEASURED, "The operations were not counted with and without every change of form.")
    for pair, (with_it, without) in more.items():
        if with_it - without > 1:
            return Verdict(FAILS, f"{named(pair)} adds more than one operation per element.")
    said = "No change of form adds more than one operation per element"
    found = ratios(evidence.timed)
    if None in found.values():
        return Verdict(NOT_MEASURED, f"{said}; what it costs in time was not measured.")
    dear = [pair for pair, ratio in found.items() if ratio >= 1 + MARGIN]
    low, high = (words.percent(end(found.values())) for end in (min, max))
    said = f"{said}; changes take {low} to {high} time"
    forms = [form for form in BUILT_IN if all(pair in dear for pair in found if form_of(*pair) == form)]
    if forms:
        return Verdict(FAILS, f"{said}: no change to the {words.listing(forms)} form is cheap.")
    if dear:
        return Verdict(LIMITS, f"{said}. Not cheap: {words.listing([named(pair) for pair in dear])}.")
    return Verdict(HOLDS, f"{said}: each is cheap.")


def named(pair: tuple[str, str]) -> str:
    scan, change = pair
    return f"{SCANS[scan]} with the {CHANGES[change].label}"


def figure(evidence: Evidence):
    timed = evidence.timed
    figure, (axes,) = plotting.new_figure(plotting.WIDE, 2.9)
    if timed:
        draw_times(axes, timed)
        plotting.legend_on_top(figure, [*CHANGES.values(), *BUILT_IN.values()])
    elif evidence.counted:
        draw_operations(axes, evidence.counted)
    plotting.sources(figure, evidence, counts=timed is None)
    return figure


def draw_times(axes, timed: Results) -> None:
    copy = timed.time(algorithm="device_to_device", cache="cold", n=largest(timed))
    series = [
        (look, [time_of(timed, scan, change) if scan in OWN_FORM else None for scan in SCANS])
        for change, look in CHANGES.items()
    ]
    series += [
        (look, [None if scan in OWN_FORM else time_of(timed, scan, "built_in", form=form) for scan in SCANS])
        for form, look in BUILT_IN.items()
    ]
    plotting.time_chart(axes, {"device_to_device": copy} if copy else {}, list(SCANS.values()), series)
    axes.set_xlabel(f"{words.power(largest(timed))} floats, µs (cold)")


def draw_operations(axes, counted: Results) -> None:
    for row, (scan, change) in enumerate(PAIRS):
        more = count(counted, "ops", scan, change) - count(counted, "ops", scan, "none")
        axes.barh(row, more, color=CHANGES[change].color)
    axes.set_yticks(range(len(PAIRS)), [named(pair) for pair in PAIRS])
    axes.invert_yaxis()
    axes.set_xlabel("additional operations per element")


def numbers(evidence: Evidence) -> dict:
    found = {"more": {}, "ratios": {}, "us": {}}
    for scan, change in PAIRS:
        pairs = {
            each: [count(evidence.counted, each, scan, how) for how in (change, "none")] for each in COUNTED
        }
        if not any(None in pair for pair in pairs.values()):
            found["more"][f"{scan} {change}"] = {each: a - b for each, (a, b) in pairs.items()}
    found["ratios"] = {f"{a} {b}": ratio for (a, b), ratio in ratios(evidence.timed).items() if ratio}
    for form in BUILT_IN:
        times = {
            named((scan, change)) if change != "none" else f"{SCANS[scan]} alone": time.value
            for scan in OWN_FORM
            for change in CHANGES
            if form_of(scan, change) == form and (time := time_of(evidence.timed, scan, change))
        }
        times |= {
            f"{SCANS[scan]}, built in": time.value
            for scan in SCANS
            if scan not in OWN_FORM and (time := time_of(evidence.timed, scan, "built_in", form=form))
        }
        if times:
            found["us"][form] = times
    return found


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if more := numbers["more"]:
        paragraphs.append(f"Counted per element, a change of form adds at most {most_added(more)}.")
    if found := numbers["ratios"]:
        by_name = {named(tuple(key.split())): ratio for key, ratio in found.items()}
        said = words.extremes(by_name, words.more_time)
        paragraphs.append(f"Compared with the scan alone, a change takes {said}.")
    if us := numbers["us"]:
        best = [
            f"{form} {min(times, key=times.get)} ({words.significant(min(times.values()))} µs)"
            for form, times in us.items()
        ]
        paragraphs.append(f"The fastest way to each form: {'; '.join(best)}.")
    return paragraphs


def most_added(more: dict[str, dict[str, float]]) -> str:
    """The most that any change adds, by quantity."""
    names = {"ops": "operations", "bank_conflicts": "bank conflicts", "global_load_sectors": "sectors read"}
    most = {each: max(of[each] for of in more.values()) for each in names}
    return words.listing([f"{words.rounded(most[each], 2)} {name}" for each, name in names.items()])


def tables(evidence: Evidence) -> list[Table]:
    columns = ["scan", "change", "form", "operations", "bank conflicts", "sectors read"]
    columns += ["cold,\nµs [95% CI]", "warm,\nµs", "of the time\nof the scan alone"]
    found, rows = ratios(evidence.timed), []
    for scan in OWN_FORM:
        for change, look in CHANGES.items():
            if change != "none" and (scan, change) not in found:
                continue
            ratio = 1.0 if change == "none" else found[scan, change]
            cold, warm = (time_of(evidence.timed, scan, change, cache) for cache in ("cold", "warm"))
            rows.append(
                [
                    SCANS[scan],
                    look.label,
                    form_of(scan, change),
                    *counted_cells(evidence.counted, scan, change),
                ]
                + [words.interval(cold), words.microseconds(warm)]
                + [f"{ratio:.0%}" if cold and ratio else words.NOTHING]
            )
    for scan in (each for each in SCANS if each not in OWN_FORM):
        for form in BUILT_IN:
            cold, warm = (
                time_of(evidence.timed, scan, "built_in", each, form=form) for each in ("cold", "warm")
            )
            if cold:
                row = [SCANS[scan], "built in", form, *[words.NOTHING] * 3]
                rows.append([*row, words.interval(cold), words.microseconds(warm), words.NOTHING])
    caption = "Counts per element, predicted | counted, and the time of the long vector."
    return [Table(caption, columns, rows, wide=True, text_columns=3)]


def counted_cells(counted: Results | None, scan: str, change: str) -> list[str]:
    pairs = [[count(counted, p + each, scan, change) for p in ("predicted_", "")] for each in COUNTED]
    return [" | ".join(words.decimal(value, 3) for value in pair) for pair in pairs]
