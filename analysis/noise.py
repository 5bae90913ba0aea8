"""noise: two measurements of the same kernel agree."""

import math
from dataclasses import dataclass, replace

from analysis.common import plotting, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import LEVEL, Median
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

LONG = 1 << 20
QUESTION = "Verdicts compare times. How far apart are two measurements of the same kernel?"
RULE = (
    f"Two measurements agree if their {LEVEL:.0%} confidence intervals overlap. Holds if those of twins do "
    f"in at least {LEVEL:.0%} of all pairs, cold and warm. Fails if they do not even in {LEVEL:.0%} of the "
    f"pairs from n = {words.power(LONG)} on, or if a count of one twin differs from the other's. Otherwise "
    "it holds within limits."
)
CAPTION = (
    "Difference between the medians of twins, by time: one marker per pair, filled if cold, open if warm. "
    f"Circled: the intervals do not overlap. {LEVEL:.0%} of the pairs lie in the band."
)
CAPTION_WITHOUT_TIMES = "Operations per element of both twins, counted."

LOOKS = {
    "device_to_device": Look("copy", plotting.GREY, "D", size=3.6),
    "cub_device": Look("CUB device", plotting.BLACK, "v"),
    "hillis_steele": Look("Hillis-Steele", plotting.RED, "s", size=3.8),
    "blelloch": Look("Blelloch", plotting.BLUE, "o"),
    "three_phase": Look("three phases", plotting.GREEN, "^"),
}
QUANTITIES = (
    "ops",
    "warp_ops",
    "barriers",
    "launches",
    "shared_load_requests",
    "shared_store_requests",
    "shared_load_wavefronts",
    "shared_store_wavefronts",
    "global_load_sectors",
    "global_store_sectors",
)


@dataclass(frozen=True)
class Pair:
    """Both measurements of one case."""

    algorithm: str
    cache: str
    n: int
    a: Median
    b: Median

    @property
    def ratio(self) -> float:
        """The longer median over the shorter."""
        return max(self.a.value, self.b.value) / min(self.a.value, self.b.value)

    @property
    def overlaps(self) -> bool:
        return not self.a.below(self.b) and not self.b.below(self.a)

    @property
    def name(self) -> str:
        return f"{LOOKS[self.algorithm].label}, n = {words.power(self.n)}, {self.cache}"


def pairs_of(timed: Results | None) -> list[Pair]:
    """All pairs with both twins timed, the shortest vectors first."""
    found = []
    for n in sorted(timed.levels("n", twin="a")) if timed else []:
        for algorithm in LOOKS:
            for cache in ("cold", "warm"):
                case = {"algorithm": algorithm, "cache": cache, "n": n}
                a, b = (timed.time(twin=twin, **case) for twin in ("a", "b"))
                if a and b:
                    found.append(Pair(algorithm, cache, n, a, b))
    return found


def overlapping(pairs: list[Pair]) -> int:
    return sum(pair.overlaps for pair in pairs)


def enough(pairs: list[Pair]) -> bool:
    return bool(pairs) and overlapping(pairs) >= LEVEL * len(pairs)


def floor(pairs: list[Pair]) -> float:
    """The ratio of twin medians that LEVEL of the pairs do not exceed."""
    ratios = sorted(pair.ratio for pair in pairs)
    return ratios[math.ceil(LEVEL * len(ratios)) - 1]


def counted_pairs(counted: Results | None) -> dict[tuple[str, int], bool]:
    """Whether all counts of both twins are equal, by algorithm and n."""
    found = {}
    for n in sorted(counted.levels("n", twin="a")) if counted else []:
        for algorithm in counted.levels("algorithm", twin="a", n=n):
            twins = [
                [counted.count(each, algorithm=algorithm, twin=twin, n=n) for each in QUANTITIES]
                for twin in ("a", "b")
            ]
            found[algorithm, n] = twins[0] == twins[1]
    return found


def verdict(evidence: Evidence) -> Verdict:
    unequal = [key for key, equal in counted_pairs(evidence.counted).items() if not equal]
    if unequal:
        named = [f"{LOOKS[algorithm].label} at n = {words.power(n)}" for algorithm, n in unequal]
        return Verdict(FAILS, f"Twins have different counts: {words.listing(named)}.")
    pairs = pairs_of(evidence.timed)
    if not pairs:
        return Verdict(NOT_MEASURED, "No twins were timed.")
    long = [pair for pair in pairs if pair.n >= LONG]
    said = f"The intervals of {overlapping(pairs)} of {len(pairs)} pairs of twins overlap"
    far = f"{LEVEL:.0%} of the pairs differ by at most {apart(floor(pairs))}"
    if enough(pairs):
        return Verdict(HOLDS, f"{said}; {far}.")
    of_long = f"{overlapping(long)} of {len(long)} from n = {words.power(LONG)} on"
    return Verdict(LIMITS if enough(long) else FAILS, f"{said}, {of_long}; {far}.")


def apart(ratio: float) -> str:
    """1.012 as 1.2%."""
    return f"{ratio - 1:.1%}"


def figure(evidence: Evidence):
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.5)
    pairs = pairs_of(evidence.timed)
    if pairs:
        draw_pairs(axes, pairs)
        shown = [look for each, look in LOOKS.items() if any(pair.algorithm == each for pair in pairs)]
        plotting.legend_on_top(figure, [replace(look, line="none") for look in shown], columns=3)
    elif evidence.counted:
        draw_counts(axes, evidence.counted)
        axes.legend(loc="upper left")
    else:
        plotting.empty(axes, "time: not measured")
    plotting.sources(figure, evidence, counts=not pairs)
    return figure


