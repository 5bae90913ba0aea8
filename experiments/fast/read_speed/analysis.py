"""read_speed: a reduction can run at read speed, a compaction at the speed of copying as many bytes."""

from analysis.core import charts, plotting, sweep, words
from analysis.core.claim import (
    Evidence,
    Look,
    Median,
    Results,
    Table,
    Verdict,
    closed_forms,
    judge,
    told,
)
from experiments.fast import beside_cub, by_targets

CLAIM, LIMIT = "read_speed", "device_to_device"
SHARE = 0.97

REDUCTIONS = {
    "ours": by_targets.OURS,
    **beside_cub.CUBS,
    "ceiling": Look("read limit", plotting.GREY, "", ":"),
}
COMPACTIONS = {
    LIMIT: Look("copy of as many bytes", plotting.GREY, "D", ":", size=3),
    "ours": by_targets.OURS,
    **beside_cub.CUBS,
}


def curve(timed: Results | None, algorithm: str) -> sweep.Curve:
    """Times of one reduction, or of the read, by length."""
    if algorithm == "ceiling":
        return sweep.times(timed, "n", operation="read", algorithm=algorithm)
    return sweep.times(timed, "n", operation="reduce", algorithm=algorithm, submit="stream")


def compactions(timed: Results | None) -> dict[str, Median]:
    """Times of the compactions and of a copy, by algorithm."""
    of = dict.fromkeys(COMPACTIONS, "compact") | {LIMIT: "copy"} if timed else {}
    found = {each: timed.time(operation=of[each], algorithm=each, cache="cold") for each in of}
    return {algorithm: time for algorithm, time in found.items() if time}


def shares(timed: Results | None) -> tuple[sweep.Numbers, sweep.Numbers]:
    """The reduction's share of the read's throughput, by n, and the compaction's of the copy's."""
    reading = sweep.ratios(curve(timed, "ceiling"), curve(timed, "ours"))
    found = compactions(timed)
    n = sweep.longest(timed, operation="compact")
    copying = {n: found[LIMIT].value / found["ours"].value} if {LIMIT, "ours"} <= set(found) else {}
    return reading, copying


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted)
    reading, copying = shares(evidence.timed)
    at_speed = {}
    for name, found in (("the reduction", reading), ("the compaction", copying)):
        for n, share in list(found.items())[-1:]:
            at_speed[f"{name} of {words.power(n)} ints"] = evidence.floor.reaches(share, SHARE, n)
    n = max(reading, default=None)
    finding = told("read_speed", n=n, reading=reading.get(n), copying=copying.get(max(copying, default=None)))
    return judge(right, at_speed if reading and copying else {}, wrong or finding)


def numbers(evidence: Evidence) -> dict:
    return {"cub": beside_cub.wins_and_losses(evidence, "reduce")}


@plotting.of_times
def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.4, ncols=2, width_ratios=[1.2, 1])
    curves = {look: curve(evidence.timed, each) for each, look in REDUCTIONS.items()}
    rates = {look: {n: 4 * n / time.value / 1e6 for n, time in of.items()} for look, of in curves.items()}
    sweep.lines(left, rates)  # bytes a µs: 1e-6 TB/s
    sweep.finish(left, "TB/s (cold)", "Reduction", "ints, n")
    left.set_ylim(bottom=0)
    left.legend(loc="upper left")
    draw_compactions(right, compactions(evidence.timed))
    return figure


def draw_compactions(axes, times: dict[str, Median]) -> None:
    for row, (algorithm, time) in enumerate(times.items()):
        charts.dots(axes, COMPACTIONS[algorithm], [time], [row], label=None)
        axes.text(time.value, row - 0.15, words.significant(time.value), ha="center", va="bottom")
    if limit := times.get(LIMIT):
        axes.axvline(limit.value, color=plotting.GREY, linestyle=":", linewidth=0.9, zorder=1)
    charts.name_rows(axes, [COMPACTIONS[algorithm].label for algorithm in times])
    axes.set_ylim(top=-0.7)
    axes.set_xlim(0, 1.15 * max((time.value for time in times.values()), default=1))
    axes.set(xlabel="time, µs (cold)", title="Compaction, half selected")
    axes.grid(axis="x")


def text(evidence: Evidence) -> list[str]:
    """Wins and losses, over all cases."""
    of_compaction = beside_cub.in_words(evidence, "compact", "compaction")
    return beside_cub.in_words(evidence, "reduce", "reduction") + of_compaction


def tables(evidence: Evidence) -> list[Table]:
    quantities = {"launches": "launches", "global_bytes_read": "bytes read"}
    quantities |= {"global_bytes_written": "bytes written", "barriers": "barriers"}
    cells = sweep.cells_of_counts(evidence.counted, quantities, lambda name: {"name": name})
    keys = [(name,) for name in evidence.counted.rows["name"].unique()]
    counts = sweep.table(told("read_speed: table"), ["case"], keys, cells)
    return [by_targets.table(by_targets.outcomes(CLAIM, evidence)), counts]
