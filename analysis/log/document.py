"""figures/log.*: the figure, and what paper/supplement/log.typ and the page tell, from results/<gpu>/log.csv
if it exists."""

from collections import Counter
from pathlib import Path

import pandas

from analysis.common import by_targets, looks, plotting, prose, words
from analysis.common.by_targets import Outcome
from analysis.common.evidence import Evidence
from analysis.common.files import claims_in
from analysis.common.loading import REFERENCE_GPU, load
from analysis.common.targets import Target, quoted
from analysis.common.writing import write_json
from analysis.log import rounds
from analysis.log.rounds import TYPES, best_so_far, outcome_of, read_log, steps
from experiments.fast.scan_ideas.analysis import name_of

NAME = "log"
SPEED = "copy_speed"  # the claim whose targets the rounds aimed at
TIMES = {"copy": "beside_us", "own": "time_us", "least": "least"}
COLORS = (looks.SCANS["fast"].color, plotting.BLUE, plotting.GREEN)


def write(results: Path, figures: Path) -> None:
    """Nothing is written until everything is made; without a log, only a document that says so."""
    path, document = results / REFERENCE_GPU / f"{NAME}.csv", {"rounds": []}
    if path.exists():
        log = read_log(path)
        document = describe(log, *recorded(results))
        with plotting.house_style():
            plotting.save(figure(log), figures / NAME)
    else:
        (figures / f"{NAME}.svg").unlink(missing_ok=True)
    write_json(figures / f"{NAME}.json", document)


def recorded(results: Path) -> tuple[list[Outcome], str]:
    """The targets and their results on the GPU of the log, and its name; empty if they are not recorded."""
    found = load(results, SPEED) if SPEED in claims_in(results) else []
    mine = next((each for each in found if each.timed and each.timed.folder == REFERENCE_GPU), None)
    gpu = mine.timed.machine["name"] if mine else ""
    return by_targets.outcomes(SPEED, mine or Evidence({}, None, None)), gpu


def describe(log: pandas.DataFrame, outcomes: list[Outcome], machine: str) -> dict:
    tally = Counter(outcome_of(rows) for _, rows in log.groupby("round"))
    numbers = {"outcomes": {outcome: tally[outcome] for outcome in rounds.OUTCOMES if tally[outcome]}}
    numbers["made_the_difference"] = rounds.made_the_difference(log)
    numbers["best"] = {name_of(vector): best_so_far(rows)[-1] for vector, rows in rounds.shown(log).items()}
    return {
        "rounds": [round_of(rows) for _, rows in log.groupby("round")],
        "machine": machine,
        "figure": {"name": NAME, "wide": False},
        "meanings": {outcome: prose.told(f"outcome: {outcome}") for outcome in rounds.OUTCOMES},
        "told": told(log, outcomes),
        "numbers": numbers,
    }


def figure(log: pandas.DataFrame):
    """The best share of a copy's speed so far, by round, a curve for each vector; its steps are named."""
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.0)
    last, named = int(log["round"].max()), set()
    for (vector, rows), color in zip(rounds.shown(log).items(), COLORS, strict=False):
        best = best_so_far(rows)
        drawn = {"drawstyle": "steps-post", "color": color, "linewidth": 1.6}
        axes.plot([*rows["round"], last], [*best, best[-1]], **drawn)
        place = {"xytext": (3, 0), "textcoords": "offset points", "va": "center", "fontsize": 7}
        axes.annotate(f"{name_of(vector)} {best[-1]:.2f}", (last, best[-1]), color=color, **place)
        for number, (_, after) in steps(rows).items():
            axes.plot(number, after, "o", color=color, markersize=4.5)
            named.add(number)
    names = log.drop_duplicates("round").set_index("round")["name"]
    said = [f"{number}  {names[number]}" for number in sorted(named)]
    axes.text(8, 0.735, "\n".join(said), fontsize=7, va="bottom", linespacing=1.35)
    axes.set_yticks([0.7, 0.8, 0.9, 1.0], ["0.7", "0.8", "0.9", "copy"])
    axes.set_xticks([*sorted(named)[1:], 10, 20, last])
    axes.set(xlim=(0.5, last + 12), ylim=(0.7, 1.0))
    axes.set(xlabel="round of development", ylabel="best speed so far, of a copy")
    return figure


