"""copy_speed: a scan can run at the speed of a copy."""

from analysis.common import beside_cub, by_targets, charts, peers, plotting, sweep, words
from analysis.common.claim import Evidence, Look, Results, Table, Verdict, closed_forms, judge, told
from analysis.common.targets import MISSED

CLAIM, COPY = "copy_speed", "device_to_device"

SCANS = {"ours": by_targets.OURS, **beside_cub.CUBS, COPY: Look("copy limit", plotting.GREY, "", ":")}
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
SHORT, LONG, TABLE = 1 << 20, 1 << 27, 1 << 28
SUBMITTED = {"live": "One call at a time", "stream": "Calls queued ahead", "graph": "Graph replays"}


def curve(timed: Results, algorithm: str, kind: str, cache: str = "cold", submit: str = "stream"):
    """Times of one scan by length, of powers of two."""
    operation = "copy" if algorithm == COPY else "scan"
    factors = {"operation": operation, "algorithm": algorithm, "type": kind, "submit": submit}
    lengths = [n for n in sorted(timed.levels("n", **factors, cache=cache)) if n & (n - 1) == 0]
    return sweep.times(timed, "n", lengths, cache, **factors) if lengths else {}


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted)
    found = by_targets.of_limit(by_targets.outcomes(CLAIM, evidence), "copy/")
    reached = by_targets.reached(found, evidence.floor)
    shares = [{}, {}]  # of short and of long vectors
    for target, ratio, _ in found:
        if ratio:
            name = words.raised(target.work.split(":")[0].removeprefix("scan "))
            shares[target.length >= LONG][name] = ratio
    finding = told("copy_speed", short=shares[0], long=shares[1])
    where = f"{sum(reached.values())} of {len(reached)} targets"
    if sum(reached.values()) > sum(outcome != MISSED for _, ratio, outcome in found if ratio):
        where += ", to within the noise"
    return judge(right, reached, wrong or finding, where)


def numbers(evidence: Evidence) -> dict:
    """Copy's time relative to ours at the length of the paper's table, or the longest, of every type; how we
    fare against CUB."""
    shares = {}
    for kind, (_, name) in TYPES.items():
        ours, copy = (curve(evidence.timed, each, kind) if evidence.timed else {} for each in ("ours", COPY))
        found = sweep.ratios(copy, ours)
        if found:
            n = TABLE if TABLE in found else max(found)
            shares[name] = {"n": n, "share": found[n]}
    return {"shares": shares, "cub": beside_cub.wins_and_losses(evidence, "scan")}


@plotting.of_times
def figure(evidence: Evidence):
    kinds = [kind for kind in TYPES if curve(evidence.timed, "ours", kind)]
    grid = {"nrows": (len(kinds) + 3) // 4, "ncols": min(4, len(kinds)), "sharex": True, "sharey": True}
    figure, panels = plotting.new_figure(plotting.WIDE, 0.5 + 1.65 * grid["nrows"], **grid)
    for axes, kind in zip(panels, kinds, strict=False):
        draw_throughput(axes, evidence.timed, kind)
    for axes in panels[len(kinds) :]:
        axes.set_axis_off()
    for axes in panels[:: grid["ncols"]]:
        axes.set_ylabel("TB/s (cold)")
    for axes in panels[max(0, len(kinds) - 4) : len(kinds)]:
        axes.set_xlabel("elements, n")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(SCANS))
    return figure


def draw_throughput(axes, timed: Results, kind: str) -> None:
    size, title = TYPES[kind]
    for algorithm, look in SCANS.items():
        times = curve(timed, algorithm, kind)
        rates = {n: 2 * n * size / time.value / 1e6 for n, time in times.items()}  # µs: 1e-6 TB/s
        if rates:
            sweep.lines(axes, {look: rates})
    sweep.finish(axes, "", title, "")
    axes.set_ylim(bottom=0)


def drawings(evidence: Evidence) -> dict:
    if not evidence.timed or not curve(evidence.timed, "ours", "int32", "warm", "graph"):
        return {}
    beside = {"peers": peers.figure(evidence)} if peers.times(evidence.timed) else {}
    return {"short": draw_short(evidence)} | beside


def text(evidence: Evidence) -> list[str]:
    """Wins and losses, over all cases."""
    return beside_cub.in_words(evidence, "scan", "scan") + peers.sentence(evidence.timed)


@plotting.of_times
def draw_short(evidence: Evidence):
    figure, panels = plotting.new_figure(plotting.WIDE, 2.3, ncols=3, sharey=True)
    for axes, (submit, title) in zip(panels, SUBMITTED.items(), strict=True):
        for algorithm, look in SCANS.items():
            times = curve(evidence.timed, algorithm, "int32", "warm", submit)
            if short := {n: time for n, time in times.items() if n <= SHORT}:
                charts.time_line(axes, look, short)
        sweep.finish(axes, "time, µs (warm)" if submit == "live" else "", title, "ints, n")
        axes.set_ylim(bottom=0)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(SCANS))
    return figure


def tables(evidence: Evidence) -> list[Table]:
    return [by_targets.table(by_targets.outcomes(CLAIM, evidence))]
