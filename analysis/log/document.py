"""figures/log.*: the figure and the report's text (.json), from results/<gpu>/log.csv if it exists."""

import math
from dataclasses import asdict
from pathlib import Path

import pandas

from analysis.common import by_targets, plotting, words
from analysis.common.by_targets import Outcome
from analysis.common.evidence import Evidence
from analysis.common.loading import REFERENCE_GPU, load
from analysis.common.recorded import SUFFIX, context_of
from analysis.common.tables import Table
from analysis.common.writing import write_json
from analysis.log.drawing import SPEED, figure
from analysis.log.rounds import (
    CALLS,
    LIMITS,
    MET,
    OUTCOMES,
    PART,
    STEP,
    made_the_difference,
    name_of,
    of_vector,
    outcome_of,
    read_log,
    tally,
    vectors,
)
from analysis.log.story import counted, in_numbers, paragraphs

NAME = "log"
OPERATIONS = {"compact": "compaction", "reduce": "reduction"}
ROWS = 12  # of a table, so that a page holds two


def write(results: Path, figures: Path) -> None:
    """Nothing is written until everything is made; without a log, only a document that says so."""
    path = results / REFERENCE_GPU / f"{NAME}.csv"
    if not path.exists():
        for drawn in figures.glob(f"{NAME}.*"):
            drawn.unlink()
        write_json(figures / f"{NAME}.json", {"rounds": 0})
        return
    log, machine = read_log(path), machine_of(path.parent)
    with plotting.house_style():
        drawn = figure(log, machine)
        document = describe(log, machine, recorded(results), bool(drawn.get_figwidth() > plotting.NARROW))
        plotting.save(drawn, figures / NAME)
    write_json(figures / f"{NAME}.json", document)


def machine_of(folder: Path) -> str:
    """The GPU's name from any of its results; empty if there are none."""
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        if context := context_of(path):
            return context.machine["name"]
    return ""


def recorded(results: Path) -> list[Outcome]:
    """The targets and their results on the GPU of the log."""
    found = load(results, SPEED) if any(results.glob(f"*/{SPEED}{SUFFIX}")) else []
    mine = [each for each in found if each.timed and each.timed.folder == REFERENCE_GPU]
    return by_targets.outcomes(SPEED, mine[0] if mine else Evidence({}, None, None))


def describe(log: pandas.DataFrame, machine: str, found: list[Outcome], wide: bool) -> dict:
    return {
        "rounds": int(log["round"].nunique()),
        "machine": machine,
        "file": f"{REFERENCE_GPU}/{NAME}.csv",
        "figure": {"name": NAME, "caption": caption(log), "wide": wide},
        "paragraphs": paragraphs(log, found),
        "tables": [asdict(table) for table in tables(log)],
        "numbers": in_numbers(log),
    }


def caption(log: pandas.DataFrame) -> str:
    low, high = CALLS
    counts = tally(log)
    failed = sum(count for outcome, count in counts.items() if outcome not in (MET, PART))
    steps = counted(len(made_the_difference(log)), "change").capitalize()
    said = [
        f"{steps} made the difference (black); {failed} of {sum(counts.values())} predictions failed. Share "
        "of the copy's throughput that the scan of long vectors reaches, by round; the marker shows the "
        "outcome of the prediction. The copy is from the same run; bars range from the slowest to the "
        "fastest copy of all runs with the cache in the same state. Line: best so far, by share and own "
        f"time; black: a step of {STEP} or more. Medians of {low} to {high} calls: {states(log)}.",
    ]
    said += [clearings(log, vector) for vector in vectors(log)]
    return " ".join(filter(None, said))


def states(log: pandas.DataFrame) -> str:
    """2²⁸ ints warm, cold in round 15; ..."""
    said = []
    for vector in vectors(log):
        rows = of_vector(log, vector)
        usual, *others = rows["cache"].value_counts().index
        apart = [
            f", {other} in round{'s' if len(where) > 1 else ''} {words.listing(where)}"
            for other in others
            if (where := [str(number) for number in rows.loc[rows["cache"] == other, "round"]])
        ]
        said.append(f"{name_of(vector)} {usual}{''.join(apart)}")
    return "; ".join(said)


def clearings(log: pandas.DataFrame, vector) -> str:
    """Times of the copy with the cache cleared in either way; empty if there was only one."""
    cold = of_vector(log, vector).query("clearing != ''")
    if cold["clearing"].nunique() < 2:
        return ""
    each = []
    for _, rows in cold.groupby("clearing"):
        first, last = rows["round"].min(), rows["round"].max()
        each.append(f"{rows['beside_us'].median():.1f} µs in rounds {first} to {last}")
    return (
        f"The copy of {name_of(vector)} took {words.listing(each)}, because the cache was cleared in another "
        "way: therefore shares are compared, not times."
    )


def tables(log: pandas.DataFrame) -> list[Table]:
    """All rounds, in tables of at most ROWS."""
    rows = [row_of(number, lines) for number, lines in log.groupby("round")]
    columns = ["round", "change", "prediction", "outcome; share of the copy"]
    height = math.ceil(len(rows) / math.ceil(len(rows) / ROWS))
    meanings = "; ".join(f"{outcome}: {meaning}" for outcome, meaning in OUTCOMES.items())
    return [
        Table(
            f"The rounds. {meanings}." if first == 0 else "The rounds, continued.",
            columns,
            rows[first : first + height],
            wide=True,
            text_columns=len(columns),
        )
        for first in range(0, len(rows), height)
    ]


def row_of(number: int, lines: pandas.DataFrame) -> list[str]:
    first = lines.iloc[0]
    return [str(number), f"{kernel(first)}: {first['change']}", first["prediction"], outcome_in_words(lines)]


def kernel(line: pandas.Series) -> str:
    """ring, one wave; or compaction."""
    return OPERATIONS.get(line["operation"], line["algorithm"].replace("_", " "))


def outcome_in_words(lines: pandas.DataFrame) -> str:
    """met: 2²⁸ ints 0.97, ..; or 2²⁸ ints 0.97 met, .. where outcomes differ."""
    alike = lines["outcome"].nunique() == 1
    said = []
    for line in lines.to_dict("records"):
        limit = "" if line["beside"] == "copy" else f" of {LIMITS[line['beside']]}"
        apart = "" if alike else f" {line['outcome']}"
        said.append(f"{name_of((line['type'], line['n']))} {line['share']:.2f}{limit}{apart}")
    return f"{outcome_of(lines)}: {', '.join(said)}" if alike else ", ".join(said)
