"""inclusive_exclusive: each form of a scan follows from the other."""

from analysis.common import charts, plotting, sweep, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.prose import told
from analysis.common.statistics import Median
from analysis.common.tables import Table
from analysis.common.verdict import Verdict, judge

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


def form_of(scan: str, change: str) -> str:
    own = OWN_FORM[scan]
    return own if change == "none" else "exclusive" if own == "inclusive" else "inclusive"


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
    added = [
        [count(evidence.counted, "ops", scan, each) for each in (change, "none")] for scan, change in PAIRS
    ]
    known = all(None not in pair for pair in added)
    more = [with_it - without for with_it, without in added] if known else []
    ratios, cheap = {}, {}
    for scan, change in PAIRS:
        with_it, without = (time_of(evidence.timed, scan, each) for each in (change, "none"))
        name = f"{SCANS[scan]} with the {CHANGES[change].label}"
        ratios[name] = with_it.value / without.value if with_it and without else None
        n = largest(evidence.timed)
        cheap[name] = None if ratios[name] is None else evidence.floor.as_fast(ratios[name], n, SLACK)
    timed = {name: ratio for name, ratio in ratios.items() if ratio}
    finding = told("inclusive_exclusive", more=max(more, default=None), ratios=timed)
    return judge(max(more) <= 1 if known else None, cheap, finding)


@plotting.of_times
def figure(evidence: Evidence):
    timed = evidence.timed
    figure, (axes,) = plotting.new_figure(plotting.WIDE, 2.9)
    copy = timed.time(algorithm="device_to_device", cache="cold", n=largest(timed))
    series = [
        (look, [time_of(timed, scan, change) if scan in OWN_FORM else None for scan in SCANS])
        for change, look in CHANGES.items()
    ]
    series += [
        (look, [None if scan in OWN_FORM else time_of(timed, scan, "built_in", form=form) for scan in SCANS])
        for form, look in BUILT_IN.items()
    ]
    charts.time_chart(axes, {"device_to_device": copy} if copy else {}, list(SCANS.values()), series)
    axes.set_xlabel(f"{words.power(largest(timed))} floats, µs (cold)")
    plotting.legend_on_top(figure, [*CHANGES.values(), *BUILT_IN.values()])
    return figure


def tables(evidence: Evidence) -> list[Table]:
    def form(way: tuple[str, str]) -> dict:
        return {"form": way[1]} if way[1] in BUILT_IN else {}

    def counted(way: tuple[str, str], quantity: str) -> str:
        return words.decimal(count(evidence.counted, quantity, *way), 3)

    def timed(way: tuple[str, str], cache: str) -> Median | None:
        change = "built_in" if form(way) else way[1]
        return time_of(evidence.timed, way[0], change, cache, **form(way))

    quantities = {
        "ops": "operations",
        "bank_conflicts": "bank conflicts",
        "global_load_sectors": "sectors read",
    }
    cells = {name: lambda *way, of=of: counted(way, of) for of, name in quantities.items()}
    cells["cold,\nµs [95% CI]"] = lambda *way: words.interval(timed(way, "cold"))
    cells["warm,\nµs"] = lambda *way: words.microseconds(timed(way, "warm"))
    keys = [(scan, change) for scan in OWN_FORM for change in ("none", *(b for a, b in PAIRS if a == scan))]
    keys += [(scan, form) for scan in SCANS if scan not in OWN_FORM for form in BUILT_IN]
    looks = {scan: Look(name, plotting.BLACK) for scan, name in SCANS.items()} | CHANGES | BUILT_IN
    caption = told("inclusive_exclusive: table")
    return [sweep.table(caption, ["scan", "change"], keys, cells, looks, text_columns=2)]
