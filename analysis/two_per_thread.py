"""two_per_thread: a block of B threads should process 2 B elements."""

from analysis.common import plotting, predicted, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import Median
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

QUESTION = (
    "With any mapping half of the threads have nothing to add in the first step. Should a thread process "
    "more elements?"
)
RULE = (
    "Holds if at the longest vector, in blocks of every size tried, the reduction is faster with two "
    "elements per thread than with one, and no other number, loaded 4 or 16 bytes at a time, is faster than "
    "two. Fails if two are faster than one in blocks of no size. Otherwise it holds within limits. "
    "Times are cold. Faster: a lower median, and 95% confidence intervals that do not overlap."
)
CAPTION = (
    "Left: time of the whole reduction by elements per thread, at the longest vector; medians and 95% "
    "confidence intervals, cold. Right: time relative to one element per thread, blocks of 256 threads, "
    "4-byte loads, by length."
)
CAPTION_WITHOUT_TIMES = "Additions by warp and barriers of all blocks, per element, counted."

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
RESIDENT = 2048  # threads that a multiprocessor holds


def case(threads: int, load: int, items: int) -> dict:
    return {"algorithm": "items", "threads": threads, "load": load, "items": items}


def lengths(results: Results | None) -> list[int]:
    return sorted(results.levels("n", algorithm="items")) if results else []


def times_of(timed: Results, way: tuple[int, int], n: int, cache: str = "cold") -> dict[int, Median]:
    """Times by elements per thread."""
    threads, load = way
    every = sorted(timed.levels("items", algorithm="items", threads=threads, load=load, n=n))
    found = {items: timed.time(**case(threads, load, items), n=n, cache=cache) for items in every}
    return {items: time for items, time in found.items() if time}


def at_longest(timed: Results | None) -> dict[tuple[int, int], dict[int, Median]]:
    n = max(lengths(timed), default=None)
    found = {way: times_of(timed, way, n) for way in WAYS} if n else {}
    return {way: times for way, times in found.items() if times}


def verdict(evidence: Evidence) -> Verdict:
    found = at_longest(evidence.timed)
    sizes = [threads for threads, load in found if load == 4 and {1, 2} <= set(found[threads, 4])]
    if not sizes:
        return Verdict(NOT_MEASURED, "One and two elements per thread were not timed.")
    pairs = {threads: (found[threads, 4][1], found[threads, 4][2]) for threads in sizes}
    faster = [threads for threads, (one, two) in pairs.items() if two.below(one)]
    ratios = [two.value / one.value for one, two in pairs.values()]
    said = f"Two elements per thread are {words.pace(ratios, 'one')}"
    if not faster:
        return Verdict(FAILS, f"{said}: they are faster in blocks of no size.")
    best = {threads: best_of(found, threads) for threads in sizes}
    beaten = {threads: each for threads, each in best.items() if each[2].below(pairs[threads][1])}
    if len(faster) < len(sizes):
        where = words.listing([f"{threads:,}" for threads in faster])
        return Verdict(LIMITS, f"{said}; they are faster in blocks of {where} threads only.")
    if beaten:
        more = words.listing(
            [
                f"{items} are {words.pace(time.value / pairs[threads][1].value, 'two')} in blocks of "
                f"{threads:,}"
                for threads, (items, _, time) in beaten.items()
            ]
        )
        return Verdict(LIMITS, f"{said}, but two are not best: {more}.")
    return Verdict(HOLDS, f"{said}; no other number is faster.")


def best_of(found: dict, threads: int) -> tuple[int, int, Median]:
    """Elements per thread and bytes per load of the fastest with blocks of that size, and its time."""
    every = [
        (items, load, time)
        for (size, load), times in found.items()
        if size == threads
        for items, time in times.items()
        if (items, load) != (2, 4)
    ]
    return min(every, key=lambda each: each[2].value)


def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.7, ncols=2)
    if at_longest(evidence.timed):
        draw_times(left, evidence.timed)
        draw_ratios(right, evidence.timed)
    elif evidence.counted:
        draw_counts(left, evidence.counted, "warp_ops", "Additions by warp")
        draw_counts(right, evidence.counted, "barriers", "Barriers")
        plotting.legend_on_top(figure, WAYS.values(), columns=2)
    plotting.sources(figure, evidence, counts=evidence.timed is None)
    return figure


def draw_times(axes, timed: Results) -> None:
    n = max(lengths(timed))
    for way, times in at_longest(timed).items():
        plotting.time_line(axes, WAYS[way], times)
    cub = timed.time(operation="reduce", algorithm="cub_device", cache="cold", n=n)
    if cub:
        look = plotting.REFERENCES["cub_device"]
        axes.axhline(cub.value, color=look.color, linestyle=look.line, linewidth=1, zorder=1)
        axes.annotate(
            look.label,
            (0.01, cub.value),
            xycoords=("axes fraction", "data"),
            xytext=(0, -8),
            textcoords="offset points",
        )
    over_items(axes)
    axes.set_ylabel("time, µs (cold)")
    axes.set_title(f"{words.power(n)} floats")
    axes.legend(loc="upper right")


def draw_ratios(axes, timed: Results) -> None:
    for items, look in ITEMS.items():
        found = {}
        for n in lengths(timed):
            times = times_of(timed, (256, 4), n)
            if {1, items} <= set(times):
                found[n] = times[items].value / times[1].value
        axes.plot(list(found), list(found.values()), label=look.label, **look.style())
    axes.axhline(1, color=plotting.BLACK, linewidth=0.6)
    axes.set_xscale("log", base=2)
    axes.set_xticks(lengths(timed))
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("floats, n")
    axes.set_ylabel("time / time with one per thread")
    axes.set_title("By length")
    axes.grid()
    axes.legend(loc="lower left", ncols=4, columnspacing=1)


