"""launches: a kernel launch costs almost nothing, so it can serve as a grid-wide barrier."""

from dataclasses import replace
from math import fsum

from analysis.common import plotting, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import LEVEL, Median, median
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

SHARE = 0.05
FULL, SOURCES_OWN = 1 << 20, 1 << 22
QUESTION = "Every step between kernels is a launch, and launches dominate short vectors. What does one cost?"
RULE = (
    f"A launch is negligible at a length if one more launch costs less than {SHARE:.0%} of the time of one "
    "level of the reduction of that many floats, cold. Holds if it is negligible at n = "
    f"{words.power(FULL)}, whose blocks fill the GPU, on both grids, queued ahead and live. Fails if "
    f"it is negligible in none of these ways at n = {words.power(SOURCES_OWN)}, the length that the source "
    "measured. Otherwise it holds within limits. Costs and times are medians."
)
CAPTION = (
    f"Time of k empty kernels, one after the other, cold: medians, {LEVEL:.0%} confidence intervals, and a "
    "line with the median slope. Dotted: other operations, for scale."
)
CAPTION_WITHOUT_TIMES = "Launches of k empty kernels, counted (markers) and predicted (lines)."

WAYS = {  # who queues, and the blocks of the grid
    ("ahead", 1): Look("ahead, 1 block", plotting.BLUE, "o"),
    ("ahead", 1024): Look("ahead, 1,024 blocks", plotting.GREEN, "^"),
    ("live", 1): Look("live, 1 block", plotting.ORANGE, "o", "--", filled=False),
    ("live", 1024): Look("live, 1,024 blocks", plotting.RED, "^", "--", filled=False),
}
SMALLEST = ("ahead", 1)  # the cost on the GPU alone


def case(way: tuple[str, int], cache: str = "cold") -> dict:
    queued, blocks = way
    return {"algorithm": "empty", "queued": queued, "blocks": blocks, "cache": cache}


def kernels(results: Results) -> list[int]:
    return sorted(results.levels("kernels", algorithm="empty"))


def times_of(timed: Results, way: tuple[str, int], cache: str = "cold") -> dict[int, Median]:
    """Time of k empty kernels, by k."""
    found = {k: timed.time(**case(way, cache), kernels=k) for k in kernels(timed)}
    return {k: time for k, time in found.items() if time}


def one_more(timed: Results, way: tuple[str, int], cache: str = "cold") -> Median | None:
    """The cost of one more launch: the median over repetitions of the slope over k."""
    rows = timed.where(**case(way, cache))
    if rows.empty or rows["kernels"].nunique() < 2:
        return None
    table = rows.pivot(index="repetition_index", columns="kernels", values="real_time").dropna()
    return median(slope(dict(times)) for _, times in table.iterrows()) if len(table) else None


def slope(times: dict[int, float]) -> float:
    """By least squares."""
    middle = fsum(times) / len(times)
    square = fsum((k - middle) ** 2 for k in times)
    return fsum((k - middle) * time for k, time in times.items()) / square


def costs(timed: Results | None, cache: str = "cold") -> dict[tuple[str, int], Median]:
    found = {way: one_more(timed, way, cache) for way in WAYS} if timed else {}
    return {way: cost for way, cost in found.items() if cost}


def by_length(timed: Results, algorithm: str) -> dict[int, float]:
    """Time of one level of the reduction, or of a copy, by n, cold."""
    times = {
        n: timed.time(algorithm=algorithm, cache="cold", n=n)
        for n in sorted(timed.levels("n", algorithm=algorithm))
    }
    return {n: time.value for n, time in times.items() if time}


def verdict(evidence: Evidence) -> Verdict:
    found = costs(evidence.timed)
    levels = by_length(evidence.timed, "tree") if evidence.timed else {}
    if len(found) < len(WAYS) or not {FULL, SOURCES_OWN} <= set(levels):
        return Verdict(NOT_MEASURED, "The launches were not timed.")
    shares = {n: [cost.value / levels[n] for cost in found.values()] for n in (FULL, SOURCES_OWN)}
    said = words.listing(
        [f"{words.span(shares[n], in_percent)} of a level of {words.power(n)} floats" for n in shares]
    )
    said = f"One more launch costs {said}"
    if max(shares[FULL]) < SHARE:
        return Verdict(HOLDS, f"{said}.")
    if min(shares[SOURCES_OWN]) >= SHARE:
        return Verdict(FAILS, f"{said}.")
    few = [look.label for (way, look) in WAYS.items() if found[way].value / levels[FULL] < SHARE]
    where = f"{words.listing(few, 'or')} at n = {words.power(FULL)}" if few else "for longer vectors"
    return Verdict(LIMITS, f"{said}: negligible only {where}.")


