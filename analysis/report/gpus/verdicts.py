"""The verdicts of the first GPU and of a further one, side by side, with the cause where they differ.

paper/witnesses.csv names for a claim two cases that show why: what it is about, and the limit of that.
"""

from collections.abc import Mapping
from pathlib import Path

from analysis.core import words
from analysis.core.evidence import Evidence
from analysis.core.files import read_csv
from analysis.core.prose import told
from analysis.core.verdict import speed_in_words
from analysis.report.sections import Section

WITNESSES = Path(__file__).parents[3] / "paper/witnesses.csv"
COLUMNS = ("claim", "what", "case", "limit", "limit_case")
OPEN = "open"

Pair = tuple[Mapping, Mapping]  # the documents of both GPUs


def pairs_of(claims: list[Section], folder: str) -> list[Pair]:
    """Of each claim that both GPUs have."""
    found = []
    for one, *others in (section.documents for section in claims if folder_of(section.documents[0])):
        found += [(one, each) for each in others if folder_of(each) == folder][:1]
    return found


def folder_of(document: Mapping) -> str:
    timed = document["machines"]["timed"]
    return timed["file"].split("/")[0] if timed else ""


def compared(pairs: list[Pair]) -> dict:
    """How many have the same answers, which have not, which have them at other places, and all on speed."""
    answers = {}
    for pair in pairs:
        both = [each["verdict"] for each in pair]
        said = [(of["count"], of["speed"], words.raised(speed_in_words(of))) for of in both]
        answers[pair[0]["claim"]["id"]] = said
    differing = [claim for claim, (one, other) in answers.items() if one[:2] != other[:2]]
    elsewhere = [claim for claim, (one, other) in answers.items() if one[:2] == other[:2] and one != other]
    return {
        "claims": len(pairs),
        "same": len(pairs) - len(differing),
        "differing": differing,
        "elsewhere": elsewhere,
        "speeds": {claim: [each[2] for each in both] for claim, both in answers.items()},
    }


def cause_of(claim: str, one: Evidence, other: Evidence) -> str:
    """Why the answers differ; OPEN if neither the machines nor a witness says."""
    machines = [each.timed.machine for each in (one, other)]
    gpus = [machine.get("gpus", 1) for machine in machines]
    if gpus[0] != gpus[1]:
        return told("gpus: machines", gpus=gpus, names=[each["name"] for each in machines])
    table = read_csv(WITNESSES, COLUMNS).set_index("claim")
    if claim not in table.index:
        return OPEN
    witness = table.loc[claim]
    own, limit = (growth(one, other, case) for case in (witness["case"], witness["limit_case"]))
    if own is None or limit is None or max(own, limit) < 1:
        return OPEN
    if one.floor.as_fast(max(own / limit, limit / own), int(witness["case"].rsplit("n:", 1)[1]), 0):
        return OPEN
    return told("gpus: cause", **witness[["what", "limit"]], own=own, limited=limit, more=own < limit)


def growth(one: Evidence, other: Evidence, case: str) -> float | None:
    """Time of a case on the further GPU, relative to the first; None if one has not timed it."""
    before, after = (each.timed.time(name=case) for each in (one, other))
    return after.value / before.value if before and after else None
