"""What decides the times of a claim's kernels, in sentences."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from analysis.core import words
from analysis.core.analyses import analysis_of, has_analysis
from analysis.core.evidence import Evidence, Results
from analysis.core.files import claims_in
from analysis.core.loading import load
from analysis.core.prose import told
from analysis.model.distinct import distinct
from analysis.model.kernels import IN_WORDS, LONG, Kernel

LIMITS = ("copy", "read")  # what is measured beside the claims' kernels
NEAR = 1.10  # the time of a copy of the same bytes, up to which bytes decide


def causes(kernels: Sequence[Kernel], effects: list[dict], results: Path) -> dict[str, list[str]]:
    """By claim: what limits its kernels by the clock, or how near bytes do; its effects; and what the claim's
    analysis says beyond it. Claims without any are left out."""
    found = {}
    for claim in claims_in(results):
        evidence = load(results, claim)[0]
        own = distinct(each for each in kernels if each.claim == claim)
        said = [of_limiters(own) if own else of_bytes(evidence)]
        said += [each["sentence"] for each in effects if each["claim"] == claim]
        if has_analysis(claim) and (beyond := getattr(analysis_of(claim), "beyond_model", None)):
            said.append(beyond(evidence))
        found[claim] = list(filter(None, said))
    return {claim: said for claim, said in found.items() if said}


def of_limiters(own: Sequence[Kernel]) -> str:
    found = Counter(each.limiter for each in own).most_common()
    named = [f"{IN_WORDS[part]} {words.integer(count)}" for part, count in found]
    error = mean(abs(each.ratio - 1) for each in own)
    return told("limiters", kernels=len(own), parts=named, first=IN_WORDS[found[0][0]], error=error)


def of_bytes(evidence: Evidence) -> str:
    """For claims of which only bytes were counted: how near they come to a copy of as many."""
    timed, counters = evidence.timed, evidence.counters
    if not timed or not counters or "global_bytes_read" not in counters.rows:
        return ""
    rows = counters.rows.dropna(subset=["global_bytes_read"])
    own = ~rows["algorithm"].str.startswith("cub_") & ~rows["operation"].isin(LIMITS)
    rows = rows[own & (rows["n"] >= LONG)].drop_duplicates("name").set_index("name")
    medians, copy = timed.rows.groupby("name")["time_us"].median(), copy_of(timed)
    if copy is None:
        return ""
    found = (medians / ((rows["global_bytes_read"] + rows["global_bytes_written"]) * copy)).dropna()
    if found.empty:
        return ""
    more = {"span": words.span(found, "{:,.2f}".format), "most": f"{found.max():.1f}"}
    return told("bytes", near=int((found <= NEAR).sum()), cases=len(found), percent=NEAR - 1, **more)


def copy_of(timed: Results) -> float | None:
    """Microseconds a byte of the fastest copy that was timed beside the kernels."""
    rows = timed.where(algorithm="device_to_device", cache="cold")
    rows = rows[rows["n"] >= LONG]
    if rows.empty:
        return None
    medians = rows.groupby("name").agg({"time_us": "median", "bytes": "first", "n": "first"})
    # In some claims `bytes` is a factor, the size of an element, instead of what the copy moves.
    of_copy = medians["bytes"].where(medians["bytes"] > medians["n"], 2 * medians["n"] * medians["bytes"])
    return (medians["time_us"] / of_copy).min()
