"""Differences between two kernels that their operations do not explain, and what does, by the clock.

An effect, a line of paper/effects.csv, is explained if the two predictions differ in the same direction as
the two times, and by at least half as much (of the logarithm of the ratio). The cause is then what is busy
for longer in the slower kernel, with the counter behind it, if that is at least half of the difference; else
the reason for which its warps wait longer. Otherwise the effect is open, and the sentence says so.
"""

from collections.abc import Iterable
from math import log
from pathlib import Path

from analysis.core.files import read_csv
from analysis.core.prose import told
from analysis.model.clock import BUSY
from analysis.model.kernels import IN_WORDS, WAITING, Kernel

EFFECTS = Path(__file__).parents[2] / "paper/effects.csv"
COLUMNS = ("claim", "slower", "faster", "slow_case", "fast_case")
LEAST = 0.5  # of the logarithm of the ratio of times, and of the difference
COUNTERS = {
    "issue": ("warp instructions", "instructions"),
    "pipe": ("wavefronts", "wavefronts"),
    "bytes": ("bytes", "bytes"),
    "starts": ("blocks", "blocks"),
}
WAITS = {
    "not_selected": "while other warps issue",
    "wait": "for the fixed time between two instructions",
    "long_scoreboard": "for global memory",
    "short_scoreboard": "for shared memory",
    "barrier": "at barriers",
    "mio_throttle": "for a place in the queue of the memory pipe",
    "lg_throttle": "for a place in the queue to global memory",
    "math_pipe_throttle": "for a unit that computes",
    "branch_resolving": "for branches",
    "membar": "at fences",
}


def effects(kernels: Iterable[Kernel]) -> list[dict]:
    known = {(each.claim, each.case): each for each in kernels}
    lines = read_csv(EFFECTS, COLUMNS).itertuples(index=False, name=None)
    return [
        described(claim, slower, faster, *(known[claim, case] for case in cases))
        for claim, slower, faster, *cases in lines
        if all((claim, case) in known for case in cases)
    ]


def described(claim: str, slower: str, faster: str, slow: Kernel, fast: Kernel) -> dict:
    """The effect with its sentence. `cause`: one of PARTS, or "" if the effect is open."""
    predicted = slow.predicted_us / fast.predicted_us
    grown = {name: slow.parts[name] - fast.parts[name] for name in BUSY}
    part, said = max(grown, key=grown.get), {"predicted": predicted}
    if log(predicted) / log(slow.us / fast.us) < LEAST:
        part = ""
    elif grown[part] >= LEAST * (slow.predicted_us - fast.predicted_us):
        name, of = COUNTERS[part]
        said = {"part": IN_WORDS[part], "counted": name, "ratio": slow.count(of) / fast.count(of)}
        said["spent"] = [each.parts[part] for each in (slow, fast)]
    else:
        part = WAITING
        waits = {name: [each.stalls[name] * each.predicted_us for each in (slow, fast)] for name in WAITS}
        reason = max(waits, key=lambda name: waits[name][0] - waits[name][1])
        said = {"waits": WAITS[reason], "spent": waits[reason]}
    sentence = told("effect", us=[slow.us, fast.us], slower=slower, faster=faster, **said)
    return {"claim": claim, "cases": [slow.case, fast.case], "cause": part, "sentence": sentence}
