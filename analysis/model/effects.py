"""Differences between two kernels that their operations do not explain, and what does, by the model.

An effect, a line of paper/effects.csv, is explained if the two predictions differ in the same direction as
the two times, and by at least half as much (of the logarithm of the ratio). The evidence is then the part of
the time that grows most from one kernel to the other, with the counter behind it; for waits, with what is
waited for. Where the counts do not explain it, but the slower kernel needs more registers and so fewer of its
blocks are resident, that is the likely cause: waits, of which the model does not know all, are hidden less.
Otherwise the effect is open, and the sentence says so.
"""

from math import log
from pathlib import Path

from analysis.core.files import read_csv
from analysis.core.prose import told
from analysis.model.times import IN_WORDS, PARTS
from analysis.model.view import View

EFFECTS = Path(__file__).parents[2] / "paper/effects.csv"
COLUMNS = ("claim", "slower", "faster", "slow_case", "fast_case")
OCCUPANCY, WAITING = "occupancy", "latency"
LEAST = 0.5  # of the logarithm of the ratio of times
COUNTERS = {"issue": ("warp instructions", "instructions"), "banks": ("wavefronts", "wavefronts")}
COUNTERS |= {part: (part, part) for part in ("bytes", "blocks")}


def effects(view: View) -> list[dict]:
    lines = read_csv(EFFECTS, COLUMNS).itertuples(index=False, name=None)
    return [found for line in lines if (found := described(view, *line))]


def described(view: View, claim: str, slower: str, faster: str, *cases: str) -> dict | None:
    """The effect with its sentence; None if a case was not recorded. `cause`: one of PARTS, OCCUPANCY, or ""
    if the effect is open."""
    places = [view.place(claim, case) for case in cases]
    if None in places:
        return None
    slow, fast = kernels = [view.kernels[place] for place in places]
    predicted = float(view.predicted_us[places[0]] / view.predicted_us[places[1]])
    spent = {part: [view.part(part, place) for place in places] for part in PARTS}
    part, said = max(PARTS, key=lambda part: spent[part][0] - spent[part][1]), {"predicted": predicted}
    if log(predicted) / log(slow.us / fast.us) >= LEAST:
        said = {"spent": spent[part]}
        if part == WAITING:
            said |= waits(view, *places)
        else:
            name, of = COUNTERS[part]
            one, other = (getattr(each, of) for each in kernels)
            said |= {"part": IN_WORDS[part], "counted": name, "ratio": one / other if other else None}
    elif slow.resident < fast.resident and slow.registers > fast.registers:
        part = OCCUPANCY
        said = {name: [getattr(each, name) for each in kernels] for name in ("resident", "registers")}
    else:
        part = ""
    sentence = told("effect", us=[each.us for each in kernels], slower=slower, faster=faster, **said)
    return {"claim": claim, "cases": list(cases), "cause": part, "sentence": sentence}


def waits(view: View, slow: int, fast: int) -> dict:
    """What a chain of blocks, each after the one before, waits for; barriers also by their number."""
    both = [view.waits(each) for each in (slow, fast)]
    ratio = {"barriers": view.kernels[slow].steps / view.kernels[fast].steps}
    return ratio | {f"{each}_us": [of[each] for of in both] for each in both[0]}
