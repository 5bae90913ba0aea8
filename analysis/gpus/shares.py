"""The scan's share of the copy on two GPUs, at the lengths that both have timed."""

from analysis.common import sweep, words
from analysis.common.evidence import Results
from analysis.common.tables import Table
from analysis.copy_speed import COPY, TYPES, curve

CLAIM, KIND = "copy_speed", "int32"
LENGTHS = tuple(1 << log for log in (16, 20, 22, 24, 26, 28, 30))


def share(timed: Results, kind: str) -> sweep.Numbers:
    """Time of a copy relative to our scan, cold, by length."""
    return sweep.ratios(curve(timed, COPY, kind), curve(timed, "ours", kind))


def of_both(one: Results, other: Results, kind: str) -> dict[int, tuple[float, float]]:
    first, further = share(one, kind), share(other, kind)
    return {n: (first[n], further[n]) for n in sorted(first) if n in further}


def numbers(one: Results, other: Results) -> dict:
    """Of int32 by length, and of every type at the longest length that both have timed."""
    found = {kind: both for kind in TYPES if (both := of_both(one, other, kind))}
    longest = {kind: {"n": max(both), "shares": list(both[max(both)])} for kind, both in found.items()}
    return {"by_length": {str(n): list(both) for n, both in found.get(KIND, {}).items()}, "longest": longest}


def table(found: dict, names: tuple[str, str]) -> Table | None:
    by_length = {int(n): both for n, both in found["by_length"].items()}
    rows = [[KIND, words.power(n), *map("{:.3f}".format, by_length[n])] for n in LENGTHS if n in by_length]
    rows += [
        [TYPES[kind][1], words.power(each["n"]), *map("{:.3f}".format, each["shares"])]
        for kind, each in found["longest"].items()
        if kind != KIND
    ]
    caption = (
        "Speed of our scan relative to a copy, cold, calls queued ahead: ints by length, then each type at "
        "the longest vector that both GPUs have timed."
    )
    return Table(caption, ["type", "elements", *names], rows) if rows else None
