"""work: Hillis-Steele does O(n log n) operations, the tree scans O(n)."""

from analysis.common import plotting, words
from analysis.common.evidence import Evidence, Results, predictions
from analysis.common.plotting import Look
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

RULE = (
    "Fails if a counted number of operations differs from its closed form, for any algorithm and n. As "
    "the sources argue from work to speed, it holds if, besides, both tree scans as the sources print "
    "them (Blelloch and Brent-Kung, not padded) are faster than Hillis-Steele in every tile timed, at the "
    "largest n, cold; otherwise it holds within limits. Faster: a lower median, and 95% confidence "
    "intervals that do not overlap."
)
CAPTION = (
    "Left: operator applications per element of one tile, by closed form (lines) and counted (markers). "
    "Right: time of the scan of every tile, by size of the tile, median and 95% confidence interval, cold."
)

ALGORITHMS = {
    "hillis_steele": Look("Hillis-Steele", plotting.RED, "s"),
    "sklansky": Look("Sklansky", plotting.ORANGE, "^"),
    "blelloch": Look("Blelloch", plotting.BLUE, "o"),
    "brent_kung": Look("Brent-Kung", plotting.GREEN, "D", filled=False),
}
TREES = ("blelloch", "brent_kung")
MAPS = {
    "plain": Look("plain", plotting.RED, "o", filled=False),
    "padded": Look("padded", plotting.BLUE, "o"),
}
TILE = 1024


def largest(timed: Results) -> int:
    return max(timed.levels("n", operation="scan"))


def tiles_timed(timed: Results) -> list[int]:
    return sorted(timed.levels("tile", algorithm="hillis_steele", n=largest(timed)))


def scan_time(timed: Results, algorithm: str, index: str, tile: int, cache: str = "cold"):
    factors = {"algorithm": algorithm, "index": index, "tile": tile, "cache": cache, "n": largest(timed)}
    return timed.time(operation="scan", **factors)


def slower_trees(timed: Results, index: str) -> dict[str, list[int]]:
    """The tiles in which a tree scan with this index map is not faster than unpadded Hillis-Steele."""
    found = {}
    for tree in TREES:
        for tile in tiles_timed(timed):
            time = scan_time(timed, tree, index, tile)
            if time and not time.below(scan_time(timed, "hillis_steele", "plain", tile)):
                found.setdefault(tree, []).append(tile)
    return found


def verdict(evidence: Evidence) -> Verdict:
    if evidence.counted is None:
        return Verdict(NOT_MEASURED, "The operations were not counted.")
    stated = predictions(evidence.counted).query("quantity == 'ops'")
    wrong = stated[stated["predicted"] != stated["counted"]]
    if len(wrong):
        first = wrong.iloc[0]
        return Verdict(
            FAILS, f"{first['name']} did {first['counted']:,.0f} operations, not {first['predicted']:,.0f}."
        )
    counts = f"All {len(stated)} counts of operations equal their closed forms"
    timed = evidence.timed
    wanted = [
        (each, tile) for each in ("hillis_steele", *TREES) for tile in (tiles_timed(timed) if timed else [])
    ]
    if stated.empty or not wanted or not all(scan_time(timed, each, "plain", tile) for each, tile in wanted):
        return Verdict(NOT_MEASURED, f"{counts}; whether fewer operations are faster was not timed.")
    slow = slower_trees(timed, "plain")
    if not slow:
        return Verdict(
            HOLDS, f"{counts}, and both unpadded tree scans are faster than Hillis-Steele in every tile."
        )
    ending = (
        f"padded, {said_slower(padded)}" if (padded := slower_trees(timed, "padded")) else "padded, they are"
    )
    return Verdict(LIMITS, f"{counts}, but {said_slower(slow)} than Hillis-Steele unpadded; {ending}.")


def said_slower(slow: dict[str, list[int]]) -> str:
    """Blelloch and Brent-Kung are not faster in tiles of 512 and 2,048"""
    by_sizes = {}
    for tree, sizes in slow.items():
        by_sizes.setdefault(words.listing([words.integer(tile) for tile in sizes]), []).append(tree)
    said = []
    for sizes, trees in by_sizes.items():
        names = words.listing([ALGORITHMS[tree].label for tree in trees])
        said.append(f"{names} {'are' if len(trees) > 1 else 'is'} not faster in tiles of {sizes}")
    return words.listing(said)


