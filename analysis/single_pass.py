"""single_pass: look-back reads and writes every element once, so a scan runs at the speed of a copy."""

from analysis.common import plotting, predicted, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.render import Drawing
from analysis.common.statistics import Median
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

SHARE = 0.90
SLACK = 0.05
QUESTION = "Three kernels read and write each element more than once. Is that necessary?"
RULE = (
    f"A single pass moves at most {SLACK:.0%} more than 2n bytes, counted. Copy speed is at least "
    f"{SHARE:.0%} of the throughput of a copy of as many elements, cold, by medians. Holds if look-back is a "
    "single pass in every shape and type counted, and the fastest look-back, ours in any shape or CUB's, "
    "runs at copy speed with every type of element at its longest vector. Fails if it is not a single pass, "
    "or runs at copy speed with no type. Otherwise it holds within limits."
)
CAPTION = (
    "Left: throughput of scans of floats, 2n floats' bytes divided by time, by length; medians, cold. Right: "
    f"throughput of the fastest look-back relative to a copy, by type; the line is at {SHARE:.0%}."
)
CAPTION_WITHOUT_TIMES = "Bytes read and written per byte of the vector, counted; ticks: predicted."

SCANS = {
    "three_phase": Look("scan, then add", plotting.RED, "s"),
    "reduce_then_scan": Look("reduce, then scan", plotting.ORANGE, "^"),
    "look_back": Look("look-back", plotting.BLUE, "o"),
}
COPY, CUB = "device_to_device", "cub_device"
TYPES = {"int8": 1, "int16": 2, "int32": 4, "float": 4, "int64": 8, "double": 8}
USUAL = {"items": 15, "threads": 256}  # the shape that scans floats at every length
STEPS = (  # from the slowest on: name in the figure, look, factors
    (
        "scan, then add; block sums\non the host: 4n",
        SCANS["three_phase"],
        {"algorithm": "three_phase", "spine": "host"},
    ),
    ("scan, then add: 4n", SCANS["three_phase"], {"algorithm": "three_phase", "spine": "device"}),
    ("reduce, then scan: 3n", SCANS["reduce_then_scan"], {"algorithm": "reduce_then_scan"}),
    ("look-back: 2n", SCANS["look_back"], {"algorithm": "look_back", **USUAL}),
    ("CUB device: 2n", plotting.REFERENCES[CUB], {"algorithm": CUB}),
    ("copy limit: 2n", plotting.REFERENCES[COPY], {"algorithm": COPY}),
)


def passes(results: Results, row: dict) -> float:
    """Bytes read and written per byte of the vector."""
    return (row["global_bytes_read"] + row["global_bytes_written"]) / (row["n"] * TYPES[row["type"]])


def counted_passes(counted: Results | None, algorithm: str, prefix: str = "") -> dict[str, float]:
    """The same, counted or predicted, by case."""
    rows = counted.where(algorithm=algorithm).to_dict("records") if counted else []
    quantities = ("global_bytes_read", "global_bytes_written")
    known = [row for row in rows if all(each in row for each in quantities)]
    return {
        row["name"]: passes(counted, row | {each: row[prefix + each] for each in quantities}) for row in known
    }


def longest(timed: Results, kind: str) -> int | None:
    """The longest vector of that type for which a look-back and the copy were timed."""
    both = set(timed.levels("n", algorithm="look_back", type=kind)) & set(
        timed.levels("n", algorithm=COPY, type=kind)
    )
    return max(both, default=None)


def shapes(timed: Results, kind: str, n: int, cache: str = "cold") -> dict[tuple[int, int], Median]:
    """Time of look-back by items per thread and threads."""
    found = {}
    for items in sorted(timed.levels("items", algorithm="look_back", type=kind, n=n)):
        for threads in sorted(timed.levels("threads", algorithm="look_back", type=kind, n=n, items=items)):
            factors = {"algorithm": "look_back", "type": kind, "items": items, "threads": threads}
            if time := timed.time(**factors, n=n, cache=cache):
                found[items, threads] = time
    return found


def time_of(timed: Results, algorithm: str, kind: str, n: int) -> Median | None:
    return timed.time(algorithm=algorithm, type=kind, n=n, cache="cold")


def shares(timed: Results | None) -> dict[str, dict[str, float]]:
    """Shares of the copy's throughput, by type: ours in its fastest shape, and CUB's; longest vector."""
    found = {}
    for kind in TYPES if timed else ():
        n = longest(timed, kind)
        if n is None:
            continue
        copy, cub = time_of(timed, COPY, kind, n), time_of(timed, CUB, kind, n)
        ours = min(time.value for time in shapes(timed, kind, n).values())
        found[kind] = {"ours": copy.value / ours} | ({"cub": copy.value / cub.value} if cub else {})
    return found


