"""Block scans: what each is counted to do and what it takes, at one tile and over all of them."""

import numpy

from analysis import work
from analysis.common import sweep, words
from analysis.common.evidence import Results
from analysis.model import fitted, kernels
from analysis.model.distinct import distinct
from analysis.paper import block_drawings, block_scans
from analysis.paper.block_scans import ISSUE, MAPS, NAMES, TILE, TILES, case, charge, copy_of, per_element


def numbers(recorded) -> dict:
    evidence = recorded.of(block_scans.CLAIM)
    timed, over, of_work = evidence.timed, excess(evidence), recorded.of("work").timed
    ratio = block_scans.multiples(timed)
    best = {tile: min((v, k) for k, v in ratio.items() if k[2] == tile and v) for tile in TILES}
    fastest = {tile: f"{NAMES[key[0]]}, {key[1]}" for tile, (_, key) in best.items()}
    flat = [value for (_, _, tile), value in ratio.items() if tile == 64 and value]
    gain = ratio["raking_8", "plain", TILE] / ratio["raking_8", "padded", TILE]
    at_best = work.trees_at_best(of_work)  # the faster tree against Hillis-Steele
    of_trees = [ratio[name, "plain", tile] for name in ("brent_kung", "blelloch") for tile in TILES]

    def pace(a: tuple, b: tuple) -> str:
        return words.times(words.gains(ratio[a] / ratio[b]))

    return {
        "rows": [row(evidence, name, ratio) for name in block_scans.SCANS],
        "tile": words.integer(TILE),
        "n": words.power(sweep.longest(timed, algorithm="hillis_steele")),
        "fastest_range": words.span(best[tile][0] for tile in TILES if tile >= 512),
        "trees_at_best": {
            "pace": words.times(words.gains(at_best.values())),
            "tiles": words.span(at_best, words.integer),
        },
        "fastest_us": words.rounded(best[TILE][0] * copy_of(timed).value),
        "copy_us": words.rounded(copy_of(timed).value),
        "cub_ratio": f"{block_scans.multiple(timed, algorithm='cub_block', tile=TILE):.2f}",
        "fastest_by_tile": [[words.integer(tile), fastest[tile], f"{best[tile][0]:.2f}"] for tile in TILES],
        "hillis_steele": {f"plain_{tile}": against_tree(of_work, tile) for tile in (1024, 2048)},
        "trees_least": f"{min(of_trees):.2f}",
        "charge_range": charge_range(recorded),
        "ks_over_hs": pace(("kogge_stone", "plain", TILE), ("hillis_steele", "plain", TILE)),
        "ks_over_sklansky": pace(("kogge_stone", "plain", TILE), ("sklansky", "plain", TILE)),
        "sklansky_over_best_tree": pace(("sklansky", "plain", TILE), ("brent_kung", "padded", TILE)),
        "padding_gains_raking": words.rounded(gain, 2),
        "plateau": {"spread": f"{max(flat) / min(flat) - 1:.1%}", "ratio": f"{max(flat):.1f}"},
        "largest": largest(evidence, ratio),
        "excess": words.span(over.values()),
        "excess_at": max(over, key=over.get),
        "correlation": correlations(recorded),
        "alone": alone(recorded),
    }


def excess(evidence) -> dict[str, float]:
    """By scan and map: the measured time relative to the longer of its two bars."""
    found = block_scans.bills(evidence)
    return {f"{NAMES[name]}, {index}": time / max(of.values()) for name, index, of, time in found}


def against_tree(timed: Results, tile: int) -> str:
    """Hillis-Steele against Blelloch, both plain, in this tile."""
    both = [case(each, "plain", tile) for each in ("hillis_steele", "blelloch")]
    hillis_steele, blelloch = (timed.time(**each, cache="cold").value for each in both)
    return words.times(words.gains(hillis_steele / blelloch))


def charge_range(recorded) -> dict:
    """By shape: operations an element, and multiples of a copy's time."""
    found = {}
    for shape, looks in {"trees": ("brent_kung", "blelloch"), "raking": ("raking",)}.items():
        own = [each for each in block_scans.points(recorded) if each["look"] in looks]
        ends = {key: [each[key] for each in own] for key in ("ops", "time")}
        found[shape] = {key: words.span(values, "{:.1f}".format) for key, values in ends.items()}
    return found


def largest(evidence, ratio: dict) -> dict:
    """Hillis-Steele where a block has a thread for each element, and where each thread takes two."""
    found = {}
    for tile in (1024, 2048):
        of = case("hillis_steele", "plain", tile)
        found[str(tile)] = {
            "ratio": f"{ratio['hillis_steele', 'plain', tile]:.2f}",
            "barriers": words.integer(per_element(evidence.counted, "barriers", **of) * tile),
            "instructions": f"{per_element(evidence.counters, 'warp_instructions', **of):.2f}",
        }
    return found


def row(evidence, name: str, ratio: dict) -> list[str]:
    counts = [per_element(evidence.counted, of, **case(name)) for of in ("ops", "barriers")]
    cells = [NAMES[name], *(words.integer(count * TILE) for count in counts)]
    for index in MAPS:
        of = charge(evidence, **case(name, index))
        cells += [words.integer(of["banks"] * TILE), words.integer(of["issue"] * ISSUE * TILE)]
        cells.append(f"{ratio[name, index, TILE]:.2f}")
    return cells


def correlations(recorded) -> dict:
    """Of the logarithms of time with operations, with the larger of issue and banks, and with the largest
    of all charges, over every block scan."""
    found = block_scans.points(recorded)
    time = numpy.log([each["time"] for each in found])
    ways = {
        "ops": [each["ops"] for each in found],
        "two": [max(each["issue"], each["banks"]) for each in found],
        "charge": [each["charge"] for each in found],
    }
    by = {way: numpy.corrcoef(time, numpy.log(values))[0, 1] for way, values in ways.items()}
    said = {way: f"{value:.2f}".replace("-", "−") for way, value in by.items()}
    return {"cases": words.integer(len(found))} | said


def alone(recorded) -> dict:
    """One count alone against the fitted form, over the same kernels, each once: mean errors."""
    found = fitted.alone(distinct(fitted.of_tiles(kernels.recorded(recorded.results))))
    return {name: words.share(each["mean_error"]) for name, each in found.items()}


DRAWINGS = block_drawings.DRAWINGS
