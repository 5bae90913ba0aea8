"""divergence: threads picked by t % stride == 0 leave lanes idle; contiguous threads do not."""

from dataclasses import asdict

from analysis.common import by_tile, lanes, plotting, words
from analysis.common.evidence import Evidence, Results, select
from analysis.common.plotting import Look
from analysis.common.render import Drawing
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

QUESTION = (
    "A step is issued for every warp that has an active lane. Does it help to pack the active threads into "
    "few warps?"
)
RULE = (
    "Holds if, in the reduction and in Brent-Kung, plain and padded, contiguous threads keep fewer warps "
    "active than spaced ones and are faster with the same index map, at the largest n, cold. Fails "
    "if they keep fewer warps active in none of the four pairs, or are faster in none. Otherwise it "
    "holds within limits. Faster: a lower median, and 95% confidence intervals that do not overlap."
)
CAPTION = (
    "Left: active warps of one block at each step that applies the operator. Right: time of the whole "
    "kernel, median and 95% confidence interval, cold. Spaced and contiguous threads access the same "
    "addresses. A reduction writes almost nothing, so it may be faster than the copy."
)

THREADS = {
    "spaced": Look("spaced", plotting.RED, "s", "--", filled=False),
    "contiguous": Look("contiguous", plotting.BLUE, "o"),
    "halving": Look("halving", plotting.GREEN, "^", ":"),
}
KERNELS = {("reduce", "tree"): "reduction", ("scan", "brent_kung"): "Brent-Kung scan"}
MAPS = ("plain", "padded")
PAIRS = [(kernel, index) for kernel in KERNELS for index in MAPS]
TILE = 1024
BLOCK = {("reduce", "tree"): 512, ("scan", "brent_kung"): 1024}  # the same for every thread mapping
HALF = 512  # a block of half a tile, which contiguous threads make possible for the scan
TRACED = 64


def name_of(kernel: tuple[str, str], index: str) -> str:
    return f"{index} {KERNELS[kernel]}"


def case(kernel: tuple[str, str], threads: str, index: str, block: int | None = None) -> dict:
    factors = {"operation": kernel[0], "algorithm": kernel[1], "threads": threads, "index": index}
    return factors | {"block": block or BLOCK[kernel], "tile": TILE}


def counted(evidence: Evidence, quantity: str, kernel, threads: str, index: str) -> float | None:
    """A count per block."""
    return by_tile.count(evidence.counted, quantity, **case(kernel, threads, index))


def time_of(timed: Results, kernel, threads: str, index: str, cache: str = "cold"):
    return timed.time(**case(kernel, threads, index), cache=cache, n=largest(timed))


def largest(timed: Results) -> int:
    return max(timed.levels("n", algorithm="tree"))


def verdict(evidence: Evidence) -> Verdict:
    warps = {
        pair: [
            counted(evidence, "active_warps", pair[0], threads, pair[1])
            for threads in ("spaced", "contiguous")
        ]
        for pair in PAIRS
    }
    if any(None in both for both in warps.values()):
        return Verdict(NOT_MEASURED, "Active warps were not counted for every kernel and index map.")
    fewer = [pair for pair, (spaced, contiguous) in warps.items() if contiguous < spaced]
    if not fewer:
        return Verdict(FAILS, "Contiguous threads keep no fewer warps active.")
    times = {
        pair: [evidence.timed and time_of(evidence.timed, pair[0], threads, pair[1]) for threads in THREADS]
        for pair in PAIRS
    }
    if not all(spaced and contiguous for spaced, contiguous, _ in times.values()):
        return Verdict(NOT_MEASURED, f"{fewer_warps(fewer)}; whether they are faster was not timed.")
    faster = [pair for pair, (spaced, contiguous, _) in times.items() if contiguous.below(spaced)]
    if not faster:
        remedy = [pair for pair, (spaced, _, halving) in times.items() if halving and halving.below(spaced)]
        ending = "; halving, which also changes the addresses, is faster in the reduction" if remedy else ""
        return Verdict(FAILS, f"{fewer_warps(fewer)}, but they are faster in no pair{ending}.")
    if len(fewer) == len(faster) == len(PAIRS):
        return Verdict(HOLDS, f"{fewer_warps(fewer)} and are faster in every pair.")
    slower = words.listing([f"the {name_of(*pair)}" for pair in PAIRS if pair not in faster])
    where = f", but not in {slower}" if slower else " in every pair"
    return Verdict(LIMITS, f"{fewer_warps(fewer)} and are faster{where}.")


def fewer_warps(pairs: list) -> str:
    return f"Contiguous threads keep fewer warps active in {len(pairs)} of {len(PAIRS)} pairs"


def figure(evidence: Evidence):
    figure, axes = plotting.new_figure(plotting.WIDE, 3.7, nrows=2, ncols=2, width_ratios=[1, 1.15])
    for (kernel, name), (left, right) in zip(KERNELS.items(), (axes[:2], axes[2:]), strict=True):
        draw_warps(left, evidence.counted, kernel)
        draw_times(right, evidence.timed, kernel)
        title = name[0].upper() + name[1:]
        left.set_title(f"{title}: active warps")
        right.set_title(f"{title}: time")
    plotting.legend_on_top(figure, THREADS.values())
    plotting.sources(figure, evidence)
    return figure


