"""atomics: the fewer atomics on one word, the faster a sum or a histogram."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from analysis.core import charts, plotting, sweep, words
from analysis.core.claim import Evidence, Look, Median, Results, Table, Verdict, closed_forms, judge, told
from analysis.core.verdict import lengths_in_words, places

TYPES = {"int32": "int", "float": "float", "double": "double"}
ONE, SEVERAL = 1, 64  # words on which atomics add up
HISTOGRAMS = {
    "element": Look("by elements", plotting.RED, "s"),
    "warp": Look("by warps", plotting.PURPLE, "v"),
    "block": Look("by blocks", plotting.BLUE, "o"),
}
ATOMICS = HISTOGRAMS | {
    "element_hidden": Look("by elements, hidden from nvcc", plotting.RED, "x", ":"),
    "thread": Look("by threads", plotting.ORANGE, "^"),
}
NONE = {
    "two_launches": Look("two launches", plotting.GREEN, "D", "--", size=3.5),
    "last_block": Look("last block", plotting.GREEN, "P", ":", filled=False),
}
SUMS = {form: ATOMICS[form] for form in ("element_hidden", "element", "thread", "warp", "block")} | NONE
SPREAD = replace(ATOMICS["element"], label=f"by elements, {SEVERAL} words", line="--", filled=False)
STEPS = {  # sums with fewer atomics, each with that of the next more
    "element": "element_hidden",
    "thread": "element",
    "warp": "thread",
    "block": "warp",
    "two_launches": "block",
}
CUB = {"operation": "sum", "algorithm": "cub_device"}
KEYS = {"even": "even keys", "one_bin": "one key"}


class Step(NamedTuple):
    """From `more` atomics to `fewer`, of n elements: by what, and where; a type and n, or bins and keys."""

    by: str
    where: tuple
    n: int
    fewer: Median
    more: Median

    def __str__(self) -> str:
        kind, of = self.where
        return f"{self.by}, " + (
            f"{TYPES[kind]}, n = {words.power(of)}" if kind in TYPES else in_words(kind, of)
        )


def case(form: str, kind: str, counters: int = ONE) -> dict:
    on = {"counters": counters} if form in ATOMICS else {}
    return {"operation": "sum", "algorithm": form, "type": kind} | on


def histogram(form: str, bins: int, keys: str) -> dict:
    return {"operation": "histogram", "algorithm": form, "bins": bins, "keys": keys}


def bins_and_keys(timed: Results | None) -> list[tuple[int, str]]:
    bins = sorted(timed.levels("bins")) if timed else []
    return [(each, keys) for each in bins for keys in KEYS if keys in timed.levels("keys", bins=each)]


def in_words(bins: int, keys: str) -> str:
    return "1 bin" if bins == 1 else f"{bins:,} bins ({KEYS[keys]})"


def steps(timed: Results | None) -> Iterator[Step]:
    for fewer, more in STEPS.items():
        for kind in TYPES:
            if (fewer, kind) != ("warp", "int32"):  # nvcc makes as many atomics for the threads of a warp
                few, many = (sweep.times(timed, "n", **case(form, kind)) for form in (fewer, more))
                by = "by nvcc's sums of warps" if fewer == "element" else SUMS[fewer].label
                yield from (Step(by, (kind, n), n, few[n], many[n]) for n in few if n in many)
    n = sweep.longest(timed, operation="histogram")
    for form in ("warp", "block"):
        for keys in bins_and_keys(timed):
            few, many = (timed.time(**histogram(each, *keys), cache="cold") for each in (form, "element"))
            if few and many:
                yield Step(f"histogram {HISTOGRAMS[form].label}", keys, n, few, many)


def where(faster: dict[Step, bool]) -> str:
    """by threads: int from n = 2¹⁴ on, float and double from n = 2¹⁸ on; histogram by warps: 1 bin."""
    found: dict[str, list[str]] = {}
    for by in dict.fromkeys(step.by for step in faster):
        of = {step.where: is_faster for step, is_faster in faster.items() if step.by == by}
        types = {}
        for kind, name in TYPES.items():
            lengths = {n: is_faster for (each, n), is_faster in of.items() if each == kind}
            if any(lengths.values()):
                at = "at every length" if all(lengths.values()) else lengths_in_words(lengths)
                types.setdefault(at, []).append(name)
        found[by] = [f"{words.listing(names)} {at}" for at, names in types.items()]
        if by.startswith("histogram") and any(of.values()):
            named = places({in_words(*keys): is_faster for keys, is_faster in of.items()})
            found[by] = ["all" if all(of.values()) else named]
    return "; ".join(f"{by}: {', '.join(said)}" for by, said in found.items() if said)


def verdict(evidence: Evidence) -> Verdict:
    found, floor = list(steps(evidence.timed)), evidence.floor
    faster = {step: floor.faster(step.fewer, step.more, step.n) for step in found}
    slower = sum(floor.faster(step.more, step.fewer, step.n) for step in found)
    ratios = {str(step): step.fewer.value / step.more.value for step in found}
    right, wrong = closed_forms(evidence.counted)
    numbers = {"n": sweep.longest(evidence.counted, operation="sum") or None, "places": len(found)}
    numbers |= {form: atomics(evidence.counted, form) for form in ("element", "block")}
    finding = told("atomics", ratios=ratios, faster=sum(faster.values()), slower=slower, **numbers)
    return judge(right, faster, wrong or finding, where(faster))


def atomics(counted: Results | None, form: str, kind: str = "float") -> int | None:
    """Of the longest sum counted."""
    n = sweep.longest(counted, operation="sum")
    return counted.count("atomic_lanes", **case(form, kind), n=n) if n else None


@plotting.of_times
def figure(evidence: Evidence):
    figure, panels = plotting.new_figure(plotting.WIDE, 3.0, ncols=len(TYPES), sharey=True)
    for axes, (kind, name) in zip(panels, TYPES.items(), strict=True):
        axes.set_yscale("log")
        charts.reference_curves(axes, {"cub_device": sweep.times(evidence.timed, "n", **CUB, type=kind)})
        curves = {look: case(form, kind) for form, look in SUMS.items()}
        curves |= {SPREAD: case("element", kind, SEVERAL)}
        sweep.lines(axes, {look: sweep.times(evidence.timed, "n", **of) for look, of in curves.items()})
        sweep.finish(axes, "", f"Sums of {name}s", f"{name}s, n")
    panels[0].set_ylabel("time, µs (cold)")
    plotting.legend_on_top(figure, [*SUMS.values(), SPREAD, plotting.line_of("cub_device")], columns=5)
    return figure


def drawings(evidence: Evidence) -> dict:
    timed, kinds = evidence.timed, bins_and_keys(evidence.timed)
    if not kinds:
        return {}
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.4)
    rows = {
        form: [timed.time(**histogram(form, *keys), cache="cold") for keys in kinds] for form in HISTOGRAMS
    }
    series = [(look, rows[form]) for form, look in HISTOGRAMS.items()]
    charts.time_chart(axes, {}, [in_words(*keys) for keys in kinds], series)
    known = [time.value for times in rows.values() for time in times if time]
    axes.set_xscale("log")
    axes.set(xlim=(0.6 * min(known), 1.6 * max(known)), xlabel="time, µs (cold)")
    plotting.legend_on_top(figure, (replace(look, line="none") for look in HISTOGRAMS.values()))
    plotting.sources(figure, evidence, counts=False)
    return {"histogram": figure}


def text(evidence: Evidence) -> list[str]:
    counted, timed = evidence.counted, evidence.timed
    kinds = {kind: atomics(counted, "element", kind) for kind in ("int32", "float", "int64")}
    found = kinds | {"hidden": atomics(counted, "element_hidden", "int32")}
    found["n"] = sweep.longest(counted, operation="sum") or None
    n, rates = sweep.longest(timed, **case("element", "float")), {}
    for on in (ONE, SEVERAL):
        time = timed.time(**case("element", "float", on), n=n, cache="cold") if n else None
        rates[f"on_{on}"] = n / time.value / 1000 if time else None  # a nanosecond
    return [told("atomics: nvcc", **found), told("atomics: rates", n=n or None, words=SEVERAL, **rates)]


def tables(evidence: Evidence) -> list[Table]:
    counted, timed = evidence.counted, evidence.timed
    lengths = {"counted": sweep.longest(counted, operation="sum"), "n": sweep.longest(timed, operation="sum")}

    def time(on: int):
        return lambda form, kind: (
            sweep.time_cell(timed, **case(form, kind, on), n=lengths["n"])
            if on == ONE or form in ATOMICS
            else words.NOTHING
        )

    names = SUMS | {kind: Look(name, plotting.BLACK) for kind, name in TYPES.items()}
    cells = {"atomics": lambda form, kind: words.integer(atomics(counted, form, kind))}
    cells |= {"one word,\nµs [95% CI]": time(ONE), f"{SEVERAL} words,\nµs [95% CI]": time(SEVERAL)}
    keys = [(form, kind) for form in SUMS for kind in TYPES]
    caption = told("atomics: table", **{name: n or None for name, n in lengths.items()})
    return [sweep.table(caption, ["sum", "type"], keys, cells, names)]
