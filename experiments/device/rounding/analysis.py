"""rounding: a tree sum of floats is more accurate than a sequential one; a scan need not be reproducible."""

from dataclasses import replace
from math import log2

from analysis.core import looks, plotting, sweep, words
from analysis.core.claim import NO_CLAIM, Evidence, Look, Results, Table, Verdict, judge, told

RUNS = 100

INPUTS = {"uniform": "from 0 to 1", "signs": "alternating signs", "ill": "ill-conditioned"}
SEQUENTIAL = "sequential"
TREE = "three_phase"
SCANS = {
    SEQUENTIAL: Look("sequential, host", plotting.ORANGE, "s", "-"),
    TREE: replace(looks.SCANS[TREE], label="tree (scan, then add)"),
    "hillis_steele": replace(looks.LOOKS["hillis_steele"], label="Hillis-Steele tiles", line="--"),
    "look_back": looks.SCANS["look_back"],
    "ring": looks.SCANS["fast"],
    "cub_device": plotting.REFERENCES["cub_device"],
}
USUAL = 3840  # the usual tile of look-back
STALLED = 1e6  # ulps that a sum from 0 to 1 is off by only if additions no longer change the accumulator


def values(results: Results | None, algorithm: str, kind: str, quantity: str = "max_scaled") -> sweep.Numbers:
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
    if results is None or "distinct_of_100" not in results.rows:
        return {}
    found = {}
    for row in results.rows.dropna(subset=["distinct_of_100"]).to_dict("records"):
        name = SCANS[row["algorithm"]].label
        if row["algorithm"] == "look_back" and row["tile"] == row["tile"]:
            name += f" (tiles of {int(row['tile']):,})"
        found[name] = max(found.get(name, 0), int(row["distinct_of_100"]))
    return found


def gains(results: Results | None) -> dict[str, float]:
    """The sequential error relative to the tree's at the longest vector, by input."""
    found = {}
    for kind, name in INPUTS.items():
        tree, sequential = values(results, TREE, kind), values(results, SEQUENTIAL, kind)
        for n in sorted(tree)[-1:]:
            found[name] = sequential[n] / tree[n] if tree[n] else float("inf")
    return found


def verdict(evidence: Evidence) -> Verdict:
    found, varied = gains(evidence.timed), distinct(evidence.timed)
    if not found:
        return judge(None, NO_CLAIM, told("rounding"))
    least = min(found, key=found.get)
    several = list(dict.fromkeys(name.split(" (")[0] for name, count in varied.items() if count > 1))
    most = {"runs": RUNS, "several": several, "most": max(varied.values(), default=0)}
    finding = told("rounding", gain=found[least], input=least, **most)
    return judge(min(found.values()) > 1 and bool(several), NO_CLAIM, finding)


def numbers(evidence: Evidence) -> dict:
    """The sequential error relative to a tree's by input, and the different results of 100 runs by scan."""
    return {"gains": gains(evidence.timed), "runs": RUNS, "distinct": distinct(evidence.timed)}


def figure(evidence: Evidence):
    results = evidence.timed or evidence.counted
    figure, panels = plotting.new_figure(plotting.WIDE, 2.5, ncols=len(INPUTS), sharey=True)
    for (kind, title), axes in zip(INPUTS.items(), panels, strict=True):
        draw(axes, results, kind, title[0].upper() + title[1:])
    panels[0].set_ylabel("error of the worst prefix")
    plotting.legend_on_top(figure, SCANS.values())
    where = plotting.where_timed(evidence) if evidence.timed else "computed on the SIMT machine"
    plotting.foot(figure, f"Errors: {where}.")
    return figure


def draw(axes, results: Results, kind: str, title: str) -> None:
    lengths = sorted(values(results, TREE, kind))
    place = {"xytext": (0, 2), "textcoords": "offset points", "ha": "right", "va": "bottom"}
    for bound, name in ((float, "n"), (log2, "log n")):
        axes.plot(lengths, [bound(n) for n in lengths], color=plotting.GREY, linewidth=0.9, linestyle="--")
        axes.annotate(name, (lengths[-1], bound(lengths[-1])), color=plotting.GREY, fontsize=7, **place)
    for algorithm, look in SCANS.items():
        found = {n: value for n, value in values(results, algorithm, kind).items() if value > 0}
        sweep.lines(axes, {look: found})
    sweep.finish(axes, "", title, "floats, n")
    axes.set_yscale("log")


def grouped(varied: dict[str, int]) -> str:
    """Which scans order their additions by time, and which by place."""
    names = {name: name.split(" (tiles")[0] for name in varied}
    several = list(dict.fromkeys(names[name] for name, count in varied.items() if count > 1))
    same = [each for each in dict.fromkeys(names.values()) if each not in several]
    return told("rounding: grouped", several=several, same=same)


def cause(evidence: Evidence) -> list[str]:
    """How far the scans of floats from 0 to 1 are off, why the sequential one is, and how scans order."""
    errors = {scan: values(evidence.timed, scan, "uniform", "max_ulps") for scan in SCANS}
    n = max(errors[TREE], default=None)
    known = {SCANS[scan].label: of[n] for scan, of in errors.items() if n in of}
    ulps = {label.replace(" (", ": ").rstrip(")"): value for label, value in known.items()}
    stalls = errors[SEQUENTIAL].get(n, 0) > STALLED
    said = told("rounding: cause", n=n, ulps=ulps, stalls=stalls) if n else ""
    return [said, grouped(distinct(evidence.timed))]


def tables(evidence: Evidence) -> list[Table]:
    machines = {"SIMT machine,\norders of blocks": evidence.counted, "GPU,\nruns": evidence.timed}
    varied = {name: distinct(each) for name, each in machines.items()}
    names = [(name,) for name in dict.fromkeys(name for each in varied.values() for name in each)]
    cells = {title: lambda name, of=of: words.integer(of.get(name)) for title, of in varied.items()}
    return [sweep.table(told("rounding: table", runs=RUNS), ["scan"], names, cells)]
