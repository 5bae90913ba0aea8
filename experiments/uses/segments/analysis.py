"""segments: a scan of segments costs the bytes that say where they begin."""

from analysis.core import charts, plotting, sweep
from analysis.core.claim import Evidence, Look, Results, Table, Verdict, closed_forms, judge, told

SLACK = 0.10

WHOLE, COPY = "whole", "device_to_device"
LOOKS = {
    "keys": Look("by key", plotting.RED, "s"),
    "offsets": Look("by offsets", plotting.BLUE, "o"),
}
WHOLE_LOOK = Look("whole vector", plotting.GREEN, "D", "--", size=3.5)


def by_bytes(way: str, length: int) -> float:
    """Time that the bytes say, relative to the scan of the whole vector."""
    return 1 + (1 if way == "keys" else 1 / length) / 2


def over_bytes(timed: Results | None, way: str) -> sweep.Numbers:
    """Time relative to what the bytes say, by length of the segments."""
    whole = timed.time(algorithm=WHOLE, cache="cold") if timed else None
    if not whole:
        return {}
    curve = sweep.times(timed, "segment", algorithm=way)
    return {length: time.value / whole.value / by_bytes(way, length) for length, time in curve.items()}


def verdict(evidence: Evidence) -> Verdict:
    n = sweep.longest(evidence.timed, algorithm=WHOLE)
    follows, worst = {}, {}
    for way, look in LOOKS.items():
        found = over_bytes(evidence.timed, way)
        for length, ratio in found.items():
            follows[f"{look.label} in segments of {length:,}"] = evidence.floor.as_fast(ratio, n, SLACK)
        if found:
            longest = max(found)
            worst[way] = {"long": found[longest] * by_bytes(way, longest), "most": max(found.values())}
    right, wrong = closed_forms(evidence.counted)
    return judge(right, follows, wrong or told("segments", **worst))


@plotting.of_times
def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.6, ncols=2)
    timed = evidence.timed
    lengths = sorted(timed.levels("segment", algorithm="keys"))
    charts.reference_curves(left, {COPY: flat(timed, COPY, lengths)})
    sweep.lines(left, {WHOLE_LOOK: flat(timed, WHOLE, lengths)})
    sweep.lines(left, {look: sweep.times(timed, "segment", algorithm=way) for way, look in LOOKS.items()})
    sweep.finish(left, "time, µs (cold)", "Time", "elements a segment", lengths)
    sweep.band(right, SLACK)
    sweep.lines(right, {look: over_bytes(timed, way) for way, look in LOOKS.items()})
    sweep.finish(right, "time / what its bytes say", "Beyond its bytes", "elements a segment", lengths)
    for axes in (left, right):
        axes.set_ylim(bottom=0)
        axes.margins(y=0.1)
    plotting.legend_on_top(figure, [*LOOKS.values(), WHOLE_LOOK, plotting.line_of(COPY)])
    return figure


def flat(timed: Results, algorithm: str, lengths: list[int]) -> dict:
    time = timed.time(algorithm=algorithm, cache="cold")
    return dict.fromkeys(lengths, time) if time else {}


def text(evidence: Evidence) -> str | list[str]:
    counted, timed = evidence.counted, evidence.timed
    whole, copy = (timed and timed.time(algorithm=each, cache="cold") for each in (WHOLE, COPY))
    shortest = min(counted.levels("segment", algorithm="offsets")) if counted else None
    both = [{"algorithm": "offsets", "segment": shortest}, {"algorithm": WHOLE}] if shortest else []
    atomics = [counted.count("atomic_lanes", **case) for case in both]
    share = copy.value / whole.value if whole and copy else None
    flags = atomics[0] - atomics[1] if atomics and None not in atomics else None
    return told("segments: text", share=share, shortest=shortest, flags=flags)


def tables(evidence: Evidence) -> list[Table]:
    counted = evidence.counted
    quantities = {"warp_instructions": "warp instructions", "barriers": "barriers"}
    quantities |= {"shared_load_requests": "shared loads", "global_bytes_read": "bytes read"}
    quantities |= {"global_bytes_written": "bytes written"}
    names = [(name,) for name in counted.rows["name"]]
    cells = sweep.cells_of_counts(counted, quantities, lambda name: {"name": name})
    caption = told("segments: table", n=sweep.longest(counted))
    return [sweep.table(caption, ["case"], names, cells)]
