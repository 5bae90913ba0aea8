"""From tiles to vectors: each scheme's time as a multiple of a copy's; what the host's spine consists of."""

from statistics import median

import numpy

from analysis.core import plotting, sweep, words
from analysis.core.charts import name_ends
from analysis.core.files import read_json
from analysis.core.looks import LOOKS
from analysis.report.paper import fast
from analysis.report.paper.block_scans import per_element
from analysis.report.paper.blocks import ends
from experiments.device.block_sums.analysis import TILE, case, host_over_device, host_spine
from experiments.fast.copy_speed import analysis as copy_speed
from experiments.gpu.launches.analysis import numbers as launches_of

COPY, FLOATS = "device_to_device", {"type": "float", "submit": "stream"}
CURVES = {  # claim and algorithm, of ints
    "three_phase": ("any_length", "three_phase"),
    "reduce_then_scan": ("any_length", "reduce_then_scan"),
    "look_back": ("any_length", "look_back"),
    "cub_device": ("any_length", "cub_device"),
    "fast": ("copy_speed", "ours"),
}
NAMES = {"fast": "this work"}
SHORTEST = 1 << 12
FROM = 1 << 18  # elements: of a vector on the host; up to there what is added hardly grows
SPINES = (1 << 13, 1 << 20, 1 << 25)


def curve(recorded, name: str) -> dict[int, float]:
    """Multiples of the copy's time by length, from SHORTEST on, at powers of two."""
    claim, algorithm = CURVES[name]
    timed = recorded.of(claim).timed
    if claim == "copy_speed":
        found = sweep.ratios(*(copy_speed.curve(timed, each, "int32") for each in (algorithm, COPY)))
    else:
        found = sweep.over_n(timed, {"operation": "scan", "algorithm": algorithm}, {"algorithm": COPY})
    return {n: ratio for n, ratio in found.items() if n >= SHORTEST and n & (n - 1) == 0}


def numbers(recorded) -> dict:
    curves = {name: curve(recorded, name) for name in CURVES}
    n = min(max(curve) for curve in curves.values())
    slowest = max(curves["fast"], key=curves["fast"].get)
    evidence = recorded.of("any_length")
    names = ("three_phase", "reduce_then_scan")
    per = {each: per_element(evidence.counters, "warp_instructions", algorithm=each) for each in names}
    time = {each: evidence.timed.time(algorithm=each, n=n, cache="cold").value for each in names}
    forms, of = recorded.of("inclusive_exclusive").timed, {"algorithm": "look_back", "cache": "cold"}
    look_back = [forms.time(**of, form=form).value for form in ("inclusive", "exclusive")]
    launches = launches_of(recorded.of("launches"))
    said = read_json(recorded.figures / "launches.json")["text"][0].split(":")[0]
    timed = [recorded.of(claim).timed for claim in recorded.claims]
    samples = [count for each in timed for count in each.rows.groupby("name").size()]
    least = {"n": slowest, "share": 1 / curves["fast"][slowest]}
    return {
        "n": n,
        "at": {name: of[n] for name, of in curves.items()},
        "instructions": per,
        "instructions_ratio": per["reduce_then_scan"] / per["three_phase"],
        "time_ratio": time["reduce_then_scan"] / time["three_phase"],
        "look_back_us": look_back,
        "look_back_n": max(forms.levels("n", algorithm="look_back")),
        "empty_us": launches["first_us"],
        "short_text": f"{said}.",  # up to which length a launch is most of the time
        "spine": spine(recorded),
        "spine_apart": host_spine(recorded.of("block_sums").timed),
        "schemes": schemes(recorded, curves, n),
        "fast_least": least | {"of_all": fast.least_of_all(recorded.of("copy_speed").timed)},
        "copy_gb_per_s": copy_rate(recorded),
        "samples": {"most": numpy.bincount(samples).argmax(), "range": ends(samples)},  # of a case
    }


