"""The form of the model beside others, on kernels that did not choose them.

The halves are those of every other claim, and claims that came later are of the second; a kernel that
several claims time is in that of the first of them alone. The queueing network has no number to choose. The
norm that it replaces has one, its sharpness p, which is chosen on the first half here. The null models know
one thing only. What the charges consist of was found by hand, on all kernels of the first GPU: it is not held
out; the further GPUs, the programs of others and the later claims are where it could fail.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy

from analysis.model import times
from analysis.model.distinct import distinct
from analysis.model.fitted import rounded
from analysis.model.kernels import Kernel
from analysis.model.times import PARTS, Machine, Prices, column, errors

SHARPNESSES = (2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0)
# Claims that came when the form had been chosen.
LATER = {"atomics", "cluster", "counter_of_conflicts", "shuffle_or_shared", "tensor_cores", "two_dimensional"}
LATER |= {"vector_width"}
NETWORK, NORM, LARGEST, THREE = "network", "norm", "largest", "three"
BYTES, OPERATIONS = "bytes", "operations"
OF_THREE = ("issue", "banks", "bytes")

Form = Callable[[Sequence[Kernel], Prices, Machine], numpy.ndarray]


def norm(sharpness: float) -> Form:
    def form(kernels: Sequence[Kernel], prices: Prices, machine: Machine) -> numpy.ndarray:
        found = times.parts(kernels, prices, machine)
        return times.together(found, sharpness) + times.starts(kernels, prices)

    return form


def largest_of_three(kernels: Sequence[Kernel], prices: Prices, machine: Machine) -> numpy.ndarray:
    """Zhang and Owens, HPCA 2011: instruction pipeline, shared memory or global memory, what takes longest;
    here at full rates, however few warps there are."""
    found = times.parts(kernels, prices, machine)
    three = numpy.array([found[PARTS.index(part)] for part in OF_THREE])
    return three.max(axis=0) + times.starts(kernels, prices)


def bytes_alone(kernels: Sequence[Kernel], prices: Prices, machine: Machine) -> numpy.ndarray:
    return times.parts(kernels, prices, machine)[PARTS.index("bytes")] + times.starts(kernels, prices)


def operations_alone(kernels: Sequence[Kernel], prices: Prices, machine: Machine) -> numpy.ndarray:
    """As if every kernel issued its operations and did nothing else but move its bytes; where the machine
    code does not show operations, one an element."""
    return times.predicted([of_operations(each) for each in kernels], prices, machine)


def of_operations(kernel: Kernel) -> Kernel:
    ops = kernel.n if numpy.isnan(kernel.ops) else kernel.ops
    alone = {"warp_instructions": numpy.array([ops / 32 / kernel.blocks])}
    counts = [{name: numpy.zeros(1) for name in each.counts} | alone for each in kernel.work]
    works = (replace(each, counts=own) for each, own in zip(kernel.work, counts, strict=True))
    return replace(kernel, work=tuple(works))


def halves(kernels: Sequence[Kernel]) -> tuple[list[Kernel], list[Kernel]]:
    """The kernels of every other claim, by name, each in one half only: all of a code where its first is.
    Those of later claims are in the second."""
    claims = sorted({each.claim for each in kernels} - LATER)
    half_of = {claim: place % 2 for place, claim in enumerate(claims)}
    once, of_code = distinct(sorted(kernels, key=lambda each: (each.claim in LATER, each.claim))), {}
    for each in once:
        of_code.setdefault(each.code, half_of.get(each.claim, 1))
    first, second = ([each for each in once if of_code[each.code] == half] for half in (0, 1))
    return first, second


def compared(kernels: Sequence[Kernel], prices: Prices, machine: Machine) -> dict:
    """The errors of each form on both halves, and of the norm on the first one by its sharpness."""
    first, second = halves(kernels)
    by_p = {p: error(first, norm(p), prices, machine)["mean"] for p in SHARPNESSES}
    best = min(by_p, key=by_p.get)
    forms = {NETWORK: times.predicted, NORM: norm(best), LARGEST: norm(numpy.inf)}
    forms |= {THREE: largest_of_three, BYTES: bytes_alone, OPERATIONS: operations_alone}
    sides = {"chosen": first, "judged": second}
    return {
        **{f"{side}_on": sorted({each.claim for each in half}) for side, half in sides.items()},
        "sharpness": best,
        "mean_by_sharpness": {f"{p:g}": rounded(mean) for p, mean in by_p.items()},
        "forms": {
            name: {side: rounded(error(half, form, prices, machine)) for side, half in sides.items()}
            for name, form in forms.items()
        },
    }


def error(kernels: Sequence[Kernel], form: Form, prices: Prices, machine: Machine) -> dict:
    return errors(form(kernels, prices, machine), column(kernels, "us")) if kernels else {"cases": 0}