def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 3.3, ncols=2, width_ratios=[1, 1.15])
    draw_operations(left, evidence.counted)
    draw_times(right, evidence.timed)
    plotting.sources(figure, evidence)
    return figure


def draw_operations(axes, counted: Results | None) -> None:
    if counted is None:
        return plotting.empty(axes, "operations: not counted")
    for algorithm, look in ALGORITHMS.items():
        cases = tiles(counted, algorithm)
        style = look.style()
        axes.plot(cases["n"], cases["predicted_ops"] / cases["n"], color=look.color, linestyle=look.line)
        axes.plot(cases["n"], cases["ops"] / cases["n"], **(style | {"linestyle": "none"}), label=look.label)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("elements of the tile, n")
    axes.set_ylabel("operations per element")
    axes.set_title("Work")
    axes.set_ylim(bottom=0)
    axes.grid(axis="y")
    axes.legend(loc="upper left")


def tiles(counted: Results, algorithm: str):
    """The cases of one unpadded tile, by n."""
    cases = counted.where(operation="scan", algorithm=algorithm, index="plain")
    return cases[cases["n"] == cases["tile"]].sort_values("n")


def draw_times(axes, timed: Results | None) -> None:
    if timed is None:
        return plotting.empty(axes, "time: not measured\n(no results of a GPU)")
    n = largest(timed)
    rows = [(algorithm, tile) for tile in tiles_timed(timed) for algorithm in ALGORITHMS]
    names = [f"{ALGORITHMS[algorithm].label}, {tile:,}" for algorithm, tile in rows]
    series = [
        (look, [scan_time(timed, each, index, tile) for each, tile in rows]) for index, look in MAPS.items()
    ]
    plotting.time_chart(axes, device_wide(timed), names, series)
    axes.set_xlabel(f"time of {words.power(n)} floats, µs (cold)")
    axes.set_title("Time")
    plotting.legend_above(axes, 2)


def device_wide(timed: Results) -> dict:
    """Copy and CUB's device-wide scan, which know no tile."""
    factors = {"cache": "cold", "n": largest(timed)}
    found = {each: timed.time(algorithm=each, **factors) for each in ("device_to_device", "cub_device")}
    return {each: time for each, time in found.items() if time}


def numbers(evidence: Evidence) -> dict:
    found = {}
    if evidence.counted:
        found["counted"] = {each: counts_of(evidence.counted, each) for each in ALGORITHMS}
    if evidence.timed:
        timed = evidence.timed
        found["n"] = largest(timed)
        found["us"] = {
            f"{algorithm} {index} {tile}": time.value
            for algorithm in ALGORITHMS
            for index in MAPS
            for tile in tiles_timed(timed)
            if (time := scan_time(timed, algorithm, index, tile))
        }
        found["reference_us"] = {name: time.value for name, time in device_wide(timed).items()}
    return found


def counts_of(counted: Results, algorithm: str) -> dict:
    cases = tiles(counted, algorithm).set_index("n")
    return {
        "ops": {str(n): int(ops) for n, ops in cases["ops"].items()},
        "warp_ops": {str(n): int(ops) for n, ops in cases["warp_ops"].items()},
    }


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if "counted" in numbers:
        counted = numbers["counted"]
        ops = {each: counted[each]["ops"] for each in ALGORITHMS}
        warps = {each: counted[each]["warp_ops"] for each in ALGORITHMS}
        n = max(ops["hillis_steele"], key=int)
        more = ops["hillis_steele"][n] / ops["blelloch"][n]
        more_warps = warps["hillis_steele"][n] / warps["blelloch"][n]
        paragraphs.append(
            f"At n = {int(n):,} Hillis-Steele applies the operator {ops['hillis_steele'][n]:,} times, "
            f"Sklansky {ops['sklansky'][n]:,}, Blelloch {ops['blelloch'][n]:,} and Brent-Kung "
            f"{ops['brent_kung'][n]:,} times. A GPU issues instructions by warp, and a warp with one lane "
            f"at work costs as much as a full one: by lane Hillis-Steele does {more:.1f} times the "
            f"operations of Blelloch, by warp {more_warps:.1f} times ({warps['hillis_steele'][n]:,} "
            f"against {warps['blelloch'][n]:,})."
        )
        small = "16"
        if small in ops["brent_kung"]:
            bound = 2 * int(small) - 3
            paragraphs.append(
                "For Brent-Kung the source gives 2n - 3 operations. That is an upper bound: at n = "
                f"{small} it says {bound}, and {ops['brent_kung'][small]} were counted."
            )
    if numbers.get("us"):
        paragraphs.append(times_in_words(numbers))
    return paragraphs


