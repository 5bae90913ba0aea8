"""Everything that the report prints about a claim on one GPU, as figures/<claim>.json holds it."""

from collections.abc import Callable
from dataclasses import asdict, replace
from types import ModuleType
from typing import NamedTuple

from matplotlib.figure import Figure

from analysis.core import plotting
from analysis.core.agreement import cells, forms, tally
from analysis.core.evidence import Evidence, Results
from analysis.core.noise_floor import Floor
from analysis.core.sweep import COUNTERS, Table
from analysis.core.verdict import NO_CLAIM, NOT_MEASURED, Verdict, speed_in_words

# The page lets its reader move the noise threshold; the analysis itself uses the measured noise floor.
MEASURED = "measured"
PERCENT = (0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100)
THRESHOLDS = (MEASURED, *PERCENT)  # the first is the default
OTHER_CACHE = {"cold": "warm", "warm": "cold"}


class Drawing(NamedTuple):
    """A further figure of a claim, written to figures/<claim>.<name>.svg."""

    name: str
    figure: Figure
    caption: str


def document(module: ModuleType, evidence: Evidence, drawings: list[Drawing], limits: list[str]) -> dict:
    """All that the report prints about a claim on one GPU. limits: what the model says of its cause."""

    def part(name: str, otherwise):
        return getattr(module, name, lambda _: otherwise)(evidence)

    def sentences(name: str) -> list[str]:
        found = part(name, [])
        return [each for each in ([found] if isinstance(found, str) else found) if each]

    return {
        "claim": evidence.claim,
        "machines": {name: about(getattr(evidence, name)) for name in ("counted", "timed", "counters")},
        "stale_counters": evidence.stale_counters,
        "agreement": agreement(evidence),
        "verdict": asdict(module.verdict(evidence)),
        "thresholds": by_threshold(module.verdict, evidence),
        "cause": sentences("cause") + limits,
        "figures": [
            {"name": name, "caption": caption, "wide": bool(figure.get_figwidth() > plotting.NARROW)}
            for name, figure, caption in drawings
        ],
        "tables": [marked(table, evidence) for table in part("tables", [])],
        "text": sentences("text"),
        "numbers": part("numbers", {}),
    }


def marked(table: Table, evidence: Evidence) -> dict:
    """The table; if it shows counters of other kernels than those timed, its caption says so."""
    stale = table.source == COUNTERS and evidence.stale_counters
    note = " Counters: of other kernels than the times." if stale else ""
    return asdict(table) | {"caption": table.caption + note}


def about(results: Results | None) -> dict | None:
    if results is None:
        return None
    return {
        "file": f"{results.folder}/{results.path.name}",
        "machine": results.machine,
        "provenance": results.provenance,
        "cases": int(results.rows["name"].nunique()),
        "repetitions": len(results.rows),
        "skipped": results.skipped,
        "samples": samples(results),
    }


def samples(results: Results) -> dict | None:
    """Samples discarded for a slow clock, and the range of clocks in MHz, if recorded."""
    rows = results.rows
    if not {"throttled", "sm_clock_mhz"} <= set(rows) or rows["sm_clock_mhz"].isna().all():
        return None
    clocks, slow = rows["sm_clock_mhz"], rows.get("throttled_kept")
    counts = {"kept": clocks.count(), "discarded": rows["throttled"].sum()}
    counts["kept_slow"] = 0 if slow is None else slow.sum()
    ends = [float(clocks.min()), float(clocks.max())]
    return {name: int(count) for name, count in counts.items()} | {"clock_mhz": ends}


def agreement(evidence: Evidence) -> dict:
    """The closed forms compared, those that equal the count, those that differ for a proven cause, and the
    tally of hardware counters."""
    counted, counters = evidence.counted, evidence.counters
    found = tally(forms(counted)) if counted else {}
    names = {"stated": "cells", "equal": "equal", "explained": "explained"}
    hardware = tally(cells(counted, counters)) if counted and counters else None
    return {name: found.get(of, 0) for name, of in names.items()} | {"hardware": hardware}


def by_threshold(verdict: Callable[[Evidence], Verdict], evidence: Evidence) -> dict:
    """The verdicts at each of THRESHOLDS, for cold times and, where cases were timed in both states, for warm
    ones in their place: {"cold": ["no", "only where: ..", ..], "warm": [..] or None}. Empty without a verdict
    on speed."""
    if verdict(evidence).speed in (NO_CLAIM, NOT_MEASURED):
        return {}
    warm = exchanged(evidence.timed)

    def answers(timed: Results) -> list[str]:
        found = [with_threshold(replace(evidence, timed=timed), each) for each in THRESHOLDS]
        return [speed_in_words(asdict(verdict(each))) for each in found]

    return {"cold": answers(evidence.timed), "warm": warm and answers(warm)}


def with_threshold(evidence: Evidence, threshold: str | int) -> Evidence:
    """The same for all lengths, in percent, in place of the measured floor."""
    if threshold == MEASURED:
        return evidence
    return replace(evidence, floor=Floor({1: 1 + threshold / 100}))


def exchanged(timed: Results) -> Results | None:
    """The times with cold and warm exchanged; None if not both were timed."""
    if "cache" not in timed.rows or not set(OTHER_CACHE) <= set(timed.rows["cache"].dropna()):
        return None
    return replace(timed, rows=timed.rows.assign(cache=timed.rows["cache"].replace(OTHER_CACHE)))
