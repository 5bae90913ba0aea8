"""The fast scan: what each idea is worth, wins and losses against CUB over all cases, and peers."""

import pandas

from analysis.core import charts, plotting, sweep, words
from analysis.core.looks import SCANS
from analysis.report.paper.blocks import ends
from experiments.fast import beside_cub, by_targets, peers
from experiments.fast.copy_speed import analysis as copy_speed
from experiments.fast.copy_speed.analysis import COPY, TYPES
from experiments.fast.scan_ideas import analysis as scan_ideas
from experiments.uses.radix_sort import analysis as radix_sort

LONG = 1 << 28
SHORT = 1 << 20  # elements: up to there no ring runs
NEAR = 0.9  # of a copy's throughput
LIBRARIES = {"torch": "PyTorch", "cupy": "CuPy", "jax": "JAX", "thrust": "Thrust"}
SUBMITTED = {"live": ", one call at a time", "graph": ", in a graph"}
INDIGO = SCANS["fast"].color
SHOWN = ("int8", "affine_double", "int16", "float")  # the types whose curves the figure names
NAMES = {"affine_double": "16-byte affine"}


def against_cub(recorded, claim: str, operation: str) -> pandas.DataFrame:
    """Every case of ours that has CUB beside it, with the type of its elements."""
    cases = beside_cub.beside_cub(recorded.of(claim), operation)
    return cases.join(pandas.DataFrame(list(cases["factors"])).reindex(columns=["type", "cache", "submit"]))


def tally(cases: pandas.DataFrame) -> dict:
    """Wins, draws within the noise floor, and losses; the extremes with their places."""
    lost, won = len(beside_cub.lost(cases)), int((cases["ratio"] > cases["floor"]).sum())
    below = cases[cases["ratio"] < 1]
    worst, best = beside_cub.extremes(cases)
    return {
        "cases": len(cases),
        "won": won,
        "lost": lost,
        "types": cases["type"].nunique(),
        "log2_n": [int(each).bit_length() - 1 for each in (cases["n"].min(), cases["n"].max())],
        "drawn": len(cases) - won - lost,
        "lowest": worst["ratio"],
        "lowest_at": place(worst),
        "highest": best["ratio"],
        "highest_at": place(best),
        "noise": ends(below["floor"]) if len(below) else [],
    }


def usual(cases: pandas.DataFrame) -> pandas.DataFrame:
    """From a stream, cold."""
    return cases[(cases["submit"] == "stream") & (cases["cache"] == "cold")]


def place(case: dict) -> dict:
    kind = "affine maps" if case["type"].startswith("affine") else case["type"]
    return {"n": int(case["n"]), "type": kind, "how": case["cache"] + SUBMITTED.get(case["submit"], "")}


def numbers(recorded) -> dict:
    scans, of_long = against_cub(recorded, "copy_speed", "scan"), long_scans(recorded)
    long = usual(scans[scans["n"] == LONG])
    shares = [copy / ours for copy, ours, _ in of_long.values()]
    return {
        "scan": tally(scans),
        "reduce": tally(against_cub(recorded, "read_speed", "reduce")),
        "compact": tally(against_cub(recorded, "read_speed", "compact")),
        "long": ends(long["ratio"]),
        "copy_share": ends(shares),
        "near": near(recorded.of("copy_speed").timed),
        "targets": targets(recorded, "copy_speed"),
        "read_targets": targets(recorded, "read_speed"),
        "by_type": [
            [TYPES[kind][1], copy, ours, copy / ours, copy / cub, cub / ours]
            for kind, (copy, ours, cub) in of_long.items()
            if cub
        ],
        "ideas": ideas(recorded),
        "peers": of_peers(recorded),
        "others": {"sort": sorted(1 / ratio for ratio in sorts(recorded.of("radix_sort").timed))},
    }


def long_scans(recorded) -> dict[str, tuple[float, float, float | None]]:
    """By type: the times of copy, ours and the faster CUB of 2^28 elements, cold, in a stream."""
    timed, found = recorded.of("copy_speed").timed, {}
    for kind in TYPES:
        of = {"type": kind, "n": LONG, "cache": "cold", "submit": "stream"}
        copy, ours, *cubs = (timed.time(algorithm=each, **of) for each in (COPY, "ours", *beside_cub.CUBS))
        if copy and ours:
            found[kind] = copy.value, ours.value, min((each.value for each in cubs if each), default=None)
    return found


def targets(recorded, claim: str) -> dict:
    """All targets of a claim: how many, how many missed, and how many of these by no more than the noise."""
    evidence = recorded.of(claim)
    known = [each for each in by_targets.outcomes(claim, evidence) if each[1] is not None]
    missed = [each for each in known if each[1] < each[0].at_least]
    by_noise = sum(by_targets.reached(missed, evidence.floor).values())
    return {"all": len(known), "missed": len(missed), "by_noise": by_noise}


def ideas(recorded) -> dict:
    """Time without each idea relative to with it, for the worst vector; loads of words, counted."""
    evidence = recorded.of("scan_ideas")
    costs = {key: scan_ideas.costs(evidence, key) for key in scan_ideas.IDEAS}
    odd = {}
    for count in evidence.counted.levels("words"):
        of = ("shared_load_requests", "shared_load_wavefronts")
        requests, wavefronts = (evidence.counted.count(name, words=count) for name in of)
        odd[str(count)] = wavefronts / requests
    worst = {key: max(ratio for ratio, _ in each.values()) for key, each in costs.items() if each}
    in_ring = [ratio for (_, n), (ratio, _) in costs["versions"].items() if n > SHORT]
    return {"worst": worst, "versions_in_ring": ends(in_ring), "words": odd}


