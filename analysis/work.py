"""work: Hillis-Steele does O(n log n) operations, the tree scans O(n)."""

from analysis.common import plotting, words
from analysis.common.evidence import Evidence, Results, predictions
from analysis.common.plotting import Look
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

RULE = (
    "Fails if a counted number of operations differs from its closed form, for any algorithm and n. As "
    "the sources argue from work to speed, it holds if, besides, both tree scans as the sources print "
    "them (Blelloch and Brent-Kung, not padded) are faster than Hillis-Steele at the largest n timed, "
    "cold; otherwise it holds within limits. Faster: a lower median, and 95% confidence intervals that do "
    "not overlap."
)
CAPTION = (
    "Left: operator applications per element of one tile, by closed form (lines) and counted (markers). "
    "Right: time of the whole scan, median and 95% confidence interval, cold."
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


def scan_time(timed: Results, algorithm: str, index: str, cache: str = "cold"):
    return timed.time(operation="scan", algorithm=algorithm, index=index, cache=cache, n=largest(timed))


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
    base = evidence.timed and scan_time(evidence.timed, "hillis_steele", "plain")
    times = {tree: evidence.timed and scan_time(evidence.timed, tree, "plain") for tree in TREES}
    if stated.empty or not base or not all(times.values()):
        return Verdict(NOT_MEASURED, f"{counts}; whether fewer operations are faster was not timed.")
    slow = [tree for tree in TREES if not times[tree].below(base)]
    if not slow:
        return Verdict(HOLDS, f"{counts}, and both unpadded tree scans are faster than Hillis-Steele.")
    return Verdict(LIMITS, f"{counts}, but {speed_of(evidence.timed, slow, base)}")


def speed_of(timed: Results, slow: list[str], base) -> str:
    """Which unpadded trees are not faster, and what padding changes about it."""
    names = words.listing([ALGORITHMS[tree].label for tree in slow])
    padded = {tree: scan_time(timed, tree, "padded") for tree in slow}
    cured = [ALGORITHMS[tree].label for tree in slow if padded[tree] and padded[tree].below(base)]
    ending = f"; padded, {words.listing(cured)} {'is' if len(cured) == 1 else 'are'} faster" if cured else ""
    return f"unpadded {names} {'is' if len(slow) == 1 else 'are'} not faster than Hillis-Steele{ending}."


def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.35, ncols=2, width_ratios=[1, 1.15])
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
    series = [(look, [scan_time(timed, each, index) for each in ALGORITHMS]) for index, look in MAPS.items()]
    references = plotting.reference_times(timed, cache="cold", n=n)
    plotting.time_chart(axes, references, [look.label for look in ALGORITHMS.values()], series)
    axes.set_xlabel(f"time of {words.power(n)} floats, µs (cold)")
    axes.set_title("Time")
    plotting.legend_above(axes, 2)


def numbers(evidence: Evidence) -> dict:
    found = {}
    if evidence.counted:
        found["counted"] = {each: counts_of(evidence.counted, each) for each in ALGORITHMS}
    if evidence.timed:
        timed = evidence.timed
        found["n"] = largest(timed)
        found["us"] = {
            f"{algorithm} {index}": time.value
            for algorithm in ALGORITHMS
            for index in MAPS
            if (time := scan_time(timed, algorithm, index))
        }
        references = plotting.reference_times(timed, cache="cold", n=largest(timed))
        found["reference_us"] = {name: time.value for name, time in references.items()}
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
    base = us.get("hillis_steele plain")
    said = [f"On {words.power(numbers['n'])} floats"]
    trees = [
        f"{index} {ALGORITHMS[tree].label} takes {words.percent(us[f'{tree} {index}'] / base)} time than "
        "Hillis-Steele"
        for index in MAPS
        for tree in TREES
        if base and f"{tree} {index}" in us
    ]
    best = min(us, key=us.get)
    said.append(words.listing(trees) + ".")
    if "device_to_device" in references and "cub_device" in references:
        algorithm, index = best.split()
        share = references["device_to_device"] / us[best]
        cub = references["device_to_device"] / references["cub_device"]
        said.append(
            f"The fastest of them all, {index} {ALGORITHMS[algorithm].label}, moves its data at "
            f"{share:.0%} of the speed of a copy; CUB's device-wide scan at {cub:.0%}. The tiles are "
            "scanned apart, and the sums of the tiles are not added up: CUB does more."
        )
    return " ".join(said)


def tables(evidence: Evidence) -> list[Table]:
    """Predicted, counted and timed, side by side; counts for one tile."""
    columns = ["algorithm", "map", "operations,\npredicted", "operations,\ncounted"]
    columns += [
        "warp ops,\ncounted",
        "bank conflicts,\ncounted",
        "cold,\nµs [95% CI]",
        "warm,\nµs",
        "of copy\nspeed",
    ]
    rows = [
        [
            look.label,
            index,
            *counted_cells(evidence.counted, algorithm, index),
            *timed_cells(evidence.timed, algorithm, index),
        ]
        for algorithm, look in ALGORITHMS.items()
        for index in MAPS
    ]
    caption = f"Counts of one tile of {TILE:,} elements, and the time of the whole vector."
    return [Table(caption, columns, rows, wide=True, text_columns=2)]


def counted_cells(counted: Results | None, algorithm: str, index: str) -> list[str]:
    if counted is None:
        return [words.NOTHING] * 4
    n = max(counted.levels("n", algorithm=algorithm, tile=TILE))
    case = {"algorithm": algorithm, "index": index, "tile": TILE, "n": n}
    found = [counted.count(each, **case) for each in ("predicted_ops", "ops", "warp_ops", "bank_conflicts")]
    return [words.NOTHING if value is None else words.integer(value * TILE / n) for value in found]


def timed_cells(timed: Results | None, algorithm: str, index: str) -> list[str]:
    cold = timed and scan_time(timed, algorithm, index)
    if not cold:
        return [words.NOTHING] * 3
    copy = timed.time(algorithm="device_to_device", cache="cold", n=largest(timed))
    share = f"{copy.value / cold.value:.0%}" if copy else words.NOTHING
    return [words.interval(cold), words.microseconds(scan_time(timed, algorithm, index, "warm")), share]
