"""Ours beside CUB: every case of ours that has a CUB timed beside it, and who is faster."""

import re

import pandas

from analysis.core import plotting
from analysis.core.evidence import Evidence, Results
from analysis.core.plotting import Look
from analysis.core.prose import told

CUBS = {
    "cub_device": Look("CUB of the toolkit", plotting.BLACK, "s", "--", size=2.5),
    "cub_newest": Look("newest CUB", plotting.ORANGE, "^", "-.", size=3),
}
COLUMNS = ["case", "n", "ratio", "floor"]


def medians(timed: Results) -> dict[str, float]:
    """Median time of every case, by name."""
    return timed.rows.groupby("name")["time_us"].median().to_dict()


def length_of(case: str) -> int:
    """The length in a case's name; 0 if it has none, as one with a * there."""
    digits = re.search(r"/n:(\d+)", case)
    return int(digits[1]) if digits else 0


def beside_cub(evidence: Evidence, operation: str) -> pandas.DataFrame:
    """Our cases, their lengths, the time of the faster CUB relative to ours, and the length's noise floor."""
    times, rows = medians(evidence.timed) if evidence.timed else {}, []
    for case, time in times.items():
        others = [times[cub] for each in CUBS if (cub := case.replace("/ours/", f"/{each}/")) in times]
        if case.startswith(f"{operation}/ours/") and others:
            n = length_of(case)
            rows.append((case, n, min(others) / time, evidence.floor.at(n)))
    return pandas.DataFrame(rows, columns=COLUMNS)


def lost(cases: pandas.DataFrame) -> pandas.DataFrame:
    """The cases in which CUB is faster by more than the noise."""
    return cases[cases["ratio"] * cases["floor"] < 1]


def extremes(cases: pandas.DataFrame) -> list[dict]:
    """The cases of the least and of the greatest ratio."""
    return cases.loc[[cases["ratio"].idxmin(), cases["ratio"].idxmax()]].to_dict("records")


def wins_and_losses(evidence: Evidence, operation: str) -> dict:
    """The extremes, and the lengths at which CUB is faster; empty without cases."""
    cases = beside_cub(evidence, operation)
    if cases.empty:
        return {}
    behind = lost(cases)
    least, most = ({name: end[name] for name in ("ratio", "case", "n")} for end in extremes(cases))
    losses = {"losses": len(behind), "lost_at": sorted(set(map(int, behind["n"])))}
    return {"cases": len(cases), "least": least, "most": most} | losses


def in_words(evidence: Evidence, operation: str, noun: str) -> list[str]:
    """The same as one sentence."""
    found = wins_and_losses(evidence, operation)
    if not found:
        return []
    ends = {f"`{end['case'].split('/', 2)[2]}`": end["ratio"] for end in (found["least"], found["most"])}
    return [told("beside_cub", cases=found["cases"], noun=noun, losses=found["losses"], ends=ends)]
