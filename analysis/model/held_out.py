"""The one number that the measured prices leave to choose, the p of the p-norm: chosen on one half of the
kernels, judged on the other.

The halves are those of every other claim; a kernel that several claims time is in that of the first of them
alone. What the five parts consist of is not held out so: it was chosen by hand.
"""

from collections.abc import Sequence

import numpy

from analysis.model.distinct import distinct
from analysis.model.fitted import rounded
from analysis.model.kernels import Kernel
from analysis.model.times import Columns, Machine, Prices, errors, predicted

SHARPNESSES = (2.0, 3.0, 4.0, 5.0, 6.0, 8.0)


def halves(kernels: Sequence[Kernel]) -> tuple[list[Kernel], list[Kernel]]:
    """The kernels of every other claim, by name, each in one half only."""
    claims = sorted({each.claim for each in kernels})
    once = distinct(sorted(kernels, key=lambda each: each.claim))
    first, second = ([each for each in once if each.claim in claims[half::2]] for half in (0, 1))
    return first, second


def choose(kernels: Sequence[Kernel], prices: Prices, machine: Machine) -> dict:
    """The p with the least mean error on the first half, and the errors of both halves with it."""
    first, second = halves(kernels)
    found = {p: error(first, prices, machine, p)["mean"] for p in SHARPNESSES}
    best = min(found, key=found.get)
    return {
        "sharpness": best,
        "chosen_on": claims_of(first),
        "judged_on": claims_of(second),
        "mean_by_sharpness": {f"{p:g}": rounded(mean) for p, mean in found.items()},
        "chosen": rounded(error(first, prices, machine, best)),
        "judged": rounded(error(second, prices, machine, best)),
    }


def claims_of(kernels: Sequence[Kernel]) -> list[str]:
    return sorted({each.claim for each in kernels})


def error(kernels: Sequence[Kernel], prices: Prices, machine: Machine, sharpness: float) -> dict:
    measured = Columns(kernels).us if kernels else numpy.ones(0)
    return errors(predicted(kernels, prices, machine, sharpness), measured)
