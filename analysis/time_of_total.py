"""time_of_total: a scan gives the total for free."""

from analysis.common import by_length, plotting, predicted, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import Median
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict
from analysis.common.writing import keyed

SLACK = 0.10
QUESTION = "A scan ends with the sum of all elements. Is a reduction still needed?"
RULE = (
    f"Free means at most {SLACK:.0%} more time, cold, by medians. The scan is wanted anyway: the total is "
    "free at a length if, with each exclusive scan, the faster of two ways to it, the last prefix and "
    "element or an element more, is free over the scan alone. Only the total is wanted: a scan is free at a "
    "length if the fastest one is free over the fastest reduction, each ours or CUB's. Fails if the last "
    "prefix and element take more than one operation, counted, or if the total is free at no length although "
    "the scan is wanted anyway. Holds if both are free at every length. Otherwise it holds within limits."
)
CAPTION = (
    "Left: only the total is wanted; time of the inclusive scan over that of the fastest reduction of as "
    "many elements. Right: the scan is wanted anyway; time of an exclusive scan with its total over that "
    f"without. By length, medians, cold; what lies in the band is free: up to {SLACK:.0%} more."
)
CAPTION_WITHOUT_TIMES = (
    "Bytes read and written for the total of the longest vector counted, in vectors; ticks as predicted."
)

SCANS = {
    "three_phase": Look("scan, then add", plotting.RED, "s"),
    "reduce_then_scan": Look("reduce, then scan", plotting.ORANGE, "^"),
    "look_back": Look("look-back", plotting.BLUE, "o"),
    "cub_device": plotting.REFERENCES["cub_device"],
}
COPY = "device_to_device"
REDUCTIONS = {
    "last_block": "reduction, one launch",
    "recursive": "reduction, levels",
    "cub_device": "CUB reduction",
}
EXCLUSIVE = ("look_back", "reduce_then_scan")
WAYS = {
    "reduction": Look("a reduction of its own", plotting.RED, "s"),
    "last": Look("last prefix + last element", plotting.PURPLE, "v"),
    "one_more": Look("one element more", plotting.GREEN, "o"),
}
FREE_WAYS = ("last", "one_more")


def scan(algorithm: str, n: int) -> dict:
    return {"operation": "scan", "algorithm": algorithm, "form": "inclusive", "n": n}


def reduction(algorithm: str, n: int) -> dict:
    return {"operation": "reduce", "algorithm": algorithm, "n": n}


def copy(algorithm: str, n: int) -> dict:
    return {"operation": "copy", "algorithm": algorithm, "n": n}


def with_total(algorithm: str, total: str, n: int) -> dict:
    """The exclusive scan of n elements; the total behind it is an element more."""
    length = n if total == "none" else n + 1
    return {"algorithm": algorithm, "form": "exclusive", "total": total, "n": length}


def lengths(results: Results | None) -> list[int]:
    return sorted(results.levels("n", operation="reduce")) if results else []


def cold(timed: Results, factors: dict) -> Median | None:
    return timed.time(**factors, cache="cold")


def fastest(timed: Results, n: int, of, algorithms) -> float | None:
    """Of the scans or reductions of n elements, in microseconds."""
    times = [cold(timed, of(algorithm, n)) for algorithm in algorithms]
    return min((time.value for time in times if time), default=None)


def over_reduction(timed: Results | None, of, algorithms) -> dict[int, float]:
    """Time of the fastest of these over that of the fastest reduction, by n."""
    found = {}
    for n in lengths(timed):
        time, least = fastest(timed, n, of, algorithms), fastest(timed, n, reduction, REDUCTIONS)
        if time and least:
            found[n] = time / least
    return found


def only_total(timed: Results | None) -> dict[int, float]:
    return over_reduction(timed, scan, SCANS)


def over_scan(timed: Results | None, algorithm: str, total: str) -> dict[int, float]:
    """Time of an exclusive scan with its total over that of the scan alone, by n."""
    found = {}
    for n in lengths(timed):
        alone, more = (cold(timed, with_total(algorithm, each, n)) for each in ("none", total))
        if alone and more:
            found[n] = more.value / alone.value
    return found


def wanted_anyway(timed: Results | None) -> dict[int, float]:
    """By n: what the faster way takes over the scan alone, of that scan for which it is more."""
    ratios = {algorithm: [over_scan(timed, algorithm, way) for way in FREE_WAYS] for algorithm in EXCLUSIVE}
    return {
        n: max(min(way[n] for way in ways) for ways in ratios.values())
        for n in lengths(timed)
        if all(n in way for ways in ratios.values() for way in ways)
    }


