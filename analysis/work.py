"""work: Hillis-Steele does O(n log n) operations, the tree scans O(n)."""

from analysis.common import plotting, words
from analysis.common.evidence import Evidence, Results, predictions
from analysis.common.plotting import Look
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

QUESTION = "How many operations does a scan take, and do operations decide its time?"
RULE = (
    "Fails if a counted number of operations differs from its closed form, for any algorithm and n. Because "
    "the sources infer speed from work, it holds if, besides, both tree scans as the sources print "
    "them (Blelloch and Brent-Kung, not padded) are faster than Hillis-Steele in every tile timed, at the "
    "largest n, cold; otherwise it holds within limits. Faster: a lower median, and 95% confidence "
    "intervals that do not overlap."
)
CAPTION = (
    "Left: operations per element of one tile, predicted (lines) and counted (markers). The others: time of "
    "the scan of every tile, by tile size, median and 95% confidence interval, cold."
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


def largest(timed: Results) -> int:
    return max(timed.levels("n", operation="scan"))


def tiles_timed(results: Results) -> list[int]:
    """The tile sizes of the longest vector."""
    return sorted(results.levels("tile", algorithm="hillis_steele", n=largest(results)))


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
    padded = slower_trees(timed, "padded")
    return Verdict(
        LIMITS,
        f"{counts}, but the tree scans are not faster than Hillis-Steele everywhere: unpadded, not "
        f"{said_slower(slow)}; padded, {'not ' + said_slower(padded) if padded else 'they are'}.",
    )


def said_slower(slow: dict[str, list[int]]) -> str:
    """Blelloch and Brent-Kung in tiles of 512 and 2,048: trees with the same tiles together."""
    alike: dict[tuple, list[str]] = {}
    for tree, sizes in slow.items():
        alike.setdefault(tuple(sizes), []).append(ALGORITHMS[tree].label)
    said = [
        f"{words.listing(trees)} in tiles of {words.listing([words.integer(tile) for tile in sizes])}"
        for sizes, trees in alike.items()
    ]
    return words.listing(said)


def figure(evidence: Evidence):
    """The work, and the times, a panel for each tile size."""
    timed = evidence.timed
    sizes = tiles_timed(timed) if timed else [0]
    grid = {"ncols": 1 + len(sizes), "width_ratios": [1.7 if timed else 1, *[1] * len(sizes)]}
    figure, (left, *panels) = plotting.new_figure(plotting.WIDE, 2.5, **grid)
    draw_operations(left, evidence.counted)
    for panel, tile in zip(panels, sizes, strict=True):
        draw_times(panel, timed, tile)
    if timed:
        share_times(panels)
        plotting.legend_on_top(figure, MAPS.values())
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
    axes.set_xlabel("tile size, n elements")
    axes.set_ylabel("operations per element")
    axes.set_title("Work")
    axes.set_ylim(bottom=0)
    axes.grid(axis="y")
    axes.legend(loc="upper left")


def tiles(counted: Results, algorithm: str):
    """The cases of one unpadded tile, by n."""
    cases = counted.where(operation="scan", algorithm=algorithm, index="plain")
    return cases[cases["n"] == cases["tile"]].sort_values("n")


def draw_times(axes, timed: Results | None, tile: int) -> None:
    if timed is None:
        return plotting.empty(axes, "time: not measured\n(no results of a GPU)")
    block = timed.time(algorithm="cub_block", tile=tile, cache="cold", n=largest(timed))
    references = device_wide(timed) | ({"cub_block": block} if block else {})
    series = [
        (look, [scan_time(timed, each, index, tile) for each in ALGORITHMS]) for index, look in MAPS.items()
    ]
    plotting.time_chart(axes, references, [look.label for look in ALGORITHMS.values()], series)
    axes.set_xlabel(f"{words.power(largest(timed))} floats, µs (cold)")
    axes.set_title(f"Time, tile {tile:,}")


def share_times(panels: list) -> None:
    """Share one time scale, and label the rows once."""
    right = max(panel.get_xlim()[1] for panel in panels)
    for panel in panels:
        panel.set_xlim(0, right)
    for panel in panels[1:]:
        panel.set_yticklabels([])


def device_wide(timed: Results) -> dict:
    """Copy and CUB's device-wide scan, which have no tile."""
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
        applied = words.extremes(
            {look.label: ops[each][n] for each, look in ALGORITHMS.items()}, words.integer
        )
        paragraphs.append(
            f"At n = {int(n):,} the scans apply the operator {applied} "
            "times. A GPU issues instructions by warp, and a warp with one active lane costs as much as a "
            f"full one: by lane Hillis-Steele does {more:.1f} times the operations of Blelloch, by warp "
            f"{more_warps:.1f} times ({warps['hillis_steele'][n]:,} against {warps['blelloch'][n]:,})."
        )
        small = "16"
        if small in ops["brent_kung"]:
            bound = 2 * int(small) - 3
            paragraphs.append(
                "For Brent-Kung the source gives 2n − 3 operations. That is an upper bound: at n = "
                f"{small} it says {bound}, and {ops['brent_kung'][small]} were counted."
            )
    if numbers.get("us"):
        paragraphs.append(times_in_words(numbers))
    return paragraphs


def times_in_words(numbers: dict) -> str:
    us, references = numbers["us"], numbers["reference_us"]
    sizes = sorted({int(case.split()[2]) for case in us})
    trees = [
        f"{words.extremes(ratios, words.more_time)} {index}"
        for index in MAPS
        if (ratios := over_hillis_steele(us, index, sizes))
    ]
    said = [
        f"On {words.power(numbers['n'])} floats the tree scans, compared with plain Hillis-Steele, take "
        f"{words.listing(trees)}."
    ]
    best = min(us, key=us.get)
    algorithm, index, tile = best.split()
    said.append(f"The fastest scan is {index} {ALGORITHMS[algorithm].label} in tiles of {int(tile):,}.")
    if algorithm == "sklansky":
        said.append(
            "It does more operations than either tree, but in half as many steps, with all threads active in "
            "each: the number of steps and lane utilisation matter more than the number of operations."
        )
    if "device_to_device" in references and "cub_device" in references:
        share = references["device_to_device"] / us[best]
        cub = references["device_to_device"] / references["cub_device"]
        said.append(
            f"It moves its data at {share:.0%} of copy speed, CUB's device-wide scan at "
            f"{cub:.0%}, although CUB also adds the sums of the tiles, which are scanned on their own here."
        )
    return " ".join(said)


def over_hillis_steele(us: dict, index: str, sizes: list[int]) -> dict[str, float]:
    """Time of the trees relative to plain Hillis-Steele, by tree and tile."""
    pairs = {
        f"{ALGORITHMS[tree].label}, tile {tile:,}": [
            us.get(f"{tree} {index} {tile}"),
            us.get(f"hillis_steele plain {tile}"),
        ]
        for tree in TREES
        for tile in sizes
    }
    return {name: time / base for name, (time, base) in pairs.items() if time and base}


def tables(evidence: Evidence) -> list[Table]:
    """Predicted, counted and timed, side by side; counts are per tile."""
    columns = ["algorithm", "tile", "operations,\npredicted", "operations,\ncounted", "warp ops,\ncounted"]
    columns += ["bank conflicts,\nplain", "bank conflicts,\npadded"]
    columns += ["plain, cold,\nµs [95% CI]", "padded, cold,\nµs [95% CI]", "of copy speed,\nplain"]
    sizes = tiles_timed(evidence.timed or evidence.counted)
    rows = [
        [
            look.label,
            f"{tile:,}",
            *counted_cells(evidence.counted, algorithm, tile),
            *timed_cells(evidence.timed, algorithm, tile),
        ]
        for tile in sizes
        for algorithm, look in ALGORITHMS.items()
    ]
    caption = "Counts of one tile, and the time of a whole vector, each tile scanned on its own."
    return [Table(caption, columns, rows, wide=True)]


def counted_cells(counted: Results | None, algorithm: str, tile: int) -> list[str]:
    """Operations predicted and counted, warp operations, conflicts with each map; of one tile."""
    wanted = [("predicted_ops", "plain"), ("ops", "plain"), ("warp_ops", "plain")]
    wanted += [("bank_conflicts", index) for index in MAPS]
    if counted is None:
        return [words.NOTHING] * len(wanted)
    n = largest(counted)
    totals = [
        counted.count(quantity, algorithm=algorithm, index=index, tile=tile, n=n)
        for quantity, index in wanted
    ]
    return [words.NOTHING if total is None else words.integer(total * tile / n) for total in totals]


def timed_cells(timed: Results | None, algorithm: str, tile: int) -> list[str]:
    times = [timed and scan_time(timed, algorithm, index, tile) for index in MAPS]
    if not all(times):
        return [words.NOTHING] * 3
    copy = device_wide(timed).get("device_to_device")
    share = f"{copy.value / times[0].value:.0%}" if copy else words.NOTHING
    return [*(words.interval(time) for time in times), share]
