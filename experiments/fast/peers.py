"""The fast scan beside what users would pick instead: CUB, and the scans of array libraries.

results/<gpu>/peers.csv (experiments/record/peers.py) holds the times of the libraries' calls when
calls follow one another; those of ours and of CUB beside them are warm, queued ahead.
"""

from pathlib import Path

import pandas

from analysis.core import plotting, words
from analysis.core.evidence import Evidence, Results
from analysis.core.files import read_csv
from analysis.core.plotting import Look
from analysis.core.prose import told
from analysis.core.statistics import Median, median
from experiments.fast.beside_cub import CUBS

COLUMNS = ("library", "version", "operation", "type", "n", "repetition", "us")
LIBRARIES = {
    "torch": Look("torch.cumsum", plotting.RED, "o"),
    "cupy": Look("cupy.cumsum", plotting.GREEN, "D", filled=False),
    "jax": Look("jax.numpy.cumsum", plotting.PURPLE, "v"),
}
TYPES = {"int32": "int32", "int64": "int64", "float32": "float", "float64": "double"}  # theirs and ours


def recorded(folder: Path) -> pandas.DataFrame:
    """Of a machine; without rows if none was recorded."""
    path = folder / "peers.csv"
    return read_csv(path, COLUMNS) if path.exists() else pandas.DataFrame(columns=COLUMNS)


def versions(results: Path, machine: dict) -> dict:
    """{"libraries": the version of each that was recorded on the machine whose results these are}."""
    versions = recorded(results / machine["file"].split("/")[0]).groupby("library")["version"]
    return {"libraries": versions.agg(lambda each: ", ".join(map(str, dict.fromkeys(each)))).to_dict()}


def times(timed: Results) -> dict[tuple[str, int], dict[str, Median]]:
    """By our type and length: the time of a scan by each library, by CUB, and by ours."""
    table, found = recorded(timed.path.parent), {}
    for (library, kind, n), rows in table[table["operation"] == "scan"].groupby(["library", "type", "n"]):
        if kind in TYPES:
            found.setdefault((TYPES[kind], int(n)), {})[str(library)] = median(rows["us"])
    for (kind, n), of_case in found.items():
        for algorithm in ("ours", *CUBS):
            case = {"operation": "scan", "algorithm": algorithm, "operator": "sum", "type": kind, "n": n}
            if time := timed.time(**case, submit="stream", cache="warm"):
                of_case[algorithm] = time
    order = sorted(found, key=lambda case: (-case[1], list(TYPES.values()).index(case[0])))
    return {case: found[case] for case in order if "ours" in found[case]}


def sentence(timed: Results | None) -> list[str]:
    """The least and the greatest factor by which a library takes longer."""
    ratios = {}
    for (kind, n), of_case in (times(timed) if timed else {}).items():
        for library in (each for each in of_case if each in LIBRARIES):
            name = f"{LIBRARIES[library].label}, {words.power(n)} {kind}"
            ratios[name] = of_case[library].value / of_case["ours"].value
    return list(filter(None, [told("peers", ratios=ratios)]))


@plotting.of_times
def figure(evidence: Evidence):
    """Speed of each relative to ours."""
    found = times(evidence.timed)
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 0.9 + 0.22 * len(found))
    for algorithm, look in {**CUBS, **LIBRARIES}.items():
        known = {row: of for row, of in enumerate(found.values()) if algorithm in of}
        speeds = [of["ours"].value / of[algorithm].value for of in known.values()]
        if known:
            style = look.style() | {"linestyle": "none", "markersize": 4}
            axes.plot(speeds, list(known), label=look.label, **style)
    axes.axvline(1, color=plotting.BLUE, linewidth=0.9, zorder=1)
    axes.set_yticks(range(len(found)), [f"{words.power(n)} {kind}" for kind, n in found])
    axes.set(xlim=(0, 1.05), ylim=(len(found) - 0.5, -0.5), xlabel="speed relative to our scan (1, line)")
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    figure.legend(loc="outside upper center", ncols=3, columnspacing=0.8, handletextpad=0.2)
    return figure