def draw_warps(axes, counted: Results | None, kernel) -> None:
    if counted is None or counted.steps is None:
        return plotting.empty(axes, "active warps: not counted by step")
    for threads, look in THREADS.items():
        warps = warps_by_step(counted, case(kernel, threads, "plain"))
        if len(warps):
            axes.plot(range(1, len(warps) + 1), warps, **look.style(), label=look.label)
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter("{x:.0f}")
    axes.set_ylabel("warps per block")
    axes.set_xlabel("step")
    plotting.whole_steps(axes)
    axes.grid(axis="y")


def warps_by_step(counted: Results, factors: dict) -> list[float]:
    """Mean active warps of a block, for each step that applies the operator."""
    steps = plotting.select_steps(counted, **factors)
    return (steps["active_warps"] * TILE / steps["n"]).tolist()


def draw_times(axes, timed: Results | None, kernel) -> None:
    if timed is None:
        return plotting.empty(axes, "time: not measured\n(no results of a GPU)")
    n = largest(timed)
    references = plotting.reference_times(timed, cache="cold", n=n, operation=kernel[0])
    copy = timed.time(algorithm="device_to_device", cache="cold", n=n)
    if copy:
        references = {"device_to_device": copy} | references
    series = [
        (look, [time_of(timed, kernel, threads, index) for index in MAPS])
        for threads, look in THREADS.items()
    ]
    plotting.time_chart(axes, references, list(MAPS), series)
    axes.set_xlabel(f"time of {words.power(n)} floats, µs (cold)")


def drawings(evidence: Evidence) -> list[Drawing]:
    if evidence.counted is None or evidence.counted.trace is None:
        return []
    caption = (
        f"Which lanes apply the operator, step by step, in the reduction of {TRACED} elements by one warp; "
        "the others idle (grey). Drawn from the SIMT machine's trace."
    )
    return [Drawing("activity", draw_activity(evidence.counted), caption)]


def draw_activity(counted: Results):
    figure, axes = plotting.new_figure(plotting.WIDE, 1.55, ncols=len(THREADS))
    for threads, look, panel in zip(THREADS, THREADS.values(), axes, strict=True):
        lanes.draw_activity(panel, activity(counted, threads), look)
        panel.set_title(f"{look.label} threads")
    axes[0].set_ylabel("stride")
    return figure


def activity(counted: Results, threads: str) -> list[tuple[int, set[int]]]:
    """Stride and active lanes of each step of the traced reduction."""
    factors = {"algorithm": "tree", "threads": threads, "index": "plain", "warp": 0}
    return lanes.activity(select(counted.trace, factors))


def numbers(evidence: Evidence) -> dict:
    quantities = ("active_warps", "warp_ops", "active_lanes", "bank_conflicts")
    found = {"counted": {}, "us": {}}
    for kernel, index in PAIRS:
        for threads in THREADS:
            key = f"{name_of(kernel, index)}, {threads}"
            counts = {each: counted(evidence, each, kernel, threads, index) for each in quantities}
            if counts["active_warps"] is not None:
                found["counted"][key] = counts
            time = evidence.timed and time_of(evidence.timed, kernel, threads, index)
            if time:
                found["us"][key] = time.value
    found["half_block_us"] = half_block(evidence.timed)
    found["lanes"] = {", ".join(called): asdict(each) for called, each in lanes_by_case(evidence.counters)}
    return found


def lanes_by_case(counters: Results | None) -> list[tuple[list[str], lanes.Lanes]]:
    """Kernel, map and threads, and the lanes by hardware counters, of the cases that have any."""
    found = [
        ([KERNELS[kernel], index, threads], lanes.lanes_of(counters, **case(kernel, threads, index)))
        for kernel, index in PAIRS
        for threads in THREADS
    ]
    return [(called, each) for called, each in found if each]


def half_block(timed: Results | None) -> dict:
    """Times of the scan with contiguous threads in a block of half a tile, by index map."""
    if timed is None:
        return {}
    scan = ("scan", "brent_kung")
    common = {"cache": "cold", "n": largest(timed)}
    times = {index: timed.time(**case(scan, "contiguous", index, HALF), **common) for index in MAPS}
    return {index: time.value for index, time in times.items() if time}


def text(numbers: dict) -> list[str]:
    counts = [warps_in_words(numbers["counted"], kernel) for kernel in KERNELS]
    times = [times_in_words(numbers["us"])]
    times.append(half_block_in_words(numbers))
    times.append(reason_in_words(numbers))
    return [" ".join(filter(None, said)) for said in (counts, hardware_in_words(numbers), times) if any(said)]