def verdict(evidence: Evidence) -> Verdict:
    moved = counted_passes(evidence.counted, "look_back")
    if not moved:
        return Verdict(NOT_MEASURED, "The bytes that look-back moves were not counted.")
    most = max(moved.values())
    if most > 2 * (1 + SLACK):
        return Verdict(FAILS, f"Look-back moves up to {most:.2f}n bytes.")
    found = {kind: max(each.values()) for kind, each in shares(evidence.timed).items()}
    said = f"Look-back moves at most {most:.2f}n bytes"
    if not found:
        return Verdict(NOT_MEASURED, f"{said}; it was not timed against a copy.")
    at_speed = [kind for kind, share in found.items() if share >= SHARE]
    reached = words.span(found.values(), words.share)
    said = f"{said}; the fastest one reaches {reached} of the throughput of a copy"
    if not at_speed:
        return Verdict(FAILS, f"{said}, by type.")
    if len(at_speed) == len(found):
        return Verdict(HOLDS, f"{said}, by type.")
    return Verdict(LIMITS, f"{said}: copy speed with {words.listing(at_speed)} only.")


def figure(evidence: Evidence):
    if not evidence.timed:
        figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.5)
        draw_counts(axes, evidence)
    else:
        figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.6, ncols=2, width_ratios=[1.6, 1])
        draw_throughput(left, evidence.timed)
        draw_shares(right, shares(evidence.timed))
    plotting.sources(figure, evidence, counts=evidence.timed is None)
    return figure


def draw_counts(axes, evidence: Evidence) -> None:
    for row, (algorithm, look) in enumerate(SCANS.items()):
        for prefix, style in (
            ("", {"color": look.color, "marker": "o"}),
            ("predicted_", {"color": "black", "marker": "|"}),
        ):
            found = counted_passes(evidence.counted, algorithm, prefix)
            axes.plot(list(found.values()), [row] * len(found), linestyle="none", **style)
    axes.set_yticks(range(len(SCANS)), [look.label for look in SCANS.values()])
    axes.set_ylim(len(SCANS) - 0.5, -0.5)
    axes.set_xlim(0, 4.5)
    axes.set_xlabel("bytes read and written (n: one pass over the vector)")
    axes.grid(axis="x")


def gigabytes(n: int, kind: str, time: Median | None) -> float | None:
    """The 2n elements that a scan must move, divided by its time, in GB/s."""
    return 2 * n * TYPES[kind] / (time.value * 1000) if time else None


def throughput(timed: Results, algorithm: str) -> dict[int, float]:
    """Throughput of scans of floats, by n, in GB/s."""
    factors = {"algorithm": algorithm, "type": "float"}
    factors |= (
        USUAL if algorithm == "look_back" else {"spine": "device"} if algorithm == "three_phase" else {}
    )
    found = {}
    for n in sorted(timed.levels("n", **factors)):
        found[n] = gigabytes(n, "float", timed.time(**factors, n=n, cache="cold"))
    return found


def draw_throughput(axes, timed: Results) -> None:
    looks = {name: plotting.REFERENCES[name] for name in (COPY, CUB)} | dict(reversed(SCANS.items()))
    for algorithm, look in looks.items():
        found = throughput(timed, algorithm)
        style = look.style() | ({"marker": ""} if algorithm in (COPY, CUB) else {})
        axes.plot(list(found), list(found.values()), label=look.label, **style)
    axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("floats, n")
    axes.set_ylabel("throughput for 2n, GB/s (cold)")
    axes.set_title("Throughput")
    axes.grid()
    axes.legend(loc="upper left")


def draw_shares(axes, found: dict[str, dict[str, float]]) -> None:
    for key, look, offset in (("ours", SCANS["look_back"], -0.2), ("cub", plotting.REFERENCES[CUB], 0.2)):
        known = {row: each[key] for row, each in enumerate(found.values()) if key in each}
        axes.barh(
            [row + offset for row in known],
            list(known.values()),
            height=0.36,
            color=look.color,
            label=look.label,
        )
    axes.axvline(SHARE, color=plotting.RED, linewidth=1)
    axes.set_yticks(range(len(found)), list(found))
    axes.set_ylim(len(found) - 0.5, -0.5)
    axes.set_xlim(0, 1.05)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25%", "50%", "75%", "copy"])
    axes.set_title("Share of copy throughput")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=2)


def drawings(evidence: Evidence) -> list[Drawing]:
    found = staircase(evidence.timed)
    if len(found) < len(STEPS):
        return []
    n = longest(evidence.timed, "float")
    caption = (
        f"The staircase: throughput of scans of {words.power(n)} floats, 2n floats' bytes divided by time, "
        "median, cold. After each name: the bytes that it moves; after each bar: its share of the copy's."
    )
    return [Drawing("staircase", draw_staircase(evidence, found), caption)]


def staircase(timed: Results | None) -> dict[str, float]:
    """GB/s of each step, at the longest vector of floats."""
    n = longest(timed, "float") if timed else None
    times = {name: timed.time(**factors, type="float", n=n, cache="cold") for name, _, factors in STEPS if n}
    return {name: gigabytes(n, "float", time) for name, time in times.items() if time}


