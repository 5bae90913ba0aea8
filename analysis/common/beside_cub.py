"""Ours beside CUB: every case of ours that has a CUB timed beside it, and who is faster."""

import pandas

from analysis.common import plotting
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.prose import told
from analysis.common.recorded import levels_of, name_of

CUBS = {
    "cub_device": Look("CUB of the toolkit", plotting.BLACK, "s", "--", size=2.5),
    "cub_newest": Look("newest CUB", plotting.ORANGE, "^", "-.", size=3),
}
COLUMNS = ["case", "n", "ratio", "floor", "factors"]


def medians(timed: Results) -> dict[str, float]:
    """Median time of every case, by name."""
    return timed.rows.groupby("name")["time_us"].median().to_dict()


def beside_cub(evidence: Evidence, operation: str) -> pandas.DataFrame:
    """Our cases, their lengths, the time of the faster CUB relative to ours, and the length's noise floor."""
    times, rows = medians(evidence.timed) if evidence.timed else {}, []
    for case, time in times.items():
        of = evidence.timed.factors[case]
        cubs = [name_of(of | {"algorithm": each}) for each in CUBS]
        others = [times[each] for each in cubs if each in times]
        if (of["operation"], of["algorithm"]) == (operation, "ours") and others:
            rows.append((case, of["n"], min(others) / time, evidence.floor.at(of["n"]), of))
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
    cases = extremes(beside_cub(evidence, operation))
    ends = {f"`{levels_of(end['factors'])}`": end["ratio"] for end in cases}
    return [told("beside_cub", cases=found["cases"], noun=noun, losses=found["losses"], ends=ends)]
