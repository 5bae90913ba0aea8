"""multi_gpu: the idea of the block sums repeats one level up, over the GPUs of a host."""

from analysis.common import plotting, predicted, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import Median
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict
from analysis.common.writing import keyed

BOUND = 2 / 3  # of one GPU's rate, each: 3n bytes in place of 2n
LEAST = 0.95  # of the bound
MOST_ADDED = 8.0  # microseconds
SHORT = 1 << 20
QUESTION = "What does not fit one GPU is cut into parts, one a GPU. What does it cost to scan it there?"
RULE = (
    f"The bound is {BOUND:.2f} of one GPU's rate on each GPU: 1.5 times the time in which one GPU scans one "
    f"part. Met means at least {LEAST:.0%} of it, by medians, cold. Fails if with the most GPUs and the "
    "longest parts it is not met, or if there the exchange by flags makes a scan of 2²⁰ floats a GPU "
    f"{MOST_ADDED:.0f} µs slower than one GPU's, or more. Holds if the bound is met with every number of "
    "GPUs and all parts from 2²⁸ floats on, and the flags add less than that with every number. Otherwise it "
    "holds within limits."
)
CAPTION = (
    "Left, middle: rate over that of one GPU. Weak scaling, by floats a GPU; strong scaling, by floats in "
    "all, also with all of them gathered on one GPU. The bound is 2/3 for each GPU. Cold. Right: what the "
    "exchange alone takes, the GPUs' time and the host's, warm. Medians."
)
CAPTION_WITHOUT_TIMES = (
    "Bytes read and written by a scan in parts, over those of the vector; lines as predicted."
)

WAYS = {
    "flags": Look("flags", plotting.BLUE, "o"),
    "nccl": Look("NCCL", plotting.GREEN, "^"),
    "host": Look("host", plotting.RED, "s"),
}
SIZES = (plotting.BLUE, plotting.GREEN, plotting.ORANGE, plotting.RED)
MARKERS = ("o", "^", "s", "v")


def one_gpu(timed: Results, n: int, cache: str = "cold", clock: str = "gpu") -> Median | None:
    return timed.time(algorithm="one_gpu", part=n, cache=cache, clock=clock)


def in_parts(
    timed: Results,
    gpus: int,
    n: int,
    cache: str = "cold",
    exchange: str = "flags",
    clock: str = "gpu",
    order: str = "default",
) -> Median | None:
    """n floats on each of so many GPUs."""
    factors = {"algorithm": "parts", "exchange": exchange, "clock": clock, "reduce": order}
    return timed.time(**factors, gpus=gpus, part=n, cache=cache)


def gathered(timed: Results, gpus: int, n: int) -> Median | None:
    return timed.time(algorithm="gather_scan_scatter", gpus=gpus, part=n, cache="cold")


def exchange(timed: Results, way: str, gpus: int, clock: str, cache: str = "warm") -> Median | None:
    return timed.time(operation="exchange", algorithm=way, gpus=gpus, clock=clock, cache=cache)


def numbers_of_gpus(timed: Results | None) -> list[int]:
    return sorted(timed.levels("gpus", algorithm="parts")) if timed else []


def weak_parts(timed: Results | None) -> list[int]:
    """Floats a GPU that were scanned by one GPU and by as many as there are."""
    if not numbers_of_gpus(timed):
        return []
    most = max(numbers_of_gpus(timed))
    parts = timed.levels("part", algorithm="parts", gpus=most, reduce="default", clock="gpu")
    everywhere = [
        n for n in parts if one_gpu(timed, n) and all(in_parts(timed, g, n) for g in numbers_of_gpus(timed))
    ]
    return sorted(everywhere, reverse=True)


