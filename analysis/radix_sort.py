"""radix_sort: passes of count, scan and scatter; the longer the digit, the faster."""

from analysis.common import plotting, predicted, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import LEVEL, Median
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

QUESTION = "Placing every element digit by digit sorts them. Does the sort spend its time in the scan?"
RULE = (
    "Holds if every sort counted takes as many launches as predicted, and for every kind of key each longer "
    "digit, from 1 to 2, 4 and 8 bits, sorts faster than the one before, cold. Fails if a count differs, "
    "or 8 bits sort faster than 1 for no kind of key. Otherwise it holds within limits. Faster: a lower "
    f"median, and {LEVEL:.0%} confidence intervals that do not overlap."
)
CAPTION = (
    f"Left: time of the sort by bits of the digit, median and {LEVEL:.0%} confidence interval, cold; the "
    "thin line halves with every doubling of the digit. Right: one pass over 32-bit keys, split into the "
    "scan of the counts, timed on its own, and the rest."
)
CAPTION_WITHOUT_TIMES = "Launches of the sort by bits of the digit, counted (markers) and predicted (lines)."

DIGITS = (1, 2, 4, 8)
KINDS = {  # bits of the key and of the payload
    (32, 0): Look("32-bit keys", plotting.BLUE, "o"),
    (32, 32): Look("32-bit keys, payload", plotting.SKY, "s", filled=False, size=7),
    (64, 0): Look("64-bit keys", plotting.RED, "^"),
    (64, 32): Look("64-bit keys, payload", plotting.ORANGE, "v", filled=False, size=7),
}
SCANNED = (32, 0)  # the kind whose counts are scanned on their own
CUB, COPY = "cub_device", "device_to_device"


def case(kind: tuple[int, int], digit: int | None = None) -> dict:
    factors = {"operation": "sort", "key_bits": kind[0], "payload_bits": kind[1]}
    return factors | ({"algorithm": "radix", "digit_bits": digit} if digit else {"algorithm": CUB})


def times_of(timed: Results, kind: tuple[int, int], cache: str = "cold") -> dict[int, Median]:
    found = {digit: timed.time(**case(kind, digit), cache=cache) for digit in DIGITS}
    return {digit: time for digit, time in found.items() if time}


def passes(kind: tuple[int, int], digit: int) -> int:
    return -(-kind[0] // digit)


def scan_times(timed: Results) -> dict[int, float]:
    """Time of the scan of one pass's counts, by bits of the digit, cold."""
    found = {digit: timed.time(algorithm="of_counts", digit_bits=digit, cache="cold") for digit in DIGITS}
    return {digit: time.value for digit, time in found.items() if time}


def one_pass(timed: Results) -> dict[int, tuple[float, float]]:
    """Times of the scan and of the whole pass, by bits of the digit."""
    scans, sorts = scan_times(timed), times_of(timed, SCANNED)
    return {
        digit: (scans[digit], sorts[digit].value / passes(SCANNED, digit))
        for digit in DIGITS
        if digit in scans and digit in sorts
    }


def in_words(kind: tuple[int, int]) -> str:
    return KINDS[kind].label.replace(", payload", " with a payload")


def verdict(evidence: Evidence) -> Verdict:
    counted, timed = evidence.counted, evidence.timed
    rows = counted.where(algorithm="radix").to_dict("records") if counted else []
    if not rows:
        return Verdict(NOT_MEASURED, "The sorts were not counted.")
    if wrong := [row for row in rows if row["launches"] != row["predicted_launches"]]:
        row = wrong[0]
        found = f"{row['launches']:.0f} launches, not {row['predicted_launches']:.0f}"
        return Verdict(
            FAILS,
            f"The sort of {row['key_bits']:.0f}-bit keys by {row['digit_bits']:.0f} bits takes {found}.",
        )
    said = f"All {len(rows)} sorts take the predicted launches"
    times = {kind: times_of(timed, kind) for kind in KINDS} if timed else {}
    if not times or any(len(found) < len(DIGITS) for found in times.values()):
        return Verdict(NOT_MEASURED, f"{said}; not every digit was timed.")
    ratios = [found[8].value / found[1].value for found in times.values()]
    said = f"{said}; 8-bit digits are {words.pace(ratios, '1-bit digits')}"
    if not any(found[8].below(found[1]) for found in times.values()):
        return Verdict(FAILS, f"{said}.")
    slower = [
        f"{more} bits not faster than {less} ({in_words(kind)})"
        for kind, found in times.items()
        for less, more in zip(DIGITS, DIGITS[1:], strict=False)
        if not found[more].below(found[less])
    ]
    return Verdict(LIMITS if slower else HOLDS, f"{said}{', but ' if slower else ''}{words.listing(slower)}.")


def figure(evidence: Evidence):
    if not evidence.timed:
        figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.4)
        draw_counts(axes, evidence.counted)
        plotting.legend_on_top(figure, KINDS.values(), columns=2)
    else:
        figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.7, ncols=2, width_ratios=[1.5, 1])
        draw_times(left, evidence.timed)
        draw_pass(right, one_pass(evidence.timed))
        plotting.legend_on_top(figure, KINDS.values())
    plotting.sources(figure, evidence, counts=evidence.timed is None)
    return figure


