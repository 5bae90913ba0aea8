"""rates: each thing that a GPU does has one price, whatever the kernel."""

from analysis.core import plotting, sweep, words
from analysis.core.claim import (
    Evidence,
    Look,
    Median,
    Results,
    Table,
    Verdict,
    closed_forms,
    judge,
    told,
)
from analysis.core.noise_floor import Floor
from analysis.model import prices

SLACK = 0.25
LOOK = Look("", plotting.BLUE, "o")
RESIDENT = {
    1: Look("1 resident block", plotting.BLUE, "o"),
    4: Look("4 resident blocks", plotting.GREEN, "^", "--"),
    16: Look("16 resident blocks", plotting.RED, "s", ":", filled=False),
}
UNITS = {"instruction": "cycles", "wavefront": "cycles", "block": "ns", "step": "cycles"}
NAMES = {
    "instruction": "an instruction",
    "wavefront": "a wavefront",
    "block": "a block",
    "step": "a step to the next barrier",
}
FACTORS = {"instruction": "threads", "wavefront": "conflict degree", "block": "threads", "step": "threads"}


def found(timed: Results | None) -> dict[str, dict[int, Median]]:
    """Prices by level, the first level first."""
    of_degrees = prices.by(timed, "wavefront", "degree")
    return {
        "instruction": prices.by(timed, "instruction", "threads"),
        "wavefront": {degree: of_degrees[degree] for degree in sorted(of_degrees, reverse=True)},
        "block": prices.blocks(timed),
        "step": prices.by(timed, "step", "threads", resident=1),
    }


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted)
    every = found(evidence.timed)
    if not all(every.values()):
        return judge(right, {}, wrong or told("rates"))
    near = {}
    for name, levels in every.items():
        first, *others = levels
        ratios = {level: levels[level].value / levels[first].value for level in others}
        near[name] = {level: is_near(ratio, evidence.floor) for level, ratio in ratios.items()}
    follows = {(name, level): same for name, of in near.items() for level, same in of.items()}
    spans = {}
    for name, levels in every.items():
        said = words.span([price.value for price in levels.values()], words.significant)
        spans[NAMES[name]] = f"{said} {UNITS[name]}"
    finding = told("rates", prices=spans, full=words.significant(prices.steps(evidence.timed)[1]))
    return judge(right, follows, wrong or finding, said_where(near))


def is_near(ratio: float, floor: Floor) -> bool:
    """Whether a price is the first one, or differs by less than what two measurements of it may."""
    return floor.as_fast(max(ratio, 1 / ratio), 1, SLACK)


def said_where(near: dict[str, dict[int, bool]]) -> str:
    """Which have one price at all levels, and at which levels another has it."""
    said = [words.listing([NAMES[name] for name, of in near.items() if all(of.values())])]
    for name, of_levels in near.items():
        levels = words.listing([f"{level:,}" for level, same in sorted(of_levels.items()) if same])
        if levels and not all(of_levels.values()):
            where = f"{levels} threads" if FACTORS[name] == "threads" else f"{FACTORS[name]} {levels}"
            said.append(f"{NAMES[name]} at {where}")
    return "; ".join(filter(None, said))


def cause(_: Evidence) -> str:
    return told("rates: cause")


@plotting.of_times
def figure(evidence: Evidence):
    timed, every = evidence.timed, found(evidence.timed)
    figure, panels = plotting.new_figure(plotting.WIDE, 2.2, ncols=len(every))
    for axes, (name, levels) in zip(panels, every.items(), strict=True):
        first = next(iter(levels.values())).value
        axes.axhspan(first / (1 + SLACK), first * (1 + SLACK), color=plotting.PALE, linewidth=0)
        curves = {LOOK: dict(sorted(levels.items()))}
        if name == "step":
            curves = {look: prices.by(timed, name, "threads", resident=k) for k, look in RESIDENT.items()}
        sweep.lines(axes, curves)
        sweep.finish(axes, UNITS[name], name.capitalize(), FACTORS[name], sorted(levels), every=2)
        axes.set_ylim(bottom=0)
    plotting.legend_on_top(figure, RESIDENT.values())
    return figure


def tables(evidence: Evidence) -> list[Table]:
    timed = evidence.timed
    if not timed:
        return []
    priced = []
    for name, levels in found(timed).items():
        priced += [(f"{name}, {FACTORS[name]} {level:,}", UNITS[name], levels[level]) for level in levels]
    for threads, price in prices.block_copies(timed).items():
        priced.append((f"a block that copies, alone, threads {threads:,}", "cycles", price))
    for price in prices.by(timed, "latency", "places").values():
        priced.append(("a load after a load", "cycles", price))
    single = [
        ("an empty kernel", "µs", prices.empty(timed)),
        ("one more, queued behind", "µs", prices.next_launch(timed)),
        ("a byte copied", "ps", 1e6 * prices.per_byte(timed, "device_to_device")),
        ("a byte read", "ps", 1e6 * prices.per_byte(timed, "ceiling")),
    ]
    rows = [[*of, words.interval(price)] for *of, price in priced]
    rows += [[*of, words.significant(price)] for *of, price in single]
    return [Table(told("rates: table"), ["for", "unit", "price [95% CI]"], rows)]


def numbers(evidence: Evidence) -> dict:
    """The prices that the model uses."""
    return vars(prices.prices_of(evidence.timed)) if evidence.timed else {}
