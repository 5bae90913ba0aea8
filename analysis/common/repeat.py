"""How well a second recording of a GPU agrees with the first.

The second one is in results/<gpu>/repeat/. A case agrees if the second median is at most MARGIN outside the
range of the first recording's samples.
"""

import math
from pathlib import Path

from analysis.common.files import claim_of
from analysis.common.loading import REFERENCE_GPU, read
from analysis.common.recorded import SUFFIX

MARGIN = 0.02


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
