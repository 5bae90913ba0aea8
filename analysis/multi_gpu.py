"""multi_gpu: the scheme of block sums applies again one level up, to the GPUs of a host."""

from analysis.common import plotting, predicted, words
from analysis.common.by_gpus import (
    by_descending,
    exchange_alone,
    gathered,
    in_parts,
    numbers_of_gpus,
    one_gpu,
    over_everything,
    parts_timed,
    rates,
    strong_sizes,
    times_alone,
    weak_parts,
)
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict
from analysis.common.writing import keyed

BOUND = 2 / 3  # of one GPU's rate, each: 3n bytes in place of 2n
LEAST = 0.95  # of the bound
MOST_ADDED = 8.0  # microseconds
SHORT = 1 << 20
QUESTION = "A vector that does not fit on one GPU is split over several. What does scanning it there cost?"
RULE = (
    f"The bound is {BOUND:.2f} of one GPU's rate on each GPU: 1.5 times the time in which one GPU scans one "
    f"part. It is met at {LEAST:.0%} of it or more, by medians, cold. Fails if it is not met with the most "
    "GPUs and the longest parts, or if there the exchange by flags makes a scan of 2²⁰ floats per GPU at "
    f"least {MOST_ADDED:.0f} µs slower than on one GPU. Holds if the bound is met with every number of GPUs "
    "and all parts from 2²⁸ floats on, and the flags add less than that with every number. Otherwise it "
    "holds within limits."
)
CAPTION = (
    "Left: the rate of each GPU relative to one GPU alone: weak scaling by floats per GPU, strong scaling by "
    "floats in total, in parts or gathered on one GPU. Right: time by how the totals are exchanged, and of "
    "one GPU alone. Cold, medians; bars: 95% confidence intervals."
)
CAPTION_WITHOUT_TIMES = (
    "Bytes read and written by a scan in parts, relative to the vector's; line: predicted."
)

WAYS = {"flags": "by flags", "nccl": "by NCCL", "host": "through the host"}
CLOCKS = {"gpu": "GPUs' time", "host": "host's time"}
COLORS = {2: plotting.BLUE, 4: plotting.ORANGE, 8: plotting.GREEN, 16: plotting.RED}
MARKERS = {2: "o", 4: "s", 8: "^", 16: "v"}


def fraction_of_bound(timed: Results, gpus: int, n: int) -> float:
    return one_gpu(timed, n).value / BOUND / in_parts(timed, gpus, n).value


def added(timed: Results, gpus: int, cache: str = "cold") -> float | None:
    """Time that parts of SHORT floats take beyond a scan of one part on one GPU, in microseconds."""
    alone, parts = one_gpu(timed, SHORT, cache), in_parts(timed, gpus, SHORT, cache)
    return parts.value - alone.value if alone and parts else None


def long_parts(timed: Results | None) -> list[int]:
    return [n for n in weak_parts(timed) if n > SHORT]


def verdict(evidence: Evidence) -> Verdict:
    timed, counts = evidence.timed, numbers_of_gpus(evidence.timed)
    more = {gpus: added(timed, gpus) for gpus in counts}
    if not long_parts(timed) or None in more.values():
        return Verdict(NOT_MEASURED, "Several GPUs were not timed.")
    most, longest = max(counts), max(long_parts(timed))
    shares = {(gpus, n): fraction_of_bound(timed, gpus, n) for gpus in counts for n in long_parts(timed)}
    decisive = shares[most, longest]
    said = (
        f"On {most} GPUs with {words.power(longest)} floats each a scan reaches {decisive:.2f} of the bound; "
        f"the flags add {words.significant(more[most])} µs to a scan of {words.power(SHORT)}"
    )
    if decisive < LEAST or more[most] >= MOST_ADDED:
        return Verdict(FAILS, f"{said}.")
    missed = [f"{gpus} GPUs at {words.power(n)}" for (gpus, n), share in shares.items() if share < LEAST]
    missed += [f"the flags with {gpus} GPUs" for gpus in counts if more[gpus] >= MOST_ADDED]
    if missed:
        return Verdict(LIMITS, f"{said}; not met: {words.listing(missed)}.")
    return Verdict(HOLDS, f"{said}.")


def figure(evidence: Evidence):
    if numbers_of_gpus(evidence.timed):
        figure, (left, right) = plotting.new_figure(
            plotting.WIDE, 2.1, ncols=2, gridspec_kw={"width_ratios": (1.15, 1)}
        )
        draw_rates(left, evidence.timed)
        draw_ways(right, evidence.timed)
    else:
        figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.0)
        draw_counts(axes, evidence.counted)
    plotting.sources(figure, evidence, counts=evidence.timed is None)
    return figure


