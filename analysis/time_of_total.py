"""time_of_total: a scan yields the total for free."""

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
    f"Free means at most {SLACK:.0%} more time, cold, by medians. If the scan is needed anyway, the total is "
    "free at a length if, with each exclusive scan, the faster of two ways (adding the last prefix and "
    "element, or scanning one more element) is free relative to the scan alone. If only the total is needed, "
    "a scan is free at a length if the fastest one is free relative to the fastest reduction, each ours or "
    "CUB's. Fails if adding the last prefix and element takes more than one operation, counted, or if the "
    "total is free at no length when the scan is needed anyway. Holds if both are free at every length. "
    "Otherwise it holds within limits."
)
CAPTION = (
    "Left: only the total is needed; time of the inclusive scan relative to the fastest reduction of as many "
    "elements. Right: the scan is needed anyway; time of an exclusive scan with its total relative to "
    f"without. By length, medians, cold; up to the upper edge of the band, ±{SLACK:.0%}, the total is free."
)
CAPTION_WITHOUT_TIMES = (
    "Bytes read and written for the total of the longest vector counted, in vectors; ticks: predicted."
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
    "reduction": Look("separate reduction", plotting.RED, "s"),
    "last": Look("last prefix + last element", plotting.PURPLE, "v"),
    "one_more": Look("one more element", plotting.GREEN, "o"),
}
FREE_WAYS = ("last", "one_more")


def scan(algorithm: str, n: int) -> dict:
    return {"operation": "scan", "algorithm": algorithm, "form": "inclusive", "n": n}


def reduction(algorithm: str, n: int) -> dict:
    return {"operation": "reduce", "algorithm": algorithm, "n": n}


def copy(algorithm: str, n: int) -> dict:
    return {"operation": "copy", "algorithm": algorithm, "n": n}


def with_total(algorithm: str, total: str, n: int) -> dict:
    """The exclusive scan of n elements; the total after it is one more element."""
    length = n if total == "none" else n + 1
    return {"algorithm": algorithm, "form": "exclusive", "total": total, "n": length}


def lengths(results: Results | None) -> list[int]:
    return sorted(results.levels("n", operation="reduce")) if results else []


def cold(timed: Results, factors: dict) -> Median | None:
    return timed.time(**factors, cache="cold")


def fastest(timed: Results, n: int, of, algorithms) -> float | None:
    """The fastest time of these scans or reductions of n elements, in microseconds."""
    times = [cold(timed, of(algorithm, n)) for algorithm in algorithms]
    return min((time.value for time in times if time), default=None)


def over_reduction(timed: Results | None, of, algorithms) -> dict[int, float]:
    """Time of the fastest of these relative to the fastest reduction, by n."""
    found = {}
    for n in lengths(timed):
        time, least = fastest(timed, n, of, algorithms), fastest(timed, n, reduction, REDUCTIONS)
        if time and least:
            found[n] = time / least
    return found


def only_total(timed: Results | None) -> dict[int, float]:
    return over_reduction(timed, scan, SCANS)


def over_scan(timed: Results | None, algorithm: str, total: str) -> dict[int, float]:
    """Time of an exclusive scan with its total relative to the scan alone, by n."""
    found = {}
    for n in lengths(timed):
        alone, more = (cold(timed, with_total(algorithm, each, n)) for each in ("none", total))
        if alone and more:
            found[n] = more.value / alone.value
    return found


def needed_anyway(timed: Results | None) -> dict[int, float]:
    """By n: time of the faster way relative to the scan alone, for the scan with which it is greater."""
    ratios = {algorithm: [over_scan(timed, algorithm, way) for way in FREE_WAYS] for algorithm in EXCLUSIVE}
    return {
        n: max(min(way[n] for way in ways) for ways in ratios.values())
        for n in lengths(timed)
        if all(n in way for ways in ratios.values() for way in ways)
    }