def spine(recorded) -> dict:
    """What the host's spine adds: the same at every length, and something for each sum."""
    timed, again = recorded.of("block_sums").timed, recorded.of("single_pass").timed
    host, device = (sweep.times(timed, "n", **case(each)) for each in ("host", "device"))
    more = {n: host[n].value - device[n].value for n in host if n in device and n > TILE}
    ratios = {n: host[n].value / device[n].value for n in more}
    short, longest = [value for n, value in more.items() if n <= FROM], max(more)
    constant, sums = median(short), longest // TILE
    per_sum = (more[longest] - constant) / sums
    of = {"operation": "scan", "algorithm": "three_phase", "type": "float", "n": 1 << 28, "cache": "cold"}
    staircase = [again.time(**of, spine=each).value for each in ("host", "device")]
    on_host = {of: host_over_device(timed, of).items() for of in ("pinned", "pageable")}
    return {
        "staircase": staircase[0] / staircase[1],
        "same_length": ratios[1 << 28],
        "long": ratios[longest],
        "per_sum_ns": per_sum * 1e3,
        "tile_ns": device[longest].value / sums * 1e3,
        "rows": [
            [n, n // TILE, device[n].value, more[n], more[n] - per_sum * (n // TILE)]
            + [per_sum * (n // TILE), ratios[n]]
            for n in (*SPINES, longest)
            if n in more
        ],
        "short": max(ratios.values()),
        "on_host_from": FROM,
        **{memory: ends(ratio for n, ratio in of if n >= FROM) for memory, of in on_host.items()},
    }


def schemes(recorded, curves: dict, n: int) -> list[list]:
    """Of each scheme that was counted: launches, elements moved by element, instructions, time."""
    counted, counters = recorded.of("any_length").counted, recorded.of("any_length").counters
    rows = []

    def add(name: str, launches: int, traffic, case: dict, instructions: float) -> None:
        moved = [per_element(traffic, f"global_bytes_{way}", **case) for way in ("read", "written")]
        times = [curves[name][length] for length in (1 << 16, n)]
        rows.append([NAMES.get(name, LOOKS[name].label), launches, sum(moved) / 4, instructions, *times])

    for name in ("three_phase", "reduce_then_scan", "look_back"):
        launches = counted.count("launches", algorithm=name, n=1 << 16)
        instructions = per_element(counters, "warp_instructions", algorithm=name)
        add(name, launches, counted, {"algorithm": name}, instructions)
    of, longest = recorded.of("copy_speed"), {"algorithm": "ours", "type": "int32"}
    add("fast", 1, of.counters, longest, per_element(of.counted, "warp_instructions", algorithm="ring"))
    return rows


def copy_rate(recorded) -> float:
    """Bytes read and written by the longest copy of floats, in GB/s."""
    timed, of = recorded.of("copy_speed").timed, FLOATS | {"cache": "cold"}
    n = max(timed.levels("n", algorithm=COPY, **of))
    return 2 * 4 * n / timed.time(algorithm=COPY, n=n, **of).value / 1e3


def draw(recorded):
    """Multiples of a copy's time by length, each curve with its name at its end; ours is the thick one."""
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.1)
    ends = []
    for name in CURVES:
        of, ahead = curve(recorded, name), name == "fast"
        look = LOOKS[name]
        style = {"color": look.color, "linewidth": 2.8 if ahead else 1}
        axes.plot(list(of), list(of.values()), **style, marker="o", markersize=2)
        ends.append((of[max(of)], NAMES.get(name, look.label), style["color"], max(of)))
    axes.axhline(1, color=plotting.BLACK, linewidth=1)
    sweep.finish(axes, "time relative to a copy", "")
    axes.set_yscale("log", base=2)
    axes.set(xlim=(SHORTEST / 1.5, 1 << 46), ylim=(0.85, 8))
    axes.set_yticks([1, 2, 4, 8], ["copy", "2×", "4×", "8×"])
    powers = (12, 16, 20, 24, 28, 32)
    axes.set_xticks([1 << k for k in powers], [words.raised(f"2^{k}") for k in powers])
    axes.minorticks_off()
    name_ends(axes, ends, 1 << 31, 0.3, 0.2)
    return figure


DRAWINGS = {"vectors": draw}
