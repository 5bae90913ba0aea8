"""vector_width: loads of 16 bytes per lane double the bandwidth of loads of 4."""

from dataclasses import replace
from itertools import product

from analysis.core import looks, plotting, sweep, words
from analysis.core.claim import Evidence, Look, Results, Table, Verdict, closed_forms, judge, told
from analysis.core.verdict import lengths_in_words

SLACK = 0.10

NARROW, WIDE = 4, 16  # bytes of a load
THREADS = 256  # of a block
WORKS = {"copy": Look("copy", looks.WINE, "s"), "reduce": Look("reduction", looks.INDIGO, "D")}
LIMITS = {"copy": "device_to_device", "reduce": "ceiling"}
WIDTHS = {  # wide ones drawn larger and behind, because equal bytes in flight may coincide
    16: Look("16 bytes per load", plotting.ORANGE, "D", size=8),
    8: Look("8", plotting.GREEN, "^", size=7.5),
    4: Look("4", plotting.BLUE, "o", size=5),
    2: Look("2", plotting.SKY, "s", size=3.5),
    1: Look("1", plotting.PURPLE, "v", size=3),
}
LOADS = (1, 2, 4, 8)
OCCUPANCIES = {1: "1/8", 2: "1/4", 4: "1/2", 8: "full"}  # by resident blocks
ONE, FULL = {"loads": 1}, {"resident": 8, "limit": "threads"}


def case(work: str, width: int, **factors) -> dict:
    return {"operation": work, "algorithm": "packs", "width": width} | factors


def longest(results: Results | None) -> int:
    return sweep.longest(results, algorithm="packs")


def by_loads(timed: Results | None, work: str, width: int) -> sweep.Curve:
    """Times at full occupancy, at the longest vector."""
    return sweep.times(timed, "loads", LOADS, n=longest(timed), **case(work, width, **FULL))


def by_occupancy(timed: Results | None, work: str, width: int) -> sweep.Curve:
    """Times by resident blocks, with one load in flight, at the longest vector."""
    limited = case(work, width, **ONE, limit="shared")
    return sweep.times(timed, "resident", OCCUPANCIES, n=longest(timed), **limited)


def gains_by_length(timed: Results | None, work: str) -> sweep.Numbers:
    """Time by wide loads relative to narrow ones, by n."""
    return sweep.over_n(timed, case(work, WIDE, **ONE, **FULL), case(work, NARROW, **ONE, **FULL))


def gains_by_occupancy(timed: Results | None, work: str) -> sweep.Numbers:
    """The same by resident blocks."""
    return sweep.ratios(*(by_occupancy(timed, work, width) for width in (WIDE, NARROW)))


def verdict(evidence: Evidence) -> Verdict:
    """Wide loads must take at most half of the time, and SLACK of that half."""
    right, wrong = closed_forms(evidence.counted)
    timed, as_fast, n = evidence.timed, evidence.floor.as_fast, longest(evidence.timed)
    every, where = {}, []
    for work in WORKS:
        lengths = {m: as_fast(2 * gain, m, SLACK) for m, gain in gains_by_length(timed, work).items()}
        blocks = {b: as_fast(2 * gain, n, SLACK) for b, gain in gains_by_occupancy(timed, work).items()}
        every |= {(work, "n", m): follows for m, follows in lengths.items()}
        every |= {(work, "blocks", b): follows for b, follows in blocks.items()}
        where += where_of(work, lengths, blocks)
    return judge(right, every, wrong or finding(timed), "; ".join(where))


def where_of(work: str, lengths: dict[int, bool], blocks: dict[int, bool]) -> list[str]:
    """reduction from n = 2²⁴ on, and at 1/2 and full occupancy; nothing if nowhere."""
    names = [name for each, name in OCCUPANCIES.items() if blocks.get(each)]
    parts = [lengths_in_words(lengths)] if any(lengths.values()) else []
    parts += [f"at {words.listing(names)} occupancy"] if names else []
    return [f"{WORKS[work].label} {', and '.join(parts)}"] if parts else []


def finding(timed: Results | None) -> str:
    """What wide loads gain at full occupancy, and at the least."""
    gains = [gains_by_occupancy(timed, work) for work in WORKS]
    full, least = ([of[blocks] for of in gains if blocks in of] for blocks in (8, 1))
    return told("vector_width", full=full, least=least)


