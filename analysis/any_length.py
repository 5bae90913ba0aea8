"""any_length: three kernels scan a vector of any length."""

from dataclasses import replace

from analysis.common import by_length, plotting, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import Median
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

KERNELS = 3
ONE_SPINE = 1024 * 1024  # up to this length one block can scan the sums of all tiles
INT = 1 << 31
QUESTION = "Tiles, their sums, and a last addition: three kernels. Is that enough for any length?"
RULE = (
    "Three kernels scan a length if the three-phase scan takes at most three launches there and every "
    "element is correct; a wrong element aborts an experiment before anything is written. Holds if that is "
    "so at every length, on the SIMT machine and on the GPU, and one of them exceeds 2³¹. Fails if the scan "
    f"takes more launches at a length of up to {words.integer(ONE_SPINE)}, whose sums one block can scan. "
    "Otherwise it holds within limits."
)
CAPTION = (
    "Left: bytes read and written per byte of the vector, cold. Small open markers: counted; the others: "
    "traffic between the GPU and its memory. A short vector's intermediate results stay in the cache. "
    "Right: time relative to a copy, which reads and writes each byte once, cold. Dotted: predicted."
)
CAPTION_WITHOUT_TIMES = (
    "Bytes read and written per byte of the vector, predicted (lines) and counted (markers)."
)

SCANS = {
    "three_phase": Look("scan, then add", plotting.RED, "s"),
    "reduce_then_scan": Look("reduce, then scan", plotting.ORANGE, "^"),
    "look_back": Look("single pass", plotting.BLUE, "o"),
}
PASSES = {"three_phase": 4, "reduce_then_scan": 3, "look_back": 2}
COPY, CUB = "device_to_device", "cub_device"
BYTES = 4


def lengths(results: Results | None, algorithm: str = "three_phase") -> list[int]:
    return sorted(results.levels("n", algorithm=algorithm)) if results else []


def is_power(n: int) -> bool:
    return n & (n - 1) == 0


def launches(evidence: Evidence, algorithm: str = "three_phase") -> dict[int, int]:
    """Launches by n: counted and, where there are counters of the GPU, of the timed lengths too."""
    found = {}
    for results in (evidence.counters, evidence.counted):
        rows = results.where(algorithm=algorithm) if results else None
        if rows is not None and "launches" in rows:
            rows = rows.dropna(subset=["launches"])
            found |= {int(n): int(k) for n, k in zip(rows["n"], rows["launches"], strict=True)}
    return dict(sorted(found.items()))


def moved(results: Results | None, algorithm: str) -> dict[int, float]:
    """Bytes read and written per byte of the vector: counted, or measured at the GPU's memory, cold."""
    rows = results.where(algorithm=algorithm) if results else None
    if rows is None or not {"global_bytes_read", "global_bytes_written"} <= set(rows):
        return {}
    if "cache" in rows:
        rows = rows[rows["cache"] == "cold"]
    rows = rows.dropna(subset=["global_bytes_read", "global_bytes_written"]).sort_values("n")
    total = (rows["global_bytes_read"] + rows["global_bytes_written"]) / (BYTES * rows["n"])
    return {int(n): float(each) for n, each in zip(rows["n"], total, strict=True)}


def time_of(timed: Results | None, algorithm: str, n: int) -> Median | None:
    return timed.time(algorithm=algorithm, n=n, cache="cold") if timed else None


def over_copy(timed: Results, algorithm: str) -> dict[int, float]:
    """Median time relative to the copy's, by n."""
    pairs = {n: (time_of(timed, algorithm, n), time_of(timed, COPY, n)) for n in lengths(timed, COPY)}
    return {n: mine.value / copy.value for n, (mine, copy) in pairs.items() if mine and copy}


def verdict(evidence: Evidence) -> Verdict:
    counted, on_gpu = lengths(evidence.counted), lengths(evidence.timed)
    if not counted:
        return Verdict(NOT_MEASURED, "The scans were not counted.")
    if not on_gpu:
        return Verdict(NOT_MEASURED, "The scans were not run on a GPU.")
    found = launches(evidence)
    more = {n: count for n, count in found.items() if count > KERNELS}
    tried = sorted({*counted, *on_gpu})
    said = f"The scan is correct at all {len(tried)} lengths from {tried[0]} to {length(tried[-1])}"
    if more and min(more) <= ONE_SPINE:
        return Verdict(FAILS, f"{said}, but takes {more[min(more)]} launches at n = {length(min(more))}.")
    if more:
        three = length(max(n for n in found if n < min(more)))
        few = f"it takes at most three launches up to n = {three}"
        return Verdict(LIMITS, f"{said}; {few}, but {more[min(more)]} at n = {length(min(more))}.")
    if tried[-1] <= INT:
        return Verdict(LIMITS, f"{said}, in at most three launches; no length beyond 2³¹ was tried.")
    return Verdict(HOLDS, f"{said}, in at most three launches.")


def length(n: int) -> str:
    """2²⁰ + 1 rather than 1,048,577."""
    exponent = n.bit_length() - 1
    rest = n - (1 << exponent)
    near = exponent > 10 and 0 < rest < 100
    return f"{words.power(1 << exponent)} + {rest}" if near else words.power(n)


def figure(evidence: Evidence):
    panels = 2 if evidence.timed else 1
    width = plotting.WIDE if evidence.timed else plotting.NARROW
    figure, (left, *right) = plotting.new_figure(width, 2.6, ncols=panels)
    draw_bytes(left, evidence)
    for axes in right:
        draw_times(axes, evidence.timed)
    references = [replace(plotting.REFERENCES[CUB], marker="")] if evidence.timed else []
    plotting.legend_on_top(figure, [*SCANS.values(), *references])
    plotting.sources(figure, evidence)
    return figure


