"""recursion: reduce tiles, then their sums with the same kernel, until one is left."""

from analysis.common import by_length, plotting, predicted, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import LEVEL
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict
from analysis.common.writing import keyed

SLACK = 0.10
SHARE_TILE = 15 * 256  # a vector up to this length is one share
QUESTION = "Blocks reduce their tiles, each on its own. Who adds up the sums of the blocks?"
RULE = (
    "A second launch is free at a length if the reduction by shares takes at most "
    f"{SLACK:.0%} more time with it than with the last block, cold, by medians. Holds if every "
    "recursion counted takes the predicted launches and n − 1 operations, and a second launch is free "
    "at every length of more than one share. Fails if a count differs, or a second launch is free at no "
    "such length. Otherwise it holds within limits."
)
CAPTION = (
    f"Left: time of the reduction by length, median and {LEVEL:.0%} confidence interval, cold. Right: time "
    "relative to the last block's single launch; the numbers at the bottom are the launches with tiles, "
    f"the band is ±{SLACK:.0%}."
)
CAPTION_WITHOUT_TIMES = "Launches by length, counted (markers) and predicted (lines)."

TILES = (256, 1024, 2048)
SOURCES_OWN = 1024
WAYS = {
    "recursive": Look("tiles, level by level", plotting.RED, "s", filled=False),
    "shares": Look("shares, two launches", plotting.ORANGE, "^"),
    "last_block": Look("shares, last block", plotting.BLUE, "o"),
    "atomic": Look("atomics", plotting.GREEN, "v", "--"),
}
REFERENCES = ("cub_device", "device_to_device")


def case(algorithm: str, n: int, tile: int = SOURCES_OWN) -> dict:
    factors = {"algorithm": algorithm, "n": n}
    return factors | ({"tile": tile} if algorithm == "recursive" else {})


def levels(n: int, tile: int) -> int:
    """Launches until one is left."""
    found = 1
    while n > tile:
        n, found = -(-n // tile), found + 1
    return found


def lengths(results: Results) -> list[int]:
    return sorted(results.levels("n", algorithm="last_block"))


def times_of(timed: Results, algorithm: str, tile: int = SOURCES_OWN, cache: str = "cold"):
    found = {n: timed.time(**case(algorithm, n, tile), cache=cache) for n in lengths(timed)}
    return {n: time for n, time in found.items() if time}


def ratios(timed: Results | None, algorithm: str, tile: int = SOURCES_OWN, cache: str = "cold"):
    """Time relative to the last block, by n."""
    if not timed:
        return {}
    single = times_of(timed, "last_block", cache=cache)
    found = times_of(timed, algorithm, tile, cache)
    return {n: time.value / single[n].value for n, time in found.items() if n in single}


def wrong_counts(counted: Results) -> list[str]:
    """The recursions in tiles whose launches or operations differ from the prediction."""
    rows = counted.where(algorithm="recursive").to_dict("records")
    right = {row["name"]: (levels(row["n"], row["tile"]), row["n"] - 1) for row in rows}
    return [
        f"{words.plural(row['launches'], 'launch', 'launches')} and "
        f"{words.plural(row['ops'], 'operation')} at n = {words.power(row['n'])} in tiles of {row['tile']:,}"
        for row in rows
        if (row["launches"], row["ops"]) != right[row["name"]]
    ]


def verdict(evidence: Evidence) -> Verdict:
    counted = evidence.counted
    if counted is None or counted.where(algorithm="recursive").empty:
        return Verdict(NOT_MEASURED, "The recursion was not counted.")
    if wrong := wrong_counts(counted):
        return Verdict(FAILS, f"The recursion takes {wrong[0]}.")
    found = {n: ratio for n, ratio in ratios(evidence.timed, "shares").items() if n > SHARE_TILE}
    cases = len(counted.where(algorithm="recursive"))
    said = f"All {cases} recursions take the predicted launches and operations"
    if not found:
        return Verdict(NOT_MEASURED, f"{said}; the cost of a second launch was not timed.")
    free = [n for n, ratio in found.items() if ratio <= 1 + SLACK]
    least, most = min(found.values()), max(found.values())
    if len(free) == len(found):
        return Verdict(HOLDS, f"{said}; with a second launch they take at most {most:.2f} times as long.")
    if not free:
        pace = words.pace([least, most], "the last block")
        return Verdict(FAILS, f"{said}, but with a second launch they are {pace}, at every n.")
    where = by_length.from_on(free, list(found)) or f"{by_length.at(free)} only"
    slowest = words.faster_or_slower(most)
    return Verdict(LIMITS, f"{said}; a second launch is free {where}, elsewhere up to {slowest}.")


def figure(evidence: Evidence):
    if not evidence.timed:
        figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.2)
        draw_counts(axes, evidence.counted)
    else:
        figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.6, ncols=2)
        draw_times(left, evidence.timed)
        draw_ratios(right, evidence.timed)
        plotting.legend_on_top(figure, [*WAYS.values(), *(plotting.REFERENCES[each] for each in REFERENCES)])
    plotting.sources(figure, evidence, counts=evidence.timed is None)
    return figure


def draw_times(axes, timed: Results) -> None:
    plotting.reference_curves(axes, {each: times_of(timed, each) for each in REFERENCES})
    for algorithm, look in WAYS.items():
        plotting.time_line(axes, look, times_of(timed, algorithm))
    by_length.finish(axes, "time, µs (cold)", "Time", of="floats")
    axes.set_yscale("log")


