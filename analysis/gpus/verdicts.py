"""The verdicts of the first GPU and of a further one, side by side, with the cause where they differ."""

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.common import words
from analysis.common.evidence import Evidence
from analysis.common.report import Section
from analysis.common.tables import Table
from analysis.common.verdict import speed_in_words

OPEN = "open"


@dataclass(frozen=True)
class Witness:
    """Two cases that show why a verdict differs: what it is about, and the limit that it is compared with."""

    what: str
    case: str
    limit: str
    limit_case: str


WITNESSES = {
    "copy_speed": Witness(
        "the scan of 2²⁸ int8",
        "scan/ours/type:int8/operator:sum/submit:stream/cache:cold/n:268435456",
        "a copy",
        "copy/device_to_device/type:int8/submit:stream/cache:cold/n:268435456",
    ),
    "read_speed": Witness(
        "the compaction",
        "compact/ours/type:int32/cache:cold/n:268435456",
        "a copy of as many bytes",
        "copy/device_to_device/type:int32/cache:cold/n:201326592",
    ),
    "scan_ideas": Witness(
        "the scan of 2²⁴ ints that clears its statuses",
        "scan/ring/type:int32/operator:sum/change:cleared/cache:cold/n:16777216",
        "the scan without clearing",
        "scan/ring/type:int32/operator:sum/change:none/cache:cold/n:16777216",
    ),
    "single_pass": Witness(
        "CUB's look-back of int64",
        "scan/cub_device/type:int64/cache:cold/n:134217728",
        "a copy",
        "copy/device_to_device/type:int64/cache:cold/n:134217728",
    ),
}


def answers(document: Mapping) -> tuple[str, str]:
    return document["verdict"]["count"], document["verdict"]["speed"]


def in_words(document: Mapping) -> tuple[str, str]:
    return document["verdict"]["count"], speed_in_words(document["verdict"])


def differing(pairs: list[tuple[Mapping, Mapping]]) -> list[str]:
    """The claims with another answer."""
    return [one["claim"]["id"] for one, other in pairs if answers(one) != answers(other)]


def elsewhere(pairs: list[tuple[Mapping, Mapping]]) -> list[str]:
    """Those with the same answers, at other places."""
    return [
        one["claim"]["id"]
        for one, other in pairs
        if answers(one) == answers(other) and in_words(one) != in_words(other)
    ]


def pairs_of(claims: list[Section], folder: str) -> list[tuple[Mapping, Mapping]]:
    """The documents of both GPUs, of each claim that both have."""
    found = []
    for section in claims:
        one = section.documents[0]
        own = (each for each in section.documents[1:] if folder_of(each) == folder)
        if folder_of(one) and (other := next(own, None)):
            found.append((one, other))
    return found


def folder_of(document: Mapping) -> str:
    timed = document["machines"]["timed"]
    return timed["file"].split("/")[0] if timed else ""


def cause_of(claim: str, one: Evidence, other: Evidence) -> str:
    """Why the answers differ; OPEN if neither the machines nor a witness says."""
    machines = [each.timed.machine for each in (one, other)]
    gpus = [machine.get("gpus", 1) for machine in machines]
    if gpus[0] != gpus[1]:
        return words.listing(
            [
                f"the machine of the {machine['name']} had {words.plural(count, 'GPU')}"
                for machine, count in zip(machines, gpus, strict=True)
            ]
        )
    witness = WITNESSES.get(claim)
    grown = witness and [growth(one, other, case) for case in (witness.case, witness.limit_case)]
    if not grown or None in grown:
        return OPEN
    own, limit = grown
    if max(own, limit) < 1 or one.floor.as_fast(max(own / limit, limit / own), length_of(witness.case), 0):
        return OPEN
    bytes_cost_more = "bytes cost more: " if own < limit else ""
    return f"{bytes_cost_more}{witness.limit} takes {limit:.2f} times as long, {witness.what} {own:.2f} times"


def growth(one: Evidence, other: Evidence, case: str) -> float | None:
    """Time of a case on the further GPU, relative to the first; None if one has not timed it."""
    medians = [
        each.timed.rows.loc[each.timed.rows["name"] == case, "time_us"].median() for each in (one, other)
    ]
    ratio = medians[1] / medians[0]
    return float(ratio) if ratio == ratio else None


def length_of(case: str) -> int:
    return int(case.rsplit("n:", 1)[1])


def table(pairs: list[tuple[Mapping, Mapping]], causes: Mapping[str, str], names: tuple[str, str]) -> Table:
    rows = []
    for one, other in pairs:
        claim = one["claim"]["id"]
        said = [words.raised(speed_in_words(each["verdict"])) for each in (one, other)]
        rows.append([f"`{claim}`", said[0], same(said), causes.get(claim, "")])
    caption = (
        "Does the speed follow? A dash: the same answer. Cause: where it differs, or holds at other places. "
        "What is counted depends on no GPU."
    )
    return Table(caption, ["claim", *names, "cause"], rows, wide=True, text_columns=4)


def same(said: list[str]) -> str:
    return words.NOTHING if said[0] == said[1] else said[1]
