"""active_lanes: after every step half of the threads are no longer needed."""

from collections.abc import Callable
from functools import partial

from analysis.core import looks, plotting, sweep, words
from analysis.core.claim import NO_CLAIM, Evidence, Look, Results, Table, Verdict, judge, select, told
from experiments.block import lanes

ALGORITHMS = {  # the reduction first, and larger: an up-sweep has the same lanes
    "tree": Look("reduction", plotting.BLACK, "o", filled=False, size=8),
    **looks.of("hillis_steele", "sklansky", "brent_kung", "blelloch"),
}
SHOWN = 1024  # the tile whose steps are drawn
TRACED = {"hillis_steele": 32, "tree": 64, "brent_kung": 64}  # tiles of one warp
THREADS = dict.fromkeys(ALGORITHMS, SHOWN // 2) | {"hillis_steele": SHOWN}  # of that tile


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
    steps = {tile: by_step(evidence.counted, "hillis_steele", tile) for tile in tiles_of(evidence.counted)}
    if not steps or not all(steps.values()):
        return judge(None, NO_CLAIM, told("active_lanes"))
    halved, of = sum(map(halvings, steps.values())), sum(len(each) - 1 for each in steps.values())
    trees = [by_step(evidence.counted, "tree", each) for each in steps]
    in_tree = all(trees) and all(halvings(each) == len(each) - 1 for each in trees)
    tile, ends = max(steps), steps[max(steps)]
    found = {"halved": halved, "of": of, "tile": tile, "first": ends[0], "last": ends[-1], "in_tree": in_tree}
    return judge(halved == of, NO_CLAIM, told("active_lanes", **found))


def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.6, ncols=2)
    draw_steps(left, evidence.counted, "ops", SHOWN)
    left.set(title=f"Active lanes, tile {SHOWN:,}", ylabel="lanes")
    draw_steps(right, evidence.counted, "active_warps", SHOWN // 32)
    right.set(title="Active warps", ylabel="warps")
    plotting.legend_on_top(figure, ALGORITHMS.values())
    plotting.foot(figure, "Counts: SIMT machine.")
    return figure


def draw_steps(axes, counted: Results | None, quantity: str, first: int) -> None:
    said = [first >> k for k in range(first.bit_length())]
    axes.plot(range(1, len(said) + 1), said, color=plotting.GREY, linestyle="--", linewidth=1)
    place = {"xy": (len(said) // 2 + 1, said[len(said) // 2]), "xytext": (5, 0), "va": "center"}
    axes.annotate("as claimed", textcoords="offset points", color=plotting.GREY, fontsize=7, **place)
    for algorithm, look in ALGORITHMS.items():
        steps = by_step(counted, algorithm, SHOWN, quantity)
        axes.plot(range(1, len(steps) + 1), steps, **look.style())
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("step")
    plotting.whole_steps(axes)
    axes.grid(axis="y")


def drawings(evidence: Evidence) -> dict:
    if evidence.counted is None or evidence.counted.trace is None:
        return {}
    panels = {}
    for algorithm, tile in TRACED.items():
        look = ALGORITHMS[algorithm]
        trace = select(evidence.counted.trace, {"algorithm": algorithm, "tile": tile, "warp": 0})
        panels[f"{look.label[0].upper()}{look.label[1:]} of {tile}"] = (lanes.activity(trace), look)
    return {"activity": lanes.activities(panels, 1.75)}


def text(evidence: Evidence) -> str:
    steps = {each: by_step(evidence.counted, each, SHOWN) for each in ALGORITHMS}
    busy = {ALGORITHMS[each].label: sum(of) / (THREADS[each] * len(of)) for each, of in steps.items() if of}
    said, found = [told("active_lanes: text", tile=SHOWN, busy=busy)], lanes_by_case(evidence.counters)
    if {"hillis_steele", "tree"} <= set(found):
        said += lanes.in_words(list(found.values()))
        said.append(lanes.compared(found["hillis_steele"], found["tree"]))
    return " ".join(filter(None, said))


def lanes_by_case(counters: Results | None) -> dict[str, lanes.Lanes]:
    return lanes.of_cases(counters, {each: {"algorithm": each, "tile": SHOWN} for each in ALGORITHMS})


def tables(evidence: Evidence) -> list[Table]:
    def cell(value: Callable[[list], float]) -> Callable[[str, int], str]:
        steps_of = partial(by_step, evidence.counted)
        return lambda *key: words.integer(value(steps) if (steps := steps_of(*key)) else None)

    cells = {
        "steps": cell(len),
        "lanes at the\nfirst step": cell(lambda steps: steps[0]),
        "lanes at the\nlast step": cell(lambda steps: steps[-1]),
        "steps that halve\nthe lanes": cell(halvings),
    }
    timed = {each: sweep.time_cell(evidence.timed, algorithm=each, tile=SHOWN) for each in ALGORITHMS}
    cells["cold,\nµs [95% CI]"] = lambda each, tile: timed[each] if tile == SHOWN else words.NOTHING
    keys = [(each, tile) for tile in tiles_of(evidence.counted) or [SHOWN] for each in ALGORITHMS]
    caption = told("active_lanes: table", tile=SHOWN)
    found = sweep.table(caption, ["algorithm", "tile"], keys, cells, ALGORITHMS)
    by_case = {(ALGORITHMS[each].label,): of for each, of in lanes_by_case(evidence.counters).items()}
    return [found, *lanes.tables(["algorithm"], by_case)]
