"""block_sums: the block sums are so few that the host may scan them."""

from analysis.core import charts, plotting, sweep, words
from analysis.core.claim import Evidence, Look, Results, Table, Verdict, closed_forms, judge, told
from analysis.core.verdict import lengths_in_words

SLACK = 0.10
TILE = 1024

SPINES = {
    "host": Look("spine on the host", plotting.RED, "s", "-", filled=False),
    "device": Look("spine on the device", plotting.BLUE, "o"),
}
VECTORS = {
    "device": Look("on the GPU", plotting.BLUE, "o"),
    "pinned": Look("pinned on the host", plotting.GREEN, "^", "--"),
    "pageable": Look("pageable on the host", plotting.ORANGE, "D", ":"),
}
SPINE = ("to_host", "scan", "to_device")  # the parts of a host's spine
REFERENCES = {each: {"algorithm": each, "vector": "device"} for each in sweep.REFERENCES}


def case(spine: str, vector: str = "device") -> dict:
    return {"operation": "scan", "algorithm": "three_phase", "spine": spine, "vector": vector}


def host_over_device(timed: Results | None, vector: str = "device") -> sweep.Numbers:
    """Time with the spine on the host over that on the device, by n, of vectors of more than one block."""
    found = sweep.over_n(timed, case("host", vector), case("device", vector))
    return {n: ratio for n, ratio in found.items() if n > TILE}


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted)
    ratios = host_over_device(evidence.timed)
    free = sweep.within(ratios, evidence.floor, SLACK)
    finding = told("block_sums", ratios={f"n = {words.power(n)}": ratio for n, ratio in ratios.items()})
    return judge(right, free, wrong or finding, lengths_in_words(free))


@plotting.of_times
def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.6, ncols=2)
    draw_times(left, evidence.timed)
    sweep.band(right, SLACK)
    sweep.lines(right, {look: host_over_device(evidence.timed, each) for each, look in VECTORS.items()})
    sweep.finish(right, "time, host / device", "Host spine relative to device spine")
    right.set_ylim(bottom=0)
    right.legend(title="vector", loc="best")
    return figure


def draw_times(axes, timed: Results) -> None:
    sweep.lines(axes, {look: sweep.times(timed, "n", **case(each)) for each, look in SPINES.items()})
    curves = {each: sweep.times(timed, "n", **of) for each, of in REFERENCES.items()}
    charts.reference_curves(axes, curves)
    sweep.finish(axes, "time, µs (cold)", "Time, vector on the GPU")
    axes.set_yscale("log")
    axes.legend(loc="upper left")


def tables(evidence: Evidence) -> list[Table]:
    def cell(quantity: str, spine: str):
        return lambda n: sweep.count_cell(evidence.counted, quantity, **case(spine), n=n)

    cells = {f"{spine},\nlaunches": cell("launches", spine) for spine in SPINES}
    cells["bytes to\nthe host"] = cell("bytes_to_host", "host")
    every = sorted(evidence.counted.levels("n", **case("host")))
    return [sweep.table(told("block_sums: table"), ["n"], [(n,) for n in every], cells)]


def host_spine(timed: Results | None) -> dict | None:
    """At the longest vector microseconds of the copy of the block sums to the host, their scan there and the
    copy back; what a host spine adds to the scan in all; and the rest: waiting for the host and launching
    what follows, less the levels of the GPU that fall away."""
    n = sweep.longest(timed, **case("host"))
    whole = [timed.time(**case(spine), n=n, cache="cold") for spine in SPINES] if n else []
    if not whole or None in whole:
        return None
    parts = {part: timed.time(operation="spine", algorithm=part, n=n, cache="cold") for part in SPINE}
    known = {part: time.value for part, time in parts.items() if time}
    added = whole[0].value - whole[1].value
    rest = {"rest": added - sum(known.values())} if len(known) == len(SPINE) else {}
    return {"n": n, "added_us": added} | known | rest


def beyond_model(evidence: Evidence) -> str:
    spine = host_spine(evidence.timed)
    return told("host spine", **spine) if spine else ""
