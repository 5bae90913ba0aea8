"""divergence: threads picked by t % stride == 0 leave lanes idle; contiguous threads do not."""

from collections.abc import Callable

from analysis.core import charts, plotting, sweep, words
from analysis.core.claim import Evidence, Look, Median, Results, Table, Verdict, judge, select, told
from experiments.block import lanes

# A pair is a kernel and an index map.
TREE, SCAN = ("reduce", "tree"), ("scan", "brent_kung")
KERNELS = {TREE: "reduction", SCAN: "Brent-Kung scan"}
MAPS = ("plain", "padded")
PAIRS = [(kernel, index) for kernel in KERNELS for index in MAPS]
TILE = 1024
BLOCK = {TREE: 512, SCAN: 1024}  # the same for every thread mapping
HALF = 512  # a block of half a tile, which contiguous threads make possible for the scan


def case(kernel: tuple[str, str], index: str, threads: str, block: int | None = None) -> dict:
    factors = {"operation": kernel[0], "algorithm": kernel[1], "threads": threads, "index": index}
    return factors | {"block": block or BLOCK[kernel], "tile": TILE}


def count(counted: Results | None, quantity: str, *key) -> float | None:
    """A count per block, by kernel, map and threads."""
    factors = case(*key)
    return sweep.per_tile(counted, quantity, factors.pop("tile"), **factors)


def time_of(timed: Results | None, *key, block: int | None = None, cache: str = "cold") -> Median | None:
    n = sweep.longest(timed, algorithm="tree")
    return timed.time(**case(*key, block), cache=cache, n=n) if timed else None


def name_of(pair: tuple) -> str:
    kernel, index = pair
    return f"{index} {KERNELS[kernel]}"


def counts(counted: Results | None, quantity: str, some: str, base: str = "spaced") -> dict[tuple, float]:
    """By pair: a count with some threads relative to that with others."""
    return relative(lambda *key: count(counted, quantity, *key), some, base)


def paces(timed: Results | None, some: str, base: str = "spaced") -> dict[tuple, float]:
    """By pair: the time with some threads relative to that with others."""
    return relative(lambda *key: (time := time_of(timed, *key)) and time.value, some, base)


def relative(of: Callable[..., float | None], some: str, base: str) -> dict[tuple, float]:
    """Of the pairs for which both are known."""
    found = {pair: [of(*pair, each) for each in (some, base)] for pair in PAIRS}
    return {pair: one / other for pair, (one, other) in found.items() if one is not None and other}


def named(found: dict[tuple, float]) -> dict[str, float]:
    return {name_of(pair): value for pair, value in found.items()}


def half_blocks(timed: Results | None) -> dict[str, float]:
    """By index map: time of contiguous threads' scan in blocks of half a tile relative to a whole one."""
    found = {}
    for index in MAPS:
        half, whole = (time_of(timed, SCAN, index, "contiguous", block=each) for each in (HALF, None))
        found |= {index: half.value / whole.value} if half and whole else {}
    return found


def half_blocks_over_spaced(timed: Results | None) -> dict[str, float]:
    """By index map: time of contiguous threads' scan in blocks of half a tile relative to spaced threads."""
    same, half = paces(timed, "contiguous"), half_blocks(timed)
    return {index: ratio * same[SCAN, index] for index, ratio in half.items() if (SCAN, index) in same}


THREADS = {
    "spaced": Look("spaced", plotting.RED, "s", "--", filled=False),
    "contiguous": Look("contiguous", plotting.BLUE, "o"),
    "halving": Look("halving", plotting.GREEN, "^", ":"),
}
TRACED = 64


def verdict(evidence: Evidence) -> Verdict:
    fewer = list(counts(evidence.counted, "active_warps", "spaced", "contiguous").values())
    n, faster = sweep.longest(evidence.timed, algorithm="tree"), {}
    for pair in PAIRS:
        spaced, mine = (time_of(evidence.timed, *pair, each) for each in ("spaced", "contiguous"))
        faster[name_of(pair)] = evidence.floor.faster(mine, spaced, n)
    in_words = words.span(fewer, "{:.1f}".format) if fewer else None
    time = named(paces(evidence.timed, "contiguous"))
    finding = told("divergence", fewer=fewer, fewer_in_words=in_words, time=time)
    return judge(min(fewer) > 1 if fewer else None, faster, finding)


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
    for (kernel, name), left, right in zip(KERNELS.items(), axes[::2], axes[1::2], strict=True):
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
    axes.set(xlabel="step", ylabel="warps per block")
    plotting.whole_steps(axes)
    axes.grid(axis="y")


def draw_times(axes, timed: Results, kernel) -> None:
    n = sweep.longest(timed, algorithm="tree")
    of = {each: {"operation": kernel[0]} for each in plotting.REFERENCES} | {"device_to_device": {}}
    found = {each: timed.time(algorithm=each, cache="cold", n=n, **of[each]) for each in of}
    references = {each: time for each, time in found.items() if time}
    times = {each: [time_of(timed, kernel, index, each) for index in MAPS] for each in THREADS}
    series = [(look, times[each]) for each, look in THREADS.items()]
    charts.time_chart(axes, references, list(MAPS), series)
    axes.set_xlabel(f"time of {words.power(n)} floats, µs (cold)")


def drawings(evidence: Evidence) -> dict:
    if evidence.counted is None or evidence.counted.trace is None:
        return {}
    steps = {each: activity(evidence.counted, each) for each in THREADS}
    panels = {f"{look.label} threads": (steps[each], look) for each, look in THREADS.items()}
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
    def counted(quantity: str):
        return lambda *key: words.integer(count(evidence.counted, quantity, *key))

    cells = {"active\nwarps": counted("active_warps"), "bank\nconflicts": counted("bank_conflicts")}
    cells["cold,\nµs [95% CI]"] = lambda *key: words.interval(time_of(evidence.timed, *key))
    cells["warm,\nµs"] = lambda *key: words.microseconds(time_of(evidence.timed, *key, cache="warm"))
    looks = {kernel: Look(name, plotting.BLACK) for kernel, name in KERNELS.items()}
    keys = [(*pair, threads) for pair in PAIRS for threads in THREADS]
    caption = told("divergence: table", tile=TILE)
    names = ["kernel", "map", "threads"]
    found = sweep.table(caption, names, keys, cells, looks, text_columns=3)
    return [found, *lanes.tables(names, lanes_by_case(evidence.counters))]
