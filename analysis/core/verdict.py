"""A claim's verdict: two questions, one answer each, and the finding.

The rule is the experiment's `fails_if`, whose two sentences begin with "Count:" and "Speed:" and name what
refutes the claim. The count is refuted if that happens in any case. The speed is asked at every place where
the claim can be tried, such as each tile: yes if it follows at all of them, no at none, only where at some.
Times are compared with the noise floor (noise_floor.py).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from analysis.core import words

CONFIRMED, REFUTED, NOT_COUNTED = "confirmed", "refuted", "not counted"
COUNTS = (CONFIRMED, REFUTED, NOT_COUNTED)
YES, NO, ONLY_WHERE, NO_CLAIM, NOT_MEASURED = "yes", "no", "only where", "no claim", "not measured"
SPEEDS = (YES, NO, ONLY_WHERE, NO_CLAIM, NOT_MEASURED)
FEW = 3  # places that a phrase names


@dataclass(frozen=True)
class Verdict:
    """`count`: does the count come out as said? `speed`: does the speed follow? `where`: if only somewhere.

    `finding`: one sentence to take home, with its number.
    """

    count: str
    speed: str
    finding: str
    where: str = ""

    def __post_init__(self):
        for answer, answers in ((self.count, COUNTS), (self.speed, SPEEDS)):
            if answer not in answers:
                raise ValueError(f"an answer is one of {', '.join(answers)}, not '{answer}'")
        if bool(self.where) != (self.speed == ONLY_WHERE):
            raise ValueError(f"a verdict names a place if it is '{ONLY_WHERE}', and only then")


def judge(count: bool | None, speed: Mapping | str, finding: str, where: str = "") -> Verdict:
    """The verdict on whether the count is as said, and on the places at which the speed follows.

    None, of either, and no places at all: there is no evidence. speed: NO_CLAIM if the claim makes none.
    where: the places in words; without it, they are named by their keys.
    """
    counted = NOT_COUNTED if count is None else CONFIRMED if count else REFUTED
    if isinstance(speed, str):
        return Verdict(counted, speed, finding)
    follows = list(speed.values())
    if not follows or None in follows:
        return Verdict(counted, NOT_MEASURED, finding)
    if all(follows) or not any(follows):
        return Verdict(counted, YES if all(follows) else NO, finding)
    return Verdict(counted, ONLY_WHERE, finding, where or places(speed))


def rules_of(fails_if: str) -> dict[str, str]:
    """What refutes the count and what refutes the speed, apart; a rule without them is the count's."""
    count, _, speed = fails_if.removeprefix("Count: ").partition(" Speed: ")
    return {"count": count, "speed": speed}


def speed_in_words(verdict: Mapping[str, str]) -> str:
    """yes; only where: in tiles of 512. Of a verdict as its document holds it."""
    return verdict["speed"] + (f": {verdict['where']}" if verdict["where"] else "")


def places(found: Mapping[object, bool]) -> str:
    """a and b; all but c; or, if there are too many to name, 5 of 9 cases."""
    some = [str(place) for place, follows in found.items() if follows]
    others = [str(place) for place, follows in found.items() if not follows]
    if len(some) <= FEW:
        return words.listing(some)
    if len(others) <= FEW:
        return f"all but {words.listing(others)}"
    return f"{len(some)} of {len(found)} cases"


def lengths_in_words(found: Mapping[int, bool]) -> str:
    """from n = 2¹² on; up to n = 2²⁰; at n = 2¹¹, 2¹² and 2¹⁴."""
    some, every = [n for n in found if found[n]], list(found)
    if len(some) > 1 and some == every[-len(some) :]:
        return f"from n = {words.power(some[0])} on"
    if len(some) > 1 and some == every[: len(some)]:
        return f"up to n = {words.power(some[-1])}"
    if len(some) > 3:
        return f"at {len(some)} of {len(every)} lengths"
    return f"at n = {words.listing([words.power(n) for n in some])}"


def tiles_in_words(found: Mapping[int, bool]) -> str:
    """in tiles of 512 and 1,024; in tiles of 128 to 2,048; in every tile but 512."""
    some, every = [tile for tile in found if found[tile]], list(found)
    if not some or some == every:
        return "in every tile" if some else "in no tile"
    first = every.index(some[0])
    if len(some) > 2 and some == every[first : first + len(some)]:
        return f"in tiles of {some[0]:,} to {some[-1]:,}"
    if len(some) > 2 and len(some) > len(every) / 2:
        others = [tile for tile in every if tile not in some]
        return f"in every tile but {words.listing([f'{tile:,}' for tile in others])}"
    return f"in tiles of {words.listing([f'{tile:,}' for tile in some])}"


def grouped(found: Mapping[tuple, bool], phrase: Callable[[Mapping], str] = tiles_in_words) -> str:
    """plain in tiles of 64; padded in every tile: by the first part of the key; groups without any go."""
    groups: dict[str, dict] = {}
    for (group, level), follows in found.items():
        groups.setdefault(group, {})[level] = follows
    return "; ".join(f"{group} {phrase(of)}" for group, of in groups.items() if any(of.values()))
