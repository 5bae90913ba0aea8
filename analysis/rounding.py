"""rounding: a tree sum of floats is more accurate than a sequential one; a scan need not be reproducible."""

from math import log2

from analysis.common import plotting, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

RUNS = 100
QUESTION = "So far sums were exact. What happens with floats, whose sum depends on the order of additions?"
RULE = (
    "A scan's error is the distance of its worst prefix from the exact one, in units of u times the sum of "
    "the magnitudes of all elements. Holds if, on the GPU at the longest vector, the tree of the three-phase "
    "scan has a smaller error than the sequential sum with every input, and some scan gave more than one "
    f"result in {RUNS} runs of one input. Fails if the tree's error is smaller with no input. Otherwise it "
    "holds within limits."
)
CAPTION = (
    "Error of the worst prefix, in units of u times the sum of all magnitudes, by length. Grey: upper bounds "
    "for n dependent additions, and for log n."
)

INPUTS = {"uniform": "from 0 to 1", "signs": "alternating signs", "ill": "ill-conditioned"}
SEQUENTIAL = "sequential"
TREE = "three_phase"
SCANS = {
    SEQUENTIAL: Look("sequential, host", plotting.ORANGE, "s", "-"),
    TREE: Look("tree (scan, then add)", plotting.RED, "o"),
    "hillis_steele": Look("Hillis-Steele tiles", plotting.GREEN, "v", "--"),
    "look_back": Look("look-back", plotting.BLUE, "^"),
    "cub_device": plotting.REFERENCES["cub_device"],
}
USUAL = 3840  # the usual tile of look-back
STALLED = 1e6  # ulps that a sum from 0 to 1 is off by only if additions no longer change the accumulator


def values(
    results: Results | None, algorithm: str, kind: str, quantity: str = "max_scaled"
) -> dict[int, float]:
    """A quantity by n; look-back in its usual tiles where these were run, else in small ones."""
    if results is None:
        return {}
    if algorithm == SEQUENTIAL:
        algorithm, quantity = TREE, f"{SEQUENTIAL}_{quantity}"
    rows = results.where(algorithm=algorithm, input=kind)
    if algorithm == "look_back" and (rows["tile"] == USUAL).any():
        rows = rows[rows["tile"] == USUAL]
    if quantity not in rows:
        return {}
    rows = rows.dropna(subset=[quantity]).drop_duplicates("n").sort_values("n")
    return {int(n): float(value) for n, value in zip(rows["n"], rows[quantity], strict=True)}


def distinct(results: Results | None) -> dict[str, int]:
    """The most different results that a scan gave for one input, by name."""
    rows = results.rows if results else None
    if rows is None or "distinct_of_100" not in rows:
        return {}
    found = {}
    for row in rows.dropna(subset=["distinct_of_100"]).to_dict("records"):
        name = named(row["algorithm"], row.get("tile"))
        found[name] = max(found.get(name, 0), int(row["distinct_of_100"]))
    return found


def named(algorithm: str, tile: float | None) -> str:
    look = SCANS[algorithm].label
    return f"{look} (tiles of {int(tile):,})" if algorithm == "look_back" and tile == tile else look


def gains(timed: Results | None) -> dict[str, float]:
    """The sequential error relative to the tree's at the longest vector, by input."""
    found = {}
    for kind in INPUTS:
        tree, sequential = values(timed, TREE, kind), values(timed, SEQUENTIAL, kind)
        if tree:
            n = max(tree)
            found[kind] = sequential[n] / tree[n] if tree[n] else float("inf")
    return found


def verdict(evidence: Evidence) -> Verdict:
    found = gains(evidence.timed)
    if not found:
        return Verdict(NOT_MEASURED, "The errors were not measured on a GPU.")
    n = max(values(evidence.timed, TREE, next(iter(found))))
    less = [kind for kind, gain in found.items() if gain > 1]
    ratios = words.listing([f"{words.rounded(gain)} ({INPUTS[kind]})" for kind, gain in found.items()])
    said = f"At n = {words.power(n)} the sequential sum has {ratios} times the error of the tree"
    if not less:
        return Verdict(FAILS, f"{said}.")
    varied = {name: count for name, count in distinct(evidence.timed).items() if count > 1}
    if not varied:
        return Verdict(LIMITS, f"{said}; every scan gave the same result in {RUNS} runs.")
    several = words.listing([f"{name} {count}" for name, count in varied.items()])
    said = f"{said}; different results in {RUNS} runs: {several}"
    return Verdict(HOLDS if len(less) == len(found) else LIMITS, f"{said}.")


def figure(evidence: Evidence):
    results = evidence.timed or evidence.counted
    figure, panels = plotting.new_figure(plotting.WIDE, 2.5, ncols=len(INPUTS), sharey=True)
    for (kind, title), axes in zip(INPUTS.items(), panels, strict=True):
        draw(axes, results, kind)
        axes.set_title(title[0].upper() + title[1:])
    panels[0].set_ylabel("error of the worst prefix")
    plotting.legend_on_top(figure, SCANS.values())
    where = plotting.where_timed(evidence) if evidence.timed else "computed on the SIMT machine"
    plotting.foot(figure, f"Errors: {where}.")
    return figure