def operations_more(counted: Results | None) -> list[int]:
    """What the last prefix and element add to the operations of the scan, by case counted."""
    found = []
    for n in lengths(counted):
        for algorithm in EXCLUSIVE:
            alone, more = (
                counted.count("ops", **with_total(algorithm, total, n)) for total in ("none", "last")
            )
            if alone is not None and more is not None:
                found.append(more - alone)
    return found


def verdict(evidence: Evidence) -> Verdict:
    more = operations_more(evidence.counted)
    if not more:
        return Verdict(NOT_MEASURED, "What the total adds to a scan was not counted.")
    if max(more) > 1:
        return Verdict(FAILS, f"After a scan the total takes up to {words.integer(max(more))} operations.")
    anyway, only = wanted_anyway(evidence.timed), only_total(evidence.timed)
    if not anyway or not only:
        return Verdict(NOT_MEASURED, "After a scan the total takes one operation; it was not timed.")
    free = [n for n, ratio in anyway.items() if ratio <= 1 + SLACK]
    if not free:
        return Verdict(FAILS, f"A scan with its total takes {as_long(anyway)}, at every n.")
    most = max(anyway.values()) - 1
    said = f"After a scan the total takes at most {most:.1%} more time"
    if len(free) < len(anyway):
        said = f"After a scan the total is free {by_length.at(free)} only, elsewhere up to {most:.0%}"
    instead = f"for the total alone a scan takes {as_long(only)} as a reduction"
    if max(only.values()) > 1 + SLACK:
        return Verdict(LIMITS, f"{said}; but {instead}.")
    return Verdict(HOLDS if len(free) == len(anyway) else LIMITS, f"{said}; {instead}.")


def as_long(ratios: dict) -> str:
    return f"{words.span(ratios.values())} times as long"


def figure(evidence: Evidence):
    if not evidence.timed:
        figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.7)
        draw_counts(axes, evidence.counted)
    else:
        figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.7, ncols=2)
        draw_only_total(left, evidence.timed)
        draw_wanted_anyway(right, evidence.timed)
    plotting.sources(figure, evidence, counts=evidence.timed is None)
    return figure


def draw_only_total(axes, timed: Results) -> None:
    by_length.free_band(axes, SLACK)
    for algorithm, look in SCANS.items():
        label = f"{look.label} scan" if algorithm == "cub_device" else look.label
        found = over_reduction(timed, scan, [algorithm])
        axes.plot(list(found), list(found.values()), label=label, **look.style())
    found, look = over_reduction(timed, copy, [COPY]), plotting.REFERENCES[COPY]
    axes.plot(list(found), list(found.values()), label=look.label, **look.style())
    over_n(axes, "time over the fastest reduction's", "Only the total is wanted")


def draw_wanted_anyway(axes, timed: Results) -> None:
    by_length.free_band(axes, SLACK)
    for way, look in WAYS.items():
        for algorithm in EXCLUSIVE:
            found = over_scan(timed, algorithm, way)
            ours = algorithm == EXCLUSIVE[0]
            style = look.style() | ({} if ours else {"linestyle": "--", "markerfacecolor": "white"})
            axes.plot(list(found), list(found.values()), label=look.label if ours else None, **style)
    axes.plot([], [], color=plotting.GREY, linestyle="-", label="of look-back")
    axes.plot([], [], color=plotting.GREY, linestyle="--", label="of reduce, then scan")
    over_n(axes, "time over the scan's alone", "The scan is wanted anyway")


def over_n(axes, label: str, title: str) -> None:
    by_length.finish(axes, label, title, of="floats")
    axes.set_ylim(0, 1.45 * axes.dataLim.y1)
    axes.legend(loc="upper center", ncols=2, columnspacing=1, handlelength=1.6, borderpad=0)