def draw_staircase(evidence: Evidence, found: dict[str, float]):
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.3)
    limit = list(found.values())[-1]
    for row, ((_, look, _), value) in enumerate(zip(STEPS, found.values(), strict=True)):
        axes.barh(row, value, height=0.7, color=look.color)
        inside = value > 0.75 * limit
        axes.annotate(
            f"{value:,.0f}, {value / limit:.0%}",
            (value, row),
            xytext=(-3 if inside else 3, 0),
            textcoords="offset points",
            ha="right" if inside else "left",
            va="center",
            fontsize=7,
            color="white" if inside else plotting.BLACK,
        )
    axes.set_yticks(range(len(found)), list(found))
    axes.set_ylim(len(found) - 0.5, -0.5)
    axes.set_xlabel("throughput for 2n, GB/s (cold)")
    plotting.sources(figure, evidence, counts=False)
    return figure


def numbers(evidence: Evidence) -> dict:
    found = {
        "counted": {
            each: max(counted_passes(evidence.counted, each).values(), default=None) for each in SCANS
        },
        "shares": shares(evidence.timed),
    }
    if evidence.timed and (n := longest(evidence.timed, "float")):
        by_shape = {
            f"{items} {threads}": time.value
            for (items, threads), time in shapes(evidence.timed, "float", n).items()
        }
        found |= {"n": n, "shapes_us": by_shape, "gigabytes": staircase(evidence.timed)}
    return found


def text(numbers: dict) -> list[str]:
    said = [f"{SCANS[each].label} {passes:.2f}n" for each, passes in numbers["counted"].items() if passes]
    paragraphs = [f"Bytes moved, counted, at most: {'; '.join(said)}."] if said else []
    if shapes_us := numbers.get("shapes_us"):
        best, worst = min(shapes_us, key=shapes_us.get), max(shapes_us, key=shapes_us.get)
        paragraphs.append(
            f"Of {len(shapes_us)} shapes at n = {words.power(numbers['n'])} floats the fastest has "
            f"{in_words(best)} and takes {words.significant(shapes_us[best])} µs; the slowest, "
            f"{in_words(worst)}, takes {words.percent(shapes_us[worst] / shapes_us[best])} time."
        )
    steps = numbers.get("gigabytes", {})
    if len(steps) == len(STEPS):
        first, *_, last = steps.values()
        paragraphs.append(f"The copy has {last / first:.1f} times the throughput of the slowest scan.")
    return paragraphs


def in_words(shape: str) -> str:
    items, threads = shape.split()
    return f"{items} elements per thread and {threads} threads"


def tables(evidence: Evidence) -> list[Table]:
    found = [counts_table(evidence.counted)] if evidence.counted else []
    return found + (
        [times_table(evidence.timed), shapes_table(evidence.timed)] if shares(evidence.timed) else []
    )


def counts_table(counted: Results) -> Table:
    quantities = ("launches", "ops", "global_bytes_read", "global_bytes_written")
    rows = [
        [
            row["name"].removeprefix("scan/"),
            *predicted.cells_of_row(row, quantities),
        ]
        for row in counted.rows.to_dict("records")
    ]
    columns = ["case", "launches", "operations", "bytes read", "bytes written"]
    caption = "Predicted | counted; the blocks of look-back run one after another."
    return Table(caption, columns, rows, wide=True)


def times_table(timed: Results) -> Table:
    rows = []
    for kind, share in shares(timed).items():
        n = longest(timed, kind)
        found = shapes(timed, kind, n)
        best = min(found, key=lambda shape: found[shape].value)
        times = [found[best], time_of(timed, CUB, kind, n), time_of(timed, COPY, kind, n)]
        rows.append([kind, words.power(n), f"{best[0]} × {best[1]}", *map(words.interval, times)])
        rows[-1] += [f"{share['ours']:.0%}", f"{share['cub']:.0%}" if "cub" in share else words.NOTHING]
    columns = ["type", "n", "shape", "look-back,\nµs [95% CI]", "CUB,\nµs [95% CI]", "copy,\nµs [95% CI]"]
    columns += ["look-back,\nof the copy", "CUB,\nof the copy"]
    return Table(
        "The fastest shape, elements per thread × threads, of each type at its longest vector, cold.",
        columns,
        rows,
        wide=True,
    )


def shapes_table(timed: Results) -> Table:
    n = longest(timed, "float")
    found = shapes(timed, "float", n) if n else {}
    threads = sorted({threads for _, threads in found})
    rows = [
        [str(items), *[words.interval(found.get((items, each))) for each in threads]]
        for items in sorted({items for items, _ in found})
    ]
    columns = ["elements\nper thread", *[f"{each} threads,\nµs [95% CI]" for each in threads]]
    return Table(
        f"Look-back by shape, {words.power(n)} floats, cold." if n else "Look-back by shape.", columns, rows
    )
