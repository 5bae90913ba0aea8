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
    clearing    of cold cases: which of two ways of clearing the cache was used, known from the copy's time
    outcome     one of OUTCOMES

The times are medians of throwaway benchmarks, 15 to 51 calls each, interleaved with the copy. The benchmarks
are not kept: reproducible evidence is that of the experiments scan_ideas, copy_speed and read_speed.
"""

from pathlib import Path

import pandas

from analysis.common import words
from analysis.common.errors import EvidenceError
from analysis.common.files import with_factors

TEXTS = ["name", "change", "prediction", "learnt"]
TIMES = ["time_us", "beside_us"]
COLUMNS = ["round", *TEXTS, "case", "time_us", "beside", "beside_us", "clearing", "outcome"]
MET, PART, NO_CHANGE, MISSED, REFUTED = "met", "in part", "no change", "missed", "refuted"
OUTCOMES = {  # in the order of the report
    MET: "as predicted",
    PART: "less than predicted, or with some vectors only",
    NO_CHANGE: "as fast as before",
    MISSED: "a first version, slower than predicted",
    REFUTED: "slower, or without the predicted effect",
}
LIMITS = {"copy": "a copy", "read": "a read"}
CLEARINGS = ("first", "second")
CALLS = (15, 51)  # of a throwaway benchmark
STEP = 0.02  # a smaller rise of a share may be noise
THINGS = {"int32": "ints", "int8": "bytes"}  # in the order of the figure

Vector = tuple[str, int]  # type and length


def read_log(path: Path) -> pandas.DataFrame:
    """The log, checked, with the factors of its cases, and a round's texts in all of its lines.

    `share` is the throughput relative to the reference's.
    """
    try:
        log = pandas.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise EvidenceError(f"{path}: not a table ({error}); correct it") from error
    if list(log.columns) != COLUMNS:
        raise EvidenceError(f"{path}: its columns are not {', '.join(COLUMNS)}; correct it")
    if log.empty:
        raise EvidenceError(f"{path}: it has no rounds; correct or delete it")
    log = log.fillna("")
    for index, line in enumerate(log.to_dict("records")):
        before = log.iloc[index - 1]["round"] if index else "0"
        if wrong := fault(line, before):
            raise EvidenceError(f"{path}, line {index + 2}: {wrong}; correct it")
    log = log.astype({"round": int} | dict.fromkeys(TIMES, float))
    first = ~log["round"].duplicated()
    if len(twice := log[first & log["name"].where(first).duplicated()]):
        raise EvidenceError(f"{path}: two rounds are called '{twice['name'].iloc[0]}'; correct it")
    if len(twice := log[log.duplicated(["round", "case"])]):
        raise EvidenceError(
            f"{path}: round {twice['round'].iloc[0]} has {twice['case'].iloc[0]} twice; correct it"
        )
    log[TEXTS] = log.groupby("round")[TEXTS].transform("first")
    log["share"] = log["beside_us"] / log["time_us"]
    log = with_factors(path, log, "case")
    if lacking := [factor for factor in ("type", "n", "cache") if factor not in log]:
        raise EvidenceError(f"{path}: no case has a factor {', '.join(lacking)}; correct it")
    if len(vague := log[log["type"].isna() | log["n"].isna()]):
        raise EvidenceError(f"{path}: {vague['case'].iloc[0]} lacks a type or n; correct it")
    return log.astype({"n": int}).fillna({"cache": ""})


def fault(line: dict, before: str) -> str:
    """What is wrong with a line that follows one of the round `before`; empty if nothing is."""
    number = line["round"]
    starts = number != before
    if not number.isdecimal() or starts and int(number) != int(before) + 1:
        return f"round '{number}' does not follow {before}"
    texts = [line[text] for text in TEXTS]
    if starts and not all(texts[:3]):
        return f"round {number} begins without a name, a change or a prediction"
    if not starts and any(texts):
        return f"it is not the first of round {number}, and only that line has texts"
    if any(not is_time(line[column]) for column in TIMES):
        return f"'{line['time_us']}' and '{line['beside_us']}' are not two times"
    if line["beside"] not in LIMITS:
        return f"'{line['beside']}' is none of {', '.join(LIMITS)}"
    if line["clearing"] not in (CLEARINGS if "/cache:cold" in line["case"] else ("",)):
        return f"clearing '{line['clearing']}' does not go with {line['case']}"
    if line["outcome"] not in OUTCOMES:
        return f"outcome '{line['outcome']}' is none of {', '.join(OUTCOMES)}"
    return ""


def is_time(text: str) -> bool:
    try:
        return 0 < float(text) < float("inf")
    except ValueError:
        return False


def outcome_of(rows: pandas.DataFrame) -> str:
    """A round's outcome: that of its cases if they agree; otherwise "in part"."""
    found = rows["outcome"].unique()
    return found[0] if len(found) == 1 else PART