def draw_counts(axes, counted: Results) -> None:
    found = {look.label: (scan(each, longest(counted)), look) for each, look in SCANS.items()}
    found |= {
        name: (reduction(each, longest(counted)), Look(name, plotting.GREEN))
        for each, name in REDUCTIONS.items()
    }
    rows = {name: moved(counted, case) for name, (case, _) in found.items()}
    known = [name for name in reversed(rows) if rows[name] is not None]
    for row, name in enumerate(known):
        axes.barh(row, rows[name], color=found[name][1].color)
        axes.plot(moved(counted, found[name][0], "predicted_"), row, color="black", marker="|")
    axes.set_yticks(range(len(known)), known)
    axes.set_ylim(len(known) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("bytes read and written, in vectors")
    axes.grid(axis="x")
    axes.set_axisbelow(True)


def longest(results: Results) -> int:
    return max(lengths(results))


def moved(counted: Results, case: dict, prefix: str = "") -> float | None:
    """Bytes read and written over those of the vector."""
    found = [counted.count(f"{prefix}global_bytes_{each}", **case) for each in ("read", "written")]
    return None if None in found else sum(found) / (4 * longest(counted))


def numbers(evidence: Evidence) -> dict:
    found = {}
    if counted := evidence.counted:
        n = longest(counted)
        cases = {each: scan(each, n) for each in SCANS} | {"last_block": reduction("last_block", n)}
        found["counted"] = {
            name: {"ops": counted.count("ops", **case) / n, "vectors": moved(counted, case)}
            for name, case in cases.items()
            if moved(counted, case) is not None
        }
        found["more"] = more_counted(counted, n)
    if evidence.timed:
        found["only_total"] = keyed(only_total(evidence.timed))
        found["wanted_anyway"] = keyed(wanted_anyway(evidence.timed))
        found["over_scan"] = {
            f"{algorithm} {way}": keyed(over_scan(evidence.timed, algorithm, way))
            for algorithm in EXCLUSIVE
            for way in WAYS
        }
    return found


def more_counted(counted: Results, n: int) -> dict[str, dict]:
    """What each way adds to look-back, in operations and bytes."""
    quantities = ("ops", "global_bytes_read", "global_bytes_written")
    alone = [counted.count(each, **with_total("look_back", "none", n)) for each in quantities]
    found = {}
    for way in WAYS:
        more = [counted.count(each, **with_total("look_back", way, n)) for each in quantities]
        if None not in alone + more:
            found[way] = {"ops": more[0] - alone[0], "bytes": sum(more[1:]) - sum(alone[1:])}
    return found


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if counted := numbers.get("counted"):
        said = [
            f"{SCANS[name].label if name in SCANS else REDUCTIONS[name]} {each['ops']:.2f} n and "
            f"{each['vectors']:.2f} n"
            for name, each in counted.items()
        ]
        more = [
            f"{WAYS[way].label}: {words.plural(each['ops'], 'operation')} and "
            f"{words.plural(each['bytes'], 'byte')}"
            for way, each in numbers["more"].items()
        ]
        paragraphs.append(f"Operations and elements moved for the total: {'; '.join(said)}.")
        paragraphs.append(f"After look-back the total adds, in sectors of 32 bytes, {'; '.join(more)}.")
    if over := numbers.get("over_scan"):
        said = [
            f"{WAYS[way].label} {words.span(over[f'look_back {way}'].values())}, after reduce-then-scan "
            f"{words.span(over[f'reduce_then_scan {way}'].values())}"
            for way in WAYS
            if over[f"look_back {way}"] and over[f"reduce_then_scan {way}"]
        ]
        if said:
            paragraphs.append(
                f"With the total a scan takes, by length, so many times as long: {'; '.join(said)}."
            )
    if only := numbers.get("only_total"):
        most = max(only, key=lambda n: only[n])
        paragraphs.append(
            f"For the total alone the fastest scan takes {as_long(only)} as the fastest "
            f"reduction, most at n = {words.power(int(most))}."
        )
    return paragraphs


def tables(evidence: Evidence) -> list[Table]:
    found = [counts_table(evidence.counted)] if evidence.counted else []
    return found + ([only_table(evidence.timed), anyway_table(evidence.timed)] if evidence.timed else [])


def counts_table(counted: Results) -> Table:
    quantities = ("launches", "ops", "global_bytes_read", "global_bytes_written")
    rows = [
        [row["name"], *predicted.cells_of_row(row, quantities)]
        for row in counted.rows.to_dict("records")
        if row["n"] >= longest(counted)
    ]
    columns = ["case", "launches", "operations", "bytes read", "bytes written"]
    caption = "Predicted | counted, at the longest vector counted; the blocks of look-back one after another."
    return Table(caption, columns, rows, wide=True)


def only_table(timed: Results) -> Table:
    cases = {look.label: (scan, each) for each, look in SCANS.items()}
    cases |= {name: (reduction, each) for each, name in REDUCTIONS.items()}
    rows = [
        [words.power(n), *[words.interval(cold(timed, of(each, n))) for of, each in cases.values()]]
        + [words.microseconds(cold(timed, copy(COPY, n)))]
        for n in lengths(timed)
    ]
    columns = ["n", *[f"{name},\nµs [95% CI]" for name in cases], "copy,\nµs"]
    return Table("Only the total is wanted: inclusive scans and reductions, cold.", columns, rows, wide=True)


def anyway_table(timed: Results) -> Table:
    totals = {"none": "alone"} | {way: look.label for way, look in WAYS.items()}
    rows = [
        [SCANS[algorithm].label, words.power(n)]
        + [words.interval(cold(timed, with_total(algorithm, total, n))) for total in totals]
        for algorithm in EXCLUSIVE
        for n in lengths(timed)
    ]
    columns = ["scan", "n", *[f"{name},\nµs [95% CI]" for name in totals.values()]]
    return Table(
        "The scan is wanted anyway: exclusive scans with their totals, cold.", columns, rows, wide=True
    )
