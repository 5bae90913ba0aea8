"""Every verdict follows the evidence: contrary evidence changes it, missing evidence is said."""

import pytest

from analysis import block_sums, divergence, launches, noise, padding, work
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict
from tests.analysis.made_up import COUNTS, TIMES, changed, evidence, matching

MODULES = {
    "work": work,
    "divergence": divergence,
    "padding": padding,
    "block_sums": block_sums,
    "noise": noise,
    "launches": launches,
}


def with_counter(rows: list[dict], part: str, quantity: str, value: float) -> list[dict]:
    """The counts with `quantity` set in every case whose name contains all words of `part`."""
    names = matching([row["name"] for row in rows], part)
    return [row | {quantity: value} if row["name"] in names else row for row in rows]


def count(claim: str, part: str, quantity: str, value: float) -> list[dict]:
    return with_counter(COUNTS[claim](), part, quantity, value)


def time(claim: str, **by_part: float) -> dict:
    return changed(TIMES[claim](), **by_part)


# Claim, counts, times (None: as they hold; False: not there), verdict, words of its reason.
EVIDENCE = [
    ("work", None, None, HOLDS, "All 60 counts"),
    ("work", count("work", "sklansky__n:64", "ops", 191), None, FAILS, "191 operations, not 192"),
    ("work", None, time("work", blelloch__plain=300), LIMITS, "not Blelloch in tiles of 512 and 1,024"),
    ("work", None, time("work", blelloch__plain=300), LIMITS, "padded, they are"),
    ("work", None, time("work", blelloch=300), LIMITS, "padded, not Blelloch in tiles of 512 and 1,024"),
    (
        "work",
        None,
        time("work", **{"b__plain__tile:512": 300}),
        LIMITS,
        "Blelloch and Brent-Kung in tiles of 512;",
    ),
    ("work", None, time("work", brent_kung__plain=200.5), LIMITS, "not Brent-Kung in"),
    ("work", None, time("work", warm=5.0), HOLDS, ""),
    ("work", None, False, NOT_MEASURED, "was not timed"),
    ("work", False, None, NOT_MEASURED, "not counted"),
    ("divergence", None, None, HOLDS, "4 of 4"),
    ("divergence", None, time("divergence", brent_kung__contiguous__plain=300), LIMITS, "plain Brent-Kung"),
    ("divergence", count("divergence", "contiguous__padded", "active_warps", 9e9), None, LIMITS, "2 of 4"),
    ("divergence", count("divergence", "contiguous", "active_warps", 9e9), None, FAILS, "no fewer warps"),
    ("divergence", None, time("divergence", contiguous=200.5), FAILS, "faster in no pair"),
    ("divergence", None, False, NOT_MEASURED, "was not timed"),
    ("divergence", False, None, NOT_MEASURED, "not counted"),
    ("padding", None, None, HOLDS, "no bank conflict at any of 6 sizes; it is faster at every size"),
    ("padding", count("padding", "padded/__bytes:4__tile:2048", "bank_conflicts", 35), None, LIMITS, "2,048"),
    (
        "padding",
        count("padding", "padded/__bytes:8", "bank_conflicts", 9),
        None,
        LIMITS,
        "every tile of 8-byte",
    ),
    ("padding", None, time("padding", **{"padded/__tile:512": 300}), LIMITS, "faster at 4 of 6 sizes"),
    ("padding", None, time("padding", **{"padded/": 200.5}), FAILS, "faster at no size"),
    ("padding", count("padding", "padded/", "bank_conflicts", 9), None, FAILS, "at every size"),
    ("padding", None, False, NOT_MEASURED, "was not timed"),
    ("padding", False, None, NOT_MEASURED, "not counted"),
    ("block_sums", None, None, HOLDS, "at most 1.00 times"),
    ("block_sums", None, time("block_sums", **{"spine:host__vector:device": 109}), HOLDS, "1.09"),
    ("block_sums", None, time("block_sums", **{"spine:host__vector:device": 111}), FAILS, "1.11"),
    ("block_sums", None, time("block_sums", **{"spine:host__vector:p": 500}), HOLDS, ""),
    ("block_sums", None, time("block_sums", **{"spine:host__device/cache:cold/n:1024": 500}), HOLDS, ""),
    (
        "block_sums",
        None,
        time("block_sums", **{"spine:host__device/cache:cold/n:2048": 500}),
        LIMITS,
        "from n = 2¹² on",
    ),
    (
        "block_sums",
        None,
        time("block_sums", **{"spine:host__device/cache:cold/n:8192": 500}),
        LIMITS,
        "at n = 2¹¹, 2¹² and 2¹⁴;",
    ),
    ("block_sums", None, False, NOT_MEASURED, "not timed"),
    ("noise", None, None, HOLDS, "50 of 50 pairs of twins overlap; 95% of the pairs differ by at most 0.0%"),
    ("noise", None, time("noise", **{"twin:b": 101}), HOLDS, "50 of 50 pairs of twins overlap; 95% of the"),
    ("noise", None, time("noise", **{"twin:b__cub_device__n:4096": 103}), HOLDS, "48 of 50"),
    (
        "noise",
        None,
        time("noise", **{"twin:b__n:4096": 97}),
        LIMITS,
        "40 of 50 pairs of twins overlap, 30 of 30",
    ),
    (
        "noise",
        None,
        time("noise", **{"twin:b__n:67108864": 103}),
        FAILS,
        "40 of 50 pairs of twins overlap, 20 of",
    ),
    ("noise", None, time("noise", **{"twin:a": 103}), FAILS, "The intervals of 0 of 50"),
    ("noise", count("noise", "blelloch/twin:b__n:4096", "ops", 1), None, FAILS, "Blelloch at n = 2¹²"),
    ("noise", False, None, HOLDS, "50 of 50"),
    ("noise", None, False, NOT_MEASURED, "No twins were timed"),
    ("launches", None, None, HOLDS, "costs 1.0% of a level of 2²⁰ floats; 0.2% of a level of 2²²"),
    ("launches", None, time("launches", **{"kernels:16": 83}), LIMITS, "negligible only for longer vectors"),
    (
        "launches",
        None,
        time("launches", **{"kernels:16__queued:live": 800}),
        LIMITS,
        "only ahead, 1 block or ahead, 1,024 blocks at n = 2²⁰",
    ),
    ("launches", None, time("launches", **{"kernels:16__cold": 800}), FAILS, "of a level of 2²² floats"),
    ("launches", None, time("launches", **{"kernels:16__warm": 800}), HOLDS, ""),
    ("launches", None, time("launches", **{"tree__n:1048576": 10}), LIMITS, "10% of a level of 2²⁰ floats"),
    (
        "launches",
        None,
        time("launches", tree=10),
        FAILS,
        "10% of a level of 2²⁰ floats; 10% of a level of 2²²",
    ),
    ("launches", None, False, NOT_MEASURED, "not timed"),
]


@pytest.mark.parametrize(("claim", "counts", "times", "status", "reason"), EVIDENCE)
def test_the_verdict_follows_the_evidence(claim, counts, times, status, reason, folders):
    counts = COUNTS[claim]() if counts is None else counts or None
    times = TIMES[claim]() if times is None else times or None
    verdict = MODULES[claim].verdict(evidence(folders[0], claim, counts, times))
    assert verdict.status == status, verdict.reason
    assert reason in verdict.reason


@pytest.mark.parametrize("claim", MODULES)
def test_every_claim_can_end_in_every_way(claim):
    expected = {HOLDS, LIMITS, FAILS, NOT_MEASURED}
    assert {status for name, _, _, status, _ in EVIDENCE if name == claim} == expected


def test_no_other_status_is_possible():
    with pytest.raises(ValueError, match="a verdict is one of"):
        Verdict("maybe", "")
