"""allocation: a scan gives every thread its place in an output of variable length."""

from analysis.core import charts, plotting, sweep
from analysis.core.claim import NO_CLAIM, Evidence, Look, Results, Table, Verdict, judge, told

WAYS = {
    "scan": Look("scan of the lengths", plotting.BLUE, "o"),
    "cursor": Look("atomic cursor", plotting.GREEN, "D", "--"),
}
LENGTHS = {"even": "Runs of similar length", "one_long": "One long run"}
CUB, COPY = "cub_device", "device_to_device"


def case(way: str, lengths: str) -> dict:
    return {"operation": "decode", "algorithm": way, "lengths": lengths}


def means(results: Results) -> list[int]:
    return sorted(results.levels("mean", operation="decode"))


def times(timed: Results | None, way: str, lengths: str) -> sweep.Curve:
    """By mean length of a run."""
    return sweep.times(timed, "mean", **case(way, lengths))


def over_cursor(timed: Results | None) -> dict[str, float]:
    """Time relative to the cursor, by kind of lengths and mean."""
    found = {}
    for lengths, name in LENGTHS.items():
        ratios = sweep.ratios(times(timed, "scan", lengths), times(timed, "cursor", lengths))
        found |= {f"{name.lower()}, mean {mean:,}": ratio for mean, ratio in ratios.items()}
    return found


def out_of_order(results: Results | None, way: str) -> int | None:
    """The most runs out of order after one run of the kernels, of any case; None if not looked at."""
    return sweep.most(results, "out_of_order", operation="decode", algorithm=way)


def verdict(evidence: Evidence) -> Verdict:
    lost = [out_of_order(each, "scan") for each in (evidence.counted, evidence.timed)]
    known = [each for each in lost if each is not None]
    unordered = out_of_order(evidence.timed, "cursor") or None
    finding = told("allocation", ratios=over_cursor(evidence.timed), unordered=unordered)
    if not known:
        finding = told("allocation: not counted")
    elif any(known):
        finding = told("allocation: lost", lost=max(known))
    return judge(not any(known) if known else None, NO_CLAIM, finding)


@plotting.of_times
def figure(evidence: Evidence):
    figure, axes = plotting.new_figure(plotting.WIDE, 2.7, ncols=2, sharey=True)
    for panel, lengths in zip(axes, LENGTHS, strict=True):
        draw_times(panel, evidence.timed, lengths)
    axes[0].set_ylabel("time, µs (cold)")
    drawn = [value for panel in axes for line in panel.lines for value in line.get_ydata()]
    axes[0].set_ylim(0.6 * min(drawn), 1.6 * max(drawn))
    plotting.legend_on_top(figure, [*WAYS.values(), *(plotting.line_of(each) for each in (CUB, COPY))])
    return figure


def draw_times(axes, timed: Results, lengths: str) -> None:
    axes.set_yscale("log")
    curves = {CUB: times(timed, CUB, lengths)}
    if copy := timed.time(algorithm=COPY, cache="cold"):
        curves[COPY] = dict.fromkeys(means(timed), copy)
    charts.reference_curves(axes, curves)
    sweep.lines(axes, {look: times(timed, way, lengths) for way, look in WAYS.items()})
    sweep.finish(axes, "", LENGTHS[lengths], "mean elements per run", means(timed))
    axes.grid()


def tables(evidence: Evidence) -> list[Table]:
    counted, timed = evidence.counted, evidence.timed
    keys = [(lengths, mean) for lengths in LENGTHS for mean in means(counted or timed)]
    looks = {lengths: Look(name, plotting.BLACK) for lengths, name in LENGTHS.items()}

    def count(quantity: str, way: str):
        return lambda of, mean: sweep.count_cell(counted, quantity, **case(way, of), mean=mean)

    def time(way: str):
        return lambda of, mean: sweep.time_cell(timed, **case(way, of), mean=mean)

    cells, names = {}, {way: look.label for way, look in WAYS.items()}
    for way, name in names.items():
        cells[f"{name},\nlaunches"] = count("launches", way)
        cells[f"{name},\natomics"] = count("atomic_requests", way)
    cells |= {f"{name},\nµs [95% CI]": time(way) for way, name in (names | {CUB: "CUB"}).items()}
    copy = sweep.time_cell(timed, algorithm=COPY) if timed else None
    return [sweep.table(told("allocation: table", copy=copy), ["lengths", "mean"], keys, cells, looks)]
