"""scan_ideas: what each idea of the fast scan is worth, measured by removing it."""

from dataclasses import dataclass

from analysis.common import plotting, predicted, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import LEVEL, Median
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

LEAST = 0.02
QUESTION = "A scan that is as fast as a copy combines five ideas. Which of them make it fast?"
RULE = (
    f"An idea is worth its code with a vector if the scan without it takes at least {LEAST:.0%} more time, "
    "cold, and 95% confidence intervals of the medians do not overlap. Removed are: pipeline stages (4 are "
    "left); one of the two loads in flight; the odd number of words per thread (compared with one stage "
    "fewer, which makes room for the additional word); aggregates, in favour of a serial prefix chain; "
    "versioned statuses, in favour of a memset. Holds if each idea is worth it with some vector. Fails if "
    "most are with none. Otherwise it holds within limits."
)
CAPTION = (
    "Share of the copy's throughput that the scan reaches with one idea removed; a line starts at its share "
    "with the idea. Cold, medians; dashed: CUB; dotted: the copy."
)


@dataclass(frozen=True)
class Idea:
    """Its name, the change that removes it, and the change to compare that with."""

    label: str
    without: str
    beside: str = "none"


IDEAS = {
    "stages": Idea("pipeline stages", "stages_4"),
    "loads": Idea("two loads in flight", "loads_1"),
    "words": Idea("odd words per thread", "even_words", "stages_6"),
    "sums": Idea("aggregates, not prefixes", "chain"),
    "versions": Idea("versioned statuses", "cleared"),
}
CHANGES = {  # in the order of the figure
    "none": Look("unchanged", plotting.BLACK),
    "stages_6": Look("6 stages", plotting.BLUE),
    "stages_5": Look("5 stages", plotting.BLUE),
    "stages_4": Look("4 stages", plotting.BLUE),
    "stages_3": Look("3 stages", plotting.BLUE),
    "loads_1": Look("1 load in flight", plotting.GREEN),
    "loads_4": Look("4 loads in flight", plotting.GREEN),
    "even_words": Look("even words, 6 stages", plotting.RED),
    "chain": Look("serial prefix chain", plotting.PURPLE),
    "cleared": Look("memset in every call", plotting.ORANGE),
}
BESIDE = {idea.without: idea.beside for idea in IDEAS.values()}
THINGS = {"int32": "ints", "int8": "bytes", "affine_float": "affine maps"}
RING, ONE_WAVE = "ring", "one_wave"

Vector = tuple[str, int]  # type and length


def vectors(timed: Results | None, algorithm: str = RING) -> list[Vector]:
    """The vectors that were scanned, in the order of the experiment."""
    if timed is None:
        return []
    rows = timed.where(algorithm=algorithm)[["type", "n"]].drop_duplicates()
    order = {kind: place for place, kind in enumerate(THINGS)}
    return sorted(
        zip(rows["type"], rows["n"].astype(int), strict=True), key=lambda each: (-each[1], order[each[0]])
    )


def name_of(vector: Vector) -> str:
    kind, n = vector
    return f"{words.power(n)} {THINGS[kind]}"


def time_of(timed: Results, vector: Vector, change: str, algorithm: str = RING) -> Median | None:
    kind, n = vector
    return timed.time(algorithm=algorithm, type=kind, n=n, change=change, cache="cold")


def reference(timed: Results, vector: Vector, algorithm: str) -> Median | None:
    kind, n = vector
    return timed.time(algorithm=algorithm, type=kind, n=n, cache="cold")


def costs(timed: Results | None, key: str) -> dict[Vector, tuple[float, bool]]:
    """By vector: time without the idea relative to with it, and whether that makes it worth its code."""
    idea, found = IDEAS[key], {}
    where = [(RING, vector) for vector in vectors(timed)]
    if key == "versions":
        where += [(ONE_WAVE, vector) for vector in vectors(timed, ONE_WAVE)]
    for algorithm, vector in where:
        with_it, without = (
            time_of(timed, vector, change, algorithm) for change in (idea.beside, idea.without)
        )
        if with_it and without:
            ratio = without.value / with_it.value
            found[vector] = ratio, ratio >= 1 + LEAST and with_it.below(without)
    return found


def verdict(evidence: Evidence) -> Verdict:
    found = {key: costs(evidence.timed, key) for key in IDEAS}
    if not all(found.values()):
        return Verdict(NOT_MEASURED, "The scan was not timed with each idea removed.")
    worth = {key: any(is_worth for _, is_worth in each.values()) for key, each in found.items()}
    most = {key: max(ratio for ratio, _ in each.values()) for key, each in found.items()}
    confirmed = [f"{IDEAS[key].label} {words.percent(most[key])}" for key in IDEAS if worth[key]]
    refuted = [IDEAS[key].label for key in IDEAS if not worth[key]]
    said = f"Time without each idea, at most: {'; '.join(confirmed)}." if confirmed else ""
    if refuted:
        said += f" Less than {LEAST:.0%} or not significant, with every vector: {'; '.join(refuted)}."
    status = HOLDS if not refuted else FAILS if 2 * len(refuted) > len(IDEAS) else LIMITS
    return Verdict(status, said.strip())


