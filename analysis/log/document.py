"""figures/log.*: the figure and the report's text (.json), from results/<gpu>/log.csv if it exists."""

import math
from dataclasses import asdict
from pathlib import Path

import pandas

from analysis.common import by_targets, plotting
from analysis.common.by_targets import Outcome
from analysis.common.evidence import Evidence
from analysis.common.loading import REFERENCE_GPU, load
from analysis.common.recorded import SUFFIX, context_of
from analysis.common.tables import Table
from analysis.common.writing import write_json
from analysis.log import story
from analysis.log.drawing import SPEED, figure
from analysis.log.rounds import LIMITS, OUTCOMES, name_of, outcome_of, read_log

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
        "figure": {"name": NAME, "wide": wide},
        "told": story.told(log, found),
        "meanings": OUTCOMES,
        "tables": [asdict(table) for table in tables(log)],
        "numbers": story.numbers(log),
    }


def tables(log: pandas.DataFrame) -> list[Table]:
    """All rounds, in tables of at most ROWS."""
    rows = [row_of(number, lines) for number, lines in log.groupby("round")]
    columns = ["round", "change", "prediction", "outcome; share of the copy"]
    height = math.ceil(len(rows) / math.ceil(len(rows) / ROWS))
    return [
        Table(
            "The rounds." if first == 0 else "The rounds, continued.",
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
