"""two_dimensional: a scan along the other axis is as fast."""

from itertools import product

from analysis.core import charts, looks, plotting, sweep, words
from analysis.core.claim import Evidence, Look, Median, Results, Table, Verdict, closed_forms, judge, told

SLACK = 0.10

LOOK_BACK = looks.SCANS["look_back"]
FORMS = {
    "rows": {
        "warps": Look("a warp a row", plotting.BLUE, "o"),
        "blocks": Look("a block a line", plotting.ORANGE, "s"),
        "look_back": LOOK_BACK,
    },
    "columns": {
        "threads": Look("a thread a column", plotting.RED, "v"),
        "blocks": Look("a block a line", plotting.ORANGE, "s"),
        "chunks": Look("chunks of rows", looks.OLIVE, "^"),
        "look_back": LOOK_BACK,
        "transposed": Look("between transposes", plotting.GREEN, "D", filled=False),
    },
}
FASTEST = Look("fastest along columns", plotting.BLACK, "o", "--", filled=False, size=7)
RELATIVE = ("chunks", "look_back", "transposed")  # beside the fastest
COPY = "device_to_device"
TRAFFIC = ("global_bytes_read", "global_bytes_written")
REPORTED = {"rows": 1 << 20, "columns": 2}  # the source's shape


def times(timed: Results | None, along: str, algorithm: str) -> sweep.Curve:
    """By columns of the matrix, whose elements are as many in every shape."""
    n = sweep.longest(timed, operation="scan", along=along)
    return sweep.times(timed, "columns", along=along, algorithm=algorithm, n=n)


def fastest(timed: Results | None, along: str) -> dict[int, tuple[Median, str]]:
    """The least time along an axis and its algorithm, by columns."""
    found = {}
    for algorithm in FORMS[along]:
        for columns, time in times(timed, along, algorithm).items():
            if columns not in found or time.value < found[columns][0].value:
                found[columns] = time, algorithm
    return dict(sorted(found.items()))


def over_rows(timed: Results | None, curve: sweep.Curve) -> sweep.Numbers:
    """Relative to the fastest scan along the rows, by columns."""
    rows = fastest(timed, "rows")
    return {c: time.value / rows[c][0].value for c, time in curve.items() if c in rows}


def ratios(timed: Results | None) -> sweep.Numbers:
    return over_rows(timed, {c: time for c, (time, _) in fastest(timed, "columns").items()})


def walked(timed: Results | None) -> sweep.Numbers:
    return over_rows(timed, times(timed, "columns", "threads"))


def shape(n: int, columns: int) -> str:
    return f"{words.power(n // columns)} × {words.power(columns)}"


def same_sectors(counted: Results | None) -> bool:
    """Whether a thread a column moves as many bytes as a warp a row, at every shape of both."""
    for columns, each in product(counted.levels("columns", algorithm="warps") if counted else [], TRAFFIC):
        cases = [{"along": "rows", "algorithm": "warps"}, {"along": "columns", "algorithm": "threads"}]
        if len({counted.count(each, **case, columns=columns) for case in cases}) > 1:
            return False
    return True


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted, "launches", "ops", *TRAFFIC)
    if right and not same_sectors(evidence.counted):
        right, wrong = False, told("two_dimensional: other sectors")
    n = sweep.longest(evidence.timed, operation="scan", along="columns")
    found, walk = (
        {shape(n, columns): ratio for columns, ratio in each.items()}
        for each in (ratios(evidence.timed), walked(evidence.timed))
    )
    follows = {each: evidence.floor.as_fast(ratio, n, SLACK) for each, ratio in found.items()}
    return judge(right, follows, wrong or told("two_dimensional", ratios=found, walk=walk))


@plotting.of_times
def figure(evidence: Evidence):
    figure, axes = plotting.new_figure(plotting.WIDE, 2.9, ncols=3)
    timed = evidence.timed
    every = list(fastest(timed, "columns"))
    copy = timed.time(algorithm=COPY, cache="cold")
    for panel, (along, forms) in zip(axes, FORMS.items(), strict=False):
        charts.reference_curves(panel, {COPY: dict.fromkeys(every, copy)} if copy else {})
        sweep.lines(panel, {look: times(timed, along, algorithm) for algorithm, look in forms.items()})
        finish(panel, every, "time, µs (cold)", f"Along the {along}")
        panel.set_yscale("log")
    lows, highs = zip(*(panel.get_ylim() for panel in axes[:2]), strict=True)
    for panel in axes[:2]:
        panel.set_ylim(min(lows), max(highs))
    sweep.band(axes[2], SLACK)
    for algorithm in RELATIVE:
        curve = over_rows(timed, times(timed, "columns", algorithm))
        sweep.lines(axes[2], {FORMS["columns"][algorithm]: curve})
    sweep.lines(axes[2], {FASTEST: ratios(timed)})
    finish(axes[2], every, "time / fastest along the rows", "Columns relative to rows")
    axes[2].set_ylim(bottom=0)
    shown = {look.label: look for forms in FORMS.values() for look in forms.values()}
    shown = [*shown.values(), FASTEST, plotting.line_of(COPY)]
    plotting.legend_on_top(figure, shown, columns=len(shown) // 2)
    return figure


def finish(axes, every: list[int], label: str, title: str) -> None:
    sweep.finish(axes, label, title, "columns of the matrix", every)
    axes.set_xticks(every, [words.power(columns) for columns in every])


def text(evidence: Evidence) -> str:
    """What wins, what the layout alone costs, and the source's shape."""
    timed, down = evidence.timed, fastest(evidence.timed, "columns")
    n = sweep.longest(timed, operation="scan", along="columns")
    across = fastest(timed, "rows")
    layout = [time.value / across[n // c][0].value for c, (time, _) in down.items() if n // c in across]
    winners = {FORMS["columns"][name].label: None for _, name in down.values()}
    size = {"columns": REPORTED["columns"], "n": REPORTED["rows"] * REPORTED["columns"]}
    reported = {each: time_of(timed, algorithm=each, **size) for each in ("threads", "chunks", "look_back")}
    vector = time_of(timed, algorithm="look_back", columns=REPORTED["rows"], n=REPORTED["rows"])
    said = [
        told("two_dimensional: shapes", layout=layout, winners=list(winners)),
        told("two_dimensional: reported", vector=vector, **reported),
    ]
    return " ".join(filter(None, said))


def time_of(timed: Results | None, **factors) -> float | None:
    time = timed.time(**factors, cache="cold") if timed else None
    return time.value if time else None


def tables(evidence: Evidence) -> list[Table]:
    counted, timed = evidence.counted, evidence.timed

    def moved(along: str, algorithm: str) -> str:
        rows = counted.where(along=along, algorithm=algorithm).to_dict("records") if counted else []
        each = [sum(row[name] for name in TRAFFIC) / row["n"] for row in rows]
        return words.span(each, lambda value: words.decimal(value, 1)) if each else words.NOTHING

    def cell(columns: int):
        return lambda along, algorithm: words.microseconds(times(timed, along, algorithm).get(columns))

    cells = {"bytes an\nelement": moved}
    n = sweep.longest(timed, operation="scan", along="columns")
    cells |= {shape(n, c).replace(" × ", " ×\n"): cell(c) for c in fastest(timed, "columns")}
    keys = [(along, algorithm) for along, forms in FORMS.items() for algorithm in forms]
    labels = {name: look for forms in FORMS.values() for name, look in forms.items()}
    return [sweep.table(told("two_dimensional: table"), ["along", "algorithm"], keys, cells, labels)]
