"""allocation: a scan gives every thread its place in an output of variable length."""

from analysis.common import plotting, predicted, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import LEVEL
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict
from analysis.common.writing import keyed

SLACK = 0.10
QUESTION = "Compaction gives a thread one place or none. What if threads need varying numbers of places?"
RULE = (
    "The scan is free in a case if decoding by scan takes at most "
    f"{SLACK:.0%} more time than by the atomic cursor, cold, by medians. Holds if the scan leaves no run out "
    "of order, the cursor does, and the scan is free at every mean length and with both kinds of lengths. "
    "Fails if the scan leaves a run out of order, or the cursor leaves none, or the scan is free in no "
    "case. Otherwise it holds within limits."
)
CAPTION = (
    f"Time of run-length decoding by mean length of a run, median and {LEVEL:.0%} confidence interval, cold. "
    "Left: every run is between zero and twice the mean long. Right: half of the output is one long run."
)
CAPTION_WITHOUT_TIMES = (
    "Launches and atomic additions by mean length of a run, as counted; lines as predicted."
)

WAYS = {
    "scan": Look("scan of the lengths", plotting.BLUE, "o"),
    "cursor": Look("atomic cursor", plotting.GREEN, "D", "--"),
}
LENGTHS = {"even": "Runs of similar length", "one_long": "One long run"}
CUB, COPY = "cub_device", "device_to_device"


def case(way: str, lengths: str, mean: int) -> dict:
    return {"operation": "decode", "algorithm": way, "lengths": lengths, "mean": mean}


def means(results: Results) -> list[int]:
    return sorted(results.levels("mean", operation="decode"))


def times_of(timed: Results, way: str, lengths: str, cache: str = "cold") -> dict:
    found = {mean: timed.time(**case(way, lengths, mean), cache=cache) for mean in means(timed)}
    return {mean: time for mean, time in found.items() if time}


def ratios(timed: Results | None, lengths: str, way: str = "scan", cache: str = "cold") -> dict[int, float]:
    """Time over that of the cursor, by mean length."""
    if timed is None:
        return {}
    cursor = times_of(timed, "cursor", lengths, cache)
    found = times_of(timed, way, lengths, cache)
    return {mean: time.value / cursor[mean].value for mean, time in found.items() if mean in cursor}


def out_of_order(timed: Results | None, way: str) -> list[int]:
    """Runs out of order after one run on the GPU, of every case."""
    rows = timed.where(operation="decode", algorithm=way, cache="cold") if timed else None
    if rows is None or "out_of_order" not in rows:
        return []
    return [int(found) for found in rows.drop_duplicates("name")["out_of_order"].dropna()]


def verdict(evidence: Evidence) -> Verdict:
    found = {
        (lengths, mean): ratio
        for lengths in LENGTHS
        for mean, ratio in ratios(evidence.timed, lengths).items()
    }
    lost = {way: out_of_order(evidence.timed, way) for way in WAYS}
    if not found or not all(lost.values()):
        return Verdict(NOT_MEASURED, "Neither order nor time was measured on a GPU.")
    if any(lost["scan"]):
        return Verdict(FAILS, f"The scan leaves up to {words.plural(max(lost['scan']), 'run')} out of order.")
    if not any(lost["cursor"]):
        return Verdict(FAILS, "The scan preserves the order, but so does the atomic cursor.")
    free = [each for each, ratio in found.items() if ratio <= 1 + SLACK]
    pace = words.pace(found.values(), "the cursor")
    said = f"The scan preserves the order, which the cursor loses, and is {pace}"
    if not free:
        return Verdict(FAILS, f"{said}: it is free in no case.")
    if len(free) == len(found):
        return Verdict(HOLDS, f"{said}.")
    left = words.listing([in_words(lengths, free, list(found)) for lengths in LENGTHS])
    return Verdict(LIMITS, f"{said}: it is free {left}.")


def in_words(lengths: str, free: list[tuple[str, int]], every: list[tuple[str, int]]) -> str:
    """The means at which the scan is free, with this kind of lengths."""
    where = "if one run is long" if lengths == "one_long" else "if runs are of similar length"
    some = [mean for each, mean in free if each == lengths]
    if len(some) == len([mean for each, mean in every if each == lengths]):
        return f"at every mean {where}"
    if not some:
        return f"nowhere {where}"
    return f"at {words.listing([f'{mean:,}' for mean in some])} elements per run {where}"


def figure(evidence: Evidence):
    figure, axes = plotting.new_figure(plotting.WIDE, 2.7, ncols=2, sharey=evidence.timed is not None)
    if evidence.timed:
        for panel, lengths in zip(axes, LENGTHS, strict=True):
            draw_times(panel, evidence.timed, lengths)
        axes[0].set_ylabel("time, µs (cold)")
        drawn = [value for panel in axes for line in panel.lines for value in line.get_ydata()]
        axes[0].set_ylim(0.6 * min(drawn), 1.6 * max(drawn))
        references = [plotting.REFERENCES[each] for each in (CUB, COPY)]
        plotting.legend_on_top(figure, [*WAYS.values(), *references])
    else:
        draw_counts(axes[0], evidence.counted, "launches", "Kernels launched")
        draw_counts(axes[1], evidence.counted, "atomic_requests", "Atomic additions")
        plotting.legend_on_top(figure, WAYS.values())
    plotting.sources(figure, evidence, counts=evidence.timed is None)
    return figure


