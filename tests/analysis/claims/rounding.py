"""Rounding: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis import rounding
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import Found, N, counted_row, with_findings


def all_cases() -> list[str]:
    scans = ("three_phase", "hillis_steele", "look_back/tile:96", "look_back/tile:3840", "cub_device")
    return [f"scan/{scan}/input:{kind}" for scan in scans for kind in rounding.INPUTS]


def errors_of(case: str, scan: float = 2.0, sequential: float = 20.0) -> dict:
    errors = dict.fromkeys(("max_scaled", "max_ulps", "total_scaled", "total_ulps"), scan)
    errors |= {f"sequential_{name}": sequential for name in errors}
    return errors | {"distinct_of_100": 7 if "look_back" in case else 1}


def default_counts() -> list[dict]:
    cases = [case for case in all_cases() if "3840" not in case and "cub" not in case]
    return [counted_row(f"{case}/n:2048", {"launches": 1}, launches=1, **errors_of(case)) for case in cases]


def default_times() -> dict:
    """The sequential sum has ten times the error of any scan; look-back gives seven results."""
    return {
        f"{case}/cache:{cache}/n:{n}": Found(100.0, **errors_of(case))
        for cache in ("cold", "warm")
        for n in (1 << 10, N)
        for case in all_cases()
    }


VERDICTS = [
    (
        None,
        None,
        HOLDS,
        "10.0 (ill-conditioned) times the error of the tree; different results in 100 runs: look-back",
    ),
    (None, with_findings(default_times(), "three_phase__signs", max_scaled=21), LIMITS, "0.952 (alternating"),
    (None, with_findings(default_times(), "n:1024", max_scaled=21), HOLDS, ""),
    (None, with_findings(default_times(), "look_back", max_scaled=21), HOLDS, ""),
    (None, with_findings(default_times(), "scan", distinct_of_100=1), LIMITS, "the same result in 100 runs"),
    (
        None,
        with_findings(default_times(), "cub", distinct_of_100=2),
        HOLDS,
        "and CUB device 2",
    ),
    (None, with_findings(default_times(), "three_phase", max_scaled=20), FAILS, "1.00 (from 0 to 1), 1.00"),
    (False, None, HOLDS, ""),
    (None, False, NOT_MEASURED, "not measured on a GPU"),
]
