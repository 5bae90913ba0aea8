"""compaction: a mask, its scan and a scatter select elements and preserve their order."""

from analysis.common import plotting, predicted, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import LEVEL
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict
from analysis.common.writing import keyed

SLACK, MOST = 0.10, 2
QUESTION = "What is a scan good for: can it select elements of a vector and preserve their order?"
RULE = (
    "Preserving order is free at a share of selected elements if the faster compaction by scan takes at most "
    f"{SLACK:.0%} more time than the fastest one by an atomic cursor, cold, by medians. Holds if no "
    "compaction by scan leaves an element out of order, some cursor does, and order is free at every share. "
    "Fails if a compaction by scan leaves an element out of order, or no cursor does, or the faster scan "
    f"takes more than {MOST} times as long as the fastest cursor at every share. Otherwise it holds within "
    "limits."
)
CAPTION = (
    f"Left: time of the compaction by the share of selected elements, median and {LEVEL:.0%} confidence "
    "interval, cold. Right: bytes read and written per element of the vector, in whole sectors: counted "
    "(markers) and the least that a compaction must move (line)."
)
CAPTION_WITHOUT_TIMES = (
    "Bytes read and written per element of the vector, in whole sectors: counted (markers) and the least "
    "that a compaction must move (line), by the share of selected elements."
)

ORDERED = {
    "mask": Look("mask in memory", plotting.RED, "s", filled=False),
    "tiles": Look("scan in tiles", plotting.BLUE, "o"),
}
CURSORS = {
    "thread": Look("cursor, by thread", plotting.PURPLE, "v", "--", filled=False, size=7),
    "warp": Look("cursor, by warp", plotting.ORANGE, "^", "--"),
    "block": Look("cursor, by block", plotting.GREEN, "D", "--", size=3.5),
}
WAYS = ORDERED | CURSORS
DRAWN = set(WAYS) - {"thread"}  # whose lanes' atomics the SIMT machine executes one after the other
CUB, COPY = "cub_device", "device_to_device"
BYTES = 4


def case(way: str, percent: int) -> dict:
    factors = {"operation": "compact", "kept_percent": percent}
    return factors | ({"algorithm": "cursor", "by": way} if way in CURSORS else {"algorithm": way})


def percents(results: Results) -> list[int]:
    return sorted(results.levels("kept_percent", operation="compact"))


def times_of(timed: Results, way: str, cache: str = "cold") -> dict:
    found = {each: timed.time(**case(way, each), cache=cache) for each in percents(timed)}
    return {each: time for each, time in found.items() if time}


def cost_of_order(timed: Results | None, ways=tuple(ORDERED), cache: str = "cold") -> dict[int, float]:
    """Time of the fastest of `ways` relative to the fastest cursor, by share."""
    if timed is None:
        return {}
    found = {}
    for percent in percents(timed):
        ordered, unordered = (
            [times_of(timed, way, cache).get(percent) for way in group] for group in (ways, CURSORS)
        )
        if all(ordered) and all(unordered):
            found[percent] = min(time.value for time in ordered) / min(time.value for time in unordered)
    return found


def out_of_order(timed: Results | None, way: str) -> dict[int, int]:
    """Elements out of order after one run on the GPU, by share."""
    counts = (
        {each: timed.count("out_of_order", **case(way, each), cache="cold") for each in percents(timed)}
        if timed
        else {}
    )
    return {each: count for each, count in counts.items() if count is not None}