def draw_counts(axes, counted: Results) -> None:
    for kind, look in KINDS.items():
        for prefix in ("predicted_", ""):
            found = {digit: counted.count(f"{prefix}launches", **case(kind, digit)) for digit in DIGITS}
            known = {digit: launches for digit, launches in found.items() if launches}
            style = {"marker": ""} if prefix else {"linestyle": "none"}
            places = [DIGITS.index(digit) for digit in known]
            axes.plot(places, list(known.values()), **look.style() | style)
    by_digit(axes, DIGITS, "launches", "Launches")
    axes.set_ylim(bottom=0)


def draw_times(axes, timed: Results) -> None:
    for kind, look in KINDS.items():
        times = times_of(timed, kind)
        plotting.time_line(axes, look, {DIGITS.index(digit): time for digit, time in times.items()})
        if cub := timed.time(**case(kind), cache="cold"):
            plotting.time_line(axes, look, {len(DIGITS): cub})
    if first := times_of(timed, SCANNED).get(1):
        ideal = [first.value / digit for digit in DIGITS]
        axes.plot(range(len(DIGITS)), ideal, color=plotting.GREY, linewidth=0.7, zorder=1)
    if copy := timed.time(algorithm=COPY, key_bits=SCANNED[0], cache="cold"):
        axes.axhline(copy.value, color=plotting.GREY, linestyle=":", linewidth=1, zorder=1)
        axes.annotate(
            "copy of the keys",
            (len(DIGITS), copy.value),
            xytext=(12, 2),
            textcoords="offset points",
            ha="right",
            color=plotting.GREY,
        )
    by_digit(axes, (*DIGITS, "CUB"), "time, µs (cold)", "Time of the sort")
    axes.set_yscale("log")


def draw_pass(axes, found: dict[int, tuple[float, float]]) -> None:
    places = [DIGITS.index(digit) for digit in found]
    scans, rest = (
        [scan for scan, _ in found.values()],
        [max(0, whole - scan) for scan, whole in found.values()],
    )
    axes.bar(places, rest, 0.6, color=plotting.PALE, label="count and scatter")
    axes.bar(places, scans, 0.6, bottom=rest, color=plotting.PURPLE, label="scan of the counts")
    by_digit(axes, DIGITS, "time, µs (cold)", "One pass over 32-bit keys")
    axes.margins(y=0.25)
    axes.legend(loc="upper left")