def draw_rates(axes, timed: Results) -> None:
    rows = rates(timed)
    for g in numbers_of_gpus(timed):
        values = [by_number[g] for by_number in rows.values()]
        axes.plot(values, range(len(rows)), **look_of(g).style() | {"linestyle": "none"}, label=f"{g} GPUs")
    plotting.limit_line(axes, BOUND, "bound: 2/3", "left")
    axes.set_yticks(range(len(rows)), list(rows))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, max(1, *(value for by_number in rows.values() for value in by_number.values())) + 0.05)
    axes.set_xlabel("rate of each GPU relative to one GPU alone")
    axes.set_title("Rate")
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)
    plotting.legend_above(axes, 4)


def draw_ways(axes, timed: Results) -> None:
    series = []
    for clock, said in CLOCKS.items():
        alone = one_gpu(timed, SHORT, clock=clock)
        for g in numbers_of_gpus(timed):
            times = [in_parts(timed, g, SHORT, exchange=way, clock=clock) for way in WAYS]
            first = alone if g == min(numbers_of_gpus(timed)) else None
            series.append((look_of(g, f"{g} GPUs, {said}", clock == "gpu"), [first, *times]))
    plotting.time_chart(axes, {}, ["one GPU", *WAYS.values()], series)
    if alone := one_gpu(timed, SHORT):
        plotting.limit_line(axes, alone.value + MOST_ADDED, f"one GPU\n+ {MOST_ADDED:.0f} µs", "right")
    axes.set_xlabel("µs")
    axes.set_title(f"Scan of {words.power(SHORT)} floats per GPU")
    axes.legend(loc="upper right", borderpad=0)


def look_of(gpus: int, label: str = "", filled: bool = True) -> Look:
    return Look(label, COLORS.get(gpus, plotting.PURPLE), MARKERS.get(gpus, "D"), line="none", filled=filled)


def counted_parts(counted: Results | None) -> list[int]:
    return sorted(counted.levels("parts", algorithm="parts")) if counted else []


def moved(counted: Results, parts: int, prefix: str = "") -> float:
    """Bytes read and written relative to the vector's."""
    case = {"algorithm": "parts", "parts": parts}
    found = sum(counted.count(f"{prefix}global_bytes_{each}", **case) for each in ("read", "written"))
    return found / (4 * parts * counted.levels("part", **case)[0])


def draw_counts(axes, counted: Results | None) -> None:
    parts = counted_parts(counted)
    if not parts:
        plotting.empty(axes, "bytes: not counted")
        return
    axes.plot(parts, [moved(counted, each) for each in parts], color=plotting.BLUE, marker="o", linestyle="")
    axes.plot(parts, [moved(counted, each, "predicted_") for each in parts], color=plotting.BLACK)
    axes.set_xticks(parts)
    axes.set_xlabel("parts")
    axes.set_ylabel("bytes moved, in vectors")
    axes.set_ylim(0, 3.2)
    axes.grid()