def verdict(evidence: Evidence) -> Verdict:
    timed = evidence.timed
    cost, lost = cost_of_order(timed), {way: out_of_order(timed, way) for way in WAYS}
    if not cost or not all(lost.values()):
        return Verdict(NOT_MEASURED, "Neither order nor time was measured on a GPU.")
    broken = [ORDERED[way].label for way in ORDERED if any(lost[way].values())]
    if broken:
        return Verdict(FAILS, f"Elements are out of order: {words.listing(broken)}.")
    if not any(any(lost[way].values()) for way in CURSORS):
        return Verdict(FAILS, "The scans preserve the order, but so do the atomic cursors.")
    pace = words.pace(cost.values(), "the fastest cursor")
    said = f"The scans preserve the order and the cursors lose it; the faster scan is {pace}"
    if min(cost.values()) > MOST:
        return Verdict(FAILS, f"{said}.")
    free = [each for each, ratio in cost.items() if ratio <= 1 + SLACK]
    if len(free) == len(cost):
        return Verdict(HOLDS, f"{said}.")
    if free:
        where = words.listing([f"{each}%" for each in free], "or")
        return Verdict(LIMITS, f"{said}: preserving order is free only where {where} are selected.")
    more = words.span([ratio - 1 for ratio in cost.values()], words.share)
    return Verdict(LIMITS, f"{said}: preserving order costs {more} more time.")


def moved(counted: Results, way: str) -> dict[int, float]:
    """Bytes read and written per element of the vector, by share."""
    found = {}
    for percent in percents(counted):
        both = [counted.count(f"global_bytes_{each}", **case(way, percent)) for each in ("read", "written")]
        if None not in both:
            found[percent] = sum(both) / counted.levels("n", **case(way, percent))[0]
    return found


def figure(evidence: Evidence):
    panels = [(draw_times, evidence.timed), (draw_bytes, evidence.counted)]
    panels = [(draw, results) for draw, results in panels if results]
    width = plotting.WIDE if len(panels) > 1 else plotting.NARROW
    figure, axes = plotting.new_figure(width, 2.9, ncols=len(panels))
    for panel, (draw, results) in zip(axes, panels, strict=True):
        draw(panel, results)
    looks = [
        *[look for way, look in WAYS.items() if evidence.timed or way in DRAWN],
        *([plotting.REFERENCES[CUB], plotting.REFERENCES[COPY]] if evidence.timed else []),
    ]
    plotting.legend_on_top(figure, looks, columns=4 if len(panels) > 1 else 2)
    plotting.sources(figure, evidence)
    return figure


def draw_times(axes, timed: Results) -> None:
    curves = {CUB: times_of(timed, CUB)}
    if copy := timed.time(algorithm=COPY, cache="cold"):
        curves[COPY] = dict.fromkeys(percents(timed), copy)
    plotting.reference_curves(axes, {name: at_places(curve, timed) for name, curve in curves.items()})
    for way, look in WAYS.items():
        plotting.time_line(axes, look, at_places(times_of(timed, way), timed))
    finish(axes, timed, "time, µs (cold)", "Time")
    axes.set_yscale("log")


def draw_bytes(axes, counted: Results) -> None:
    needed = {each: BYTES * (1 + each / 100) for each in percents(counted)}
    axes.plot(*zip(*at_places(needed, counted).items(), strict=True), color=plotting.GREY, linewidth=1)
    for way, look in WAYS.items():
        if way not in DRAWN:
            continue
        shown = at_places(moved(counted, way), counted)
        axes.plot(list(shown), list(shown.values()), **look.style() | {"linestyle": "none"})
    finish(axes, counted, "bytes per element", "Memory traffic")
    axes.set_ylim(bottom=0)
    last = len(needed) - 1
    axes.annotate("must move", (last, 2 * BYTES), xytext=(0, -10), textcoords="offset points", ha="right")


def at_places(by_percent: dict, results: Results) -> dict:
    """The shares at equal distances: they are spaced too unevenly to be drawn to scale."""
    places = {percent: place for place, percent in enumerate(percents(results))}
    return {places[percent]: value for percent, value in by_percent.items()}


def finish(axes, results: Results, label: str, title: str) -> None:
    axes.set_xticks(range(len(percents(results))), [f"{each}%" for each in percents(results)])
    axes.set_xlabel("elements selected")
    axes.set_ylabel(label)
    axes.set_title(title)
    axes.grid()


