"""read_speed: a reduction can run at read speed, a compaction at the speed of copying as many bytes."""

from analysis.common import by_length, by_targets, plotting, predicted, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import LEVEL, Median
from analysis.common.tables import Table
from analysis.common.verdict import Verdict

CLAIM = "read_speed"
QUESTION = (
    "A reduction needs one launch if the last block finishes it, and a compaction one scan. How close do "
    "they get to the speed of memory?"
)
RULE = (
    "The targets were set before anything was measured, as ratios of median times; the table lists them. "
    "Holds if every one is met. Fails if the reduction of 2²⁸ ints misses its share of the read. "
    "Otherwise it holds within limits."
)
CAPTION = (
    "Left: throughput of reductions of ints by length, 4n bytes divided by time; medians, cold. Right: time "
    f"of a compaction that selects half; medians and {LEVEL:.0%} confidence intervals, cold."
)
DECISIVE = ("reduce 2^28 int32: of the read ceiling",)

REDUCTIONS = {
    "ours": by_targets.OURS,
    **by_targets.CUBS,
    "ceiling": Look("read limit", plotting.GREY, "", ":"),
}
COMPACTIONS = {
    "device_to_device": Look("copy of as many bytes", plotting.GREY, "D", ":", size=3),
    "ours": by_targets.OURS,
    **by_targets.CUBS,
}


def verdict(evidence: Evidence) -> Verdict:
    found = by_targets.outcomes(CLAIM, evidence)
    return by_targets.verdict(found, DECISIVE, "Reduction and read were not timed.")


def curve(timed: Results, algorithm: str, cache: str = "cold") -> dict[int, Median]:
    """Median times of one reduction, or of the read, by length."""
    operation = "read" if algorithm == "ceiling" else "reduce"
    factors = {"operation": operation, "algorithm": algorithm, "cache": cache}
    if operation == "reduce":
        factors["submit"] = "stream"
    lengths = sorted(timed.levels("n", **factors))
    return {n: timed.time(**factors, n=n) for n in lengths}


def compactions(timed: Results, cache: str = "cold") -> dict[str, Median]:
    """Median times of the compactions and of a copy, by algorithm."""
    found = {}
    for algorithm in COMPACTIONS:
        operation = "copy" if algorithm == "device_to_device" else "compact"
        found[algorithm] = timed.time(operation=operation, algorithm=algorithm, cache=cache)
    return {algorithm: time for algorithm, time in found.items() if time}


def figure(evidence: Evidence):
    timed = evidence.timed
    if not timed:
        figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.0)
        plotting.empty(axes, "throughput: not measured")
    else:
        figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.4, ncols=2, width_ratios=[1.2, 1])
        draw_throughput(left, timed)
        draw_compactions(right, timed)
    plotting.sources(figure, evidence, counts=False)
    return figure


def draw_throughput(axes, timed: Results) -> None:
    for algorithm, look in REDUCTIONS.items():
        if times := curve(timed, algorithm):
            rates = [4 * n / time.value / 1e6 for n, time in times.items()]  # µs: 1e-6 TB/s
            axes.plot(list(times), rates, label=look.label, **look.style())
    by_length.finish(axes, "TB/s (cold)", "Reduction", of="ints")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left")


def draw_compactions(axes, timed: Results) -> None:
    times = compactions(timed)
    for row, (algorithm, time) in enumerate(times.items()):
        plotting.dots(axes, COMPACTIONS[algorithm], [time], [row], label=None)
        axes.text(time.value, row - 0.15, words.significant(time.value), ha="center", va="bottom")
    if limit := times.get("device_to_device"):
        axes.axvline(limit.value, color=plotting.GREY, linestyle=":", linewidth=0.9, zorder=1)
    axes.set_yticks(range(len(times)), [COMPACTIONS[algorithm].label for algorithm in times])
    axes.set_ylim(len(times) - 0.5, -0.7)
    axes.set_xlim(0, 1.15 * max((time.value for time in times.values()), default=1))
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("time, µs (cold)")
    axes.set_title("Compaction, half selected")


def numbers(evidence: Evidence) -> dict:
    """Shares of the read's and of the copy's throughput; targets by outcome."""
    made = {"targets": by_targets.in_numbers(by_targets.outcomes(CLAIM, evidence))}
    if timed := evidence.timed:
        ours, read = curve(timed, "ours"), curve(timed, "ceiling")
        made["of_read"] = {n: read[n].value / ours[n].value for n in ours if n in read}
        times = compactions(timed)
        if limit := times.pop("device_to_device", None):
            made["of_copy"] = {algorithm: limit.value / time.value for algorithm, time in times.items()}
    return made


def text(numbers: dict) -> list[str]:
    shares = numbers.get("of_read")
    if not shares:
        return ["No reduction was timed together with a read."]
    longest = max(shares, key=int)
    said = [
        f"The reduction reaches {words.share(shares[longest])} of the read's throughput at "
        f"n = {words.power(int(longest))}."
    ]
    if found := numbers.get("of_copy"):
        each = [f"{COMPACTIONS[algorithm].label} {words.share(share)}" for algorithm, share in found.items()]
        said.append(
            f"Of the throughput of a copy of as many bytes, compactions reach: {words.listing(each)}."
        )
    return [" ".join(said)]


def tables(evidence: Evidence) -> list[Table]:
    found = [by_targets.table(by_targets.outcomes(CLAIM, evidence))]
    return found + ([counts_table(evidence.counted)] if evidence.counted else [])


def counts_table(counted: Results) -> Table:
    quantities = ("launches", "global_bytes_read", "global_bytes_written", "atomic_requests", "barriers")
    rows = [
        [name, *predicted.cells_of_case(counted, quantities, name=name)]
        for name in counted.rows["name"].unique()
    ]
    columns = ["case", "launches", "bytes read", "bytes written", "atomics", "barriers"]
    return Table("Predicted | counted.", columns, rows, wide=True)