def draw_bytes(axes, evidence: Evidence) -> None:
    if not any(moved(each, "look_back") for each in (evidence.counted, evidence.counters)):
        plotting.empty(axes, "bytes: neither counted nor read from the GPU")
        return
    for algorithm, look in SCANS.items():
        passes = PASSES[algorithm]
        axes.axhline(passes, color=look.color, linewidth=0.8, linestyle=":", zorder=1)
        counted = {n: each for n, each in moved(evidence.counted, algorithm).items() if n >= 1024}
        small = look.style() | {"linestyle": "none", "markersize": 3, "markerfacecolor": "white"}
        axes.plot(list(counted), list(counted.values()), **small)
        measured = {
            n: each
            for n, each in moved(evidence.counters, algorithm).items()
            if n >= 1 << 16 and n <= 1 << 30
        }
        axes.plot(list(measured), list(measured.values()), **look.style())
    axes.set_yticks(range(5), ["0", "n", "2n", "3n", "4n"])
    axes.set_ylim(0, 4.6)
    by_length.finish(axes, "bytes moved (n: one pass)", "Bytes read and written")


def draw_times(axes, timed: Results) -> None:
    for algorithm, look in SCANS.items():
        axes.axhline(PASSES[algorithm] / 2, color=look.color, linewidth=0.8, linestyle=":", zorder=1)
        found = {n: each for n, each in over_copy(timed, algorithm).items() if is_power(n)}
        axes.plot(list(found), list(found.values()), **look.style())
    look, found = plotting.REFERENCES[CUB], over_copy(timed, CUB)
    axes.plot(list(found), list(found.values()), color=look.color, linestyle=look.line)
    axes.margins(y=0.1)
    axes.set_ylim(bottom=0)
    by_length.finish(axes, "time / copy time (cold)", "Time relative to a copy")


def numbers(evidence: Evidence) -> dict:
    found = {"lengths": sorted({*lengths(evidence.counted), *lengths(evidence.timed)})}
    found["launches"] = {each: {str(n): k for n, k in launches(evidence, each).items()} for each in SCANS}
    found["counted"] = {each: last(moved(evidence.counted, each)) for each in SCANS}
    found["measured"] = {each: last(moved(evidence.counters, each)) for each in SCANS}
    if evidence.timed:
        found["over_copy"] = {each: last(over_copy(evidence.timed, each)) for each in (*SCANS, CUB)}
    return found


def last(values: dict[int, float]) -> list | None:
    """The value at the largest length up to 2³⁰."""
    n = max((n for n in values if n < INT), default=None)
    return None if n is None else [n, values[n]]


def text(numbers: dict) -> list[str]:
    tried = numbers["lengths"]
    odd = [n for n in tried if not is_power(n)]
    paragraphs = [
        f"Each of the three scans is correct at all {len(tried)} lengths; {len(odd)} of them are not powers "
        f"of two, such as {words.listing([length(n) for n in odd[:2] + odd[-1:]])}."
    ]
    for key, where in (("counted", "Counted"), ("measured", "Measured between the GPU and its memory")):
        said = [f"{SCANS[each].label} {said_passes(value)}" for each, value in numbers[key].items() if value]
        if said:
            paragraphs.append(f"{where}: {', '.join(said)}.")
    over = {each: value for each, value in numbers.get("over_copy", {}).items() if value}
    if over:
        names = {each: look.label for each, look in SCANS.items()} | {CUB: "CUB"}
        ratios = {names[each]: ratio for each, (_, ratio) in over.items()}
        n = max(n for n, _ in over.values())
        paragraphs.append(f"At n = {words.power(n)} the scans are {words.pace(ratios, 'a copy')}.")
    return paragraphs


def said_passes(value: list) -> str:
    return f"moves {value[1]:.2f}n (n = {length(value[0])})"


def tables(evidence: Evidence) -> list[Table]:
    found = [counts_table(evidence)] if evidence.counted else []
    return found + ([times_table(evidence)] if evidence.timed else [])


def counts_table(evidence: Evidence) -> Table:
    columns = ["n", *[f"{look.label},\n{part}" for look in SCANS.values() for part in ("launches", "bytes")]]
    rows = []
    for n in lengths(evidence.counted):
        row = [length(n)]
        for each in SCANS:
            row += [pair(evidence.counted, ("launches",), each, n), pair(evidence.counted, TRAFFIC, each, n)]
        rows.append(row)
    caption = "Launches, and bytes read and written in 32-byte sectors: predicted | counted."
    return Table(caption, columns, rows, wide=True)


TRAFFIC = ("global_bytes_read", "global_bytes_written")


def pair(counted: Results, quantities: tuple[str, ...], algorithm: str, n: int) -> str:
    """Predicted and counted; the sums of several quantities."""
    sums = []
    for prefix in ("predicted_", ""):
        values = [counted.count(prefix + each, algorithm=algorithm, n=n) for each in quantities]
        sums.append(None if None in values else sum(values))
    return words.NOTHING if sums[1] is None else " | ".join(map(words.integer, sums))


def times_table(evidence: Evidence) -> Table:
    timed = evidence.timed
    every = {look.label: algorithm for algorithm, look in SCANS.items()} | {"CUB": CUB, "copy": COPY}
    columns = ["n", *[f"{name},\nµs [95% CI]" for name in every]]
    rows = [
        [length(n), *[words.interval(time_of(timed, algorithm, n)) for algorithm in every.values()]]
        for n in lengths(timed)
    ]
    return Table("Times by length, cold.", columns, rows, wide=True)
