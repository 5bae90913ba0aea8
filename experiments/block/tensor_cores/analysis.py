"""tensor_cores: sums as products with matrices of ones, against additions and shuffles."""

from collections.abc import Callable
from itertools import product

from analysis.core import plotting, sweep, words
from analysis.core.claim import Evidence, Look, Results, Table, Verdict, closed_forms, judge, told
from analysis.core.verdict import tiles_in_words

LEAST = 0.10
TILE = 1024  # elements of a warp

FORMATS = {
    "half": Look("halves", plotting.RED, "s"),
    "tf32": Look("floats cut off to tf32", plotting.ORANGE, "^"),
    "tf32x2": Look("floats, two parts of tf32", plotting.BLUE, "o", "--"),
    "bf16x3": Look("floats, three parts of bfloat16", plotting.GREEN, "D", ":"),
}
SHORT = {"half": "halves", "tf32": "tf32", "tf32x2": "two parts of tf32", "bf16x3": "three of bfloat16"}
IN_PARTS = ("tf32x2", "bf16x3")
OPERATIONS = {"scan": "scan", "reduce": "reduction"}
DATA = {"registers": "in registers", "memory": "from memory"}
SHARED = ("raking", "cub_block")
LIMITS = {"scan": {"operation": "copy"}, "reduce": {"operation": "read"}}


def products(form: str) -> dict:
    return {"algorithm": "products", "format": form}


def additions(form: str) -> dict:
    return {"algorithm": "shuffles", "type": "half" if form == "half" else "float"}


BOTH = (products, additions)


def times(timed: Results | None, data: str, operation: str, form: dict) -> sweep.Curve:
    """By length of the segments."""
    return sweep.times(timed, "segment", data=data, operation=operation, **form)


def ratios(timed: Results | None, data: str, operation: str, form: str) -> sweep.Numbers:
    """Time by products over that by additions."""
    return sweep.ratios(*(times(timed, data, operation, of(form)) for of in BOTH))


def of_all(timed: Results | None, data: str, *forms: str) -> list[float]:
    every = product(OPERATIONS, forms)
    return [ratio for operation, form in every for ratio in ratios(timed, data, operation, form).values()]


def faster(evidence: Evidence, data: str, operation: str, form: str) -> dict[int, bool | None]:
    """Whether products take enough less time."""
    n = sweep.longest(evidence.timed, data=data)
    mine, other = (times(evidence.timed, data, operation, of(form)) for of in BOTH)
    found = ratios(evidence.timed, data, operation, form)
    return {at: found[at] <= 1 - LEAST and evidence.floor.faster(mine[at], other[at], n) for at in found}


def counts(counted: Results | None, quantity: str, data: str, operation: str, form: dict) -> list[float]:
    """By length of the segments."""
    some = {"data": data, "operation": operation} | form
    every = sorted(counted.levels("segment", **some)) if counted else []
    found = [counted.count(quantity, **some, segment=each) for each in every]
    return [] if None in found else found


def shares(counted: Results | None, operation: str, form: str) -> list[float]:
    """Instructions by products over those by additions, in registers."""
    both = (counts(counted, "warp_instructions", "registers", operation, of(form)) for of in BOTH)
    return [mine / other for mine, other in zip(*both, strict=False)]


def verdict(evidence: Evidence) -> Verdict:
    places = list(product(DATA, OPERATIONS, FORMATS))
    follows = {place: faster(evidence, *place) for place in places}
    right, wrong = closed_forms(evidence.counted)
    of_halves = [share for each in OPERATIONS for share in shares(evidence.counted, each, "half")]
    if max(of_halves, default=0) >= 1:
        right, wrong = False, wrong or told("tensor_cores: not fewer", share=max(of_halves))
    in_registers = {form: of_all(evidence.timed, "registers", form) for form in FORMATS}
    in_parts = of_all(evidence.timed, "registers", *IN_PARTS)
    memory = of_all(evidence.timed, "memory", *FORMATS)
    finding = told("tensor_cores", shares=of_halves, in_parts=in_parts, memory=memory, **in_registers)
    every = {(place, at): won for place, of in follows.items() for at, won in of.items()}
    return judge(right, every, wrong or finding, in_words(follows))


