"""The machines of the report, their clocks, and how each figure is made again: seconds, and how close the
numbers must come."""

import math
from pathlib import Path

from analysis.core import words
from analysis.core.files import SIMT, claim_of, read_csv
from analysis.core.loading import REFERENCE_GPU, read
from analysis.core.recorded import SUFFIX
from analysis.report.sections import Section

SECONDS = "seconds.csv"  # results/simt/seconds.csv: what counting took, recorded by .ci/times.sh
MARGIN = 0.02  # by which a median in results/<gpu>/repeat may lie outside the range of the first samples


def machine_of(claims: list[Section], part: str) -> dict | None:
    return next((about for each in claims if (about := each.documents[0]["machines"][part])), None)


def gpus(claims: list[Section]) -> list[dict]:
    """Each GPU with times in the report, once, as its first results describe it; other results add what these
    do not say, such as the newest CUB."""
    found = {}
    for document in (document for section in claims for document in section.documents):
        if about := document["machines"]["timed"]:
            first = found.setdefault(about["file"].split("/")[0], dict(about))
            first["machine"] = about["machine"] | {k: v for k, v in first["machine"].items() if v}
    return list(found.values())


def wavefronts(results: Path, machines: list[dict]) -> dict | None:
    """The GPU whose counters the rule for wavefronts was fitted to, and the number of requests."""
    for machine in machines:
        path = results / machine["file"].split("/")[0] / "wavefronts.csv"
        if path.exists():
            return {"machine": machine["machine"]["name"], "requests": len(path.read_text().splitlines()) - 1}
    return None


def numbers_of(claims: list[Section], claim: str) -> dict:
    """The numbers of a claim that the method section quotes; none without that claim."""
    return next((each.documents[0]["numbers"] for each in claims if each.claim["id"] == claim), {})


def clocks(claims: list[Section]) -> dict | None:
    """Clocks measured with the samples of the first GPU, over all claims; None if not measured."""
    timed = [about for each in claims if (about := each.documents[0]["machines"]["timed"])]
    samples = [about["samples"] for about in timed if about.get("samples")]
    if not samples:
        return None
    ends = [clock for each in samples for clock in each["clock_mhz"]]
    printed = {key: sum(each[key] for each in samples) for key in ("kept", "discarded", "kept_slow")}
    thresholds = [(about["machine"] | about["provenance"]).get("sm_clock_threshold_mhz") for about in timed]
    printed |= {"low": min(ends), "high": max(ends), "threshold": next(filter(None, thresholds), None)}
    return {key: words.integer(value) if value else "" for key, value in printed.items()}


def artifact(results: Path, claims: list[Section]) -> dict:
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
    return found.set_index("claim")["seconds"].to_dict(), words.listing(sorted(set(found["machine"])))


def row(document: dict, counting: float | None, results: Path) -> dict:
    """Printed once on the claim's page and once in the appendix."""
    claim, timed = document["claim"]["id"], document["machines"]["timed"]
    recorded = timed["provenance"] if timed else {}
    again = repeatability(results, timed["file"].split("/")[0] if timed else REFERENCE_GPU, claim)
    return {
        "claim": claim,
        "gpu": timed["machine"]["name"] if timed else "",
        "figures": [each["name"] for each in document["figures"]],
        "counting": counting,
        "recording": recorded.get("wall_seconds"),
        "date": recorded.get("date", "")[:10],
        "commit": recorded.get("git_commit", "")[:8],
        "again": again,
    }


def repeatability(results: Path, gpu: str = REFERENCE_GPU, claim: str = "*") -> dict | None:
    """Cases compared, cases that agree, the largest ratio of two medians; None if recorded only once."""
    every = sorted((results / gpu / "repeat").glob(f"{claim}{SUFFIX}"))
    paths = [path for path in every if path.stem == claim_of(path)]
    pairs = [pair for path in paths for pair in medians(results / gpu / path.name, path)]
    if not pairs:
        return None
    far = [max(low / second, second / high, 1.0) for low, _, high, second in pairs]
    ratios = sorted(max(first / second, second / first) for _, first, _, second in pairs)
    return {
        "claims": len(paths),
        "cases": len(pairs),
        "agree": sum(distance <= 1 + MARGIN for distance in far),
        "most": ratios[-1],
        "nine_of_ten": ratios[math.ceil(0.9 * len(ratios)) - 1],
    }


def least(results: Path) -> tuple[str, dict] | None:
    """The claim with the smallest share of cases that agree; None if recorded only once."""
    folder = results / REFERENCE_GPU / "repeat"
    found = {path.stem: repeatability(results, claim=path.stem) for path in sorted(folder.glob(f"*{SUFFIX}"))}
    found = {claim: each for claim, each in found.items() if each}
    return min(found.items(), key=lambda each: each[1]["agree"] / each[1]["cases"], default=None)


def medians(first: Path, second: Path) -> list[tuple[float, float, float, float]]:
    """For every case of both: minimum, median and maximum of the first recording, and the second's median."""
    if not first.exists():
        return []
    once, again = (read(path).rows.groupby("name")["time_us"] for path in (first, second))
    table = once.agg(["min", "median", "max"]).join(again.median().rename("again"), how="inner")
    return list(table.itertuples(index=False, name=None))
