"""divergence: threads picked by t % stride == 0 leave lanes idle; contiguous threads do not."""

from analysis.common import charts, lanes, plotting, sweep, words
from analysis.common.evidence import Evidence, Results, select
from analysis.common.plotting import Look
from analysis.common.prose import told
from analysis.common.tables import Table
from analysis.common.thread_mappings import (
    KERNELS,
    MAPS,
    PAIRS,
    TILE,
    case,
    count,
    counts,
    half_blocks,
    half_blocks_over_spaced,
    name_of,
    named,
    paces,
    time_of,
)
from analysis.common.verdict import Verdict, judge

THREADS = {
    "spaced": Look("spaced", plotting.RED, "s", "--", filled=False),
    "contiguous": Look("contiguous", plotting.BLUE, "o"),
    "halving": Look("halving", plotting.GREEN, "^", ":"),
}
TRACED = 64


def verdict(evidence: Evidence) -> Verdict:
    fewer = counts(evidence.counted, "active_warps", "spaced", "contiguous").values()
    n, faster = sweep.longest(evidence.timed, algorithm="tree"), {}
    for pair in PAIRS:
        spaced, mine = (time_of(evidence.timed, *pair, each) for each in ("spaced", "contiguous"))
        faster[name_of(pair)] = evidence.floor.faster(mine, spaced, n)
    right = min(fewer) > 1 if fewer else None
    return judge(right, faster, finding(list(fewer), named(paces(evidence.timed, "contiguous"))))


def finding(fewer: list[float], found: dict[str, float]) -> str:
    in_words = words.span(fewer, "{:.1f}".format) if fewer else None
    return told("divergence", fewer=fewer, fewer_in_words=in_words, time=found)


def numbers(evidence: Evidence) -> dict:
    """By kernel: active warps of spaced over contiguous threads, conflicts and time of contiguous over spaced
    ones; the same of halving ones, whose conflicts are per block."""
    counted, timed = evidence.counted, evidence.timed
    conflicts = [count(counted, "bank_conflicts", *pair, "halving") for pair in PAIRS]
    return {
        "fewer_warps": list(counts(counted, "active_warps", "spaced", "contiguous").values()),
        "conflicts": named(counts(counted, "bank_conflicts", "contiguous")),
        "time": named(paces(timed, "contiguous")),
        "half_blocks": half_blocks_over_spaced(timed),
        "halving": {
            "fewer_warps": list(counts(counted, "active_warps", "spaced", "halving").values()),
            "conflicts": max((each for each in conflicts if each is not None), default=None),
            "time": named(paces(timed, "halving")),
        },
    }


@plotting.of_both
def figure(evidence: Evidence):
    figure, axes = plotting.new_figure(plotting.WIDE, 3.7, nrows=2, ncols=2, width_ratios=[1, 1.15])
    for (kernel, name), (left, right) in zip(KERNELS.items(), (axes[:2], axes[2:]), strict=True):
        draw_warps(left, evidence.counted, kernel)
        draw_times(right, evidence.timed, kernel)
        left.set_title(f"{name[0].upper()}{name[1:]}: active warps")
        right.set_title(f"{name[0].upper()}{name[1:]}: time")
    plotting.legend_on_top(figure, THREADS.values())
    return figure


def draw_warps(axes, counted: Results, kernel) -> None:
    for threads, look in THREADS.items():
        steps = plotting.select_steps(counted, **case(kernel, "plain", threads))
        warps = (steps["active_warps"] * TILE / steps["n"]).tolist()
        axes.plot(range(1, len(warps) + 1), warps, **look.style(), label=look.label)
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter("{x:.0f}")
    axes.set_ylabel("warps per block")
    axes.set_xlabel("step")
    plotting.whole_steps(axes)
    axes.grid(axis="y")


def draw_times(axes, timed: Results, kernel) -> None:
    n = sweep.longest(timed, algorithm="tree")
    references = charts.reference_times(timed, cache="cold", n=n, operation=kernel[0])
    if copy := timed.time(algorithm="device_to_device", cache="cold", n=n):
        references = {"device_to_device": copy} | references
    series = [
        (look, [time_of(timed, kernel, index, each) for index in MAPS]) for each, look in THREADS.items()
    ]
    charts.time_chart(axes, references, list(MAPS), series)
    axes.set_xlabel(f"time of {words.power(n)} floats, µs (cold)")


def drawings(evidence: Evidence) -> dict:
    if evidence.counted is None or evidence.counted.trace is None:
        return {}
    panels = {
        f"{look.label} threads": (activity(evidence.counted, each), look) for each, look in THREADS.items()
    }
    return {"activity": lanes.activities(panels, 1.55)}


def activity(counted: Results, threads: str) -> list[tuple[int, set[int]]]:
    """Stride and active lanes of each step of the traced reduction."""
    factors = {"algorithm": "tree", "threads": threads, "index": "plain", "warp": 0}
    return lanes.activity(select(counted.trace, factors))


def lanes_by_case(counters: Results | None) -> dict[tuple[str, str, str], lanes.Lanes]:
    """The lanes by hardware counters, by kernel, map and threads, of the cases that have any."""
    keys = [(*pair, threads) for pair in PAIRS for threads in THREADS]
    return lanes.of_cases(counters, {(KERNELS[key[0]], *key[1:]): case(*key) for key in keys})


def text(evidence: Evidence) -> list[str]:
    said = lanes.in_words(list(lanes_by_case(evidence.counters).values()))
    block = told("divergence: text", half_blocks=half_blocks(evidence.timed))
    return [" ".join(said), block]


def tables(evidence: Evidence) -> list[Table]:
    quantities = {"active_warps": "active\nwarps", "bank_conflicts": "bank\nconflicts"}
    cells = {
        name: lambda *key, of=of: words.integer(count(evidence.counted, of, *key))
        for of, name in quantities.items()
    }
    cells["cold,\nµs [95% CI]"] = lambda *key: words.interval(time_of(evidence.timed, *key))
    cells["warm,\nµs"] = lambda *key: words.microseconds(time_of(evidence.timed, *key, cache="warm"))
    looks = {kernel: Look(name, plotting.BLACK) for kernel, name in KERNELS.items()}
    keys = [(*pair, threads) for pair in PAIRS for threads in THREADS]
    caption = told("divergence: table", tile=TILE)
    names = ["kernel", "map", "threads"]
    found = sweep.table(caption, names, keys, cells, looks, text_columns=3)
    return [found, *lanes.tables(names, lanes_by_case(evidence.counters))]