def draw(axes, results: Results, kind: str) -> None:
    lengths = sorted(values(results, TREE, kind))
    for bound, name in ((float, "n"), (log2, "log n")):
        axes.plot(lengths, [bound(n) for n in lengths], color=plotting.GREY, linewidth=0.9, linestyle="--")
        axes.annotate(
            name,
            (lengths[-1], bound(lengths[-1])),
            xytext=(0, 2),
            textcoords="offset points",
            ha="right",
            va="bottom",
            color=plotting.GREY,
            fontsize=7,
        )
    for algorithm, look in SCANS.items():
        found = {n: value for n, value in values(results, algorithm, kind).items() if value > 0}
        axes.plot(list(found), list(found.values()), **look.style())
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("floats, n")
    axes.grid()


def numbers(evidence: Evidence) -> dict:
    found = {"distinct": {}}
    for name, results in (("simt", evidence.counted), ("gpu", evidence.timed)):
        if each := distinct(results):
            found["distinct"][name] = each
    if evidence.timed and gains(evidence.timed):
        n = max(values(evidence.timed, TREE, "uniform"))
        quantities = ("max_scaled", "max_ulps", "total_ulps")
        found |= {"n": n} | {
            quantity: {
                kind: {scan: values(evidence.timed, scan, kind, quantity).get(n) for scan in SCANS}
                for kind in INPUTS
            }
            for quantity in quantities
        }
    return found


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if "n" in numbers:
        n, uniform = numbers["n"], numbers["max_ulps"]["uniform"]
        names = {scan: look.label.replace(" (", ": ").rstrip(")") for scan, look in SCANS.items()}
        ulps = {names[scan]: ulps for scan, ulps in uniform.items() if ulps is not None}
        said = words.extremes(ulps, lambda value: f"{words.rounded(value)} ulps")
        stalls = ": the sequential accumulator stalls at 2²⁴" if (uniform[SEQUENTIAL] or 0) > STALLED else ""
        paragraphs.append(
            f"With {words.power(n)} floats from 0 to 1 the worst prefix is off by {said}{stalls}."
        )
        worst = max(
            value
            for each in numbers["max_scaled"].values()
            for scan, value in each.items()
            if value and scan != SEQUENTIAL
        )
        paragraphs.append(
            f"For log n dependent additions the bound is {log2(n):.0f}, in units of u times the sum of all "
            f"magnitudes; the largest error of a parallel scan, with any input, is {words.rounded(worst)}."
        )
    places = {"gpu": f"On the GPU, {RUNS} runs", "simt": f"On the SIMT machine, {RUNS} orders of the blocks"}
    for place, where in places.items():
        if each := numbers["distinct"].get(place):
            same = [name for name, count in each.items() if count == 1]
            varied = [f"up to {count} from {name}" for name, count in each.items() if count > 1]
            parts = [f"one result from {words.listing(same)}"] if same else []
            parts += [words.listing(varied)] if varied else []
            paragraphs.append(f"{where}: {'; '.join(parts)}.")
    return paragraphs


def tables(evidence: Evidence) -> list[Table]:
    results = evidence.timed or evidence.counted
    rows = []
    for kind, title in INPUTS.items():
        for n in sorted(values(results, TREE, kind)):
            errors = [values(results, scan, kind).get(n) for scan in SCANS]
            total = [values(results, scan, kind, "total_scaled").get(n) for scan in (SEQUENTIAL, TREE)]
            rows.append([title, words.power(n), *[shown(each) for each in (*errors, *total)]])
    columns = [
        "input",
        "n",
        *[look.label.replace(", ", ",\n").replace(" (", "\n(") for look in SCANS.values()],
    ]
    columns += ["total,\nsequential", "total,\ntree"]
    caption = (
        "Errors of the worst prefix and, at the right, of the total, in units of u times the sum of all "
        "magnitudes."
    )
    return [Table(caption, columns, rows, wide=True), distinct_table(evidence)]


def shown(value: float | None) -> str:
    if value is None:
        return words.NOTHING
    return "0" if value == 0 else f"{value:.1e}" if value < 0.001 else words.significant(value)


def distinct_table(evidence: Evidence) -> Table:
    machines = {
        "SIMT machine,\norders of blocks": distinct(evidence.counted),
        "GPU,\nruns": distinct(evidence.timed),
    }
    names = list(dict.fromkeys(name for each in machines.values() for name in each))
    rows = [
        [name, *[str(each[name]) if name in each else words.NOTHING for each in machines.values()]]
        for name in names
    ]
    return Table(
        f"Different results in {RUNS} runs, the most of any input and length.", ["scan", *machines], rows
    )
