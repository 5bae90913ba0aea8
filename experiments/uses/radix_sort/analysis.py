"""radix_sort: passes of count, scan and scatter; the longer the digit, the faster."""

from analysis.core import plotting, sweep, words
from analysis.core.claim import Evidence, Look, Results, Table, Verdict, closed_forms, judge, told

DIGITS = (1, 2, 4, 8)
KINDS = {  # bits of the key and of the payload
    (32, 0): Look("32-bit keys", plotting.BLUE, "o"),
    (32, 32): Look("32-bit keys, payload", plotting.SKY, "s", filled=False, size=7),
    (64, 0): Look("64-bit keys", plotting.RED, "^"),
    (64, 32): Look("64-bit keys, payload", plotting.ORANGE, "v", filled=False, size=7),
}
SCANNED = (32, 0)  # the kind whose counts are scanned on their own
CUB, COPY = "cub_device", "device_to_device"


def case(kind: tuple[int, int], algorithm: str = "radix") -> dict:
    return {"operation": "sort", "algorithm": algorithm, "key_bits": kind[0], "payload_bits": kind[1]}


def times(timed: Results | None, kind: tuple[int, int]) -> sweep.Curve:
    """By bits of the digit."""
    return sweep.times(timed, "digit_bits", DIGITS, **case(kind))


def one_pass(timed: Results | None) -> dict[int, tuple[float, float]]:
    """Times of the scan of one pass's counts, and of the whole pass, by bits of the digit, cold."""
    scans, sorts = sweep.times(timed, "digit_bits", DIGITS, algorithm="of_counts"), times(timed, SCANNED)
    passes = {digit: -(-SCANNED[0] // digit) for digit in DIGITS}
    both = [digit for digit in scans if digit in sorts]
    return {digit: (scans[digit].value, sorts[digit].value / passes[digit]) for digit in both}


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted, "launches")
    faster, ratios = {}, []
    for kind, look in KINDS.items():
        curve = times(evidence.timed, kind)
        n = sweep.longest(evidence.timed, **case(kind))
        for less, more in zip(DIGITS, DIGITS[1:], strict=False):
            name = f"{more} bits against {less} ({look.label})"
            faster[name] = evidence.floor.faster(curve.get(more), curve.get(less), n)
        if {DIGITS[0], DIGITS[-1]} <= set(curve):
            ratios.append(curve[DIGITS[-1]].value / curve[DIGITS[0]].value)
    share = [scan / whole for scan, whole in one_pass(evidence.timed).values()]
    finding = told("radix_sort", ratios=ratios, share=words.span(share, words.share) if share else None)
    return judge(right, faster if evidence.timed else {}, wrong or finding)


@plotting.of_times
def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.7, ncols=2, width_ratios=[1.5, 1])
    draw_times(left, evidence.timed)
    draw_pass(right, one_pass(evidence.timed))
    plotting.legend_on_top(figure, KINDS.values())
    return figure


def draw_times(axes, timed: Results) -> None:
    for kind, look in KINDS.items():
        sweep.lines(axes, {look: sweep.at_places(times(timed, kind), DIGITS)})
        if cub := timed.time(**case(kind, CUB), cache="cold"):
            sweep.lines(axes, {look: {len(DIGITS): cub}})
    if first := times(timed, SCANNED).get(1):
        axes.plot([first.value / digit for digit in DIGITS], color=plotting.GREY, linewidth=0.7, zorder=1)
    if copy := timed.time(algorithm=COPY, key_bits=SCANNED[0], cache="cold"):
        axes.axhline(copy.value, color=plotting.GREY, linestyle=":", linewidth=1, zorder=1)
        place = {"xytext": (12, 2), "textcoords": "offset points", "ha": "right", "color": plotting.GREY}
        axes.annotate("copy of the keys", (len(DIGITS), copy.value), **place)
    sweep.by_place(axes, (*DIGITS, "CUB"), "time, µs (cold)", "Time of the sort", "bits of the digit")
    axes.set_yscale("log")


def draw_pass(axes, found: dict[int, tuple[float, float]]) -> None:
    places = [DIGITS.index(digit) for digit in found]
    scans = [scan for scan, _ in found.values()]
    rest = [max(0, whole - scan) for scan, whole in found.values()]
    axes.bar(places, rest, 0.6, color=plotting.PALE, label="count and scatter")
    axes.bar(places, scans, 0.6, bottom=rest, color=plotting.PURPLE, label="scan of the counts")
    sweep.by_place(axes, DIGITS, "time, µs (cold)", "One pass over 32-bit keys", "bits of the digit")
    axes.margins(y=0.25)
    axes.legend(loc="upper left")


def text(evidence: Evidence) -> str | list[str]:
    ratios = {}
    for kind, look in KINDS.items() if evidence.timed else ():
        ours, cub = times(evidence.timed, kind), evidence.timed.time(**case(kind, CUB), cache="cold")
        if ours and cub:
            ratios[look.label] = min(time.value for time in ours.values()) / cub.value
    return told("radix_sort: text", over_cub=ratios)


def tables(evidence: Evidence) -> list[Table]:
    counted, timed = evidence.counted, evidence.timed
    quantities = {"launches": "launches", "barriers": "barriers", "atomic_requests": "atomics"}
    cells = sweep.cells_of_counts(counted, quantities, lambda kind, digit: case(kind) | {"digit_bits": digit})
    cells["cold,\nµs [95% CI]"] = lambda kind, digit: words.interval(times(timed, kind).get(digit))
    cells["CUB,\nµs [95% CI]"] = lambda kind, _: sweep.time_cell(timed, **case(kind, CUB))
    keys = [(kind, digit) for kind in KINDS for digit in DIGITS]
    return [sweep.table(told("radix_sort: table"), ["sort", "bits of\nthe digit"], keys, cells, KINDS)]
