"""recursion: reduce tiles, then their sums with the same kernel, until one is left."""

from analysis.core import charts, plotting, sweep, words
from analysis.core.claim import Evidence, Look, Results, Table, Verdict, judge, told
from analysis.core.verdict import lengths_in_words

SLACK = 0.10
CHUNK = 15 * 256  # a vector up to this length is one chunk

SOURCES_OWN = 1024
NAMED = ("launches", "ops", "n", "tile")
WAYS = {
    "recursive": Look("tiles, level by level", plotting.RED, "s", filled=False),
    "shares": Look("chunks, two launches", plotting.ORANGE, "^"),
    "last_block": Look("chunks, last block", plotting.BLUE, "o"),
    "atomic": Look("atomics", plotting.GREEN, "v", "--"),
}


def case(way: str, tile: int = SOURCES_OWN) -> dict:
    return {"algorithm": way} | ({"tile": tile} if way == "recursive" else {})


def levels(n: int, tile: int) -> int:
    """Launches until one is left."""
    found = 1
    while n > tile:
        n, found = -(-n // tile), found + 1
    return found


def over_last_block(timed: Results | None, way: str) -> sweep.Numbers:
    """Times relative to the last block, by n."""
    return sweep.over_n(timed, case(way), case("last_block"))


def wrong_counts(counted: Results | None) -> list[str] | None:
    """The recursions in tiles whose launches or operations differ from the prediction; None without any."""
    rows = counted.where(algorithm="recursive").to_dict("records") if counted else []
    if not rows:
        return None
    stated = [(levels(row["n"], row["tile"]), row["n"] - 1) for row in rows]
    wrong = [row for row, of in zip(rows, stated, strict=True) if (row["launches"], row["ops"]) != of]
    return [told("recursion: wrong", **{of: row[of] for of in NAMED}) for row in wrong]


def verdict(evidence: Evidence) -> Verdict:
    wrong = wrong_counts(evidence.counted)
    ratios = {n: ratio for n, ratio in over_last_block(evidence.timed, "shares").items() if n > CHUNK}
    free = sweep.within(ratios, evidence.floor, SLACK)
    finding = told("recursion", ratios={f"n = {words.power(n)}": ratio for n, ratio in ratios.items()})
    right = None if wrong is None else not wrong
    return judge(right, free, wrong[0] if wrong else finding, lengths_in_words(free))


@plotting.of_times
def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.6, ncols=2)
    draw_times(left, evidence.timed)
    draw_ratios(right, evidence.timed)
    references = [plotting.line_of(each) for each in reversed(sweep.REFERENCES)]
    plotting.legend_on_top(figure, [*WAYS.values(), *references])
    return figure


def draw_times(axes, timed: Results) -> None:
    references = {each: sweep.times(timed, "n", **case(each)) for each in sweep.REFERENCES}
    charts.reference_curves(axes, references)
    sweep.lines(axes, {look: sweep.times(timed, "n", **case(way)) for way, look in WAYS.items()})
    sweep.finish(axes, "time, µs (cold)", "Time", "floats, n")
    axes.set_yscale("log")


def draw_ratios(axes, timed: Results) -> None:
    sweep.band(axes, SLACK)
    others = {look: over_last_block(timed, way) for way, look in WAYS.items() if way != "last_block"}
    sweep.lines(axes, others)
    for n in over_last_block(timed, "recursive"):
        launches = {"s": levels(n, SOURCES_OWN), "color": WAYS["recursive"].color, "ha": "center"}
        axes.text(n, 0.02, **launches, transform=axes.get_xaxis_transform())
    title = "Relative to one launch with a last block"
    sweep.finish(axes, "time / time with the last block", title, "floats, n")
    axes.set_ylim(bottom=0)
    axes.margins(y=0.1)


def text(evidence: Evidence) -> str | list[str]:
    tiles, atomic = (over_last_block(evidence.timed, way) for way in ("recursive", "atomic"))
    n = max(tiles, default=None)
    found = {"n": n, "launches": n and levels(n, SOURCES_OWN), "recursive": tiles.get(n)}
    return told("recursion: text", tile=SOURCES_OWN, **found, atomic=list(atomic.values()))


def tables(evidence: Evidence) -> list[Table]:
    counted = evidence.counted
    n = sweep.longest(counted)
    quantities = {each: each.replace("_", " ") for each in ("launches", "ops", "barriers")}
    quantities |= {"atomic_requests": "atomics", "global_bytes_read": "bytes read"}
    names = [(name,) for name in counted.where(n=n)["name"]]
    cells = sweep.cells_of_counts(counted, quantities, lambda name: {"name": name})
    return [sweep.table(told("recursion: table"), ["case"], names, cells)]
