"""rates: each thing that a GPU does has one price, whatever the kernel."""

from analysis.common import plotting, sweep, words
from analysis.common.closed_forms import closed_forms
from analysis.common.evidence import Evidence, Results
from analysis.common.noise_floor import Floor
from analysis.common.plotting import Look
from analysis.common.prose import told
from analysis.common.statistics import Median
from analysis.common.tables import Table
from analysis.common.verdict import Verdict, judge
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
    follows, near = {}, {}
    for name, levels in every.items():
        first = next(iter(levels.values()))
        near[name] = {
            level: is_near(price.value / first.value, evidence.floor)
            for level, price in list(levels.items())[1:]
        }
        follows |= {(name, level): same for level, same in near[name].items()}
    found_prices = {NAMES[name]: span(name, levels) for name, levels in every.items()}
    return judge(
        right,
        follows,
        wrong or told("rates", prices=found_prices, full=words.significant(prices.steps(evidence.timed)[1])),
        said_where(near),
    )


def is_near(ratio: float, floor: Floor) -> bool:
    """Whether a price is the first one, or differs by less than what two measurements of it may."""
    return floor.as_fast(max(ratio, 1 / ratio), 1, SLACK)


def said_where(near: dict[str, dict[int, bool]]) -> str:
    """Which have one price at all levels, and at which levels another has it."""
    said = [words.listing([NAMES[name] for name, of in near.items() if all(of.values())])]
    for name, of_levels in near.items():
        levels = words.listing([f"{level:,}" for level, same in sorted(of_levels.items()) if same])
        if levels and not all(of_levels.values()):
            factor = FACTORS[name]
            said.append(
                f"{NAMES[name]} at {f'{levels} threads' if factor == 'threads' else f'{factor} {levels}'}"
            )
    return "; ".join(filter(None, said))


def span(name: str, levels: dict[int, Median]) -> str:
    return f"{words.span([price.value for price in levels.values()], words.significant)} {UNITS[name]}"


def cause(_: Evidence) -> str:
    return told("rates: cause")


@plotting.of_times
def figure(evidence: Evidence):
    timed, every = evidence.timed, found(evidence.timed)
    figure, panels = plotting.new_figure(plotting.WIDE, 2.2, ncols=len(every))
    for axes, (name, levels) in zip(panels, every.items(), strict=True):
        first = next(iter(levels.values())).value
        axes.axhspan(first / (1 + SLACK), first * (1 + SLACK), color=plotting.PALE, linewidth=0)
        if name == "step":
            curves = {
                look: prices.by(timed, name, "threads", resident=resident)
                for resident, look in RESIDENT.items()
            }
            sweep.lines(axes, curves)
        else:
            sweep.lines(axes, {LOOK: dict(sorted(levels.items()))})
        sweep.finish(
            axes, UNITS[name], f"{name[0].upper()}{name[1:]}", FACTORS[name], sorted(levels), every=2
        )
        axes.set_ylim(bottom=0)
    plotting.legend_on_top(figure, RESIDENT.values())
    return figure


def tables(evidence: Evidence) -> list[Table]:
    timed = evidence.timed
    if not timed:
        return []
    rows = [
        [f"{name}, {FACTORS[name]} {level:,}", UNITS[name], words.interval(price)]
        for name, levels in found(timed).items()
        for level, price in levels.items()
    ]
    rows += [
        [f"a block that copies, alone, threads {threads:,}", "cycles", words.interval(price)]
        for threads, price in prices.block_copies(timed).items()
    ]
    latency = prices.by(timed, "latency", "places")
    rows += [["a load after a load", "cycles", words.interval(price)] for price in latency.values()]
    rows += [["an empty kernel", "µs", words.significant(prices.empty(timed))]]
    rows += [["one more, queued behind", "µs", words.significant(prices.next_launch(timed))]]
    speeds = {"a byte copied": "device_to_device", "a byte read": "ceiling"}
    rows += [
        [name, "ps", words.significant(1e6 * prices.per_byte(timed, algorithm))]
        for name, algorithm in speeds.items()
    ]
    return [Table(told("rates: table"), ["for", "unit", "price [95% CI]"], rows)]


def numbers(evidence: Evidence) -> dict:
    """The prices that the model uses."""
    return vars(prices.prices_of(evidence.timed)) if evidence.timed else {}