def by_digit(axes, names, label: str, title: str) -> None:
    axes.set_xticks(range(len(names)), [str(name) for name in names])
    axes.set_xlabel("bits of the digit")
    axes.set_ylabel(label)
    axes.set_title(title)
    axes.grid(axis="y")
    axes.set_axisbelow(True)


def numbers(evidence: Evidence) -> dict:
    found = {}
    if evidence.counted:
        counts = {digit: evidence.counted.count("launches", **case(SCANNED, digit)) for digit in DIGITS}
        found["launches"] = {str(digit): launches for digit, launches in counts.items()}
    if evidence.timed:
        timed = evidence.timed
        found["us"] = {
            f"{kind[0]} {kind[1]}": {str(digit): time.value for digit, time in times_of(timed, kind).items()}
            for kind in KINDS
        }
        cub = {f"{kind[0]} {kind[1]}": timed.time(**case(kind), cache="cold") for kind in KINDS}
        found["cub_us"] = {kind: time.value for kind, time in cub.items() if time}
        found["scan_share"] = {str(digit): scan / whole for digit, (scan, whole) in one_pass(timed).items()}
    return found


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if launches := numbers.get("launches"):
        by_digit = {words.plural(int(digit), "bit"): count for digit, count in launches.items()}
        paragraphs.append(
            f"Sorting four tiles of 32-bit keys takes {words.extremes(by_digit, words.integer)} launches, by "
            "bits of the digit."
        )
    said = []
    if share := numbers.get("scan_share"):
        said.append(f"The scan takes {words.span(share.values(), words.share)} of a pass over 32-bit keys.")
    if ratios := over_cub(numbers):
        by_kind = {in_words(kind): ratio for kind, ratio in ratios.items()}
        said.append(f"Our fastest digit is {words.pace(by_kind, 'the sort of CUB')}.")
    return paragraphs + ([" ".join(said)] if said else [])


def over_cub(numbers: dict) -> dict[tuple[int, int], float]:
    """Time with the fastest digit relative to CUB."""
    found = {}
    for kind in KINDS:
        key = f"{kind[0]} {kind[1]}"
        ours, cub = numbers.get("us", {}).get(key), numbers.get("cub_us", {}).get(key)
        if ours and cub:
            found[kind] = min(ours.values()) / cub
    return found


def tables(evidence: Evidence) -> list[Table]:
    found = [counts_table(evidence.counted)] if evidence.counted else []
    return found + ([times_table(evidence.timed)] if evidence.timed else [])


def counts_table(counted: Results) -> Table:
    quantities = ("launches", "barriers", "atomic_requests", "global_bytes_read")
    rows = [
        [
            f"{row['key_bits']:.0f} + {row['payload_bits']:.0f}",
            str(int(row["digit_bits"])),
            *predicted.cells_of_row(row, quantities),
        ]
        for row in counted.where(algorithm="radix").to_dict("records")
    ]
    columns = ["key + payload,\nbits", "digit,\nbits", "launches", "barriers", "atomics", "bytes read"]
    return Table("Predicted | counted, four tiles.", columns, rows, wide=True)


def times_table(timed: Results) -> Table:
    rows = []
    for kind in KINDS:
        n = timed.levels("n", **case(kind, 8))
        times = times_of(timed, kind)
        cub = timed.time(**case(kind), cache="cold")
        copy = timed.time(algorithm=COPY, key_bits=kind[0], cache="cold")
        cells = [words.interval(times.get(digit)) for digit in DIGITS]
        name = f"{kind[0]} + {kind[1]}"
        length = words.power(n[0]) if n else words.NOTHING
        rows.append([name, length, *cells, words.interval(cub), words.microseconds(copy)])
    columns = [
        "key + payload,\nbits",
        "n",
        *[f"{words.plural(digit, 'bit')},\nµs [95% CI]" for digit in DIGITS],
    ]
    columns += ["CUB,\nµs [95% CI]", "copy of keys,\nµs"]
    return Table("Time of the sort by bits of the digit, cold.", columns, rows, wide=True)
