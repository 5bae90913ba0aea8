"""Kernels whose predicted time is off, by what their warps wait for most: on the GPU, and by the clock.

results/<gpu>/stalls.csv (experiments/record/counters.py --stalls) has of each case the share of its warps'
cycles that each reason for waiting takes.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean

from analysis.core.files import read_csv
from analysis.core.statistics import rounded
from analysis.model.clock import PROFILED
from analysis.model.kernels import Kernel

WITHIN = 0.15
WAITS = {
    "shared memory": ("short_scoreboard", "mio_throttle"),
    "barriers": ("barrier",),
    "global memory": ("long_scoreboard", "lg_throttle"),
}
UNREAD = "not read"


def misses(sample: Sequence[Kernel], folder: Path) -> dict:
    """The kernels beyond WITHIN in groups, and how many are not."""
    far = [each for each in sample if abs(each.ratio - 1) > WITHIN]
    measured = profiled(folder / PROFILED)
    groups = []
    for said, own in (
        ("too short", [each for each in far if each.ratio < 1]),
        ("too long", [each for each in far if each.ratio > 1]),
    ):
        shares = {each: measured.get((each.claim, each.name)) for each in own}
        for wait in (*WAITS, UNREAD):
            chosen = [each for each, of in shares.items() if (max(of, key=of.get) if of else UNREAD) == wait]
            if chosen:
                groups.append({"predicted": said, "waits": wait} | group(wait, chosen, shares))
    return {"within": WITHIN, "predicted_well": len(sample) - len(far), "groups": rounded(groups)}


def profiled(path: Path) -> dict[tuple[str, str], dict[str, float]]:
    """The shares of WAITS, by claim and case as it is recorded."""
    rows = read_csv(path, ("claim", "case")).to_dict("records") if path.exists() else []
    return {(row["claim"], row["case"]): waits_of(row) for row in rows}


def waits_of(shares: dict) -> dict[str, float]:
    return {wait: sum(shares.get(reason, 0) for reason in reasons) for wait, reasons in WAITS.items()}


def group(wait: str, kernels: Iterable[Kernel], shares: dict) -> dict:
    """measured, predicted: the mean share of the wait."""
    ratios = [each.ratio for each in kernels]
    found = {"kernels": len(ratios), "ratios": [min(ratios), max(ratios)]}
    if wait == UNREAD:
        return found
    measured = mean(shares[each][wait] for each in kernels)
    return found | {"measured": measured, "by_clock": mean(waits_of(each.stalls)[wait] for each in kernels)}
