"""copy_speed: a scan can run at the speed of a copy."""

from analysis.common import by_length, by_targets, plotting, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.render import Drawing
from analysis.common.statistics import Median
from analysis.common.tables import Table
from analysis.common.verdict import Verdict

CLAIM, COPY = "copy_speed", "device_to_device"
QUESTION = "Neither CUB's single pass nor ours reaches copy speed. What limits them, and must it?"
RULE = (
    "The targets were set before anything was measured, as ratios of median times; the table lists them. "
    "Holds if every one is met. Fails if a scan of 2²⁸ ints or floats misses its share of the copy. "
    "Otherwise it holds within limits."
)
CAPTION = (
    "Throughput of inclusive scans, 2n elements' bytes divided by time, by type and length; medians, cold, "
    "each scan submitted to a stream."
)

SCANS = {"ours": by_targets.OURS, **by_targets.CUBS, COPY: Look("copy limit", plotting.GREY, "", ":")}
TYPES = {
    "int8": (1, "int8"),
    "int16": (2, "int16"),
    "int32": (4, "int32"),
    "int64": (8, "int64"),
    "float": (4, "float"),
    "double": (8, "double"),
    "affine_float": (8, "affine maps, 8 bytes"),
    "affine_double": (16, "affine maps, 16 bytes"),
}
SHORT = 1 << 20
SUBMITTED = {"live": "One call at a time", "stream": "Calls queued ahead", "graph": "Graph replays"}
DECISIVE = ("scan 2^28 int32, sum: of the copy", "scan 2^28 float, sum: of the copy")


def verdict(evidence: Evidence) -> Verdict:
    found = by_targets.outcomes(CLAIM, evidence)
    return by_targets.verdict(found, DECISIVE, "Scan and copy were not timed.")


def curve(timed: Results, algorithm: str, kind: str, cache: str = "cold", submit: str = "stream"):
    """Median times of one scan by length."""
    operation = "copy" if algorithm == COPY else "scan"
    factors = {"operation": operation, "algorithm": algorithm, "type": kind, "submit": submit, "cache": cache}
    lengths = sorted(timed.levels("n", **factors))
    return {n: timed.time(**factors, n=n) for n in lengths if n & (n - 1) == 0}


def figure(evidence: Evidence):
    if not evidence.timed:
        figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.0)
        plotting.empty(axes, "throughput: not measured")
        plotting.sources(figure, evidence, counts=False)
        return figure
    kinds = [kind for kind in TYPES if curve(evidence.timed, "ours", kind)]
    rows = (len(kinds) + 3) // 4
    figure, panels = plotting.new_figure(
        plotting.WIDE, 0.5 + 1.65 * rows, nrows=rows, ncols=min(4, len(kinds)), sharex=True, sharey=True
    )
    for axes, kind in zip(panels, kinds, strict=False):
        draw_throughput(axes, evidence.timed, kind)
    for axes in panels[len(kinds) :]:
        axes.set_axis_off()
    for axes in panels[:: min(4, len(kinds))]:
        axes.set_ylabel("TB/s (cold)")
    for axes in panels[max(0, len(kinds) - 4) : len(kinds)]:
        axes.set_xlabel("elements, n")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(SCANS))
    plotting.sources(figure, evidence, counts=False)
    return figure


def draw_throughput(axes, timed: Results, kind: str) -> None:
    size, title = TYPES[kind]
    for algorithm, look in SCANS.items():
        times = curve(timed, algorithm, kind)
        if times:
            rates = [2 * n * size / time.value / 1e6 for n, time in times.items()]  # µs: 1e-6 TB/s
            axes.plot(list(times), rates, label=look.label, **look.style())
    axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=0)
    axes.set_title(title)
    axes.grid()


def drawings(evidence: Evidence) -> list[Drawing]:
    if not evidence.timed or not curve(evidence.timed, "ours", "int32", "warm", "graph"):
        return []
    caption = (
        "Short vectors of ints: time of one inclusive scan, warm, medians with 95% confidence intervals. "
        "Left: one call at a time; middle: calls queued ahead; right: replays of a captured graph."
    )
    return [Drawing("short", draw_short(evidence), caption)]


def draw_short(evidence: Evidence):
    figure, panels = plotting.new_figure(plotting.WIDE, 2.3, ncols=3, sharey=True)
    for axes, (submit, title) in zip(panels, SUBMITTED.items(), strict=True):
        for algorithm, look in SCANS.items():
            times = short(curve(evidence.timed, algorithm, "int32", "warm", submit))
            if times:
                plotting.time_line(axes, look, times)
        by_length.finish(axes, "time, µs (warm)" if submit == "live" else "", title, "ints")
        axes.set_ylim(bottom=0)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(SCANS))
    plotting.sources(figure, evidence, counts=False)
    return figure


def short(times: dict[int, Median]) -> dict[int, Median]:
    return {n: time for n, time in times.items() if n <= SHORT}


def numbers(evidence: Evidence) -> dict:
    """Shares of the copy's throughput at the longest vectors, by type; targets by outcome."""
    made = {"targets": by_targets.in_numbers(by_targets.outcomes(CLAIM, evidence))}
    for kind in TYPES if evidence.timed else ():
        ours, copy = (curve(evidence.timed, each, kind) for each in ("ours", COPY))
        both = sorted(set(ours) & set(copy))
        if both:
            n = both[-1]
            made.setdefault("of_copy", {})[kind] = [n, copy[n].value / ours[n].value]
    return made


def text(numbers: dict) -> list[str]:
    shares = numbers.get("of_copy", {})
    if not shares:
        return ["No scan was timed beside a copy."]
    by_type = {f"{TYPES[kind][1]}, n = {words.power(n)}": share for kind, (n, share) in shares.items()}
    said = words.extremes(by_type, words.share)
    return [f"At its longest vectors the scan reaches {said} of the copy's throughput, by type."]


def tables(evidence: Evidence) -> list[Table]:
    return [by_targets.table(by_targets.outcomes(CLAIM, evidence))]
