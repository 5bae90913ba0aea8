"""Rounding: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO_CLAIM, NOT_COUNTED, REFUTED
from analysis.test.made_up import Found, N, counted_row, with_findings
from experiments.device.rounding import analysis as rounding


def all_cases() -> list[str]:
    scans = ("three_phase", "hillis_steele", "ring", "look_back/tile:96", "look_back/tile:3840", "cub_device")
    return [f"scan/{scan}/input:{kind}" for scan in scans for kind in rounding.INPUTS]


def errors_of(case: str, scan: float = 2.0, sequential: float = 20.0) -> dict:
    errors = dict.fromkeys(("max_scaled", "max_ulps", "total_scaled", "total_ulps"), scan)
    errors |= {f"sequential_{name}": sequential for name in errors}
    return errors | {"distinct_of_100": 7 if "look_back" in case else 1}


def default_counts() -> list[dict]:
    cases = [case for case in all_cases() if not any(each in case for each in ("3840", "cub", "ring"))]
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
    (None, None, (CONFIRMED, NO_CLAIM), "at least 10.0 times the error of a tree"),
    (None, None, (CONFIRMED, NO_CLAIM), "100 runs of look-back give up to 7 different results"),
    (
        None,
        with_findings(default_times(), "three_phase__signs", max_scaled=21),
        (REFUTED, NO_CLAIM),
        "0.952 times the error of a tree (alternating",
    ),
    (None, with_findings(default_times(), "n:1024", max_scaled=21), (CONFIRMED, NO_CLAIM), ""),
    (None, with_findings(default_times(), "look_back", max_scaled=21), (CONFIRMED, NO_CLAIM), ""),
    (None, with_findings(default_times(), "scan", distinct_of_100=1), (REFUTED, NO_CLAIM), "the same result"),
    (None, with_findings(default_times(), "cub", distinct_of_100=2), (CONFIRMED, NO_CLAIM), "and CUB device"),
    (None, with_findings(default_times(), "three_phase", max_scaled=20), (REFUTED, NO_CLAIM), "1.00 times"),
    (False, None, (CONFIRMED, NO_CLAIM), ""),
    (None, False, (NOT_COUNTED, NO_CLAIM), "not measured on a GPU"),
]