def tally(log: pandas.DataFrame) -> dict[str, int]:
    """The number of rounds with each outcome."""
    found = [outcome_of(rows) for _, rows in log.groupby("round")]
    return {outcome: found.count(outcome) for outcome in OUTCOMES if outcome in found}


def ring(log: pandas.DataFrame) -> pandas.DataFrame:
    """The scans by the kernel for long vectors."""
    return log[(log["operation"] == "scan") & (log["algorithm"] == "ring")]


def vectors(log: pandas.DataFrame) -> list[Vector]:
    """The vectors that the ring was timed with in several rounds, by type and then the longest first."""
    lines = ring(log).groupby(["type", "n"])["round"].nunique()
    found = [(kind, n) for (kind, n), rounds in lines.items() if rounds > 1]
    order = {kind: place for place, kind in enumerate(THINGS)}
    return sorted(found, key=lambda vector: (order.get(vector[0], len(order)), -vector[1]))


def name_of(vector: Vector) -> str:
    kind, n = vector
    return f"{words.power(n)} {THINGS.get(kind, kind)}"


def of_vector(log: pandas.DataFrame, vector: Vector) -> pandas.DataFrame:
    rows = ring(log)
    return rows[(rows["type"] == vector[0]) & (rows["n"] == vector[1])]


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
    rounds = rows["round"].tolist()
    return {
        rounds[place]: (best[place - 1], best[place])
        for place in range(1, len(best))
        if best[place] - best[place - 1] >= STEP
    }


def confounded(rows: pandas.DataFrame) -> list[int]:
    """Steps of a vector at which the state of the cache changed as well, which may have contributed."""
    states = rows.set_index("round")[["cache", "clearing"]]
    other = (states != states.shift()).any(axis=1)
    return [number for number in steps(rows) if other[number]]


def made_the_difference(log: pandas.DataFrame) -> list[int]:
    """The rounds that are a step for some vector."""
    return sorted({number for vector in vectors(log) for number in steps(of_vector(log, vector))})


def flattered(rows: pandas.DataFrame) -> list[dict]:
    """Lines whose share is a step above the best so far only because the copy in their run was slow.

    `least` is the least time before with the cache in the same state.
    """
    found = []
    for place, (row, best) in enumerate(zip(rows.to_dict("records"), best_so_far(rows), strict=True)):
        if row["share"] >= best + STEP:
            earlier = rows.iloc[:place].query("cache == @row['cache'] and clearing == @row['clearing']")
            found.append(row | {"least": float(earlier["time_us"].min())})
    return found


def shares_of_any_copy(rows: pandas.DataFrame) -> pandas.DataFrame:
    """A vector's least and greatest share, relative to all copies with the cache in the same state."""
    copies = rows.groupby(["cache", "clearing"])["beside_us"]
    ends = {"low": copies.transform("min"), "high": copies.transform("max")}
    return pandas.DataFrame({end: copy / rows["time_us"] for end, copy in ends.items()})
