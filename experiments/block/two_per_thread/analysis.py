"""two_per_thread: a block of B threads should process 2 B elements."""

from analysis.core import plotting, sweep, words
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

WAYS = {  # threads per block, bytes per load
    (256, 4): Look("256 threads, 4-byte loads", plotting.BLUE, "o"),
    (256, 16): Look("256 threads, 16-byte loads", plotting.SKY, "s", "--"),
    (1024, 4): Look("1,024 threads, 4-byte loads", plotting.RED, "^"),
    (1024, 16): Look("1,024 threads, 16-byte loads", plotting.ORANGE, "D", "--"),
}
ITEMS = {
    2: Look("2 per thread", plotting.BLUE, "o"),
    4: Look("4", plotting.GREEN, "^"),
    8: Look("8", plotting.ORANGE, "D"),
    16: Look("16", plotting.RED, "s"),
}
COUNTED = {
    "launches": "launches",
    "barriers": "barriers",
    "warp_ops": "additions\nby warp",
    "global_load_requests": "load\nrequests",
}


def case(threads: int, load: int, items: int | None = None) -> dict:
    factors = {"algorithm": "items", "threads": threads, "load": load}
    return factors | ({"items": items} if items else {})


def times(timed: Results | None, way: tuple[int, int], n: int = 0) -> sweep.Curve:
    """Times by elements per thread; at the longest vector unless another is given."""
    return sweep.times(timed, "items", **case(*way), n=n or sweep.longest(timed, algorithm="items"))


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted)
    n = sweep.longest(evidence.timed, algorithm="items")
    curves = {threads: times(evidence.timed, (threads, load)) for threads, load in WAYS if load == 4}
    faster = {threads: evidence.floor.faster(of.get(2), of.get(1), n) for threads, of in curves.items() if of}
    named = {f"blocks of {threads:,} threads": follows for threads, follows in faster.items()}
    return judge(right, named, wrong or finding(evidence, curves))


def finding(evidence: Evidence, curves: dict[int, sweep.Curve]) -> str:
    ratios = [curve[2].value / curve[1].value for curve in curves.values() if {1, 2} <= set(curve)]
    if not ratios:
        return told("two_per_thread")
    best = {threads: best_of(evidence.timed, threads) for threads in curves}
    numbers = words.listing(sorted({str(items) for items, _ in best.values()}, key=int), "or")
    more = [time.value / curves[threads][2].value for threads, (_, time) in best.items()]
    return told("two_per_thread", ratios=ratios, best=numbers, more=more)


def best_of(timed: Results, threads: int) -> tuple[int, Median]:
    """Elements per thread of the fastest with blocks of that size, with loads of any width, and its time."""
    every = [(items, time) for way in WAYS if way[0] == threads for items, time in times(timed, way).items()]
    return min(every, key=lambda each: each[1].value)


@plotting.of_times
def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.7, ncols=2)
    draw_times(left, evidence.timed)
    draw_ratios(right, evidence.timed)
    return figure


def draw_times(axes, timed: Results) -> None:
    n = sweep.longest(timed, algorithm="items")
    sweep.lines(axes, {look: times(timed, way) for way, look in WAYS.items()})
    if cub := timed.time(operation="reduce", algorithm="cub_device", cache="cold", n=n):
        look = plotting.REFERENCES["cub_device"]
        axes.axhline(cub.value, color=look.color, linestyle=look.line, linewidth=1, zorder=1)
        place = {"xycoords": ("axes fraction", "data"), "xytext": (0, -8), "textcoords": "offset points"}
        axes.annotate(look.label, (0.1, cub.value), **place)
    sweep.finish(axes, "time, µs (cold)", f"{words.power(n)} floats", "elements per thread", [1, *ITEMS])
    axes.set_ylim(bottom=0)
    axes.grid()
    axes.legend(loc="upper right")


def draw_ratios(axes, timed: Results) -> None:
    lengths = sorted(timed.levels("n", algorithm="items"))
    one = sweep.times(timed, "n", lengths, **case(256, 4, 1))
    curves = {items: sweep.times(timed, "n", lengths, **case(256, 4, items)) for items in ITEMS}
    sweep.lines(axes, {look: sweep.ratios(curves[items], one) for items, look in ITEMS.items()})
    axes.axhline(1, color=plotting.BLACK, linewidth=0.6)
    sweep.finish(axes, "time / time with one per thread", "By length", "floats, n")
    axes.set(xticks=lengths, ylim=(0, None))
    axes.minorticks_off()
    axes.legend(loc="lower left", ncols=4, columnspacing=1)


def tables(evidence: Evidence) -> list[Table]:
    counted, timed = evidence.counted, evidence.timed
    shortest = min(counted.levels("n", algorithm="items")) if counted else 0
    longest = sweep.longest(timed, algorithm="items")
    cells = sweep.cells_of_counts(counted, COUNTED, lambda *key: case(*key) | {"n": shortest})
    cells["cold,\nµs [95% CI]"] = lambda *key: sweep.time_cell(timed, **case(*key), n=longest)
    keys = [(*way, items) for way in WAYS for items in (1, *ITEMS)]
    caption = told("two_per_thread: table", counted=shortest or 1, timed=longest or 1)
    return [sweep.table(caption, ["threads", "bytes\nper load", "elements\nper thread"], keys, cells)]