def numbers(evidence: Evidence) -> dict:
    found = {}
    if evidence.counted:
        found["bytes"] = {way: keyed(moved(evidence.counted, way)) for way in WAYS}
        percent = max(percents(evidence.counted))
        found["atomics"] = {
            way: evidence.counted.count("atomic_requests", **case(way, percent)) for way in ("warp", "block")
        }
    if evidence.timed:
        timed = evidence.timed
        found["us"] = {
            way: keyed({each: time.value for each, time in times_of(timed, way).items()})
            for way in (*WAYS, CUB)
        }
        found["out_of_order"] = {way: keyed(out_of_order(timed, way)) for way in (*WAYS, CUB)}
        found["cub_cost"] = keyed(cost_of_order(timed, (CUB,)))
    return found


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if counted := numbers.get("bytes"):
        none, every = (range_of(counted, pick) for pick in (min, max))
        paragraphs.append(
            f"Counted in whole sectors, the compactions move {none} bytes per element if none is selected, "
            f"and {every} if all are. Then the cursor takes "
            f"{words.plural(numbers['atomics']['warp'], 'atomic addition')} by warp, and "
            f"{words.integer(numbers['atomics']['block'])} by block."
        )
    if numbers.get("us"):
        paragraphs.append(timed_in_words(numbers))
    return paragraphs


def range_of(counted: dict, pick) -> str:
    """Bytes per element at the smallest or largest share, the least and the most of all ways."""
    names = {"mask": "mask in memory", "tiles": "scan in tiles", "block": "block's cursor"}
    found = {name: counted[way][pick(counted[way], key=int)] for way, name in names.items()}
    return words.extremes(found, lambda value: f"{value:.1f}")


def timed_in_words(numbers: dict) -> str:
    times, said = numbers["us"], []
    both = [share for share in times["mask"] if share in times["tiles"]]
    ratios = [times["mask"][share] / times["tiles"][share] for share in both]
    if ratios:
        said.append(f"A mask in memory is {words.pace(ratios, 'a scan in tiles')}.")
    slowest = {way: max(times[way].values()) for way in CURSORS if times[way]}
    if slowest:
        said.append(
            "At its slowest share the cursor takes "
            + words.listing([f"{words.rounded(time)} µs by {way}" for way, time in slowest.items()])
            + "."
        )
    if cub := numbers["cub_cost"]:
        said.append(f"CUB's select, in order, is {words.pace(cub.values(), 'the fastest cursor')}.")
    lost = [
        f"{words.rounded(max(found.values()))} by {way}"
        for way, found in numbers["out_of_order"].items()
        if way in CURSORS and found
    ]
    if lost:
        said.append(f"Elements that the cursor leaves out of order, at most: {words.listing(lost)}.")
    return " ".join(said)


def tables(evidence: Evidence) -> list[Table]:
    found = [counts_table(evidence.counted)] if evidence.counted else []
    return found + ([times_table(evidence.timed)] if evidence.timed else [])


def counts_table(counted: Results) -> Table:
    """The shares for which every closed form is known, and one in between."""
    quantities = ("launches", "barriers", "atomic_requests", "global_bytes_read", "global_bytes_written")
    rows = []
    for percent in (0, 10, 100):
        for way, look in WAYS.items():
            if cells := predicted.cells_of_case(counted, quantities, **case(way, percent)):
                rows.append([f"{percent}%", look.label, *cells])
    columns = ["selected", "way", "launches", "barriers", "atomics", "bytes read", "bytes written"]
    caption = "Predicted | counted. What depends on which elements are selected has no closed form."
    return Table(caption, columns, rows, wide=True, text_columns=2)


def times_table(timed: Results) -> Table:
    cost = cost_of_order(timed)
    rows = [
        [
            f"{percent}%",
            *[words.interval(times_of(timed, way).get(percent)) for way in (*WAYS, CUB)],
            words.decimal(cost.get(percent)),
        ]
        for percent in percents(timed)
    ]
    columns = [
        "selected",
        *[f"{look.label},\nµs [95% CI]" for look in WAYS.values()],
        "CUB select,\nµs [95% CI]",
    ]
    n = timed.levels("n", operation="compact")[0]
    caption = (
        f"Times, cold, {words.power(n)} elements; copying all of them takes "
        f"{words.microseconds(timed.time(algorithm=COPY, cache='cold'))} µs. Last column: the faster scan "
        "relative to the fastest cursor."
    )
    return Table(caption, [*columns, "scan /\ncursor"], rows, wide=True)