def numbers(evidence: Evidence) -> dict:
    found = {}
    if counted_parts(evidence.counted):
        found["vectors"] = keyed(
            {each: moved(evidence.counted, each) for each in counted_parts(evidence.counted)}
        )
    timed, counts = evidence.timed, numbers_of_gpus(evidence.timed)
    if not counts:
        return found
    return found | {
        "gpus": counts,
        "shares": {
            words.power(n): keyed({g: fraction_of_bound(timed, g, n) for g in counts})
            for n in weak_parts(timed)
        },
        "added_us": keyed({g: added(timed, g) for g in counts if added(timed, g) is not None}),
        "exchange_us": {way: times_alone(timed, way, CLOCKS) for way in WAYS},
        "gathered": {
            words.power(n): keyed(
                {g: gathered(timed, g, n // g).value / one_gpu(timed, n).value for g in counts}
            )
            for n in strong_sizes(timed)
        },
        "everything": keyed(over_everything(timed)),
        "descending": keyed(by_descending(timed)),
    }


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if vectors := numbers.get("vectors"):
        paragraphs.append(
            "Counted, a scan in parts moves "
            f"{words.extremes(by_parts(vectors), words.decimal)} times the bytes of the vector."
        )
    return paragraphs + (text_of_times(numbers) if numbers.get("gpus") else [])


def by_parts(vectors: dict[str, float]) -> dict[str, float]:
    return {words.plural(int(parts), "part"): value for parts, value in vectors.items()}


def text_of_times(numbers: dict) -> list[str]:
    shares = {size: by_number.values() for size, by_number in numbers["shares"].items()}
    by_size = [f"{words.span(values)} with {size} floats per GPU" for size, values in shares.items()]
    counts = words.listing([str(each) for each in numbers["gpus"]])
    said = [f"Only {counts} GPUs of one host were timed."]
    if by_size:
        said.append(f"Of the bound they reach {words.listing(by_size)}.")
    if any(value > 1 for values in shares.values() for value in values):
        said.append(
            "A scan can exceed the bound, which assumes that data read twice are read at the rate of a scan: "
            "a plain read can be faster, and a part that fits in registers is read once."
        )
    paragraphs = [" ".join(said)]
    if numbers["everything"]:
        said = [words.pace(value, f"{g} GPUs") for g, value in numbers["everything"].items()]
        paragraphs.append(f"One GPU that holds all of the longest parts is {words.listing(said)}.")
    if numbers["gathered"]:
        ratios = [ratio for by_number in numbers["gathered"].values() for ratio in by_number.values()]
        paragraphs.append(
            "Gathering all floats on one GPU, scanning and scattering them is "
            f"{words.pace(ratios, 'a scan on one GPU that already holds them')}."
        )
    exchanges = [f"{WAYS[way]} {said_of(clocks)}" for way, clocks in numbers["exchange_us"].items() if clocks]
    if exchanges:
        paragraphs.append(f"The exchange alone takes, warm: {'; '.join(exchanges)}.")
    if orders := numbers["descending"]:
        apart = [faster for _, faster in orders.values()]
        ratios = {f"{words.power(int(n))} floats per GPU": ratio for n, (ratio, _) in orders.items()}
        paragraphs.append(
            "Reducing a part from its end leaves its front in the cache for the scan. Compared with reducing "
            f"from the front, this takes {words.extremes(ratios, words.more_time)}; it is faster, by "
            f"intervals that do not overlap, at {sum(apart)} of {len(apart)} lengths."
        )
    return paragraphs


def said_of(clocks: dict) -> str:
    return words.listing(
        [f"{words.span(us.values(), words.significant)} µs ({CLOCKS[clock]})" for clock, us in clocks.items()]
    )


def tables(evidence: Evidence) -> list[Table]:
    found = [counts_table(evidence.counted)] if counted_parts(evidence.counted) else []
    if numbers_of_gpus(evidence.timed):
        found += [scans_table(evidence.timed), ways_table(evidence.timed)]
    return found


def counts_table(counted: Results) -> Table:
    quantities = ("launches", "ops", "global_bytes_read", "global_bytes_written")
    rows = [
        [str(row["parts"]), *predicted.cells_of_row(row, quantities)]
        for row in counted.rows.to_dict("records")
    ]
    columns = ["parts", "launches", "operations", "bytes read", "bytes written"]
    caption = "Predicted | counted, for parts of equal length, run one after another on one machine."
    return Table(caption, columns, rows, wide=True)


def scans_table(timed: Results) -> Table:
    """Times by floats per GPU and number of GPUs."""
    rows = []
    for n in parts_timed(timed):
        for gpus in numbers_of_gpus(timed):
            time = in_parts(timed, gpus, n)
            if not time:
                continue
            alone, everything = one_gpu(timed, n), one_gpu(timed, gpus * n)
            share = f"{fraction_of_bound(timed, gpus, n):.2f}" if alone else words.NOTHING
            times = [words.interval(each) for each in (time, in_parts(timed, gpus, n, "warm"), alone)]
            whole = [words.interval(each) for each in (everything, gathered(timed, gpus, n))]
            rows.append([words.power(n), str(gpus), *times, share, *whole])
    columns = [
        "floats per GPU",
        "GPUs",
        "in parts, cold,\nµs [95% CI]",
        "warm,\nµs [95% CI]",
        "one part,\none GPU, cold",
        "of the\nbound",
        "everything,\none GPU, cold",
        "gathered,\ncold",
    ]
    return Table("Scans over several GPUs, totals exchanged by flags.", columns, rows, wide=True)


def ways_table(timed: Results) -> Table:
    """Each way of exchange, alone and in a scan of short parts."""
    rows = []
    for gpus in numbers_of_gpus(timed):
        for way, name in WAYS.items():
            cells = [exchange_alone(timed, way, gpus, clock) for clock in CLOCKS]
            cells += [in_parts(timed, gpus, SHORT, "warm", way, clock) for clock in CLOCKS]
            if any(cells):
                rows.append([str(gpus), name, *[words.interval(cell) for cell in cells]])
    alone = [one_gpu(timed, SHORT, "warm", clock) for clock in CLOCKS]
    rows.append(["1", "one GPU", words.NOTHING, words.NOTHING, *[words.interval(each) for each in alone]])
    columns = [
        "GPUs",
        "exchange",
        "alone, GPUs' time,\nµs [95% CI]",
        "host's time",
        f"scan of {words.power(SHORT)} per GPU,\nGPUs' time",
        "host's time",
    ]
    caption = "The three ways of exchanging totals, warm."
    return Table(caption, columns, rows, wide=True, text_columns=2)
