"""Five findings for a reader who has a minute, each from the numbers in its claim's document.

A finding holds for any data: where the numbers say otherwise, its title and its sentence do.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from analysis.common import words
from analysis.common.files import read_json
from analysis.overview.predicted import errors

NAME = "findings"
FEW = 3  # lengths that a sentence names


def operations(work: Mapping, model: Mapping) -> tuple[str, str]:
    ops, time = work["ops"], work["time"]
    agree = (ops > 1) == (time > 1)
    said = (
        f"In a plain tile of {work['tile']:,} Hillis-Steele does {words.rounded(ops, 2)} times the "
        f"operations of Blelloch's tree and is {words.pace(time, 'the tree')}."
    )
    if trees := work.get("time_of_trees"):
        said += f" Each with its better index map, the faster tree is {words.pace(trees, 'Hillis-Steele')}."
    title = "Operations predict the time" if agree else "Operations do not predict the time"
    return title, " ".join([said, *errors(model)])


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
            f"{words.pace(cost, 'one level')} there."
        )
    return title, said


def divergence(found: Mapping) -> tuple[str, str]:
    fewer, times = min(found["fewer_warps"]), found["time"]
    halved = found.get("halving", {}).get("time", {})
    slower = [time >= 1 for time in times.values()]
    wins = "win nothing" if all(slower) else "win at times" if any(slower) else "win time"
    title = f"{'Fewer' if fewer > 1 else 'As many'} active warps {wins}"
    if all(slower) and halved and max(halved.values()) < 1:
        title += " by themselves; halving the stride wins"
    many = f"{words.rounded(fewer, 2)} times fewer warps" if fewer > 1 else "no fewer warps"
    said = f"Contiguous threads keep {many} active and are {words.pace(times, 'spaced ones')}"
    worst = max(times, key=times.get)
    conflicts = found["conflicts"].get(worst, 0)
    if times[worst] > 1 and conflicts > 1:
        said += f": in the {worst} they have {words.rounded(conflicts, 2)} times the bank conflicts"
    said += "."
    if half := found.get("half_blocks"):
        gains = words.pace(half.values(), "with spaced ones")
        said += f" They allow a block of half the threads, in which the tree scan is {gains}."
    return title, said + (halving(found["halving"]) if halved else "")


def halving(found: Mapping) -> str:
    """What a stride that halves from step to step, instead of doubling, gains: one sentence."""
    fewer, free = min(found["fewer_warps"], default=0) > 1, found["conflicts"] == 0
    traits = [name for name, has in (("few active warps", fewer), ("no conflicts", free)) if has]
    beside = f", with {words.listing(traits)}," if traits else ""
    return f" A halving stride{beside} is {words.pace(found['time'].values(), 'spaced threads')}."


def fast_scan(scans: Mapping, reductions: Mapping, twins: Mapping, one_pass: Mapping) -> tuple[str, str]:
    shares = {name: each["share"] for name, each in scans["shares"].items()}
    kind = "float" if "float" in shares else max(shares, key=shares.get)
    title = f"A scan runs at {words.share(shares[kind])} of the speed of a copy"
    said = (
        f"That is for {words.power(scans['shares'][kind]['n'])} elements of type {kind}; the longest vectors "
        f"of all types reach {words.extremes(shares, words.share)}."
    )
    found = {"the scan": scans.get("cub"), "the reduction": reductions.get("cub")}
    cub = {name: each for name, each in found.items() if each}
    said += look_back(one_pass.get("shares", {}), min(shares.values()))
    return title, f"{said} {against(cub, twins.get('floors', {}))}" if cub else said


def look_back(shares: Mapping[str, Mapping[str, float]], fast: float) -> str:
    """That one pass alone is not enough, if look-back, ours and CUB's, is slower than the fast scan."""
    found = [share for of_kind in shares.values() for share in of_kind.values()]
    if not found or max(found) >= fast:
        return ""
    return (
        f" Look-back, which is one pass too, reaches {words.span(found, words.share)}, ours and CUB's "
        "(`single_pass`)."
    )


def against(cub: Mapping[str, Mapping], floors: Mapping[str, float]) -> str:
    """Wins and losses: ratios of times over all cases, and the cases that are lost by more than the noise.

    floors: how far two measurements of one kernel differ, by length.
    """
    ranges = [
        f"{name} takes {1 / each['most']['ratio']:.2f} to {1 / each['least']['ratio']:.2f} of the time "
        f"({words.integer(each['cases'])} cases)"
        for name, each in cub.items()
    ]
    lost = sum(each["losses"] for each in cub.values())
    where = sorted({n for each in cub.values() for n in each["lost_at"]})
    said = f"Against the faster of two versions of CUB, {words.listing(ranges)}"
    if not lost:
        noise = words.span((floor - 1 for floor in floors.values()), "{:.1%}".format) if floors else ""
        return f"{said}; no loss exceeds the noise{noise and f', which is {noise} by length'}."
    at = words.listing([words.power(n) for n in where]) if len(where) <= FEW else f"{len(where)} lengths"
    return f"{said}; {words.plural(lost, 'loss', 'losses')} exceed the noise, at n = {at}."


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
    said = (
        f"The worst prefix of a sequential sum has {ends} times the error of a tree's, relative to the sum "
        "of its magnitudes, depending on the input."
    )
    if not several:
        return title, f"{said} Every scan gives the same bits in {found['runs']} runs."
    same = [name for name in distinct if name not in several]
    most = f"up to {max(distinct.values())} different results"
    said += f" In {found['runs']} runs {words.listing(several)} give {most}"
    return title, f"{said}; {words.listing(same)} always give the same one." if same else f"{said}."


FINDINGS: Sequence[tuple[Callable, tuple[str, ...]]] = (
    (operations, ("work", "model")),
    (padding, ("padding",)),
    (divergence, ("divergence",)),
    (fast_scan, ("copy_speed", "read_speed", "noise", "single_pass")),
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


def numbers_of(path: Path) -> dict:
    """Those that a claim's document keeps for others; the model's document is made of them."""
    document = read_json(path) if path.exists() else {}
    return document.get("numbers", document)
