"""results/<gpu>/log.csv: a line per timed case of a round, written by hand during development of the kernels.

    round       1, 2, 3, ..; a round is one change, and its lines are adjacent
    name        a few words for figures and sentences, all different      | these four are given in a
    change      what was changed                                          | round's first line only;
    prediction  the expected effect, written down before it was tried     | `learnt` may be
    learnt      what was measured to find the cause, or why it failed     | empty
    case        <operation>/<kernel>/type:<type>/../n:<elements>, as in all results
    time_us     median time of the case, in microseconds
    beside      the reference: a copy of as many bytes or, for a reduction, a read
    beside_us   its median time in the same run
    clearing    of cold cases: which of three ways of clearing the cache was used, known from the copy's time
    outcome     one of OUTCOMES

The times are medians of throwaway benchmarks, 15 to 101 calls each, interleaved with the copy. The benchmarks
are not kept: reproducible evidence is that of the experiments scan_ideas, copy_speed and read_speed.
"""

from pathlib import Path

import pandas

from analysis.common.errors import EvidenceError
from analysis.common.files import read_csv, with_factors
from analysis.common.targets import quoted
from experiments.fast.scan_ideas.analysis import Vector

TEXTS = ["name", "change", "prediction", "learnt"]
COLUMNS = ["round", *TEXTS, "case", "time_us", "beside", "beside_us", "clearing", "outcome"]
MET, PART, NO_CHANGE, MISSED, REFUTED = "met", "in part", "no change", "missed", "refuted"
# In the order of the report; paper/captions.md says what they mean.
OUTCOMES = (MET, PART, NO_CHANGE, MISSED, REFUTED)
STEP = 0.02  # a smaller rise of a share may be noise
TYPES = ("int32", "int8")  # in the order of the figure


def read_log(path: Path) -> pandas.DataFrame:
    """The log, checked, with the factors of its cases, and a round's texts in all of its lines.

    `share` is the throughput relative to the reference's.
    """
    log = read_csv(path, COLUMNS)
    first, texts = ~log["round"].duplicated(), log[TEXTS[:3]].notna()
    times = log[["time_us", "beside_us"]].apply(pandas.to_numeric, errors="coerce")
    faults = {
        "it does not follow the round before": ~log["round"].diff().fillna(log["round"]).isin([0, 1]),
        "its round begins without a name, a change or a prediction": first & ~texts.all(axis=1),
        "it is not the first of its round, and only that has texts": ~first & texts.any(axis=1),
        "another round has this name": first & log["name"].duplicated(),
        "a time is none": ~((times > 0) & (times < float("inf"))).all(axis=1),
        f"its outcome is none of {', '.join(OUTCOMES)}": ~log["outcome"].isin(OUTCOMES),
    }
    for said, wrong in faults.items():
        if wrong.any():
            raise EvidenceError(f"{path}, line {wrong.idxmax() + 2}: {said}; correct it")
    log[TEXTS] = log[TEXTS].where(first, None).groupby(log["round"]).transform("first").fillna("")
    log["share"] = log["beside_us"] / log["time_us"]
    factors = {case: quoted(path, case) for case in log["case"]}
    log = with_factors(log.fillna({"clearing": ""}), "case", factors)
    return log.astype({"n": int}).fillna({"cache": ""})


def outcome_of(rows: pandas.DataFrame) -> str:
    """A round's outcome: that of its cases if they agree; otherwise "in part"."""
    found = rows["outcome"].unique()
    return found[0] if len(found) == 1 else PART


def shown(log: pandas.DataFrame) -> dict[Vector, pandas.DataFrame]:
    """The vectors that the ring was timed with in several rounds, by type and then the longest first, each
    with its lines."""
    ring = log[(log["operation"] == "scan") & (log["algorithm"] == "ring")]
    groups = {(kind, int(n)): rows for (kind, n), rows in ring.groupby(["type", "n"])}
    several = [vector for vector, rows in groups.items() if rows["round"].nunique() > 1]
    order = sorted(several, key=lambda vector: (TYPES.index(vector[0]), -vector[1]))
    return {vector: groups[vector] for vector in order}


def best_so_far(rows: pandas.DataFrame) -> list[float]:
    """The best share of a vector up to each of its lines.

    A share may also rise because the copy was slow. So a round counts as better only if its own time, too, is
    less than all before it with the cache in the same state.
    """
    found, best, least = [], 0.0, {}
    for row in rows.to_dict("records"):
        state = (row["cache"], row["clearing"])
        if row["time_us"] < least.get(state, float("inf")):
            least[state] = row["time_us"]
            best = max(best, row["share"])
        found.append(best)
    return found


def steps(rows: pandas.DataFrame) -> dict[int, tuple[float, float]]:
    """Rounds that raised a vector's best share by at least STEP: the share before and after."""
    best = best_so_far(rows)
    rises = zip(rows["round"].tolist()[1:], best, best[1:], strict=False)
    return {number: (before, after) for number, before, after in rises if after - before >= STEP}


def confounded(rows: pandas.DataFrame) -> list[int]:
    """Steps of a vector at which the state of the cache changed as well, which may have contributed."""
    states = rows.set_index("round")[["cache", "clearing"]]
    other = (states != states.shift()).any(axis=1)
    return [number for number in steps(rows) if other[number]]


def made_the_difference(log: pandas.DataFrame) -> list[int]:
    """The rounds that are a step for some vector."""
    return sorted({number for rows in shown(log).values() for number in steps(rows)})


def flattered(rows: pandas.DataFrame) -> list[dict]:
    """Lines whose share is a step above the best so far only because the copy in their run was slow.

    `least` is the least time before with the cache in the same state.
    """
    least = rows.groupby(["cache", "clearing"])["time_us"].transform(lambda times: times.shift().cummin())
    slow = rows["share"] >= pandas.Series(best_so_far(rows), rows.index) + STEP
    return rows.assign(least=least)[slow].to_dict("records")