def of_peers(recorded) -> list[list]:
    """Library, version, and its time as a multiple of ours."""
    timed = recorded.of("copy_speed").timed
    table = peers.recorded(timed.path.parent)
    table["type"] = table["type"].map(peers.TYPES)
    medians = table.groupby(["library", "version", "operation", "type", "n"])["us"].median()
    rows = []
    for (library, version), of in medians.groupby(level=[0, 1]):
        cells = []
        for kind, n in (("int32", LONG), ("float", LONG), ("double", LONG)):
            theirs = of.get((library, version, "scan", kind, n))
            ours = timed.time(algorithm="ours", type=kind, n=n, cache="cold", submit="stream")
            cells.append(theirs / ours.value if theirs and ours else None)
        rows.append([f"{LIBRARIES.get(library, library)} {version.split('+')[0]}", *cells])
    return rows


def sorts(timed) -> list[float]:
    """Where the textbook's kernels lose to CUB: the sort with digits of 8 bits, relative to CUB's."""
    cub = [timed.time(**radix_sort.case(kind, "cub_device"), cache="cold") for kind in radix_sort.KINDS]
    ours = [radix_sort.times(timed, kind)[8] for kind in radix_sort.KINDS]
    return [own.value / other.value for own, other in zip(ours, cub, strict=True)]


def shares_of_copy(timed) -> dict[str, dict[int, float]]:
    """By type and length: the share of a copy's throughput."""
    curves = {kind: [copy_speed.curve(timed, each, kind) for each in (COPY, "ours")] for kind in TYPES}
    return {kind: sweep.ratios(*curve) for kind, curve in curves.items()}


def least_of_all(timed) -> dict:
    """Where the scan is furthest from a copy."""
    by_type = shares_of_copy(timed)
    shares = {(n, TYPES[kind][1]): share for kind, of in by_type.items() for n, share in of.items()}
    n, name = min(shares, key=shares.get)
    return {"share": shares[n, name], "n": n, "type": name}


def near(timed) -> dict:
    """From which length on the scan stays at NEAR of a copy's throughput, of floats and of every type."""
    by_type = shares_of_copy(timed)
    since = {
        kind: min(n for n in of if all(of[m] >= NEAR for m in of if m >= n)) for kind, of in by_type.items()
    }
    return {"share": NEAR, "float": since["float"], "all": max(since.values())}


def draw_wins(recorded):
    """CUB's time relative to ours by length: a curve for some types, cold and queued; else a dot."""
    cases = against_cub(recorded, "copy_speed", "scan")
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.2)
    axes.axhspan(0.5, 1, color="#f6dccb", linewidth=0)
    axes.plot(cases["n"], cases["ratio"], linestyle="none", marker="o", markersize=2, color=plotting.PALE)
    queued = usual(cases)
    place = {"xytext": (4, 0), "textcoords": "offset points", "va": "center", "fontsize": 7}
    for kind in (kind for kind in TYPES if kind in SHOWN):
        of = queued[queued["type"] == kind].sort_values("n")
        axes.plot(of["n"], of["ratio"], color=INDIGO, linewidth=1.4)
        for n, ratio in of[["n", "ratio"]].tail(1).to_numpy():
            axes.annotate(NAMES.get(kind, kind), (n, ratio), color=INDIGO, **place)
    axes.axhline(1, color=plotting.BLACK, linewidth=1)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_yticks([1, 2, 4], ["1", "2", "4"])
    axes.minorticks_off()
    axes.set_xticks([1 << k for k in range(8, 33, 4)], [words.raised(f"2^{k}") for k in range(8, 33, 4)])
    axes.set(
        xlim=(1 << 7, 1 << 40), ylim=(0.8, 5), xlabel="elements, n", ylabel="CUB's time relative to ours"
    )
    axes.text(1 << 8, 0.9, "CUB is faster", fontsize=7, color=plotting.RED, va="center")
    return figure


def draw_ideas(recorded):
    """A bar for each idea: time without it relative to with it, for the vector that it helps most."""
    evidence = recorded.of("scan_ideas")
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.45)
    costs = {idea.label: scan_ideas.costs(evidence, key) for key, idea in scan_ideas.IDEAS.items()}
    found = {label: {vector: ratio for vector, (ratio, _) in of.items()} for label, of in costs.items()}
    order = sorted(found, key=lambda label: -max(found[label].values(), default=0))
    for row, of in enumerate(found[label] for label in order):
        vector = max(of, key=of.get)
        axes.barh(row, of[vector] - 1, 0.62, left=1, color=INDIGO)
        style = {"color": plotting.ORANGE, "markersize": 7, "markeredgewidth": 1.4}
        axes.plot(list(of.values()), [row] * len(of), "|", **style)
        said = f"{of[vector]:.2f}  ({scan_ideas.name_of(vector)})"
        axes.text(of[vector] + 0.02, row, said, va="center", fontsize=7)
    charts.name_rows(axes, order)
    axes.set_xticks([1, 1.5, 2], ["1", "1.5", "2"])
    axes.set(xlim=(1, 2.9), xlabel="times as long without the idea")
    return figure


DRAWINGS = {"wins": draw_wins, "ideas": draw_ideas}
