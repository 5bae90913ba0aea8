"""inclusive_exclusive: each form of a scan follows from the other."""

from analysis.core import charts, plotting, sweep, words
from analysis.core.claim import Evidence, Look, Median, Results, Table, Verdict, judge, told

SLACK = 0.05

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
PAIRS = [
    (scan, change)
    for scan, own in OWN_FORM.items()
    for change in ("shift_input" if own == "inclusive" else "add_input", "shift_output")
]


def largest(results: Results | None) -> int:
    return sweep.longest(results, operation="scan")


def count(counted: Results | None, quantity: str, scan: str, change: str) -> float | None:
    """A count per element."""
    n = largest(counted)
    total = counted and counted.count(quantity, algorithm=scan, change=change, n=n)
    return None if total is None else total / n


def time_of(timed: Results | None, scan: str, change: str, cache: str = "cold", **form) -> Median | None:
    factors = {"algorithm": scan, "change": change, "cache": cache}
    return timed.time(**factors, **form, n=largest(timed)) if timed else None


def verdict(evidence: Evidence) -> Verdict:
    more, ratios, cheap = [], {}, {}
    for scan, change in PAIRS:
        ops = [count(evidence.counted, "ops", scan, each) for each in (change, "none")]
        more.append(None if None in ops else ops[0] - ops[1])
        with_it, without = (time_of(evidence.timed, scan, each) for each in (change, "none"))
        name = f"{SCANS[scan]} with the {CHANGES[change].label}"
        cheap[name] = None
        if with_it and without:
            ratios[name] = with_it.value / without.value
            cheap[name] = evidence.floor.as_fast(ratios[name], largest(evidence.timed), SLACK)
    most = None if None in more else max(more)
    right = None if most is None else most <= 1
    return judge(right, cheap, told("inclusive_exclusive", more=most, ratios=ratios))


@plotting.of_times
def figure(evidence: Evidence):
    timed = evidence.timed
    figure, (axes,) = plotting.new_figure(plotting.WIDE, 2.9)
    copy = timed.time(algorithm="device_to_device", cache="cold", n=largest(timed))
    series = []
    for change, look in CHANGES.items():
        times = [time_of(timed, scan, change) if scan in OWN_FORM else None for scan in SCANS]
        series.append((look, times))
    for form, look in BUILT_IN.items():
        found = [time_of(timed, scan, "built_in", form=form) for scan in SCANS if scan not in OWN_FORM]
        series.append((look, [None] * len(OWN_FORM) + found))
    charts.time_chart(axes, {"device_to_device": copy} if copy else {}, list(SCANS.values()), series)
    axes.set_xlabel(f"{words.power(largest(timed))} floats, µs (cold)")
    plotting.legend_on_top(figure, [*CHANGES.values(), *BUILT_IN.values()])
    return figure


def tables(evidence: Evidence) -> list[Table]:
    def timed(scan: str, change: str, cache: str) -> Median | None:
        way = {"change": "built_in", "form": change} if change in BUILT_IN else {"change": change}
        return time_of(evidence.timed, scan, cache=cache, **way)

    def counted(quantity: str):
        return lambda *way: words.decimal(count(evidence.counted, quantity, *way), 3)

    cells = {"operations": counted("ops"), "bank conflicts": counted("bank_conflicts")}
    cells["sectors read"] = counted("global_load_sectors")
    cells["cold,\nµs [95% CI]"] = lambda *way: words.interval(timed(*way, "cold"))
    cells["warm,\nµs"] = lambda *way: words.microseconds(timed(*way, "warm"))
    keys = [(scan, change) for scan in OWN_FORM for change in ("none", *(b for a, b in PAIRS if a == scan))]
    keys += [(scan, form) for scan in SCANS if scan not in OWN_FORM for form in BUILT_IN]
    looks = {scan: Look(name, plotting.BLACK) for scan, name in SCANS.items()} | CHANGES | BUILT_IN
    caption = told("inclusive_exclusive: table")
    return [sweep.table(caption, ["scan", "change"], keys, cells, looks, text_columns=2)]