def operations_more(counted: Results | None) -> list[int]:
    """The operations that the last prefix and element add to the scan, for each case counted."""
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
        return Verdict(NOT_MEASURED, "The operations that the total adds to a scan were not counted.")
    if max(more) > 1:
        return Verdict(FAILS, f"After a scan the total takes up to {words.integer(max(more))} operations.")
    anyway, only = needed_anyway(evidence.timed), only_total(evidence.timed)
    if not anyway or not only:
        return Verdict(NOT_MEASURED, "After a scan the total takes one operation; it was not timed.")
    free = [n for n, ratio in anyway.items() if ratio <= 1 + SLACK]
    if not free:
        return Verdict(
            FAILS, f"With its total a scan is {words.pace(anyway.values(), 'without')}, at every n."
        )
    most = max(anyway.values()) - 1
    said = f"After a scan the total takes at most {most:.1%} more time"
    if len(free) < len(anyway):
        said = f"After a scan the total is free {by_length.at(free)} only, elsewhere up to {most:.0%}"
    instead = f"for the total alone a scan is {words.pace(only.values(), 'a reduction')}"
    if max(only.values()) > 1 + SLACK:
        return Verdict(LIMITS, f"{said}; but {instead}.")
    return Verdict(HOLDS if len(free) == len(anyway) else LIMITS, f"{said}; {instead}.")


def figure(evidence: Evidence):
    if not evidence.timed:
        figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.7)
        draw_counts(axes, evidence.counted)
    else:
        figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.7, ncols=2)
        draw_only_total(left, evidence.timed)
        draw_needed_anyway(right, evidence.timed)
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
    over_n(axes, "time / fastest reduction", "Only the total is needed")


def draw_needed_anyway(axes, timed: Results) -> None:
    by_length.free_band(axes, SLACK)
    for way, look in WAYS.items():
        for algorithm in EXCLUSIVE:
            found = over_scan(timed, algorithm, way)
            ours = algorithm == EXCLUSIVE[0]
            style = look.style() | ({} if ours else {"linestyle": "--", "markerfacecolor": "white"})
            axes.plot(list(found), list(found.values()), label=look.label if ours else None, **style)
    axes.plot([], [], color=plotting.GREY, linestyle="-", label="of look-back")
    axes.plot([], [], color=plotting.GREY, linestyle="--", label="of reduce, then scan")
    over_n(axes, "time / scan alone", "The scan is needed anyway")


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
    """Bytes read and written relative to the vector's."""
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
        found["wanted_anyway"] = keyed(needed_anyway(evidence.timed))
        found["over_scan"] = {
            f"{algorithm} {way}": keyed(over_scan(evidence.timed, algorithm, way))
            for algorithm in EXCLUSIVE
            for way in WAYS
        }
    return found


def more_counted(counted: Results, n: int) -> dict[str, dict]:
    """The operations and bytes that each way adds to look-back."""
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
        labels = {name: SCANS[name].label if name in SCANS else REDUCTIONS[name] for name in counted}
        operations, moved_elements = (
            words.extremes({labels[name]: each[part] for name, each in counted.items()}, "{:.2f}n".format)
            for part in ("ops", "vectors")
        )
        more = [
            f"{WAYS[way].label}: {words.plural(each['ops'], 'operation')} and "
            f"{words.plural(each['bytes'], 'byte')}"
            for way, each in numbers["more"].items()
        ]
        paragraphs.append(f"The total takes {operations} operations, and moves {moved_elements} elements.")
        paragraphs.append(f"After look-back the total adds, in 32-byte sectors, {'; '.join(more)}.")
    if over := numbers.get("over_scan"):
        said = []
        for way in WAYS:
            ratios = [ratio for algorithm in EXCLUSIVE for ratio in over[f"{algorithm} {way}"].values()]
            if ratios:
                said.append(f"{WAYS[way].label}, {words.pace(ratios, 'the scan alone')}")
        if said:
            paragraphs.append(f"A scan with its total, by way: {'; '.join(said)}.")
    if only := numbers.get("only_total"):
        most = max(only, key=lambda n: only[n])
        paragraphs.append(
            f"For the total alone the fastest scan is {words.pace(only.values(), 'the fastest reduction')}, "
            f"the slowest at n = {words.power(int(most))}."
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
    caption = "Predicted | counted, longest vector counted; the blocks of look-back run one after another."
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
    return Table("Only the total is needed: inclusive scans and reductions, cold.", columns, rows, wide=True)


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
        "The scan is needed anyway: exclusive scans with their totals, cold.", columns, rows, wide=True
    )