def cause(evidence: Evidence) -> list[str]:
    """Equal bytes in flight by loads of every width, and four narrow loads beside a wide one."""
    spread, four = [], []
    for work in WORKS:
        curves = {width: by_loads(evidence.timed, work, width) for width in WIDTHS}
        times = {(width, each): time.value for width, of in curves.items() for each, time in of.items()}
        for size in sorted({width * each for width, each in times}):
            same = [time for (width, each), time in times.items() if width * each == size]
            spread += [max(same) / min(same)] if len(same) > 1 else []
        if {(NARROW, 4), (WIDE, 1)} <= set(times):
            four.append(times[NARROW, 4] / times[WIDE, 1])
    said = told("vector_width: cause", spread=spread, four=four)
    return [said] if said else []


@plotting.of_times
def figure(evidence: Evidence):
    figure, (copy, reduction, occupancy, length) = plotting.new_figure(plotting.WIDE, 4.5, nrows=2, ncols=2)
    draw_in_flight(copy, evidence.timed, "copy")
    draw_in_flight(reduction, evidence.timed, "reduce")
    draw_gains(occupancy, {look: gains_by_occupancy(evidence.timed, work) for work, look in WORKS.items()})
    sweep.finish(occupancy, "time / with 4 bytes", "16 bytes per load", "occupancy", list(OCCUPANCIES))
    occupancy.set_xticklabels(OCCUPANCIES.values())
    draw_gains(length, {look: gains_by_length(evidence.timed, work) for work, look in WORKS.items()})
    sweep.finish(length, "time / with 4 bytes", "16 bytes per load, full occupancy", "floats, n")
    plotting.legend_on_top(figure, [replace(look, line="none") for look in WIDTHS.values()])
    return figure


def draw_in_flight(axes, timed: Results, work: str) -> None:
    """Share of the limit's speed against bytes in flight on a multiprocessor; open: fewer blocks."""
    limit = timed.time(algorithm=LIMITS[work], n=longest(timed), cache="cold")
    for width, look in WIDTHS.items():
        loads, blocks = by_loads(timed, work, width), by_occupancy(timed, work, width)
        for curve, unit, face in ((loads, 8 * width, look.color), (blocks, width, "none")):
            style = look.style() | {"linestyle": "none", "markerfacecolor": face}
            sizes = [THREADS * unit * level for level in curve]
            axes.plot(sizes, [limit.value / time.value for time in curve.values()], **style)
    axes.axhline(1, color=plotting.GREY, linestyle=":", linewidth=0.9, zorder=1)
    of = "bytes in flight per multiprocessor"
    sweep.finish(axes, "share of the limit's speed", WORKS[work].label.capitalize(), of)
    axes.set_yscale("log", base=2)
    axes.set_yticks([1 / 2**k for k in range(6)], ["1", *(f"1/{2**k}" for k in range(1, 6))])


def draw_gains(axes, curves: dict[Look, sweep.Numbers]) -> None:
    axes.axhspan(0, (1 + SLACK) / 2, color=plotting.PALE, linewidth=0)
    place = {"transform": axes.get_yaxis_transform(), "va": "bottom", "ha": "right", "color": plotting.GREY}
    axes.text(0.99, 0.02, "half the time or less", **place)
    axes.axhline(1, color=plotting.BLACK, linewidth=0.6)
    sweep.lines(axes, curves)
    axes.set_ylim(0, 1.25)
    axes.legend(loc="upper left", ncols=2)


def tables(evidence: Evidence) -> list[Table]:
    counted, timed, few = evidence.counted, evidence.timed, longest(evidence.counted)
    counts = {"global_load_requests": "load\nrequests", "global_load_sectors": "sectors\nloaded"}
    cells = sweep.cells_of_counts(counted, counts, lambda work, *of: of_table(work, *of) | {"n": few})
    cells["cold,\nµs [95% CI]"] = lambda *key: sweep.time_cell(timed, **of_table(*key), n=longest(timed))
    caption = told("vector_width: table", counted=few or 1, timed=longest(timed) or 1)
    keys = product(WORKS, sorted(WIDTHS), LOADS)
    return [sweep.table(caption, ["work", "bytes\nper load", "loads\nin flight"], keys, cells, WORKS)]


def of_table(work: str, width: int, loads: int) -> dict:
    return case(work, width, loads=loads, **FULL)
