"""Validation that could have failed: what was chosen by agreement is chosen anew on one half, judged on the
other.

The rule for wavefronts: into how many parts a request of 8 or 16 bytes a lane is cut, and when two parts are
served together. The metrics: which hardware counter measures a quantity, by how often it equals the count.
"""

import itertools
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pandas

from analysis.core.evidence import Evidence
from analysis.core.files import read_csv
from analysis.report.agreement.metrics import counts_by_case, study

LANES = 32
PARTS = (32, 16, 8)  # lanes of a part
# When two neighbouring parts that take one pass are served together: the distances at which all pairs of
# active lanes may share their addresses; never, or always.
NEVER, ALWAYS = None, ()
TOGETHER = {
    "never": NEVER,
    "if that takes one pass": ALWAYS,
    "if, besides, pairs at distance 1 share their addresses": (1,),
    "if, besides, pairs at distance 1 or pairs at distance 2 share their addresses": (1, 2),
    "if, besides, pairs at distance 1, 2 or 4 share their addresses": (1, 2, 4),
}


def passes(lanes: Iterable[int], address: list[int], size: int) -> int:
    """The largest number of distinct 4-byte words in one bank."""
    words = {word for lane in lanes for word in range(address[lane] // 4, (address[lane] + size + 3) // 4)}
    return max(Counter(word % 32 for word in words).values(), default=0)


def shared(lanes: list[int], address: list[int], distance: int) -> bool:
    return all(address[each] == address[each ^ distance] for each in lanes if each ^ distance in lanes)


def wavefronts(lanes: list[int], address: list[int], size: int, part: int, distances) -> int:
    """By the rule with these two choices."""
    total = 0
    for begin in range(0, LANES, 2 * part):
        both = [lane for lane in lanes if begin <= lane < begin + 2 * part]
        halves = (
            [lane for lane in both if lane < begin + part],
            [lane for lane in both if lane >= begin + part],
        )
        is_any = distances == ALWAYS or any(shared(both, address, each) for each in distances or ())
        together = distances is not NEVER and is_any and passes(both, address, size) <= 1
        total += sum(passes(each, address, size) for each in ([both] if together else halves))
    return total


def patterns(path: Path) -> list[tuple[int, list[int], list[int], int]]:
    """Size, active lanes, addresses and the GPU's wavefronts of each recorded request."""
    table = read_csv(path, ("bytes", "mask", "lane0", "lane31", "wavefronts"))
    found = []
    for row in table.to_dict("records"):
        lanes = [lane for lane in range(LANES) if row["mask"] >> lane & 1]
        address = [row[f"lane{lane}"] * row["bytes"] for lane in range(LANES)]
        found.append((row["bytes"], lanes, address, row["wavefronts"]))
    return found


def of_rule(path: Path) -> list[dict]:
    """For each size of access: the rule that fits the even patterns best, and its hits on either half."""
    every, found = patterns(path), []
    for size in sorted({each[0] for each in every}):
        own = [each for each in every if each[0] == size]
        fit, held_out = own[::2], own[1::2]
        choices = {choice: hits(*choice, fit) for choice in itertools.product(PARTS, TOGETHER)}
        best = max(choices, key=choices.get)
        as_good = sum(each == choices[best] for each in choices.values())
        rule = {"bytes": size, "part": best[0], "together": best[1], "as_good": as_good}
        rule |= {"fit": len(fit), "fit_equal": choices[best]}
        found.append(rule | {"held_out": len(held_out), "held_out_equal": hits(*best, held_out)})
    return found


def hits(part: int, together: str, some: list) -> int:
    """The requests of which the rule with these choices tells what the GPU measured."""
    distances = TOGETHER[together]
    return sum(wavefronts(lanes, at, size, part, distances) == found for size, lanes, at, found in some)


def of_metrics(path: Path, evidence: list[Evidence]) -> list[dict]:
    """For each quantity: the metric that equals the count in most runs of the even cases, judged on the odd
    ones.

    A case in which a metric differs for a cause that is explained counts as different here.
    """
    table, counts = study(path), counts_by_case(evidence)
    table["count"] = [counts.get(key) for key in zip(table["case"], table["quantity"], strict=True)]
    table = table.dropna(subset=["count", "value"])
    table = table.assign(equal=table["value"] == table["count"])
    return [of_quantity(str(quantity), rows) for quantity, rows in table.groupby("quantity", sort=True)]


def share(rows: pandas.DataFrame) -> pandas.Series:
    """Of the runs, those in which the metric equals the count, by metric."""
    return rows.groupby("metric", sort=False)["equal"].mean()


def of_quantity(quantity: str, rows: pandas.DataFrame) -> dict:
    cases = sorted(set(rows["case"]))
    fit, held_out = (rows[rows["case"].isin(cases[half::2])] for half in (0, 1))
    best = str(share(fit).idxmax())
    return {
        "quantity": quantity,
        "metric": best,
        "is_used": bool(rows[rows["metric"] == best]["chosen"].iloc[0]),
        "fit_equal": round(float(share(fit)[best]), 3),
        "held_out_equal": round(float(share(held_out)[best]), 3),
        "best_when_held_out": bool(share(held_out)[best] >= share(held_out).max()),
    }