def draw_counts(axes, counted: Results, quantity: str, title: str) -> None:
    n = min(lengths(counted))
    for (threads, load), look in WAYS.items():
        every = sorted(counted.levels("items", algorithm="items", threads=threads, load=load, n=n))
        counts = [counted.count(quantity, **case(threads, load, items), n=n) / n for items in every]
        axes.plot(every, counts, **look.style())
    over_items(axes)
    axes.set_ylabel("per element")
    axes.set_title(title)


def over_items(axes) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xticks([1, *ITEMS], [str(items) for items in (1, *ITEMS)])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("elements per thread")
    axes.grid()


def numbers(evidence: Evidence) -> dict:
    found = {}
    if evidence.counted:
        n = min(lengths(evidence.counted))
        of_block = {
            items: [
                evidence.counted.count(each, **case(256, 4, items), n=n) / n
                for each in ("warp_ops", "barriers")
            ]
            for items in (1, 2, 16)
        }
        found["for_each_element"] = {str(items): each for items, each in of_block.items()}
        found["operations_alike"] = all(
            row["ops"] == row["n"] - 1 for row in evidence.counted.where(algorithm="items").to_dict("records")
        )
    if times := at_longest(evidence.timed):
        found["n"] = max(lengths(evidence.timed))
        sizes = sorted({threads for threads, _ in times})
        found["best"] = {
            str(threads): [*best_of(times, threads)[:2], best_of(times, threads)[2].value]
            for threads in sizes
        }
        wide = {
            f"{threads} {items}": times[threads, 16][items].value / times[threads, 4][items].value
            for threads in sizes
            if (threads, 16) in times
            for items in times[threads, 16]
            if items in times[threads, 4]
        }
        found["wide_over_narrow"] = wide
    return found


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if each := numbers.get("for_each_element"):
        few, many = min(each, key=int), max(each, key=int)
        fewer = [each[few][part] / each[many][part] for part in (0, 1)]
        alike = "Every case takes n − 1 operations. " if numbers["operations_alike"] else ""
        paragraphs.append(
            f"{alike}In blocks of 256 threads, {many} elements per thread take {words.rounded(fewer[0], 2)} "
            f"times fewer additions by warp and {words.rounded(fewer[1], 2)} times fewer barriers per "
            f"element than {few}."
        )
    if best := numbers.get("best"):
        said = [
            f"in blocks of {int(threads):,} threads {items} elements per thread with {load}-byte loads "
            f"({words.significant(us)} µs)"
            for threads, (items, load, us) in best.items()
        ]
        paragraphs.append(
            f"Fastest, apart from two per thread, at n = {words.power(numbers['n'])}: {words.listing(said)}."
        )
    if wide := numbers.get("wide_over_narrow"):
        said = words.span(wide.values(), words.share)
        paragraphs.append(f"16-byte loads take {said} of the time of 4-byte loads.")
    return paragraphs


def tables(evidence: Evidence) -> list[Table]:
    found = [counts_table(evidence.counted)] if evidence.counted else []
    return found + ([times_table(evidence.timed)] if at_longest(evidence.timed) else [])


COUNTED = {
    "launches": "launches",
    "barriers": "barriers",
    "warp_ops": "additions\nby warp",
    "global_load_requests": "load\nrequests",
    "global_load_sectors": "sectors\nloaded",
    "shared_load_requests": "shared load\nrequests",
}


def counts_table(counted: Results) -> Table:
    n = min(lengths(counted))
    rows = []
    for threads, load in WAYS:
        for items in sorted(counted.levels("items", algorithm="items", threads=threads, load=load, n=n)):
            idle = f"{threads // 2}" if items == 1 else "0"
            cells = predicted.cells_of_case(counted, COUNTED, **case(threads, load, items), n=n)
            rows.append([f"{threads:,}", str(load), str(items), idle, *cells])
    columns = [
        "threads",
        "bytes\nper load",
        "elements\nper thread",
        "idle threads\nper block\n(predicted)",
        *COUNTED.values(),
    ]
    return Table(
        f"All levels of the reduction of {words.power(n)} floats: predicted | counted.",
        columns,
        rows,
        wide=True,
    )


def times_table(timed: Results) -> Table:
    n, multiprocessors = max(lengths(timed)), timed.machine.get("sm_count")
    rows = []
    for (threads, load), times in at_longest(timed).items():
        for items, time in times.items():
            blocks = n // (threads * items)
            rounds = blocks * threads / RESIDENT / multiprocessors if multiprocessors else None
            warm = timed.time(**case(threads, load, items), n=n, cache="warm")
            row = [f"{threads:,}", str(load), str(items), words.integer(blocks), words.decimal(rounds, 1)]
            rows.append([*row, words.interval(time), words.microseconds(warm)])
    columns = [
        "threads",
        "bytes\nper load",
        "elements\nper thread",
        "blocks of the\nfirst level",
        "waves\nof blocks",
        "cold,\nµs [95% CI]",
        "warm,\nµs",
    ]
    caption = (
        f"Times at n = {words.power(n)}, and the waves of the first level's blocks if every multiprocessor "
        f"holds {words.integer(RESIDENT)} threads."
    )
    return Table(caption, columns, rows, wide=True)
