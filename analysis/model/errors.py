"""How far predicted times are from measured ones."""

import numpy


def errors(predicted: numpy.ndarray, measured: numpy.ndarray) -> dict:
    """Of ratios predicted to measured: mean distance from 1, shares within a distance, the worst; the number
    alone if there are no ratios."""
    ratios = predicted / measured
    away = numpy.abs(ratios - 1)
    if not len(away):
        return {"cases": 0}
    within = {f"within_{percent}": float((away <= percent / 100).mean()) for percent in (10, 15, 20)}
    return {"cases": len(away), "mean": float(away.mean()), **within, "worst": float(ratios[away.argmax()])}
