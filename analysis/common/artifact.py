"""How each figure is made again: command, hardware, seconds, and how close the numbers must come."""

from pathlib import Path

from analysis.common import words
from analysis.common.files import SIMT, read_csv
from analysis.common.loading import REFERENCE_GPU
from analysis.common.repeat import MARGIN, repeatability
from analysis.common.report import Section

SECONDS = "seconds.csv"  # results/simt/seconds.csv: what counting took, recorded by scripts/times.sh


def contents(results: Path, claims: list[Section]) -> dict:
    """Of every claim the seconds of counting and recording, and how far a second recording was off."""
    counting, counted_on = seconds_of_counting(results)
    rows = [row(section.documents[0], counting.get(section.claim["id"]), results) for section in claims]
    return {"rows": rows, "counted_on": counted_on, "margin": f"{MARGIN:.0%}"}


def seconds_of_counting(results: Path) -> tuple[dict[str, float], str]:
    """By claim, and the machine; nothing if they were not recorded."""
    path = results / SIMT / SECONDS
    if not path.exists():
        return {}, ""
    found = read_csv(path, ("claim", "seconds", "machine"))
    return dict(zip(found["claim"], found["seconds"], strict=True)), words.listing(
        sorted(set(found["machine"]))
    )


def row(document: dict, counting: float | None, results: Path) -> dict:
    """Printed once on the claim's page and once in the appendix."""
    claim, timed = document["claim"]["id"], document["machines"]["timed"]
    recorded = timed["provenance"] if timed else {}
    gpu = timed["file"].split("/")[0] if timed else REFERENCE_GPU
    again = repeatability(results, gpu, claim)
    return {
        "claim": claim,
        "gpu": timed["machine"]["name"] if timed else "",
        "figures": [each["name"] for each in document["figures"]],
        "counting": seconds(counting),
        "recording": seconds(recorded.get("wall_seconds")),
        "date": recorded.get("date", "")[:10],
        "commit": recorded.get("git_commit", "")[:8],
        "agree": f"{words.integer(again['agree'])} of {words.integer(again['cases'])}" if again else "",
        "within": f"{again['nine_of_ten'] - 1:.1%}" if again else "",
        "worst": f"{again['most'] - 1:.1%}" if again else "",
    }


def seconds(value: float | None) -> str:
    return "" if value is None else words.decimal(value, 1)