def in_words(follows: dict[tuple, dict[int, bool | None]]) -> str:
    """scan of halves in every segment, of tf32 in segments of 16, in registers; .."""
    said = []
    for data, operation in product(DATA, OPERATIONS):
        phrases: dict[str, list[str]] = {}
        for form, name in SHORT.items():
            if any((of := follows[data, operation, form]).values()):
                phrases.setdefault(tiles_in_words(of).replace("tile", "segment"), []).append(name)
        which = [f"of {words.listing(names)} {phrase}" for phrase, names in phrases.items()]
        said += [f"{OPERATIONS[operation]} {', '.join(which)}, {DATA[data]}"] if which else []
    return "; ".join(said)


@plotting.of_times
def figure(evidence: Evidence):
    figure, panels = plotting.new_figure(plotting.WIDE, 2.4, ncols=4, sharey=True)
    for (data, operation), axes in zip(product(DATA, OPERATIONS), panels, strict=True):
        curves = {look: ratios(evidence.timed, data, operation, form) for form, look in FORMATS.items()}
        lengths = sorted({length for curve in curves.values() for length in curve})
        axes.axhspan(0, 1 - LEAST, color=plotting.PALE, linewidth=0)
        axes.axhline(1, color=plotting.BLACK, linewidth=0.6)
        sweep.lines(axes, {look: sweep.at_places(curve, lengths) for look, curve in curves.items()})
        title = f"{OPERATIONS[operation].capitalize()}, {DATA[data]}"
        sweep.by_place(axes, [f"{each:,}" for each in lengths], "", title, "elements a segment")
        axes.margins(x=0.12)
    panels[0].set(ylabel="time, products / additions", ylim=(0, None))
    plotting.legend_on_top(figure, FORMATS.values())
    return figure


def text(evidence: Evidence) -> list[str]:
    def worst(form: dict) -> float | None:
        return max(counts(evidence.counted, "max_ulps", "memory", "scan", form), default=None)

    errors = {form: worst(products(form)) for form in FORMATS}
    errors |= {f"{kind}_added": worst(additions(kind)) for kind in ("half", "float")}
    means = counts(evidence.counted, "mean_ulps", "memory", "scan", products("bf16x3"))
    errors["short"] = max((-mean for mean in means), default=None)
    speeds = {operation: limits(evidence.timed, operation) for operation in LIMITS}
    said = [told("tensor_cores: errors", **errors), told("tensor_cores: not numbers")]
    said += [told("tensor_cores: limits", **speeds), told("tensor_cores: others", **others(evidence.timed))]
    return [each for each in said if each]


def limits(timed: Results | None, operation: str) -> list[float]:
    """Floats from memory by products: throughput over a copy's, or a read's."""
    best = timed.time(**LIMITS[operation], cache="cold") if timed else None
    every = [times(timed, "memory", operation, products(form)) for form in FORMATS if form != "half"]
    return [best.value / time.value for curve in every for time in curve.values()] if best else []


def others(timed: Results | None) -> dict[str, list[float]]:
    """Scans of floats in shared memory: time over that of additions in registers, from memory."""
    base = times(timed, "memory", "scan", additions("float"))
    curves = {each: sweep.times(timed, "segment", operation="scan", algorithm=each) for each in SHARED}
    return {each: list(sweep.ratios(curve, base).values()) for each, curve in curves.items()}


def tables(evidence: Evidence) -> list[Table]:
    def cell(quantity: str, of: Callable[[str], dict], number: Callable[[float], str], tiles: int = 1):
        def spanned(operation: str, form: str) -> str:
            found = counts(evidence.counted, quantity, "memory", operation, of(form))
            return span([each / tiles for each in found], number)

        return spanned

    def span(found: list[float], number: Callable[[float], str] = words.decimal) -> str:
        return words.span(found, number) if found else words.NOTHING

    tiles = sweep.longest(evidence.counted, data="memory") // TILE
    cells = {
        "tensor\ninstructions": cell("tensor_instructions", products, words.integer, tiles),
        "shuffles": cell("shuffles", products, words.integer, tiles),
        "shuffles,\nadditions": cell("shuffles", additions, words.integer, tiles),
        "instructions in registers,\nproducts / additions": lambda *key: words.span(
            shares(evidence.counted, *key)
        ),
        "greatest error,\nulps": cell("max_ulps", products, words.rounded),
        "the same,\nadditions": cell("max_ulps", additions, words.rounded),
    }
    keys, caption = product(OPERATIONS, FORMATS), told("tensor_cores: table", tile=TILE)
    return [sweep.table(caption, ["operation", "products of"], keys, cells, FORMATS, text_columns=2)]
