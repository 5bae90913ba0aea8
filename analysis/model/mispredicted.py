"""Kernels whose predicted time is off, and why: what their warps wait for, beside those predicted well.

results/<gpu>/stalls.csv (experiments/record/counters.py --stalls) has of each case the share of its warps'
cycles that each reason for waiting takes. A cause is named only if its group shows it: a larger share of the
wait than the kernels predicted well have or, where too long a time is predicted, a largest charge that is
near the time by itself.
"""

from pathlib import Path
from statistics import mean

from analysis.core.files import read_csv
from analysis.core.statistics import rounded
from analysis.model.times import PARTS
from analysis.model.view import View

WITHIN = 0.15
FILE = "stalls.csv"
WAITS = {
    "shared memory": ("short_scoreboard", "mio_throttle"),
    "barriers": ("barrier",),
    "global memory": ("long_scoreboard", "lg_throttle"),
}
TOO_SHORT, TOO_LONG, UNREAD, OPEN = "too short", "too long", "not read", "open"
OVERLAP = "overlap"  # beside WAITS a cause; paper/supplement/model.typ has their sentences

Shares = dict[str, float]


def misses(found: View, folder: Path) -> dict:
    """The kernels beyond WITHIN in groups, and how many are not."""
    waits = waits_of(found, folder / FILE)
    ratios = {place: found.ratio(place) for place in found.sample}
    well = [place for place, ratio in ratios.items() if abs(ratio - 1) <= WITHIN]
    usual = mean_shares([waits[place] for place in well if place in waits])
    far = sorted(set(ratios) - set(well))
    short, long = ([place for place in far if (ratios[place] > 1) is above] for above in (False, True))
    main = {place: max(waits[place], key=waits[place].get) if place in waits else UNREAD for place in short}
    groups = [
        group(TOO_SHORT, chosen, ratios) | waiting(wait, [waits.get(place) for place in chosen], usual)
        for wait in (*WAITS, UNREAD)
        if (chosen := [place for place in short if main[place] == wait])
    ]
    if long:
        groups.append(group(TOO_LONG, long, ratios) | overlapping(found, long))
    return {"within": WITHIN, "predicted_well": len(well), "groups": rounded(groups)}


def waits_of(found: View, path: Path) -> dict[int, Shares]:
    """The shares of WAITS by column: those read of the case, or of another one of the same code."""
    if not path.exists():
        return {}
    by_case = {}
    for row in read_csv(path, ("claim", "case")).to_dict("records"):
        shares = {wait: sum(row[reason] for reason in reasons) for wait, reasons in WAITS.items()}
        by_case[row["claim"], row["case"]] = shares
    own = [by_case.get((each.claim, f"{each.case}/cache:cold/n:{each.n}")) for each in found.kernels]
    of_code = {each.code: shares for each, shares in zip(found.kernels, own, strict=True) if shares}
    known = [shares or of_code.get(each.code) for each, shares in zip(found.kernels, own, strict=True)]
    return {place: shares for place, shares in enumerate(known) if shares}


def mean_shares(shares: list[Shares]) -> Shares:
    return {wait: mean(each[wait] for each in shares) for wait in WAITS} if shares else {}


def group(predicted: str, places: list[int], ratios: dict[int, float]) -> dict:
    span = [ratios[place] for place in places]
    return {"predicted": predicted, "kernels": len(places), "ratios": [min(span), max(span)]}


def waiting(wait: str, shares: list[Shares | None], usual: Shares) -> dict:
    if wait == UNREAD or not usual:
        return {"waits": wait, "cause": OPEN}
    own = mean_shares(shares)[wait]
    cause = wait if own > usual[wait] else OPEN
    return {"waits": wait, "share": round(own, 2), "usual": round(usual[wait], 2), "cause": cause}


def overlapping(found: View, places: list[int]) -> dict:
    """Too long a time: is the largest charge by itself within WITHIN of the measured one?"""
    alone = [max(found.part(part, place) for part in PARTS) / found.kernels[place].us for place in places]
    near = all(abs(each - 1) <= WITHIN for each in alone)
    return {"alone": [min(alone), max(alone)], "cause": OVERLAP if near else OPEN}
