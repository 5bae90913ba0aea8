"""Differences between two kernels that their operations do not explain, and what does, by the model.

An effect is explained if the two predictions differ in the same direction as the two times, and by at least
half as much (of the logarithm of the ratio). The evidence is then the part of the time that grows most from
one kernel to the other, with the counter behind it; for waits, with what is waited for. Where the counts do
not explain it, but the slower kernel needs more registers and so fewer of its blocks are resident, that is
the likely cause: waits, of which the model does not know all, are hidden less. Otherwise the effect is open,
and the sentence says so.
"""

from dataclasses import dataclass
from math import log

from analysis.common.prose import told
from analysis.model.times import IN_WORDS, PARTS
from analysis.model.view import View

OCCUPANCY, WAITING = "occupancy", "latency"
LEAST = 0.5  # of the logarithm of the ratio of times
COUNTERS = {
    "issue": ("warp instructions", lambda kernel: kernel.instructions),
    "banks": ("wavefronts", lambda kernel: kernel.wavefronts),
    "bytes": ("bytes", lambda kernel: kernel.bytes),
    "blocks": ("blocks", lambda kernel: kernel.blocks),
}
TREES = "threads:{}/index:padded/block:{}/tile:1024"


@dataclass(frozen=True)
class Effect:
    """Of two cases of a claim, in words."""

    claim: str
    slower: str
    faster: str
    slow_case: str
    fast_case: str


EFFECTS = (
    Effect(
        "divergence",
        "the padded tree scan with contiguous threads",
        "with spaced threads",
        "scan/brent_kung/" + TREES.format("contiguous", 1024),
        "scan/brent_kung/" + TREES.format("spaced", 1024),
    ),
    Effect(
        "divergence",
        "the padded tree reduction with contiguous threads",
        "with spaced threads",
        "reduce/tree/" + TREES.format("contiguous", 512),
        "reduce/tree/" + TREES.format("spaced", 512),
    ),
    Effect(
        "padding",
        "the padded scan in tiles of 64",
        "in tiles of 512",
        "scan/blelloch/index:padded/bytes:4/tile:64",
        "scan/blelloch/index:padded/bytes:4/tile:512",
    ),
    Effect(
        "padding",
        "two-level padding in tiles of 1,024",
        "simple padding",
        "scan/blelloch/index:two_level/bytes:4/tile:1024",
        "scan/blelloch/index:padded/bytes:4/tile:1024",
    ),
    Effect(
        "depth",
        "Hillis-Steele in tiles of 1,024",
        "in tiles of 2,048",
        "scan/hillis_steele/index:plain/tile:1024",
        "scan/hillis_steele/index:plain/tile:2048",
    ),
    Effect(
        "single_pass",
        "reduce-then-scan, at 3n,",
        "scan-then-add, at 4n,",
        "scan/reduce_then_scan/type:float",
        "scan/three_phase/type:float/spine:device",
    ),
    Effect(
        "inclusive_exclusive",
        "the inclusive look-back scan",
        "the exclusive one",
        "scan/look_back/form:inclusive/change:built_in",
        "scan/look_back/form:exclusive/change:built_in",
    ),
)


def described(effect: Effect, view: View) -> dict | None:
    """The effect with its numbers and its sentence; None if a case was not recorded. `cause`: one of PARTS,
    OCCUPANCY, or "" if the effect is open."""
    places = [view.place(effect.claim, case) for case in (effect.slow_case, effect.fast_case)]
    if None in places:
        return None
    slow, fast = places
    kernels = view.kernels[slow], view.kernels[fast]
    measured = kernels[0].us / kernels[1].us
    predicted = float(view.best_us[slow] / view.best_us[fast])
    grown = {part: view.part(part, slow) - view.part(part, fast) for part in PARTS}
    part, said = max(grown, key=grown.get), {"predicted": predicted}
    if log(predicted) / log(measured) >= LEAST:
        said = {"part": IN_WORDS[part], "spent": [view.part(part, each) for each in places]}
        if part == WAITING:
            said = {"spent": said["spent"]} | waits(view, slow, fast)
        else:
            name, of = COUNTERS[part]
            said |= {"counted": name, "ratio": of(kernels[0]) / of(kernels[1]) if of(kernels[1]) else None}
    elif kernels[0].resident < kernels[1].resident and kernels[0].registers > kernels[1].registers:
        part = OCCUPANCY
        said = {name: [getattr(each, name) for each in kernels] for name in ("resident", "registers")}
    else:
        part = ""
    us, names = [each.us for each in kernels], {"slower": effect.slower, "faster": effect.faster}
    return {
        "claim": effect.claim,
        "cases": [effect.slow_case, effect.fast_case],
        "measured_ratio": round(measured, 3),
        "predicted_ratio": round(predicted, 3),
        "cause": part,
        "sentence": told("effect", us=us, **names, **said),
    }


def waits(view: View, slow: int, fast: int) -> dict:
    """What a chain of blocks, each after the one before, waits for; barriers also by their number."""
    ratio = view.kernels[slow].steps / view.kernels[fast].steps
    both = [view.waits(each) for each in (slow, fast)]
    return {"barriers": ratio} | {f"{each}_us": [of[each] for of in both] for each in both[0]}