def in_percent(share: float) -> str:
    return f"{share:.1%}" if share < 0.1 else f"{share:.0%}"


def figure(evidence: Evidence):
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.7)
    looks = WAYS
    if costs(evidence.timed):
        draw_times(axes, evidence.timed)
    elif evidence.counted:
        looks = {  # one inside the other, as they are equal
            SMALLEST: Look("1 block", plotting.BLUE, "o", filled=False, size=8),
            ("ahead", 1024): Look("1,024 blocks", plotting.GREEN, "^", size=4),
        }
        draw_counts(axes, evidence.counted, looks)
    else:
        plotting.empty(axes, "launches: neither timed nor counted")
    plotting.legend_on_top(figure, looks.values(), columns=2)
    plotting.sources(figure, evidence, counts=evidence.timed is None)
    return figure


def draw_times(axes, timed: Results) -> None:
    for way, cost in costs(timed).items():
        look, times = WAYS[way], times_of(timed, way)
        ks = list(times)
        middle = median(times[k].value - cost.value * k for k in ks).value
        axes.plot(ks, [middle + cost.value * k for k in ks], color=look.color, linestyle=look.line)
        plotting.time_line(axes, replace(look, line="none"), times)
    finish(axes, kernels(timed), "time, µs (cold)")
    shown = {name: value for name, value in scale(timed).items() if value < axes.get_ylim()[1]}
    for name, value in shown.items():
        axes.axhline(value, color=plotting.GREY, linewidth=0.8, linestyle=":", zorder=1)
        axes.annotate(
            name,
            (1, value),
            xycoords=("axes fraction", "data"),
            xytext=(0, 1.5),
            textcoords="offset points",
            ha="right",
            fontsize=6.5,
            color=plotting.GREY,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.8},
        )


def scale(timed: Results) -> dict[str, float]:
    """Times for comparison: two levels of the reduction, and the shortest copy."""
    levels = by_length(timed, "tree")
    wanted = [n for n in (FULL, SOURCES_OWN) if n in levels]
    found = {f"a level of {words.power(n)} floats": levels[n] for n in wanted}
    if copies := by_length(timed, "device_to_device"):
        found[f"a copy of {4 * min(copies)} bytes"] = copies[min(copies)]
    return found


def draw_counts(axes, counted: Results, looks: dict) -> None:
    ks = kernels(counted)
    for (queued, blocks), look in looks.items():
        factors = {"algorithm": "empty", "blocks": blocks, "queued": queued}
        launches = [counted.count("launches", **factors, kernels=k) for k in ks]
        predicted = [counted.count("predicted_launches", **factors, kernels=k) for k in ks]
        axes.plot(ks, predicted, color=look.color, linestyle=look.line)
        axes.plot(ks, launches, **look.style() | {"linestyle": "none"})
    finish(axes, ks, "launches")


def finish(axes, ks: list[int], label: str) -> None:
    axes.set_xticks(ks)
    axes.set_xlim(0, 1.04 * max(ks))
    axes.set_ylim(bottom=0)
    axes.set_xlabel("empty kernels, k")
    axes.set_ylabel(label)
    axes.grid()


def numbers(evidence: Evidence) -> dict:
    found = {}
    if evidence.counted:
        rows = evidence.counted.where(algorithm="empty")
        found["counted"] = {
            "kernels": kernels(evidence.counted),
            "cases": len(rows),
            "as_many": int((rows["launches"] == rows["kernels"]).sum()),
            "sectors": int(rows[["global_load_sectors", "global_store_sectors"]].to_numpy().sum()),
        }
    more = costs(evidence.timed)
    if more:
        found |= timed_numbers(evidence.timed, more)
    return found


def timed_numbers(timed: Results, more: dict[tuple[str, int], Median]) -> dict:
    found = {
        "more_us": {key(way): [cost.low, cost.value, cost.high] for way, cost in more.items()},
        "first_of": {key(way): times_of(timed, way)[1].value for way in more if 1 in times_of(timed, way)},
        "level_us": {str(n): time for n, time in by_length(timed, "tree").items()},
        "copy_us": {str(n): time for n, time in by_length(timed, "device_to_device").items()},
    }
    if SMALLEST in more:
        found["launch_us"] = more[SMALLEST].value
        found["first_us"] = found["first_of"].get(key(SMALLEST))
    return found


