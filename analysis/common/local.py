"""What this machine measured: its GPU's times, results/local, beside recorded ones; its seconds of counting.

Two medians agree if they differ by at most MARGIN. All goes to build/local: neither figures/ nor
README.md nor paper/ change by what one machine measures.
"""

from dataclasses import asdict
from pathlib import Path

from analysis.common import words
from analysis.common.artifact import seconds, seconds_of_counting
from analysis.common.evidence import Evidence, Results
from analysis.common.files import LOCAL, read_json
from analysis.common.loading import floor_of_gpu, load, read
from analysis.common.paper import typeset
from analysis.common.recorded import SUFFIX
from analysis.common.render import analysis_of, render
from analysis.common.report import sections
from analysis.common.statistics import median
from analysis.common.tables import Table
from analysis.common.writing import write_with

SOURCE = Path("paper/local.typ")
MARGIN = 0.10


def draw(claim: str, results: Path, figures: Path) -> None:
    """A claim judged by the times of this machine; its document says how far the recorded ones agree."""
    timed = read(results / LOCAL / f"{claim}{SUFFIX}")
    recorded = recorded_evidence(load(results, claim), timed)
    floor = floor_of_gpu(results / LOCAL)
    floor = floor if floor.by_length else recorded.floor
    here = Evidence(recorded.claim, recorded.counted, timed, floor=floor)
    render(claim, [here], figures, {"recorded": recorded.timed and beside(here, recorded)})


def recorded_evidence(found: list[Evidence], timed: Results) -> Evidence:
    """That of a GPU of the same name, or else the first."""
    same = [each for each in found if each.timed and each.timed.machine["name"] == timed.machine["name"]]
    return (same or found)[0]


def beside(here: Evidence, recorded: Evidence) -> dict:
    """The recorded verdict, and the ratio of the median times, here to recorded, of every case of both."""
    once, now = (each.timed.rows.groupby("name")["time_us"].median() for each in (recorded, here))
    ratios = (now / once).dropna()
    return {
        "gpu": recorded.timed.machine["name"],
        "verdict": asdict(analysis_of(here.claim["id"]).verdict(recorded)),
        "ratios": sorted(float(ratio) for ratio in ratios),
    }


def write(results: Path, build: Path) -> None:
    """build/local/report.pdf."""
    made = typeset(SOURCE, contents(results, build))
    write_with(build / "local/report.pdf", lambda temporary: temporary.write_bytes(made))


def contents(results: Path, build: Path) -> dict:
    return {
        "times": times(results, build / "local"),
        "counting": counting(results, build / "times"),
    }


def times(results: Path, drawn: Path) -> dict | None:
    """This machine's GPU beside a recorded one; None if nothing was timed and drawn."""
    measured = {path.stem for path in (results / LOCAL).glob(f"*{SUFFIX}")}
    if not any((drawn / f"{claim}.json").exists() for claim in measured):
        return None
    documents = [each.documents[0] for each in sections(drawn) if each.claim["id"] in measured]
    known = [each for each in documents if each["recorded"]]
    ratios = [ratio for each in known for ratio in each["recorded"]["ratios"]]
    other = [f"`{each['claim']['id']}`" for each in known if not same_verdict(each)]
    timed = documents[0]["machines"]["timed"]
    return {
        "gpu": timed["machine"]["name"],
        "driver": timed["machine"].get("driver", ""),
        "recorded": words.listing(sorted({each["recorded"]["gpu"] for each in known})),
        "claims": words.integer(len(known)),
        "same": words.integer(len(known) - len(other)),
        "other": words.listing(other),
        "cases": words.integer(len(ratios)),
        "agree": words.integer(agreeing(ratios)),
        "margin": f"{MARGIN:.0%}",
        "figures": f"{drawn}/<claim>.svg",
        "table": table(documents),
    }


def counting(results: Path, folder: Path) -> dict | None:
    """Seconds that counting took here, beside the recorded ones; None if nothing was counted here."""
    here = {path.stem: float(read_json(path)["seconds"]) for path in sorted(folder.glob("*.json"))}
    if not here:
        return None
    known, machine = seconds_of_counting(results)
    rows = [
        [claim, seconds(value), seconds(known.get(claim)) or words.NOTHING] for claim, value in here.items()
    ]
    rows.append(
        ["all", seconds(sum(here.values())), seconds(sum(known.values())) if known else words.NOTHING]
    )
    recorded = f"recorded on {machine}" if machine else "recorded"
    made = Table("Seconds of counting.", ["Claim", "here", recorded], rows)
    return vars(made)


def same_verdict(document: dict) -> bool:
    here, recorded = document["verdict"], document["recorded"]["verdict"]
    return all(here[question] == recorded[question] for question in ("count", "speed"))


def agreeing(ratios: list[float]) -> int:
    return sum(max(ratio, 1 / ratio) <= 1 + MARGIN for ratio in ratios)


def table(documents: list[dict]) -> dict:
    columns = ["Claim", "Count", "Speed here", "Recorded", "Cases", "Ratio", "Range", f"Within {MARGIN:.0%}"]
    caption = "Times of this machine, relative to the recorded ones: medians over all cases of a claim."
    made = Table(caption, columns, [row(each) for each in documents], wide=True, text_columns=4)
    return vars(made)


def row(document: dict) -> list[str]:
    here, recorded = document["verdict"], document["recorded"] or {}
    ratios = recorded.get("ratios", [])
    numbers = [words.NOTHING] * 3
    if ratios:
        share = words.share(agreeing(ratios) / len(ratios))
        numbers = [words.decimal(median(ratios).value), words.span(ratios), share]
    once = recorded["verdict"]["speed"] if recorded else words.NOTHING
    verdicts = [here["count"], here["speed"], once]
    return [document["claim"]["id"], *verdicts, words.integer(len(ratios)), *numbers]