def round_of(rows: pandas.DataFrame) -> dict:
    first, times = rows.iloc[0], []
    for line in rows.to_dict("records"):
        vector = name_of((line["type"], line["n"]))
        time = {"what": f"{line['operation']} of {vector}", "vector": vector, "time": line["time_us"]}
        more = {name: line[name] for name in ("cache", "beside", "outcome")}
        times.append(time | {"share": round(line["share"], 3)} | more)
    about = {name: first[name] for name in ("operation", "algorithm", *rounds.TEXTS)}
    return about | {"round": int(first["round"]), "outcome": outcome_of(rows), "times": times}


def told(log: pandas.DataFrame, outcomes: list[Outcome]) -> dict:
    """As the text prints it."""
    vectors = {name_of(vector): rows for vector, rows in rounds.shown(log).items()}
    return {
        "step": rounds.STEP,
        "named": {name: named(rows) for name, rows in log.groupby("name", sort=False)},
        "first": {name: f"{rows['share'].iloc[0]:.2f}" for name, rows in vectors.items()},
        "best": {name: f"{best_so_far(rows)[-1]:.2f}" for name, rows in vectors.items()},
        "steps": [step_of(log, vectors, number) for number in rounds.made_the_difference(log)],
        "flattered": [
            {"vector": name, "round": row["round"], "share": f"{row['share']:.2f}"}
            | {key: f"{row[of]:.1f}" for key, of in TIMES.items()}
            for name, rows in vectors.items()
            for row in rounds.flattered(rows)
        ],
        "standing": standing(outcomes),
        "live": live(outcomes),
        "out_of_reach": out_of_reach(outcomes),
    }


def named(rows: pandas.DataFrame) -> dict:
    first = rows.iloc[0]
    shares = {words.power(each["n"]): f"{each['share']:.2f}" for each in rows.to_dict("records")}
    texts = {part: first[part] for part in ("prediction", "learnt")}
    return {"round": int(first["round"]), "outcome": outcome_of(rows), "shares": shares} | texts


def step_of(log: pandas.DataFrame, vectors: dict[str, pandas.DataFrame], number: int) -> dict:
    """A round that raised a best share: from where to where, by vector, and the vectors of which the state of
    the cache changed as well."""
    rises = {name: steps(rows)[number] for name, rows in vectors.items() if number in steps(rows)}
    change = log.loc[log["round"] == number, "change"].iloc[0].rstrip(".")
    doubtful = [name for name, rows in vectors.items() if number in rounds.confounded(rows)]
    said = {name: [f"{share:.2f}" for share in rise] for name, rise in rises.items()}
    return {"round": number, "change": change, "rises": said, "doubtful": doubtful}


def is_of_copy(target: Target) -> bool:
    return [quoted(None, case)["operation"] for case in target.against] == ["copy"]


def standing(outcomes: list[Outcome]) -> dict[str, dict]:
    """By vector, from a stream, cold, aligned: the share, empty if it was not recorded, and its target."""
    found = {}
    for target, ratio, _ in outcomes:
        of = target.factors
        usual = [of.get(each) for each in ("operation", "submit", "cache", "off")]
        if of.get("type") in TYPES and usual == ["scan", "stream", "cold", None] and is_of_copy(target):
            known = "" if ratio is None else words.decimal(ratio, 3)
            said = {"recorded": known, "target": words.decimal(target.at_least)}
            found[name_of((of["type"], of["n"]))] = said
    return found


def live(outcomes: list[Outcome]) -> dict[str, str]:
    """By length: the share of the copy of vectors scanned one call at a time."""
    found = {}
    for target, ratio, _ in outcomes:
        factors = target.factors
        if ratio is not None and factors.get("submit") == "live" and is_of_copy(target):
            found[words.power(factors["n"])] = f"{ratio:.2f}"
    return found


def out_of_reach(outcomes: list[Outcome]) -> list[dict]:
    """Targets relative to CUB that not even the copy would meet, and what it reaches."""
    of_copy = {target.ours: ratio for target, ratio, _ in outcomes if is_of_copy(target)}
    found = []
    for target, ratio, _ in outcomes:
        share = of_copy.get(target.ours)
        if not is_of_copy(target) and ratio and share and ratio / share < target.at_least:
            work, least = words.raised(target.work), words.decimal(target.at_least)
            found.append({"work": work, "target": least, "copy": f"{ratio / share:.2f}"})
    return found