def draw_ratios(axes, timed: Results) -> None:
    by_length.free_band(axes, SLACK)
    for algorithm, look in WAYS.items():
        if algorithm != "last_block":
            found = ratios(timed, algorithm)
            axes.plot(list(found), list(found.values()), **look.style())
    for n in ratios(timed, "recursive"):
        launches = {"s": levels(n, SOURCES_OWN), "color": WAYS["recursive"].color, "ha": "center"}
        axes.text(n, 0.02, **launches, transform=axes.get_xaxis_transform())
    by_length.finish(
        axes, "time / time with the last block", "Relative to one launch with a last block", of="floats"
    )
    axes.set_ylim(bottom=0)
    axes.margins(y=0.1)


def draw_counts(axes, counted: Results) -> None:
    looks = (plotting.RED, "s"), (plotting.ORANGE, "^"), (plotting.PURPLE, "v")
    for tile, (color, marker) in zip(TILES, looks, strict=True):
        found = {n: counted.count("launches", **case("recursive", n, tile)) for n in lengths(counted)}
        known = {n: launches for n, launches in found.items() if launches}
        axes.plot(list(known), [levels(n, tile) for n in known], color=color)
        axes.plot(
            list(known),
            list(known.values()),
            color=color,
            marker=marker,
            linestyle="none",
            label=f"tiles of {tile:,}",
        )
    by_length.finish(axes, "launches", "Launches until one is left", of="floats")
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.set_ylim(bottom=0)
    axes.legend(loc="lower right")


def numbers(evidence: Evidence) -> dict:
    found = {}
    if evidence.counted:
        n = max(lengths(evidence.counted))
        launches = {tile: evidence.counted.count("launches", **case("recursive", n, tile)) for tile in TILES}
        read = evidence.counted.count("global_bytes_read", **case("recursive", n))
        found["counted"] = {"n": n, "launches": keyed(launches), "bytes_read": read}
    if evidence.timed:
        found["over_last_block"] = {way: keyed(ratios(evidence.timed, way)) for way in WAYS}
        found["by_tile"] = {str(tile): keyed(ratios(evidence.timed, "recursive", tile)) for tile in TILES}
        found["warm"] = keyed(ratios(evidence.timed, "shares", cache="warm"))
        found["more_us"] = keyed(more_us(evidence.timed))
    return found


def more_us(timed: Results) -> dict[int, float]:
    """Time of two launches beyond that of one with the last block, by n."""
    two, one = times_of(timed, "shares"), times_of(timed, "last_block")
    return {n: two[n].value - one[n].value for n in two if n in one and n > SHARE_TILE}


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if counted := numbers.get("counted"):
        said = [
            f"{launches} launches in tiles of {int(tile):,}" for tile, launches in counted["launches"].items()
        ]
        n = counted["n"]
        paragraphs.append(
            f"At n = {words.integer(n)} the recursion takes {words.listing(said)}. In tiles of "
            f"{SOURCES_OWN:,} it reads {counted['bytes_read'] / (4 * n):.3f} times the vector: the levels "
            "after the first add few bytes."
        )
    if numbers.get("more_us"):
        paragraphs.append(timed_in_words(numbers))
    return paragraphs


def timed_in_words(numbers: dict) -> str:
    more, over = numbers["more_us"], numbers["over_last_block"]
    low, high = min(more.values()), max(more.values())
    longest = max(over["recursive"], key=int)
    tiles = {
        f"tiles of {int(tile):,}": found[longest]
        for tile, found in numbers["by_tile"].items()
        if longest in found
    }
    low, high = (f"{round(end, 1) + 0.0:.1f}" for end in (low, high))  # + 0.0: no negative zero
    said = [
        f"By shares, the second launch adds {low} to {high} µs.",
        f"At n = {words.power(int(longest))} the recursion in tiles is "
        f"{words.pace(tiles, 'the last block')}.",
    ]
    if atomic := over.get("atomic"):
        said.append(f"Atomics are {words.pace(atomic.values(), 'the last block')}.")
    if warm := {n: ratio for n, ratio in numbers["warm"].items() if int(n) > SHARE_TILE}:
        said.append(f"Warm, two launches are {words.pace(warm.values(), 'one')}.")
    return " ".join(said)


def tables(evidence: Evidence) -> list[Table]:
    found = [counts_table(evidence.counted)] if evidence.counted else []
    return found + ([times_table(evidence.timed)] if evidence.timed else [])


def counts_table(counted: Results) -> Table:
    quantities = (
        "launches",
        "ops",
        "barriers",
        "atomic_requests",
        "global_bytes_read",
        "global_bytes_written",
    )
    rows = [
        [
            row["name"].removeprefix("reduce/"),
            *predicted.cells_of_row(row, quantities),
        ]
        for row in counted.rows.to_dict("records")
        if row["n"] == max(lengths(counted))
    ]
    columns = ["case", "launches", "operations", "barriers", "atomics", "bytes read", "bytes written"]
    return Table("Predicted | counted, at the longest vector counted.", columns, rows, wide=True)


def times_table(timed: Results) -> Table:
    rows = [
        [
            words.power(n),
            str(levels(n, SOURCES_OWN)),
            *[words.interval(times_of(timed, way).get(n)) for way in WAYS],
            *[words.microseconds(times_of(timed, each).get(n)) for each in REFERENCES],
        ]
        for n in lengths(timed)
    ]
    columns = ["n", "launches\nin tiles", *[f"{look.label},\nµs [95% CI]" for look in WAYS.values()]]
    columns += ["CUB,\nµs", "copy,\nµs"]
    return Table(f"Times by length, cold; tiles of {SOURCES_OWN:,} elements.", columns, rows, wide=True)
