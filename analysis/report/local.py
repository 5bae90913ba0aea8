"""What this machine measured: its GPU's times, results/local, beside recorded ones; its seconds of counting.

Two medians agree if they differ by at most MARGIN. All goes to build/local: neither figures/ nor
README.md nor paper/ change by what one machine measures.
"""

from dataclasses import asdict
from pathlib import Path

from analysis.core import words
from analysis.core.analyses import analysis_of
from analysis.core.evidence import Evidence, Results
from analysis.core.files import LOCAL, read_json
from analysis.core.loading import floor_of_gpu, load, read
from analysis.core.recorded import SUFFIX
from analysis.core.statistics import median
from analysis.core.writing import write_with
from analysis.report.printed.recorded_on import seconds_of_counting
from analysis.report.printed.typesetting import typeset
from analysis.report.render import render
from analysis.report.sections import sections

SOURCE = Path("paper/local.typ")
MARGIN = 0.10


def draw(claim: str, results: Path, figures: Path) -> None:
    """A claim judged by the times of this machine; its document says how far the recorded ones agree: those
    of a GPU of the same name, or else the first."""
    timed, found = read(results / LOCAL / f"{claim}{SUFFIX}"), load(results, claim)
    name = timed.machine["name"]
    recorded = next((each for each in found if each.timed and each.timed.machine["name"] == name), found[0])
    floor = floor_of_gpu(results / LOCAL)
    floor = floor if floor.by_length else recorded.floor
    here = Evidence(
        recorded.claim, counted_here(claim, results, timed) or recorded.counted, timed, floor=floor
    )
    render(claim, [here], figures, {"recorded": recorded.timed and beside(here, recorded)})


def counted_here(claim: str, results: Path, timed: Results) -> Results | None:
    """The counts of the code that this GPU runs; None if that is counted in results/simt, or nowhere."""
    capability = timed.machine["compute_capability"].replace(".", "")
    path = results / LOCAL / f"sm_{capability}" / f"{claim}{SUFFIX}"
    return read(path) if path.exists() else None


def beside(here: Evidence, recorded: Evidence) -> dict:
    """The recorded verdict, and the ratio of the median times, here to recorded, of every case of both."""
    once, now = (each.timed.rows.groupby("name")["time_us"].median() for each in (recorded, here))
    return {
        "gpu": recorded.timed.machine["name"],
        "verdict": asdict(analysis_of(here.claim["id"]).verdict(recorded)),
        "ratios": sorted(map(float, (now / once).dropna())),
    }


def write(results: Path, build: Path) -> None:
    """build/local/report.pdf."""
    made = typeset(SOURCE, contents(results, build))
    write_with(build / "local/report.pdf", lambda temporary: temporary.write_bytes(made))


def contents(results: Path, build: Path) -> dict:
    return {"times": times(results, build / "local"), "counting": counting(results, build / "times")}


def times(results: Path, drawn: Path) -> dict | None:
    """This machine's GPU beside a recorded one; None if nothing was timed and drawn."""
    measured = {path.stem for path in (results / LOCAL).glob(f"*{SUFFIX}")}
    if not any((drawn / f"{claim}.json").exists() for claim in measured):
        return None
    documents = [each.documents[0] for each in sections(drawn) if each.claim["id"] in measured]
    rows, machine = list(map(row, documents)), documents[0]["machines"]["timed"]["machine"]
    known = [each for each in rows if each["recorded"]]
    other = [f"`{each['claim']}`" for each in known if not each["same"]]
    tally = {"claims": len(known), "same": len(known) - len(other)}
    tally |= {
        "cases": sum(len(each["ratios"]) for each in rows),
        "agree": sum(each["agree"] for each in rows),
    }
    return {name: words.integer(count) for name, count in tally.items()} | {
        "gpu": machine["name"],
        "driver": machine.get("driver", ""),
        "recorded": words.listing(sorted({each["recorded"]["gpu"] for each in known})),
        "other": words.listing(other),
        "margin": f"{MARGIN:.0%}",
        "figures": f"{drawn}/<claim>.svg",
        "rows": rows,
    }


def row(document: dict) -> dict:
    here, recorded = document["verdict"], document["recorded"] or {}
    once, ratios = recorded.get("verdict", {}), recorded.get("ratios", [])
    return {
        "claim": document["claim"]["id"],
        "here": here,
        "recorded": recorded,
        "same": all(here[question] == once.get(question) for question in ("count", "speed")),
        "ratios": ratios,
        "median": median(ratios).value if ratios else None,
        "agree": sum(max(ratio, 1 / ratio) <= 1 + MARGIN for ratio in ratios),
    }


def counting(results: Path, folder: Path) -> dict | None:
    """By claim the seconds that counting took here and, beside it, the recorded ones; None if nothing was
    counted here."""
    here = {path.stem: float(read_json(path)["seconds"]) for path in sorted(folder.glob("*.json"))}
    known, machine = seconds_of_counting(results)
    rows = [[claim, value, known.get(claim)] for claim, value in here.items()]
    total = [["all", sum(here.values()), sum(known.values()) or None]]
    return {"machine": machine, "rows": rows + total} if here else None