def hardware_in_words(numbers: dict) -> list[str]:
    """Active lanes by the GPU's counters, and the instructions that idle warps do not issue."""
    found = {key: lanes.Lanes(**each) for key, each in numbers["lanes"].items()}
    said = lanes.in_words(list(found.values()))
    for kernel in KERNELS.values():
        pair = [found.get(f"{kernel}, plain, {threads}") for threads in ("spaced", "contiguous")]
        if all(pair):
            said.append(f"In the plain {kernel}, spaced against contiguous, {lanes.compared(*pair)}.")
    return said


def reason_in_words(numbers: dict) -> str:
    """The cost of idle lanes alone, from the padded pairs, which have the same bank conflicts."""
    fewer, changes = [], []
    for kernel in KERNELS:
        keys = [f"{name_of(kernel, 'padded')}, {threads}" for threads in ("spaced", "contiguous")]
        counts, times = ([numbers[part].get(key) for key in keys] for part in ("counted", "us"))
        if all(counts) and all(times) and counts[0]["bank_conflicts"] == counts[1]["bank_conflicts"]:
            fewer.append(counts[0]["active_warps"] / counts[1]["active_warps"])
            changes.append(times[1] / times[0])
    if not fewer:
        return ""
    return (
        "Padded, both have the same bank conflicts, so only idle lanes differ: despite "
        f"{words.decimal(min(fewer), 1)} times fewer active warps, contiguous threads take "
        f"{words.listing([words.percent(change) for change in changes])} time. Unpadded, bank conflicts add "
        "to this, because contiguous lanes access words that are further apart."
    )


def half_block_in_words(numbers: dict) -> str:
    """The effect of the smaller blocks that contiguous threads make possible."""
    changes = {
        index: time / numbers["us"][f"{name_of(('scan', 'brent_kung'), index)}, contiguous"]
        for index, time in numbers["half_block_us"].items()
    }
    said = [f"{words.percent(change)} time {index}" for index, change in changes.items()]
    if not said:
        return ""
    return (
        "The spaced scan needs a thread per element; the contiguous one never uses more than half of them. "
        f"In blocks of half a tile it takes {words.listing(said)} than in blocks of a whole one."
    )


def warps_in_words(counted: dict, kernel: tuple[str, str]) -> str:
    pairs = {
        index: [counted.get(f"{name_of(kernel, index)}, {threads}") for threads in ("spaced", "contiguous")]
        for index in MAPS
    }
    if not all(spaced and contiguous for spaced, contiguous in pairs.values()):
        return ""
    warps = [words.integer(each["active_warps"]) for each in pairs["plain"]]
    conflicts = [
        f"{index} " + " against ".join(words.integer(each["bank_conflicts"]) for each in pair)
        for index, pair in pairs.items()
    ]
    return (
        f"In the {KERNELS[kernel]} spaced threads keep {warps[0]} warps active, summed over a block's steps, "
        f"contiguous ones {warps[1]}. Bank conflicts: {words.listing(conflicts)}."
    )


def times_in_words(us: dict) -> str:
    """Time with contiguous and with halving threads relative to spaced ones, over all pairs."""
    found: dict[str, dict[str, float]] = {"contiguous": {}, "halving": {}}
    for name in (name_of(*pair) for pair in PAIRS):
        for threads, ratios in found.items():
            spaced, other = (us.get(f"{name}, {each}") for each in ("spaced", threads))
            if spaced and other:
                ratios[name] = other / spaced
    said = [
        f"{threads} threads take {words.extremes(ratios, words.more_time)}"
        for threads, ratios in found.items()
        if ratios
    ]
    return f"Compared with spaced threads, {words.listing(said)}." if said else ""


def tables(evidence: Evidence) -> list[Table]:
    columns = [
        "kernel",
        "map",
        "threads",
        "active warps,\npredicted",
        "active warps,\ncounted",
        "active\nlanes",
    ]
    columns += ["bank conflicts,\npredicted", "bank conflicts,\ncounted", "cold,\nµs [95% CI]", "warm,\nµs"]
    rows = []
    for kernel, index in PAIRS:
        for threads in THREADS:
            cells = cells_of(evidence, kernel, threads, index)
            if set(cells) != {words.NOTHING}:
                rows.append([KERNELS[kernel], index, threads, *cells])
    caption = f"Counts of one block and its tile of {TILE:,} elements, and the time of the whole vector."
    made = [Table(caption, columns, rows, wide=True, text_columns=3)]
    by_case = lanes_by_case(evidence.counters)
    return made + ([lanes.table(["kernel", "map", "threads"], by_case)] if by_case else [])


def cells_of(evidence: Evidence, kernel, threads: str, index: str) -> list[str]:
    warps, conflicts = (
        [
            words.integer(counted(evidence, f"{prefix}{quantity}", kernel, threads, index))
            for prefix in ("predicted_", "")
        ]
        for quantity in ("active_warps", "bank_conflicts")
    )
    factors = case(kernel, threads, index)
    active = evidence.counted and evidence.counted.count("active_lanes", **factors)
    cold, warm = (
        evidence.timed and time_of(evidence.timed, kernel, threads, index, cache)
        for cache in ("cold", "warm")
    )
    return [*warps, words.decimal(active, 1), *conflicts, words.interval(cold), words.microseconds(warm)]
