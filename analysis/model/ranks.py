"""Would the model have ranked a claim's variants as the GPU does? Pairs of kernels that it ranks wrongly."""

from itertools import combinations

from analysis.model.causes import own_kernels
from analysis.model.view import View

APART = 0.05  # times that differ by less have no rank


def of_claims(found: View) -> dict[str, dict]:
    """By claim: pairs whose times differ, those ranked wrongly, and the one of these that differs most."""
    claims = sorted({each.claim for each in found.kernels})
    ranked = {claim: of_claim(found, own_kernels(found, claim)) for claim in claims}
    return {claim: each for claim, each in ranked.items() if each["pairs"]}


def of_claim(found: View, places: list[int]) -> dict:
    pairs, wrong, worst = 0, 0, (1.0, None)
    for one, other in combinations(places, 2):
        slow, fast = sorted((one, other), key=lambda place: -found.kernels[place].us)
        if found.kernels[slow].n != found.kernels[fast].n:
            continue
        measured = found.kernels[slow].us / found.kernels[fast].us
        if measured < 1 + APART:
            continue
        pairs += 1
        if found.best_us[slow] < found.best_us[fast]:
            wrong += 1
            worst = max(worst, (measured, [found.kernels[place].case for place in (slow, fast)]))
    return {"pairs": pairs, "wrong": wrong, "worst": worst[1], "worst_ratio": round(worst[0], 2)}
