"""Five findings for a reader who has a minute, each from the numbers in its claim's document.

A finding holds for any data: where the numbers say otherwise, its title and its sentence do.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from analysis.common import words
from analysis.common.evidence import read_json

NAME = "findings"
FEW = 3  # lengths that a sentence names


def operations(work: Mapping, model: Mapping) -> tuple[str, str]:
    ops, time = work["ops"], work["time"]
    agree = (ops > 1) == (time > 1)
    said = (
        f"In a tile of {work['tile']:,} Hillis-Steele does {words.rounded(ops, 2)} times the operations of "
        f"Blelloch's tree and is {words.pace(time, 'the tree')}."
    )
    title = "Operations predict the time" if agree else "Operations do not predict the time"
    return title, " ".join([said, *errors(model)])


def errors(model: Mapping) -> list[str]:
    """What predicts the time instead, from figures/model.json where that is there."""
    if not {"cases", "mean_error", "operations_error"} <= set(model):
        return []
    return [
        f"Over {words.integer(model['cases'])} kernels, operations alone miss it by "
        f"{words.share(model['operations_error'])} on average; the largest of five measured costs "
        "(instructions, shared-memory wavefronts, bytes, barriers, starting blocks) misses it by "
        f"{words.share(model['mean_error'])}."
    ]


def padding(found: Mapping) -> tuple[str, str]:
    left, sizes, gain = found["conflicts_at"], found["sizes"], found["padded_over_plain"]
    title = f"Padding by i + i/32 {'does not remove' if left else 'removes'} all bank conflicts"
    said = f"It leaves no conflict at any of {sizes} sizes"
    if left:
        said = f"It leaves conflicts at {left} of {sizes} sizes ({found['where']})"
    said += f", and is {words.pace(gain, 'no padding')}." if gain else "."
    if cost := found["second_level_over_padded"]:
        said += (
            f" A second level, i/1024, removes the last conflicts of {found['second_level_where']} and is "
            f"{words.pace(cost, 'one level')}."
        )
    return title, said


def divergence(found: Mapping) -> tuple[str, str]:
    fewer, times = min(found["fewer_warps"]), found["time"]
    slower = [time >= 1 for time in times.values()]
    wins = "win nothing" if all(slower) else "win at times" if any(slower) else "win time"
    title = f"{'Fewer' if fewer > 1 else 'As many'} active warps {wins}"
    many = f"{words.rounded(fewer, 2)} times fewer warps" if fewer > 1 else "no fewer warps"
    said = f"Contiguous threads keep {many} active and are {words.pace(times, 'spaced ones')}"
    worst = max(times, key=times.get)
    conflicts = found["conflicts"].get(worst, 0)
    if times[worst] > 1 and conflicts > 1:
        said += f": in the {worst} they have {words.rounded(conflicts, 2)} times the bank conflicts"
    return title, f"{said}."


def fast_scan(scans: Mapping, reductions: Mapping) -> tuple[str, str]:
    shares = {name: each["share"] for name, each in scans["shares"].items()}
    kind = "float" if "float" in shares else max(shares, key=shares.get)
    title = f"A scan runs at {words.share(shares[kind])} of the speed of a copy"
    said = (
        f"That is for {words.power(scans['shares'][kind]['n'])} elements of type {kind}; the longest vectors "
        f"of all types reach {words.extremes(shares, words.share)}."
    )
    return title, " ".join([said, *against("the scan", scans), *against("the reduction", reductions)])


def against(name: str, numbers: Mapping) -> list[str]:
    """One sentence on wins and losses."""
    cub = numbers.get("cub")
    if not cub:
        return []
    ends = [1 / cub["most"]["ratio"], 1 / cub["least"]["ratio"]]
    said = f"In {words.integer(cub['cases'])} cases {name} is {words.pace(ends, 'the faster of two CUBs')}"
    if not cub["losses"]:
        return [f"{said}, never slower by more than the noise."]
    where = [words.power(n) for n in cub["lost_at"]]
    places = f"{words.listing(where)} elements" if len(where) <= FEW else f"{len(where)} lengths"
    return [f"{said}; it loses by more than the noise in {words.integer(cub['losses'])}, at {places}."]


def rounding(found: Mapping) -> tuple[str, str]:
    gains, distinct = found["gains"], {}
    for scan, count in found["distinct"].items():
        name = scan.split(" (tiles")[0]
        distinct[name] = max(count, distinct.get(name, 0))
    least = min(gains, key=gains.get)
    several = [name for name, count in distinct.items() if count > 1]
    accurate = "is more accurate" if gains[least] > 1 else "is not always more accurate"
    title = f"A parallel sum of floats {accurate}, and {'need not repeat' if several else 'repeats'}"
    ends = f"{words.rounded(gains[least], 2)} to {words.rounded(max(gains.values()), 2)}"
    said = f"A sequential sum has {ends} times the error of a tree, by input."
    if not several:
        return title, f"{said} Every scan gives the same bits in {found['runs']} runs."
    same = [name for name in distinct if name not in several]
    said += f" {found['runs']} runs of {words.listing(several)} give up to {max(distinct.values())} results"
    return title, f"{said}, those of {words.listing(same)} one." if same else f"{said}."


FINDINGS: Sequence[tuple[Callable, tuple[str, ...]]] = (
    (operations, ("work", "model")),
    (padding, ("padding",)),
    (divergence, ("divergence",)),
    (fast_scan, ("copy_speed", "read_speed")),
    (rounding, ("rounding",)),
)


def found_in(figures: Path) -> list[dict]:
    """Title, sentence and claim of each finding that there are numbers for."""
    made = []
    for finding, claims in FINDINGS:
        numbers = [numbers_of(figures / f"{claim}.json") for claim in claims]
        try:
            title, sentence = finding(*numbers)
        except (KeyError, ValueError):  # a number is lacking: it was not counted or not timed
            continue
        made.append({"title": title, "sentence": sentence, "claim": claims[0]})
    return made


def numbers_of(document: Path) -> dict:
    return read_json(document).get("numbers", {}) if document.exists() else {}
