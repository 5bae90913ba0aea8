"""single_pass: look-back reads and writes every element once, so a scan runs at the speed of a copy."""

from analysis.core import looks, plotting, sweep, words
from analysis.core.claim import Evidence, Median, Results, Table, Verdict, judge, told
from analysis.core.files import claims_in
from analysis.core.loading import load

SHARE = 0.90
SLACK = 0.05

SCANS = looks.of("three_phase", "reduce_then_scan", "look_back")
COPY, CUB = "device_to_device", "cub_device"
TYPES = {"int8": 1, "int16": 2, "int32": 4, "float": 4, "int64": 8, "double": 8}
USUAL = {"items": 15, "threads": 256}  # the shape that scans floats at every length
CURVES = [  # from the fastest on: look, factors
    (plotting.line_of(COPY), {"algorithm": COPY}),
    (plotting.line_of(CUB), {"algorithm": CUB}),
    (SCANS["look_back"], {"algorithm": "look_back", **USUAL}),
    (SCANS["reduce_then_scan"], {"algorithm": "reduce_then_scan"}),
    (SCANS["three_phase"], {"algorithm": "three_phase", "spine": "device"}),
]
FAST = "copy_speed"  # the claim about a scan that moves as many bytes as look-back
FAST_SCAN = {"operation": "scan", "algorithm": "ours", "submit": "stream", "cache": "cold"}
ITS_COPY = {"algorithm": COPY, "submit": "stream", "cache": "cold"}
TRAFFIC = ("global_bytes_read", "global_bytes_written")


def passes(counted: Results | None) -> list[float]:
    """Bytes that look-back reads and writes per byte of the vector, of every case."""
    rows = counted.where(algorithm="look_back").to_dict("records") if counted else []
    return [sum(row[each] for each in TRAFFIC) / (row["n"] * TYPES[row["type"]]) for row in rows]


def longest(timed: Results | None, kind: str) -> int:
    """The longest vector of that type for which a look-back and the copy were timed; 0 if there is none."""
    if timed is None:
        return 0
    ours, copies = (set(timed.levels("n", algorithm=each, type=kind)) for each in ("look_back", COPY))
    return max(ours & copies, default=0)


def shapes(timed: Results, kind: str) -> dict[tuple[int, int], Median]:
    """Time of look-back by elements per thread and threads, at the longest vector."""
    factors = {"algorithm": "look_back", "type": kind, "n": longest(timed, kind)}
    found = {}
    for items in sorted(timed.levels("items", **factors)):
        times = sweep.times(timed, "threads", **factors, items=items)
        found |= {(items, threads): time for threads, time in times.items()}
    return found


def time_of(timed: Results, algorithm: str, kind: str) -> Median | None:
    return timed.time(algorithm=algorithm, type=kind, n=longest(timed, kind), cache="cold")


def shares(timed: Results | None) -> dict[str, dict[str, float]]:
    """Shares of the copy's throughput, by type: ours in its fastest shape, and CUB's; longest vector."""
    found = {}
    for kind in TYPES:
        if longest(timed, kind):
            copy, cub = (time_of(timed, each, kind) for each in (COPY, CUB))
            ours = min(time.value for time in shapes(timed, kind).values())
            found[kind] = {"ours": copy.value / ours} | ({"cub": copy.value / cub.value} if cub else {})
    return found


def verdict(evidence: Evidence) -> Verdict:
    moved = max(passes(evidence.counted), default=None)
    found = {kind: max(each.values()) for kind, each in shares(evidence.timed).items()}
    n = {kind: longest(evidence.timed, kind) for kind in found}
    at_speed = {kind: evidence.floor.reaches(share, SHARE, n[kind]) for kind, share in found.items()}
    finding = told("single_pass", moved=moved, found=found)
    return judge(moved <= 2 * (1 + SLACK) if moved else None, at_speed, finding)


def numbers(evidence: Evidence) -> dict:
    """Shares of the copy's throughput, by type: of our look-back and of CUB's."""
    return {"shares": shares(evidence.timed)}


@plotting.of_times
def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.9, ncols=2, width_ratios=[1.4, 1])
    draw_throughput(left, evidence.timed)
    draw_shares(right, shares(evidence.timed))
    return figure


def draw_throughput(axes, timed: Results) -> None:
    """GB/s of the 2n elements that a scan must move."""
    for look, factors in CURVES:
        curve = sweep.times(timed, "n", **factors, type="float")
        rates = {n: 2 * n * TYPES["float"] / (time.value * 1000) for n, time in curve.items()}
        sweep.lines(axes, {look: rates})
    sweep.finish(axes, "throughput for 2n, GB/s (cold)", "Throughput", "floats, n")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left")


def draw_shares(axes, found: dict[str, dict[str, float]]) -> None:
    for key, look, offset in (("ours", SCANS["look_back"], -0.2), ("cub", plotting.REFERENCES[CUB], 0.2)):
        known = {row + offset: each[key] for row, each in enumerate(found.values()) if key in each}
        axes.barh(list(known), list(known.values()), height=0.36, color=look.color, label=look.label)
    axes.axvline(SHARE, color=plotting.RED, linewidth=1)
    axes.set_yticks(range(len(found)), list(found))
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25%", "50%", "75%", "copy"])
    axes.set(xlim=(0, 1.05), ylim=(len(found) - 0.5, -0.5), title="Share of copy throughput")
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2, borderpad=0)


def tables(evidence: Evidence) -> list[Table]:
    timed, found = evidence.timed, shares(evidence.timed)
    if not found:
        return []
    every = {kind: shapes(timed, kind) for kind in found}
    best = {kind: min(of, key=lambda shape, of=of: (of[shape].value, shape)) for kind, of in every.items()}
    cells = {
        "n": lambda kind: words.power(longest(timed, kind)),
        "shape": lambda kind: " × ".join(map(str, best[kind])),
        "look-back,\nµs [95% CI]": lambda kind: words.interval(every[kind][best[kind]]),
        "CUB,\nµs [95% CI]": lambda kind: words.interval(time_of(timed, CUB, kind)),
        "copy,\nµs [95% CI]": lambda kind: words.interval(time_of(timed, COPY, kind)),
    }
    return [sweep.table(told("single_pass: table"), ["type"], [(kind,) for kind in found], cells)]


def beyond_model(evidence: Evidence) -> str:
    """What keeps look-back from the speed of a copy: not the bytes, as the fast scan shows, at the longest
    vector of each type."""
    results, shares_of_copy = (evidence.counted or evidence.timed).path.parents[1], []
    timed = load(results, FAST)[0].timed if FAST in claims_in(results) else None
    for kind in timed.levels("type", **FAST_SCAN) if timed else []:
        n = sweep.longest(timed, **FAST_SCAN, type=kind)
        scan, copy = (timed.time(**of, type=kind, n=n) for of in (FAST_SCAN, ITS_COPY))
        shares_of_copy += [copy.value / scan.value] if scan and copy else []
    return told("one pass", share=words.span(shares_of_copy, words.share) if shares_of_copy else None)
