"""active_lanes: after every step half of the threads are no longer needed."""

from collections.abc import Callable
from dataclasses import asdict

from analysis.common import lanes, plotting, words
from analysis.common.evidence import Evidence, Results, select
from analysis.common.plotting import Look
from analysis.common.render import Drawing
from analysis.common.statistics import Median
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

QUESTION = (
    "A warp issues an instruction for all of its lanes, whether they have work or not. How many do, at each "
    "step?"
)
RULE = (
    "A step halves the lanes if at most half as many lanes apply the operator as in the step before, "
    "counted. Holds if every step of Hillis-Steele but the first does so, in every tile counted. Fails if "
    "none does. Otherwise it holds within limits. Times play no part: the claim is not about them."
)
CAPTION = (
    "Lanes that apply the operator, and warps with at least one such lane, at each step of one tile, "
    "counted. Dashed: halved at every step, as claimed."
)

ALGORITHMS = {  # the reduction first, and larger: an up-sweep has the same lanes
    "tree": Look("reduction", plotting.BLACK, "o", filled=False, size=8),
    "hillis_steele": Look("Hillis-Steele", plotting.RED, "s"),
    "sklansky": Look("Sklansky", plotting.ORANGE, "^"),
    "brent_kung": Look("Brent-Kung", plotting.GREEN, "D", filled=False),
    "blelloch": Look("Blelloch", plotting.BLUE, "o"),
}
SHOWN = 1024  # the tile whose steps are drawn
TRACED = {"hillis_steele": 32, "tree": 64, "brent_kung": 64}  # tiles of one warp
THREADS = dict.fromkeys(ALGORITHMS, SHOWN // 2) | {"hillis_steele": SHOWN}  # of that tile


def up(n: int) -> list[int]:
    """Active lanes of an up-sweep, which is a reduction."""
    return [n >> k for k in range(1, n.bit_length())]


PREDICTED: dict[str, Callable[[int], list[int]]] = {
    "hillis_steele": lambda n: [n - (1 << k) for k in range(n.bit_length() - 1)],
    "sklansky": lambda n: [n // 2] * (n.bit_length() - 1),
    "tree": up,
    "brent_kung": lambda n: up(n) + [lanes - 1 for lanes in reversed(up(n)) if lanes > 1],
    "blelloch": lambda n: up(n) + up(n)[::-1],
}


def tiles_of(results: Results | None) -> list[int]:
    return sorted(results.levels("tile", algorithm="hillis_steele")) if results else []


def by_step(counted: Results | None, algorithm: str, tile: int, quantity: str = "ops") -> list[float]:
    """A counter of one tile, for each step that applies the operator."""
    if counted is None or counted.steps is None:
        return []
    return plotting.select_steps(counted, algorithm=algorithm, tile=tile, n=tile)[quantity].tolist()


def halvings(steps: list[float]) -> int:
    """How many steps halve the lanes of the step before."""
    return sum(after <= before / 2 for before, after in zip(steps, steps[1:], strict=False))


def verdict(evidence: Evidence) -> Verdict:
    counted = evidence.counted
    steps = {tile: by_step(counted, "hillis_steele", tile) for tile in tiles_of(counted)}
    if not steps or not all(steps.values()):
        return Verdict(NOT_MEASURED, "The lanes were not counted by step.")
    halved = sum(halvings(each) for each in steps.values())
    of = sum(len(each) - 1 for each in steps.values())
    tile = max(steps)
    first, last = (words.integer(steps[tile][end]) for end in (0, -1))
    said = (
        f"In Hillis-Steele {halved} of {of} steps halve the active lanes: a tile of "
        f"{tile:,} has {first} in the first step and still {last} in the last"
    )
    trees = [by_step(counted, "tree", each) for each in steps]
    if all(trees) and all(halvings(each) == len(each) - 1 for each in trees):
        said += "; in a reduction every step does"
    return Verdict(HOLDS if halved == of else LIMITS if halved else FAILS, f"{said}.")


def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.6, ncols=2)
    draw_steps(left, evidence.counted, "ops", SHOWN)
    left.set_title(f"Active lanes, tile {SHOWN:,}")
    left.set_ylabel("lanes")
    draw_steps(right, evidence.counted, "active_warps", SHOWN // 32)
    right.set_title("Active warps")
    right.set_ylabel("warps")
    plotting.legend_on_top(figure, ALGORITHMS.values())
    plotting.foot(figure, "Counts: SIMT machine." if evidence.counted else "Not counted.")
    return figure


def draw_steps(axes, counted: Results | None, quantity: str, first: int) -> None:
    found = {each: by_step(counted, each, SHOWN, quantity) for each in ALGORITHMS}
    if not any(found.values()):
        return plotting.empty(axes, f"{quantity}: not counted by step")
    said = [first >> k for k in range(first.bit_length())]
    axes.plot(range(1, len(said) + 1), said, color=plotting.GREY, linestyle="--", linewidth=1)
    place = {"xy": (len(said) // 2 + 1, said[len(said) // 2]), "xytext": (5, 0), "va": "center"}
    axes.annotate("as claimed", textcoords="offset points", color=plotting.GREY, fontsize=7, **place)
    for algorithm, steps in found.items():
        axes.plot(range(1, len(steps) + 1), steps, **ALGORITHMS[algorithm].style())
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("step")
    plotting.whole_steps(axes)
    axes.grid(axis="y")


def drawings(evidence: Evidence) -> list[Drawing]:
    if evidence.counted is None or evidence.counted.trace is None:
        return []
    caption = (
        "Which lanes of one warp apply the operator, step by step; the others idle (grey). Hillis-Steele's "
        "scan of 32 elements, a reduction and Brent-Kung's scan of 64. Drawn from the SIMT machine's trace."
    )
    return [Drawing("activity", draw_activity(evidence.counted), caption)]


def draw_activity(counted: Results):
    figure, axes = plotting.new_figure(plotting.WIDE, 1.75, ncols=len(TRACED))
    for (algorithm, tile), panel in zip(TRACED.items(), axes, strict=True):
        trace = select(counted.trace, {"algorithm": algorithm, "tile": tile, "warp": 0})
        lanes.draw_activity(panel, lanes.activity(trace), ALGORITHMS[algorithm])
        label = ALGORITHMS[algorithm].label
        panel.set_title(f"{label[0].upper()}{label[1:]} of {tile}")
    axes[0].set_ylabel("stride")
    return figure


def numbers(evidence: Evidence) -> dict:
    found = {"lanes": {}, "us": {}, "busy": {}}
    counted = evidence.counted
    steps = {
        (algorithm, tile): by_step(counted, algorithm, tile)
        for algorithm in ALGORITHMS
        for tile in tiles_of(counted)
    }
    steps = {key: each for key, each in steps.items() if each}
    found["stated"] = len(steps)
    found["as_stated"] = sum(PREDICTED[algorithm](tile) == each for (algorithm, tile), each in steps.items())
    for (algorithm, tile), each in steps.items():
        if tile == SHOWN:
            found["busy"][algorithm] = sum(each) / (THREADS[algorithm] * len(each))
    for (algorithm,), each in lanes_by_case(evidence.counters):
        found["lanes"][algorithm] = asdict(each)
    found["us"] = {each: time.value for each in ALGORITHMS if (time := time_of(evidence.timed, each))}
    return found


def lanes_by_case(counters: Results | None) -> list[tuple[list[str], lanes.Lanes]]:
    found = [([each], lanes.lanes_of(counters, algorithm=each, tile=SHOWN)) for each in ALGORITHMS]
    return [(called, each) for called, each in found if each]


def time_of(timed: Results | None, algorithm: str, cache: str = "cold") -> Median | None:
    return timed and timed.time(algorithm=algorithm, tile=SHOWN, cache=cache)


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if busy := numbers["busy"]:
        said = words.extremes({ALGORITHMS[each].label: share for each, share in busy.items()}, words.share)
        claimed = busy.get("hillis_steele")
        own = f"; that of Hillis-Steele is {words.share(claimed)}" if claimed else ""
        paragraphs.append(
            f"In {numbers['as_stated']} of {numbers['stated']} pairs of algorithm and tile the active lanes "
            "of each step equal the prediction. Lane utilisation, over all threads and steps of a tile of "
            f"{SHOWN:,}, ranges from {said}{own}."
        )
    found = {each: lanes.Lanes(**of) for each, of in numbers["lanes"].items()}
    if {"hillis_steele", "tree"} <= set(found):
        paragraphs.append(
            " ".join(lanes.in_words(list(found.values())))
            + " In Hillis-Steele against the reduction, "
            + f"{lanes.compared(found['hillis_steele'], found['tree'])}."
        )
    us = {each: time for each, time in numbers["us"].items() if each != "tree"}
    if len(us) > 1:
        first, last = (
            f"{ALGORITHMS[each].label} ({words.significant(us[each])} µs)"
            for each in (min(us, key=us.get), max(us, key=us.get))
        )
        paragraphs.append(f"The fastest scan is {first}, the slowest {last}.")
    return paragraphs


def tables(evidence: Evidence) -> list[Table]:
    columns = ["algorithm", "tile", "steps", "lanes at the\nfirst step", "lanes at the\nlast step"]
    columns += ["steps that halve\nthe lanes", "lanes, sum\nof all steps", "cold,\nµs [95% CI]", "warm,\nµs"]
    rows = [
        [look.label, f"{tile:,}", *counted_cells(evidence.counted, algorithm, tile)]
        + timed_cells(evidence.timed if tile == SHOWN else None, algorithm)
        for tile in tiles_of(evidence.counted) or [SHOWN]
        for algorithm, look in ALGORITHMS.items()
    ]
    caption = (
        f"Active lanes of one tile, predicted | counted, and the time of a long vector in tiles of {SHOWN:,}."
    )
    made = [Table(caption, columns, rows, wide=True)]
    by_case = [([ALGORITHMS[each].label], of) for (each,), of in lanes_by_case(evidence.counters)]
    return made + ([lanes.table(["algorithm"], by_case)] if by_case else [])


def counted_cells(counted: Results | None, algorithm: str, tile: int) -> list[str]:
    both = [PREDICTED[algorithm](tile), by_step(counted, algorithm, tile)]
    facts = [
        (len(each), each[0], each[-1], halvings(each), sum(each)) if each else [None] * 5 for each in both
    ]
    return [" | ".join(map(words.integer, pair)) for pair in zip(*facts, strict=True)]


def timed_cells(timed: Results | None, algorithm: str) -> list[str]:
    cold, warm = (time_of(timed, algorithm, cache) for cache in ("cold", "warm"))
    return [words.interval(cold), words.microseconds(warm)]
