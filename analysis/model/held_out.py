"""The one choice that the unfitted model leaves, the p of its p-norm: made on one half of the claims,
judged on the other."""

from collections.abc import Sequence

import numpy

from analysis.model.fitted import rounded
from analysis.model.kernels import Kernel
from analysis.model.times import Columns, Machine, Prices, errors, predicted

SHARPNESSES = (2.0, 3.0, 4.0, 5.0, 6.0, 8.0)


def halves(kernels: Sequence[Kernel]) -> tuple[list[str], list[str]]:
    """Every other claim, by name."""
    claims = sorted({each.claim for each in kernels})
    return claims[::2], claims[1::2]


def choose(kernels: Sequence[Kernel], prices: Prices, machine: Machine) -> dict:
    """The p with the least mean error on the first half of the claims, and the errors of both halves with
    it."""
    first, second = halves(kernels)
    found = {p: error(kernels, first, prices, machine, p)["mean"] for p in SHARPNESSES}
    best = min(found, key=found.get)
    return {
        "sharpness": best,
        "chosen_on": first,
        "judged_on": second,
        "mean_by_sharpness": {f"{p:g}": rounded(mean) for p, mean in found.items()},
        "chosen": rounded(error(kernels, first, prices, machine, best)),
        "judged": rounded(error(kernels, second, prices, machine, best)),
    }


def error(
    kernels: Sequence[Kernel], claims: Sequence[str], prices: Prices, machine: Machine, sharpness: float
) -> dict:
    some = [each for each in kernels if each.claim in claims]
    measured = Columns(some).us if some else numpy.ones(0)
    return errors(predicted(some, prices, machine, sharpness), measured)
