"""How far the model is off on kernels of a kind: by the charge that prevails. What scripts/try prints beside
a prediction."""

import numpy

from analysis.model.fitted import rounded
from analysis.model.times import PARTS
from analysis.model.view import View

MOST = 0.9  # of the kernels lie within the band
FEWEST = 8  # kernels for a band of their own; else it is that of all


def of(found: View) -> dict[str, dict]:
    """By the charge, and of all: kernels, their mean error, and the error that MOST do not exceed."""
    by_part = {part: [place for place in found.sample if found.limiters[place] == part] for part in PARTS}
    every = band(found, found.sample)
    bands = {part: band(found, places) for part, places in by_part.items() if len(places) >= FEWEST}
    return {"all": every} | bands


def band(found: View, places: list[int]) -> dict:
    away = numpy.abs([found.best_us[place] / found.kernels[place].us - 1 for place in places])
    return rounded(
        {"kernels": len(places), "mean": float(away.mean()), "most": float(numpy.quantile(away, MOST))}
    )