def strong_sizes(timed: Results | None) -> list[int]:
    """Floats in all, cut into as many parts as there are GPUs, for every number of them."""
    counts = numbers_of_gpus(timed)
    found = [n for n in timed.levels("part", algorithm="one_gpu", clock="gpu")] if counts else []
    return sorted(
        (n for n in found if all(in_parts(timed, g, n // g) and gathered(timed, g, n // g) for g in counts)),
        reverse=True,
    )


def share_of_bound(timed: Results, gpus: int, n: int) -> float:
    return one_gpu(timed, n).value / BOUND / in_parts(timed, gpus, n).value


def added(timed: Results, gpus: int, cache: str = "cold") -> float | None:
    """What scanning a part of SHORT floats takes more than scanning as many on one GPU, in microseconds."""
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
    shares = {(gpus, n): share_of_bound(timed, gpus, n) for gpus in counts for n in long_parts(timed)}
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
        figure, (left, middle, right) = plotting.new_figure(plotting.WIDE, 2.6, ncols=3)
        draw_weak(left, evidence.timed)
        draw_strong(middle, evidence.timed)
        draw_exchanges(right, evidence.timed)
    else:
        figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.0)
        draw_counts(axes, evidence.counted)
    plotting.sources(figure, evidence, counts=evidence.timed is None)
    return figure


def look_of(index: int, label: str) -> Look:
    return Look(label, SIZES[index % len(SIZES)], MARKERS[index % len(MARKERS)])


def draw_bound(axes, timed: Results, title: str) -> None:
    counts = [1, *numbers_of_gpus(timed)]
    axes.plot(counts, counts, color=plotting.GREY, linestyle=":", linewidth=0.9, label="one GPU's rate each")
    axes.plot(
        counts[1:],
        [BOUND * gpus for gpus in counts[1:]],
        color=plotting.BLACK,
        linestyle="--",
        linewidth=0.9,
        marker="_",
        label="bound",
    )
    axes.set_xticks(counts)
    axes.set_xlabel("GPUs")
    axes.set_ylabel("rate over one GPU's")
    axes.set_ylim(bottom=0)
    axes.set_title(title)
    axes.grid()
    axes.legend(loc="upper left", borderpad=0, handlelength=1.6)


def draw_weak(axes, timed: Results) -> None:
    for index, n in enumerate(weak_parts(timed)):
        alone = one_gpu(timed, n).value
        rates = {1: 1.0} | {g: g * alone / in_parts(timed, g, n).value for g in numbers_of_gpus(timed)}
        look = look_of(index, f"{words.power(n)} a GPU")
        axes.plot(list(rates), list(rates.values()), label=look.label, **look.style())
    draw_bound(axes, timed, "Weak scaling")


def draw_strong(axes, timed: Results) -> None:
    for index, n in enumerate(strong_sizes(timed)):
        alone, look = one_gpu(timed, n).value, look_of(index, f"{words.power(n)} in all")
        rates = {1: 1.0} | {g: alone / in_parts(timed, g, n // g).value for g in numbers_of_gpus(timed)}
        axes.plot(list(rates), list(rates.values()), label=look.label, **look.style())
        rates = {g: alone / gathered(timed, g, n // g).value for g in numbers_of_gpus(timed)}
        style = look.style() | {"linestyle": ":", "markerfacecolor": "white"}
        axes.plot(list(rates), list(rates.values()), label="gathered", **style)
    draw_bound(axes, timed, "Strong scaling")


def draw_exchanges(axes, timed: Results) -> None:
    counts = numbers_of_gpus(timed)
    for way, look in WAYS.items():
        for clock in ("gpu", "host"):
            times = {g: exchange(timed, way, g, clock) for g in counts}
            times = {g: time for g, time in times.items() if time}
            if not times:
                continue
            style = {} if clock == "gpu" else {"linestyle": "--", "filled": False}
            label = look.label + ("" if clock == "gpu" else ", host's time")
            plotting.time_line(
                axes,
                Look(label, look.color, look.marker, style.get("linestyle", "-"), style.get("filled", True)),
                times,
            )
    axes.set_xticks(counts)
    axes.set_xlabel("GPUs")
    axes.set_ylabel("µs (warm)")
    axes.set_yscale("log")
    axes.set_title("The exchange alone")
    axes.grid()
    axes.legend(loc="best", borderpad=0, handlelength=1.6)


def counted_parts(counted: Results | None) -> list[int]:
    return sorted(counted.levels("parts", algorithm="parts")) if counted else []


def moved(counted: Results, parts: int, prefix: str = "") -> float:
    """Bytes read and written over those of the vector."""
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
            words.power(n): keyed({g: share_of_bound(timed, g, n) for g in counts}) for n in weak_parts(timed)
        },
        "added_us": keyed({g: added(timed, g) for g in counts if added(timed, g) is not None}),
        "exchange_us": {
            f"{look.label}, {clock}": keyed(
                {g: time.value for g in counts if (time := exchange(timed, way, g, clock))}
            )
            for way, look in WAYS.items()
            for clock in ("gpu", "host")
        },
        "gathered": {
            words.power(n): keyed(
                {g: gathered(timed, g, n // g).value / one_gpu(timed, n).value for g in counts}
            )
            for n in strong_sizes(timed)
        },
        "everything": keyed(over_everything(timed)),
        "descending": keyed(gain_of_descending(timed)),
    }


def over_everything(timed: Results) -> dict[int, float]:
    """The time of one GPU that holds all of the longest parts over that of all GPUs, by their number."""
    n = max(weak_parts(timed), default=0)
    found = {g: (one_gpu(timed, g * n), in_parts(timed, g, n)) for g in numbers_of_gpus(timed) if n}
    return {g: alone.value / parts.value for g, (alone, parts) in found.items() if alone and parts}


def gain_of_descending(timed: Results) -> dict[int, float]:
    """Time with parts reduced from front to end over that with parts from end to front, by their length."""
    found = {}
    for gpus in numbers_of_gpus(timed):
        for n in timed.levels("part", algorithm="parts", reduce="descending", gpus=gpus):
            ways = [in_parts(timed, gpus, n, order=order) for order in ("ascending", "descending")]
            if None not in ways:
                found[n] = ways[0].value / ways[1].value
    return dict(sorted(found.items()))


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if vectors := numbers.get("vectors"):
        paragraphs.append(
            f"Counted, a scan in {words.listing(list(vectors))} parts moves "
            f"{words.listing([f'{value:.2f}' for value in vectors.values()])} times the bytes of the vector."
        )
    if not numbers.get("gpus"):
        return paragraphs
    by_size = [
        f"{words.span(shares.values())} with {size} floats a GPU"
        for size, shares in numbers["shares"].items()
    ]
    paragraphs.append(
        f"Of the bound, {words.listing(numbers_said(numbers['gpus']))} GPUs reach {words.listing(by_size)}."
    )
    if numbers["everything"]:
        said = [f"{value:.2f} times with {g}" for g, value in numbers["everything"].items()]
        paragraphs.append(f"Against one GPU that holds everything they are faster {words.listing(said)}.")
    if numbers["gathered"]:
        said = [
            f"{words.span(ratios.values())} times as long for {size}"
            for size, ratios in numbers["gathered"].items()
        ]
        paragraphs.append(
            "To gather all on one GPU, scan and scatter takes, against one GPU that has it, "
            f"{words.listing(said)}."
        )
    exchanges = [
        f"{way} {words.span(times.values(), words.significant)}"
        for way, times in numbers["exchange_us"].items()
        if times
    ]
    if exchanges:
        paragraphs.append(f"The exchange alone takes, in µs by way and clock: {'; '.join(exchanges)}.")
    if numbers["descending"]:
        said = [f"{words.power(int(n))}: {value:.3f}" for n, value in numbers["descending"].items()]
        paragraphs.append(
            "Reduced from the end to the front, parts are scanned faster by, floats a GPU: "
            f"{', '.join(said)} times."
        )
    return paragraphs


def numbers_said(gpus: list[int]) -> list[str]:
    return [str(each) for each in gpus]


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
    caption = "Predicted | counted, parts of equal length on one machine, one after another."
    return Table(caption, columns, rows, wide=True)


def scans_table(timed: Results) -> Table:
    """By floats a GPU and GPUs."""
    rows = []
    for n in sorted(timed.levels("part", algorithm="parts", reduce="default", clock="gpu"), reverse=True):
        for gpus in numbers_of_gpus(timed):
            time = in_parts(timed, gpus, n)
            if not time:
                continue
            rows.append(
                [
                    words.power(n),
                    str(gpus),
                    words.interval(time),
                    words.interval(in_parts(timed, gpus, n, "warm")),
                    words.interval(one_gpu(timed, n)),
                    f"{share_of_bound(timed, gpus, n):.2f}" if one_gpu(timed, n) else words.NOTHING,
                    words.interval(one_gpu(timed, gpus * n)),
                    words.interval(gathered(timed, gpus, n)),
                ]
            )
    columns = [
        "floats a GPU",
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
    """The exchange by each way, alone and in a scan of short parts."""
    rows = []
    for gpus in numbers_of_gpus(timed):
        for way, look in WAYS.items():
            cells = [exchange(timed, way, gpus, clock) for clock in ("gpu", "host")]
            cells += [in_parts(timed, gpus, SHORT, "warm", way, clock) for clock in ("gpu", "host")]
            if any(cells):
                rows.append([str(gpus), look.label, *[words.interval(cell) for cell in cells]])
    alone = [one_gpu(timed, SHORT, "warm", clock) for clock in ("gpu", "host")]
    rows.append(["1", "one GPU", words.NOTHING, words.NOTHING, *[words.interval(each) for each in alone]])
    columns = [
        "GPUs",
        "exchange by",
        "alone, GPUs' time,\nµs [95% CI]",
        "host's time",
        f"scan of {words.power(SHORT)} a GPU,\nGPUs' time",
        "host's time",
    ]
    caption = "The three ways of exchange, warm."
    return Table(caption, columns, rows, wide=True, text_columns=2)