def times_in_words(numbers: dict) -> str:
    us, references = numbers["us"], numbers["reference_us"]
    said = []
    for tile in sorted({int(case.split()[2]) for case in us}):
        base = us.get(f"hillis_steele plain {tile}")
        trees = [
            f"{index} {ALGORITHMS[tree].label} takes {words.percent(us[f'{tree} {index} {tile}'] / base)} "
            "time"
            for index in MAPS
            for tree in TREES
            if base and f"{tree} {index} {tile}" in us
        ]
        if trees:
            said.append(f"In tiles of {tile:,}, compared with plain Hillis-Steele, {words.listing(trees)}.")
    said = [f"On {words.power(numbers['n'])} floats: " + " ".join(said)] if said else []
    best = min(us, key=us.get)
    algorithm, index, tile = best.split()
    said.append(
        f"The fastest of them all is {index} {ALGORITHMS[algorithm].label} in tiles of {int(tile):,}."
    )
    if algorithm == "sklansky":
        said.append(
            "It does more operations than either tree, but in half as many steps, and all threads work in "
            "each: how many steps there are, and how full they are, weighs more than how many operations."
        )
    if "device_to_device" in references and "cub_device" in references:
        share = references["device_to_device"] / us[best]
        cub = references["device_to_device"] / references["cub_device"]
        said.append(
            f"It moves its data at {share:.0%} of the speed of a copy; CUB's device-wide scan at "
            f"{cub:.0%}. The tiles are scanned apart, and the sums of the tiles are not added up: CUB does "
            "more."
        )
    return " ".join(said)


def tables(evidence: Evidence) -> list[Table]:
    """Predicted, counted and timed, side by side; counts for one tile."""
    columns = ["algorithm", "tile", "operations,\npredicted", "operations,\ncounted", "warp ops,\ncounted"]
    columns += ["plain, cold,\nµs [95% CI]", "padded, cold,\nµs [95% CI]", "of copy speed,\nplain"]
    timed = evidence.timed
    sizes = tiles_timed(timed) if timed else [TILE]
    rows = [
        [
            look.label,
            f"{tile:,}",
            *counted_cells(evidence.counted, algorithm, tile),
            *timed_cells(timed, algorithm, tile),
        ]
        for tile in sizes
        for algorithm, look in ALGORITHMS.items()
    ]
    caption = "Counts of one tile, and the time of a whole vector, all tiles scanned apart."
    return [Table(caption, columns, rows, wide=True, text_columns=1)]


def counted_cells(counted: Results | None, algorithm: str, tile: int) -> list[str]:
    case = {"algorithm": algorithm, "index": "plain", "tile": tile, "n": tile}
    found = [counted and counted.count(each, **case) for each in ("predicted_ops", "ops", "warp_ops")]
    return [words.NOTHING if value is None else words.integer(value) for value in found]


def timed_cells(timed: Results | None, algorithm: str, tile: int) -> list[str]:
    times = [timed and scan_time(timed, algorithm, index, tile) for index in MAPS]
    if not all(times):
        return [words.NOTHING] * 3
    copy = device_wide(timed).get("device_to_device")
    share = f"{copy.value / times[0].value:.0%}" if copy else words.NOTHING
    return [*(words.interval(time) for time in times), share]
