"""scan_ideas: what each idea of the fast scan is worth, measured by removing it."""

from dataclasses import dataclass

from analysis.core import charts, plotting, sweep, words
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

LEAST = 0.02


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
    rows = timed.where(algorithm=algorithm)
    pairs = set(zip(rows["type"], rows["n"].astype(int), strict=True))
    return sorted(pairs, key=lambda each: (-each[1], list(THINGS).index(each[0])))


def name_of(vector: Vector) -> str:
    kind, n = vector
    return f"{words.power(n)} {THINGS.get(kind, kind)}"


def time_of(timed: Results, vector: Vector, change: str = "", algorithm: str = RING) -> Median | None:
    """Of a scan with a change, or of a reference, which has none."""
    factors = {"type": vector[0], "n": vector[1], "algorithm": algorithm, "cache": "cold"}
    return timed.time(**factors, **({"change": change} if change else {}))


def costs(evidence: Evidence, key: str) -> dict[Vector, tuple[float, bool]]:
    """By vector: time without the idea relative to with it, and whether that makes it worth its code."""
    idea, timed, found = IDEAS[key], evidence.timed, {}
    where = [(RING, vector) for vector in vectors(timed)]
    where += [(ONE_WAVE, vector) for vector in vectors(timed, ONE_WAVE) if key == "versions"]
    for algorithm, vector in where:
        mine, without = (time_of(timed, vector, each, algorithm) for each in (idea.beside, idea.without))
        if mine and without:
            ratio = without.value / mine.value
            worth = ratio >= 1 + LEAST and evidence.floor.faster(mine, without, vector[1])
            found[vector] = ratio, worth
    return found


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted)
    found = {idea.label: costs(evidence, key) for key, idea in IDEAS.items()}
    worth = {label: is_worth(of) for label, of in found.items()}
    short = set(vectors(evidence.timed, ONE_WAVE)) - set(vectors(evidence.timed))
    for label, of in found.items():  # of two kernels, each is asked
        if apart := {vector: cost for vector, cost in of.items() if vector in short}:
            worth[f"{label} where no ring runs"] = is_worth(apart)
            worth[label] = is_worth({vector: cost for vector, cost in of.items() if vector not in short})
    known = found if all(found.values()) else {}
    most = {label: max(ratio for ratio, _ in of.values()) for label, of in known.items()}
    return judge(right, worth, wrong or told("scan_ideas", most=most))


def is_worth(found: dict[Vector, tuple[float, bool]]) -> bool | None:
    """Whether an idea pays with any of these vectors; None without any."""
    return any(pays for _, pays in found.values()) if found else None


def shares(timed: Results, vector: Vector) -> dict[str, float]:
    """Share of the copy's throughput, by change."""
    copy = time_of(timed, vector, algorithm="device_to_device")
    times = {change: time_of(timed, vector, change) for change in CHANGES}
    return {change: copy.value / time.value for change, time in times.items() if copy and time}


@plotting.of_times
def figure(evidence: Evidence):
    found = vectors(evidence.timed)
    figure, panels = plotting.new_figure(plotting.WIDE, 3.1, ncols=len(found), sharex=True, sharey=True)
    for axes, vector in zip(panels, found, strict=True):
        draw_shares(axes, evidence.timed, vector)
    charts.name_rows(panels[0], [look.label for look in CHANGES.values()])
    panels[0].set_xlim(0, 1.02)
    panels[0].set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    return figure


def draw_shares(axes, timed: Results, vector: Vector) -> None:
    """A row for each change: from the share with the idea to the share without it, a number at its end."""
    found = shares(timed, vector)
    for row, (change, look) in enumerate(CHANGES.items()):
        if change in found:
            start = found.get(BESIDE.get(change, "none"), found[change])
            axes.plot([start, found[change]], [row, row], color=look.color, linewidth=2.5, alpha=0.4)
            axes.plot(found[change], row, color=look.color, marker=look.marker)
            beside = axes.get_yaxis_transform()
            axes.text(1.02, row, f"{found[change]:.2f}", transform=beside, fontsize=7, va="center")
    if "none" in found:
        axes.axvline(found["none"], color=plotting.BLACK, linewidth=0.6, zorder=0)
    copy, cub = (time_of(timed, vector, algorithm=each) for each in ("device_to_device", "cub_device"))
    if copy and cub:
        axes.axvline(copy.value / cub.value, color=plotting.GREY, linestyle="--", linewidth=0.9, zorder=0)
    axes.axvline(1, color=plotting.GREY, linestyle=":", linewidth=0.9, zorder=0)
    axes.set(title=name_of(vector), xlabel="share of copy (cold)")
    axes.tick_params(axis="y", length=0)


def tables(evidence: Evidence) -> list[Table]:
    counted = evidence.counted
    quantities = {f"shared_{each}": each.replace("_", " ") for each in ("load_requests", "load_wavefronts")}
    cells = sweep.cells_of_counts(counted, quantities, lambda count: {"words": count})
    caption = told("scan_ideas: table")
    return [sweep.table(caption, ["words per thread"], [(each,) for each in counted.levels("words")], cells)]
