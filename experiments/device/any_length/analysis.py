"""any_length: three launches scan a vector of any length."""

from dataclasses import replace

from analysis.core import looks, plotting, sweep, words
from analysis.core.claim import NO_CLAIM, Evidence, Results, Table, Verdict, judge, told

LAUNCHES = 3

SCANS = looks.of("three_phase", "reduce_then_scan", "look_back")
PASSES = {"three_phase": 4, "reduce_then_scan": 3, "look_back": 2}
COPY, CUB = "device_to_device", "cub_device"
BYTES = 4
TRAFFIC = ["global_bytes_read", "global_bytes_written"]


def lengths(results: Results | None) -> list[int]:
    return sorted(results.levels("n", algorithm="three_phase")) if results else []


def launches(evidence: Evidence) -> dict[int, int]:
    """Of the three-phase scan, by n: counted and, where there are counters of the GPU, of its lengths too."""
    found = {}
    for results in (evidence.counters, evidence.counted):
        rows = results.where(algorithm="three_phase") if results else None
        if rows is not None and "launches" in rows:
            rows = rows.dropna(subset=["launches"])
            found |= {int(n): int(k) for n, k in zip(rows["n"], rows["launches"], strict=True)}
    return dict(sorted(found.items()))


def moved(results: Results | None, algorithm: str) -> sweep.Numbers:
    """Bytes read and written per byte of the vector: counted, or measured at the GPU's memory, cold."""
    rows = results.where(algorithm=algorithm) if results else None
    if rows is None or not set(TRAFFIC) <= set(rows):
        return {}
    if "cache" in rows:
        rows = rows[rows["cache"] == "cold"]
    rows = rows.dropna(subset=TRAFFIC).sort_values("n")
    total = rows[TRAFFIC].sum(axis=1) / (BYTES * rows["n"])
    return {int(n): float(each) for n, each in zip(rows["n"], total, strict=True)}


def over_copy(timed: Results | None, algorithm: str) -> sweep.Numbers:
    return sweep.over_n(timed, {"algorithm": algorithm}, {"algorithm": COPY})


def verdict(evidence: Evidence) -> Verdict:
    """A wrong element aborts an experiment before anything is written, so what is written is correct."""
    if not evidence.counted:
        return judge(None, NO_CLAIM, told("any_length"))
    found = launches(evidence)
    more = [n for n, count in found.items() if count > LAUNCHES]
    tried = sorted({*lengths(evidence.counted), *lengths(evidence.timed)})
    said = {"lengths": len(tried), "shortest": length(tried[0]), "longest": length(tried[-1])}
    if more:
        three = max((n for n in found if n < more[0]), default=0)
        said |= {"three": length(three), "first": length(more[0]), "takes": found[more[0]]}
    return judge(not more, NO_CLAIM, told("any_length", **said))


def length(n: int) -> str:
    """2²⁰ + 1 rather than 1,048,577."""
    power = 1 << max(0, n.bit_length() - 1)
    near = power > 1024 and 0 < n - power < 100
    return f"{words.power(power)} + {n - power}" if near else words.power(n)


@plotting.of_both
def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.6, ncols=2)
    draw_bytes(left, evidence)
    draw_times(right, evidence.timed)
    plotting.legend_on_top(figure, [*SCANS.values(), plotting.line_of(CUB)])
    return figure


def draw_bytes(axes, evidence: Evidence) -> None:
    for algorithm, look in SCANS.items():
        axes.axhline(PASSES[algorithm], color=look.color, linewidth=1.1, linestyle=":", zorder=2)
        counted, measured = (moved(each, algorithm).items() for each in (evidence.counted, evidence.counters))
        small = replace(look, line="none", filled=False, size=3)
        sweep.lines(axes, {small: {n: each for n, each in counted if n >= 1024}})
        sweep.lines(axes, {look: {n: each for n, each in measured if 1 << 16 <= n <= 1 << 30}})
    sweep.finish(axes, "bytes moved (n: one pass)", "Bytes read and written")
    axes.set_yticks(range(5), ["0", "n", "2n", "3n", "4n"])
    axes.set_ylim(0, 4.6)


def draw_times(axes, timed: Results) -> None:
    for algorithm, look in SCANS.items():
        axes.axhline(PASSES[algorithm] / 2, color=look.color, linewidth=1.1, linestyle=":", zorder=2)
        found = over_copy(timed, algorithm)
        sweep.lines(axes, {look: {n: each for n, each in found.items() if n & (n - 1) == 0}})
    sweep.lines(axes, {plotting.line_of(CUB): over_copy(timed, CUB)})
    axes.margins(y=0.1)
    axes.set_ylim(bottom=0)
    sweep.finish(axes, "time / copy time (cold)", "Time relative to a copy")


def tables(evidence: Evidence) -> list[Table]:
    def cell(algorithm: str):
        return lambda _, n: sweep.count_cell(evidence.counted, "launches", algorithm=algorithm, n=n)

    cells = {f"{look.label},\nlaunches": cell(each) for each, look in SCANS.items()}
    keys = [(length(n), n) for n in lengths(evidence.counted)]
    return [sweep.table(told("any_length: table"), ["n"], keys, cells)]