def draw_pairs(axes, pairs: list[Pair]) -> None:
    band = 100 * (floor(pairs) - 1)
    axes.axhspan(-band, band, color=plotting.PALE, linewidth=0)
    axes.axhline(0, color=plotting.BLACK, linewidth=0.6)
    for pair in pairs:
        look = LOOKS[pair.algorithm]
        at = (pair.a.value, 100 * (pair.b.value / pair.a.value - 1))
        face = look.color if pair.cache == "cold" else "white"
        axes.plot(*at, **look.style() | {"markerfacecolor": face, "linestyle": "none"}, zorder=3)
        if not pair.overlaps:
            axes.plot(*at, "o", markersize=9, markerfacecolor="none", color=plotting.PURPLE, zorder=4)
    most = 1.25 * max(band, *(100 * (pair.ratio - 1) for pair in pairs), 0.1)
    axes.set_ylim(-most, most)
    axes.set_xscale("log")
    axes.set_xlabel("median of twin a, µs")
    axes.set_ylabel("twin b against twin a, %")
    axes.grid()


def draw_counts(axes, counted: Results) -> None:
    n = max(counted.levels("n", twin="a"))
    algorithms = [each for each in LOOKS if each in counted.levels("algorithm", n=n)]
    for twin, size, face in (("a", 8, "white"), ("b", 4, plotting.BLUE)):
        ops = [counted.count("ops", algorithm=each, twin=twin, n=n) / n for each in algorithms]
        style = {"color": plotting.BLUE, "markersize": size, "markerfacecolor": face}
        axes.plot(ops, range(len(ops)), "o", label=f"twin {twin}", **style)
    axes.set_yticks(range(len(algorithms)), [LOOKS[each].label for each in algorithms])
    axes.set_ylim(len(algorithms) - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.set_xlabel(f"operations per element, n = {words.power(n)}")
    axes.grid(axis="x")


def numbers(evidence: Evidence) -> dict:
    found = {}
    if equal := counted_pairs(evidence.counted):
        found["counted"] = {"pairs": len(equal), "equal": sum(equal.values())}
    if pairs := pairs_of(evidence.timed):
        worst = max(pairs, key=lambda pair: pair.ratio)
        found |= about(pairs) | {"worst": worst.name, "repetitions": worst.a.count}
        found["by_length"] = {str(n): about([pair for pair in pairs if pair.n == n]) for n in lengths(pairs)}
    return found


def about(pairs: list[Pair]) -> dict:
    times = [time.value for pair in pairs for time in (pair.a, pair.b)]
    return {
        "pairs": len(pairs),
        "overlapping": overlapping(pairs),
        "floor": floor(pairs),
        "largest": max(pair.ratio for pair in pairs),
        "us": [min(times), max(times)],
    }


def lengths(pairs: list[Pair]) -> list[int]:
    return sorted({pair.n for pair in pairs})


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if "counted" in numbers:
        counted = numbers["counted"]
        paragraphs.append(
            f"In {counted['equal']} of {counted['pairs']} counted pairs the twins agree in all of "
            f"{len(QUANTITIES)} quantities, from operations to sectors."
        )
    if "pairs" in numbers:
        by_length = {int(n): each["largest"] for n, each in numbers["by_length"].items()}
        said = words.extremes({f"n = {words.power(n)}": ratio for n, ratio in by_length.items()}, apart)
        paragraphs.append(
            f"Of {numbers['pairs']} pairs the intervals of {numbers['overlapping']} overlap, each from "
            f"{numbers['repetitions']} repetitions. The noise floor: the medians of {LEVEL:.0%} of the pairs "
            f"differ by at most {apart(numbers['floor'])}, the worst by {apart(numbers['largest'])} "
            f"({numbers['worst']}). By length, the worst pair differs by {said}. A smaller difference "
            "between two cases of that length is not significant."
        )
    return paragraphs


def tables(evidence: Evidence) -> list[Table]:
    columns = [
        "n",
        "twins\ncounted\nequal",
        "pairs\ntimed",
        "intervals\noverlap",
        "largest\ndifference",
        "µs",
    ]
    pairs, counted = pairs_of(evidence.timed), counted_pairs(evidence.counted)
    every = sorted({*lengths(pairs), *(n for _, n in counted)})
    rows = [
        [
            words.power(n),
            *counted_cells([equal for (_, m), equal in counted.items() if m == n]),
            *timed_cells([pair for pair in pairs if pair.n == n]),
        ]
        for n in every
    ]
    caption = (
        "Twins by length: pairs with equal counts, and pairs timed, cold and warm, with all their medians."
    )
    return [Table(caption, columns, rows)]


def counted_cells(equal: list[bool]) -> list[str]:
    return [f"{sum(equal)} of {len(equal)}" if equal else words.NOTHING]


def timed_cells(pairs: list[Pair]) -> list[str]:
    if not pairs:
        return [words.NOTHING] * 4
    found = about(pairs)
    span = " to ".join(words.significant(time) for time in found["us"])
    return [str(found["pairs"]), str(found["overlapping"]), apart(found["largest"]), span]