def shares(timed: Results, vector: Vector) -> dict[str, float]:
    """Share of the copy's throughput, by change."""
    copy = reference(timed, vector, "device_to_device")
    times = {change: time_of(timed, vector, change) for change in CHANGES}
    return {change: copy.value / time.value for change, time in times.items() if copy and time}


def figure(evidence: Evidence):
    found = vectors(evidence.timed)
    if not found:
        figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.0)
        plotting.empty(axes, "throughput: not measured")
    else:
        figure, panels = plotting.new_figure(plotting.WIDE, 2.7, ncols=len(found), sharex=True, sharey=True)
        for axes, vector in zip(panels, found, strict=True):
            draw_shares(axes, evidence.timed, vector)
        panels[0].set_yticks(range(len(CHANGES)), [look.label for look in CHANGES.values()])
        panels[0].set_ylim(len(CHANGES) - 0.5, -0.5)
        panels[0].set_xlim(0, 1.1)
    plotting.sources(figure, evidence, counts=False)
    return figure


def draw_shares(axes, timed: Results, vector: Vector) -> None:
    """A row for each change: from the share with the idea to the share without it."""
    found = shares(timed, vector)
    for row, (change, look) in enumerate(CHANGES.items()):
        if change not in found:
            continue
        start = found.get(BESIDE.get(change, "none"), found[change])
        axes.plot([start, found[change]], [row, row], color=look.color, linewidth=2.5, alpha=0.4)
        axes.plot(found[change], row, color=look.color, marker=look.marker)
        axes.annotate(
            f"{found[change]:.2f}",
            (found[change], row),
            xytext=(-5, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=6.5,
            bbox={"facecolor": "white", "linewidth": 0, "pad": 0.6},
        )
    if "none" in found:
        axes.axvline(found["none"], color=plotting.BLACK, linewidth=0.6, zorder=0)
    copy, cub = (reference(timed, vector, each) for each in ("device_to_device", "cub_device"))
    if copy and cub:
        axes.axvline(copy.value / cub.value, color=plotting.GREY, linestyle="--", linewidth=0.9, zorder=0)
    axes.axvline(1, color=plotting.GREY, linestyle=":", linewidth=0.9, zorder=0)
    axes.set_title(name_of(vector))
    axes.set_xlabel("share of copy (cold)")
    axes.tick_params(axis="y", length=0)


def numbers(evidence: Evidence) -> dict:
    """Shares of the copy's throughput; times without an idea relative to with it; wavefronts."""
    made = {}
    if timed := evidence.timed:
        made["shares"] = {name_of(vector): shares(timed, vector) for vector in vectors(timed)}
        made["without_over_with"] = {
            key: {name_of(vector): ratio for vector, (ratio, _) in costs(timed, key).items()} for key in IDEAS
        }
    if counted := evidence.counted:
        made["wavefronts_of_a_request"] = {
            str(count): wavefronts_of_a_request(counted, count) for count in counted.levels("words")
        }
    return made


def wavefronts_of_a_request(counted: Results, count: int) -> float:
    """A request is for 32 words that are `count` words apart."""
    quantities = ("shared_load_wavefronts", "shared_load_requests")
    wavefronts, requests = (counted.count(each, words=count) for each in quantities)
    return wavefronts / requests


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if found := {key: each for key, each in numbers.get("without_over_with", {}).items() if each}:
        ratios = {
            f"{IDEAS[key].label}, {vector}": ratio
            for key, each in found.items()
            for vector, ratio in each.items()
        }
        paragraphs.append(f"Without one idea the scan takes {words.extremes(ratios, words.more_time)}.")
    if found := numbers.get("wavefronts_of_a_request"):
        said = [
            f"{each:.0f} with {words.small(int(count))} words per thread" for count, each in found.items()
        ]
        paragraphs.append(f"A request for 32 words of 16 bytes takes, in wavefronts, {words.listing(said)}.")
    return paragraphs


def tables(evidence: Evidence) -> list[Table]:
    found = [counts_table(evidence.counted)] if evidence.counted else []
    return found + ([times_table(evidence.timed)] if evidence.timed else [])


def counts_table(counted: Results) -> Table:
    quantities = ("shared_load_requests", "shared_load_wavefronts", "shared_store_wavefronts", "ops")
    rows = [
        [str(count), *predicted.cells_of_case(counted, quantities, words=count)]
        for count in counted.levels("words")
    ]
    columns = ["words per thread", "load requests", "load wavefronts", "store wavefronts", "operations"]
    return Table(
        "Threads read their words of a tile from shared memory: predicted | counted.",
        columns,
        rows,
        wide=True,
    )


def times_table(timed: Results) -> Table:
    every = [(RING, each) for each in vectors(timed)] + [
        (ONE_WAVE, each) for each in vectors(timed, ONE_WAVE)
    ]
    rows = [
        [
            look.label,
            *(words.interval(time_of(timed, vector, change, algorithm)) for algorithm, vector in every),
        ]
        for change, look in CHANGES.items()
    ]
    rows += [
        [label, *(words.interval(reference(timed, vector, algorithm)) for _, vector in every)]
        for algorithm, label in (("cub_device", "CUB"), ("device_to_device", "copy"))
    ]
    columns = ["change", *(f"{name_of(vector)},\nµs [{LEVEL:.0%} CI]" for _, vector in every)]
    return Table("Times with one idea removed, cold.", columns, rows, wide=True)