def draw_times(axes, timed: Results, lengths: str) -> None:
    axes.set_yscale("log")
    curves = {CUB: times_of(timed, CUB, lengths)}
    if copy := timed.time(algorithm=COPY, cache="cold"):
        curves[COPY] = dict.fromkeys(means(timed), copy)
    plotting.reference_curves(axes, curves)
    for way, look in WAYS.items():
        plotting.time_line(axes, look, times_of(timed, way, lengths))
    over_mean(axes, means(timed), LENGTHS[lengths])


def draw_counts(axes, counted: Results, quantity: str, title: str) -> None:
    for way, look in WAYS.items():
        for prefix in ("predicted_", ""):
            found = {
                mean: counted.count(prefix + quantity, **case(way, "even", mean)) for mean in means(counted)
            }
            known = {mean: value for mean, value in found.items() if value is not None}
            style = {"marker": ""} if prefix else {"linestyle": "none"}
            axes.plot(list(known), list(known.values()), **look.style() | style)
    over_mean(axes, means(counted), title)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.set_ylim(bottom=0)


def over_mean(axes, levels: list[int], title: str) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xticks(levels, [f"{mean:,}" for mean in levels])
    axes.minorticks_off()
    axes.set_xlabel("mean elements per run")
    axes.set_title(title)
    axes.grid()


def numbers(evidence: Evidence) -> dict:
    found = {}
    if evidence.counted:
        found["counted"] = {
            way: {
                str(mean): {
                    each: evidence.counted.count(each, **case(way, "even", mean))
                    for each in ("launches", "atomic_requests")
                }
                for mean in means(evidence.counted)
            }
            for way in WAYS
        }
    if evidence.timed:
        timed = evidence.timed
        for way in ("scan", CUB):
            found[f"{way}_over_cursor"] = {each: keyed(ratios(timed, each, way)) for each in LENGTHS}
        found["cursor_us"] = {
            lengths: keyed({mean: time.value for mean, time in times_of(timed, "cursor", lengths).items()})
            for lengths in LENGTHS
        }
        found["out_of_order"] = {way: max(out_of_order(timed, way), default=None) for way in WAYS}
    return found


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if counted := numbers.get("counted"):
        short = min(counted["scan"], key=int)
        scan, cursor = (counted[way][short] for way in WAYS)
        paragraphs.append(
            f"With runs of mean length {short} the scan takes "
            f"{words.plural(scan['launches'], 'launch', 'launches')}; the cursor takes "
            f"{words.plural(cursor['launches'], 'launch', 'launches')} and "
            f"{words.plural(cursor['atomic_requests'], 'atomic addition')}."
        )
    if any(numbers.get("scan_over_cursor", {}).values()):
        paragraphs.append(timed_in_words(numbers))
    return paragraphs


def timed_in_words(numbers: dict) -> str:
    said = []
    for lengths, name in (("even", "With runs of similar length"), ("one_long", "With one long run")):
        found = {f"mean {int(mean):,}": ratio for mean, ratio in numbers["scan_over_cursor"][lengths].items()}
        if found:
            said.append(f"{name} the scan is {words.pace(found, 'the cursor')}.")
    cursor = numbers["cursor_us"]
    both = [mean for mean in cursor["even"] if mean in cursor["one_long"]]
    if both:
        slower = [cursor["one_long"][mean] / cursor["even"][mean] for mean in both]
        said.append(
            f"The cursor itself is {words.pace(slower, 'with runs of similar length')} if one is long."
        )
    cub = [ratio for found in numbers["cub_device_over_cursor"].values() for ratio in found.values()]
    if cub:
        said.append(f"CUB is {words.pace(cub, 'the cursor')}.")
    if lost := numbers["out_of_order"]["cursor"]:
        said.append(f"The cursor places up to {words.rounded(lost)} runs before their predecessors.")
    return " ".join(said)


def tables(evidence: Evidence) -> list[Table]:
    found = [counts_table(evidence.counted)] if evidence.counted else []
    return found + ([times_table(evidence.timed)] if evidence.timed else [])


def counts_table(counted: Results) -> Table:
    quantities = ("launches", "barriers", "atomic_requests", "global_bytes_read", "global_bytes_written")
    rows = []
    for mean in means(counted):
        for way, look in WAYS.items():
            if cells := predicted.cells_of_case(counted, quantities, **case(way, "even", mean)):
                rows.append([f"{mean:,}", look.label, *cells])
    columns = ["mean", "way", "launches", "barriers", "atomics", "bytes read", "bytes written"]
    caption = "Predicted | counted, runs of similar length. What the search reads depends on the lengths."
    return Table(caption, columns, rows, wide=True, text_columns=2)


def times_table(timed: Results) -> Table:
    rows = []
    for lengths, name in LENGTHS.items():
        for mean in means(timed):
            times = [times_of(timed, way, lengths).get(mean) for way in (*WAYS, CUB)]
            ratio = ratios(timed, lengths).get(mean)
            rows.append([name, f"{mean:,}", *map(words.interval, times), words.decimal(ratio)])
    columns = ["lengths", "mean", "scan,\nµs [95% CI]", "cursor,\nµs [95% CI]", "CUB,\nµs [95% CI]"]
    n = timed.levels("n", operation="decode")[0]
    copy = words.microseconds(timed.time(algorithm=COPY, cache="cold"))
    caption = f"Times, cold, of {words.power(n)} output elements; copying them takes {copy} µs."
    return Table(caption, [*columns, "scan /\ncursor"], rows, wide=True)
