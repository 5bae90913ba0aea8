"""What paper/supplement/log.typ tells: rounds by name, steps, best shares, and where the targets stand."""

import pandas

from analysis.common import words
from analysis.common.by_targets import Outcome
from analysis.common.files import parse_case
from analysis.common.targets import Target
from analysis.log.rounds import (
    CALLS,
    STEP,
    THINGS,
    Vector,
    best_so_far,
    confounded,
    flattered,
    made_the_difference,
    name_of,
    of_vector,
    outcome_of,
    steps,
    tally,
    vectors,
)


def numbers(log: pandas.DataFrame) -> dict:
    """For readers of the document: outcomes, steps and best shares by vector."""
    best = {name_of(each): best_so_far(of_vector(log, each))[-1] for each in vectors(log)}
    return {"outcomes": tally(log), "made_the_difference": made_the_difference(log), "best": best}


def told(log: pandas.DataFrame, recorded: list[Outcome]) -> dict:
    """As the text prints it."""
    shown = {name_of(each): of_vector(log, each) for each in vectors(log)}
    return {
        "calls": list(CALLS),
        "step": STEP,
        "named": {name: named(rows) for name, rows in log.groupby("name", sort=False)},
        "first": {name: f"{rows['share'].iloc[0]:.2f}" for name, rows in shown.items()},
        "best": {name: f"{best_so_far(rows)[-1]:.2f}" for name, rows in shown.items()},
        "steps": [step_of(log, shown, number) for number in made_the_difference(log)],
        "flattered": [slow_copy(name, row) for name, rows in shown.items() for row in flattered(rows)],
        "states": {name: rows["cache"].unique().tolist() for name, rows in shown.items()},
        "standing": standing(recorded),
        "live": live(recorded),
        "out_of_reach": out_of_reach(recorded),
    }


def named(rows: pandas.DataFrame) -> dict:
    first = rows.iloc[0]
    shares = {words.power(each["n"]): f"{each['share']:.2f}" for each in rows.to_dict("records")}
    texts = {part: first[part] for part in ("prediction", "learnt")}
    return {"round": int(first["round"]), "outcome": outcome_of(rows), "shares": shares} | texts


def step_of(log: pandas.DataFrame, shown: dict[str, pandas.DataFrame], number: int) -> dict:
    """A round that raised a best share: from where to where, by vector, and the vectors of which the state of
    the cache changed as well."""
    rises = {name: steps(rows)[number] for name, rows in shown.items() if number in steps(rows)}
    change = log.loc[log["round"] == number, "change"].iloc[0].rstrip(".")
    doubtful = [name for name, rows in shown.items() if number in confounded(rows)]
    said = {name: [f"{share:.2f}" for share in rise] for name, rise in rises.items()}
    return {"round": number, "change": change, "rises": said, "doubtful": doubtful}


def slow_copy(name: str, row: dict) -> dict:
    """A share that is no step, because the copy in its run was slow."""
    return {"vector": name, "round": row["round"], "share": f"{row['share']:.2f}"} | {
        part: f"{row[of]:.1f}" for part, of in (("copy", "beside_us"), ("own", "time_us"), ("least", "least"))
    }


def is_relative_to_copy(target: Target, vector: Vector) -> bool:
    """Whether it is a share of the copy's throughput with that vector: from a stream, cold, aligned."""
    factors = parse_case(None, target.ours)
    stated = [factors.get(factor) for factor in ("operation", "type", "n", "submit", "cache", "off")]
    return stated == ["scan", *vector, "stream", "cold", None] and beside(target) == ["copy"]


def beside(target: Target) -> list[str]:
    return [parse_case(None, case)["operation"] for case in target.against]


def standing(recorded: list[Outcome]) -> dict[str, dict]:
    """By vector: the share recorded, empty if it was not, and its target."""
    found = {}
    for target, ratio, _ in recorded:
        factors = parse_case(None, target.ours)
        vector = (factors.get("type"), factors.get("n"))
        if vector[0] in THINGS and is_relative_to_copy(target, vector):
            known = "" if ratio is None else words.decimal(ratio, 3)
            found[name_of(vector)] = {"recorded": known, "target": words.decimal(target.at_least)}
    return found


def live(recorded: list[Outcome]) -> dict[str, str]:
    """By length: the share of the copy of vectors scanned one call at a time."""
    return {
        words.power(parse_case(None, target.ours)["n"]): f"{ratio:.2f}"
        for target, ratio, _ in recorded
        if ratio is not None
        and parse_case(None, target.ours).get("submit") == "live"
        and beside(target) == ["copy"]
    }


def out_of_reach(recorded: list[Outcome]) -> list[dict]:
    """Targets relative to CUB that not even the copy would meet, and what it reaches."""
    of_copy = {target.ours: ratio for target, ratio, _ in recorded if beside(target) == ["copy"]}
    found = []
    for target, ratio, _ in recorded:
        share = of_copy.get(target.ours)
        if beside(target) != ["copy"] and ratio and share and ratio / share < target.at_least:
            work, least = words.raised(target.work), words.decimal(target.at_least)
            found.append({"work": work, "target": least, "copy": f"{ratio / share:.2f}"})
    return found