def in_us(value: float) -> str:
    return f"{words.significant(value)} µs"


def key(way: tuple[str, int]) -> str:
    return f"{way[0]} {way[1]}"


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if "counted" in numbers:
        counted = numbers["counted"]
        paragraphs.append(
            f"In {counted['as_many']} of {counted['cases']} cases k empty kernels count as k launches, "
            f"for k from {min(counted['kernels'])} to {max(counted['kernels'])}; together they access "
            f"{words.plural(counted['sectors'], 'sector')} of memory."
        )
    if "more_us" in numbers:
        known = {way: look.label for way, look in WAYS.items() if key(way) in numbers["first_of"]}
        first = {label: numbers["first_of"][key(way)] for way, label in known.items()}
        more = {label: numbers["more_us"][key(way)][1] for way, label in known.items()}
        paragraphs.append(
            f"The first empty kernel takes {words.extremes(first, in_us)}, each further one "
            f"{words.extremes(more, in_us)}."
        )
    if numbers.get("first_us") and numbers["level_us"]:
        paragraphs.append(how_to_read(numbers))
    return paragraphs


def how_to_read(numbers: dict) -> str:
    """The length from which a launch is small, and up to which a time is mostly that of a launch."""
    levels = {int(n): time for n, time in numbers["level_us"].items()}
    launch, first = numbers["launch_us"], numbers["first_us"]
    mostly = [n for n, time in levels.items() if first > time / 2]
    small = [n for n in levels if all(launch < SHARE * time for m, time in levels.items() if m >= n)]
    said = []
    if mostly:
        said.append(
            f"Up to n = {words.power(max(mostly))} an empty kernel takes more than half the time of one "
            "level of the reduction: such times, here and in the whole report, are mostly that of a launch."
        )
    if small:
        said.append(
            f"Queued ahead, one more launch of one block is below {SHARE:.0%} of a level from n = "
            f"{words.power(min(small))} on."
        )
    else:
        said.append(
            f"Queued ahead, one more launch of one block is below {SHARE:.0%} of a level at no length tried."
        )
    if copies := numbers["copy_us"]:
        shortest = min(copies, key=int)
        said.append(f"A copy of {4 * int(shortest)} bytes takes {words.significant(copies[shortest])} µs.")
    return " ".join(said)


def tables(evidence: Evidence) -> list[Table]:
    """Times by k, and in the last row the cost of one more."""
    columns = ["k", "launches,\npredicted", "launches,\ncounted"]
    columns += [f"{look.label},\nµs [95% CI]" for look in WAYS.values()]
    ks = sorted({k for each in (evidence.counted, evidence.timed) if each for k in kernels(each)})
    rows = [[str(k), *counted_cells(evidence.counted, k), *timed_cells(evidence.timed, k)] for k in ks]
    more = costs(evidence.timed)
    rows.append(["one more", words.NOTHING, words.NOTHING, *(words.interval(more.get(way)) for way in WAYS)])
    caption = "k empty kernels: launches of either grid, and times, cold."
    found = [Table(caption, columns, rows, wide=True)]
    return found + ([scale_table(evidence.timed)] if more else [])


def counted_cells(counted: Results | None, k: int) -> list[str]:
    cells = []
    for quantity in ("predicted_launches", "launches"):
        of_grids = {
            counted and counted.count(quantity, algorithm="empty", blocks=blocks, queued=queued, kernels=k)
            for queued, blocks in WAYS
            if queued == "ahead"
        }
        cells.append(", ".join(words.integer(each) for each in sorted(of_grids, key=str)))
    return cells


def timed_cells(timed: Results | None, k: int) -> list[str]:
    return [words.interval(timed and timed.time(**case(way), kernels=k)) for way in WAYS]


def scale_table(timed: Results) -> Table:
    """By length: one level of the reduction, a copy, and one more launch as a share of that level."""
    levels, copies = by_length(timed, "tree"), by_length(timed, "device_to_device")
    more = costs(timed).get(SMALLEST)
    rows = [
        [
            words.power(n),
            words.significant(levels[n]) if n in levels else words.NOTHING,
            words.significant(copies[n]) if n in copies else words.NOTHING,
            f"{more.value / levels[n]:.1%}" if more and n in levels else words.NOTHING,
        ]
        for n in sorted({*levels, *copies})
    ]
    caption = f"Times for comparison, cold. Last column: a launch queued {WAYS[SMALLEST].label}."
    columns = ["floats", "one level of the\nreduction, µs", "copy, µs", "one more launch,\nof the level"]
    return Table(caption, columns, rows)
