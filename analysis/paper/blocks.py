"""Block scans: what each is counted to do and what it takes, at one tile and over all of them."""

import numpy

from analysis import work
from analysis.common import sweep, words
from analysis.common.evidence import Results
from analysis.model import fitted, kernels
from analysis.model.distinct import distinct
from analysis.paper.block_scans import (
    CLAIM,
    ISSUE,
    NAMES,
    SCANS,
    TILE,
    TILES,
    bills,
    charge,
    copy_of,
    multiple,
    per_element,
    points,
)


def numbers(recorded) -> dict:
    evidence = recorded.of(CLAIM)
    timed = evidence.timed
    ratio = {
        (name, index, tile): multiple(timed, {"algorithm": look, "index": index, "tile": tile, **more})
        for name, (look, more) in SCANS.items()
        for index in ("plain", "padded")
        for tile in TILES
    }
    best = {tile: min((v, k) for k, v in ratio.items() if k[2] == tile and v) for tile in TILES}
    fastest = {tile: f"{NAMES[key[0]]}, {key[1]}" for tile, (_, key) in best.items()}

    def pace(a: tuple, b: tuple) -> str:
        return words.times(words.gains(ratio[a] / ratio[b]))

    return {
        "rows": [row(evidence, name, ratio) for name in SCANS],
        "tile": words.integer(TILE),
        "n": words.power(sweep.longest(timed, algorithm="hillis_steele")),
        "fastest_range": words.span(best[tile][0] for tile in TILES if tile >= 512),
        "trees_at_best": trees_at_best(recorded.of("work").timed),
        "fastest_us": words.rounded(best[TILE][0] * copy_of(timed).value),
        "copy_us": words.rounded(copy_of(timed).value),
        "cub_ratio": f"{multiple(timed, {'algorithm': 'cub_block', 'tile': TILE}):.2f}",
        "fastest_by_tile": [[words.integer(tile), fastest[tile], f"{best[tile][0]:.2f}"] for tile in TILES],
        "hillis_steele": {
            f"plain_{tile}": against_tree(recorded.of("work").timed, "plain", tile) for tile in (1024, 2048)
        },
        "trees_least": f"{least_of_trees(ratio):.2f}",
        "charge_range": charge_range(recorded),
        "ks_over_hs": pace(("kogge_stone", "plain", TILE), ("hillis_steele", "plain", TILE)),
        "ks_over_sklansky": pace(("kogge_stone", "plain", TILE), ("sklansky", "plain", TILE)),
        "sklansky_over_best_tree": pace(("sklansky", "plain", TILE), ("brent_kung", "padded", TILE)),
        "padding_gains_raking": words.rounded(
            ratio["raking_8", "plain", TILE] / ratio["raking_8", "padded", TILE], 2
        ),
        "plateau": plateau(ratio),
        "largest": largest(evidence, ratio),
        "excess": words.span(excess(evidence).values()),
        "excess_at": max(excess(evidence), key=excess(evidence).get),
        "correlation": correlations(recorded),
        "alone": alone(recorded),
    }


def excess(evidence) -> dict[str, float]:
    """By scan and map: the measured time relative to the longer of its two bars."""
    return {
        f"{NAMES[name]}, {index}": time / max(of.values()) for name, _, index, of, time in bills(evidence)
    }


def against_tree(timed: Results, index: str, tile: int) -> str:
    """Hillis-Steele against Blelloch, both with this index map, in this tile."""
    hillis_steele, blelloch = (
        timed.time(algorithm=each, index=index, tile=tile, cache="cold").value
        for each in ("hillis_steele", "blelloch")
    )
    return words.times(words.gains(hillis_steele / blelloch))


def trees_at_best(timed: Results) -> dict[str, str]:
    """The faster tree against Hillis-Steele, each with its better index map, and the tiles."""
    found = work.trees_at_best(timed)
    return {
        "pace": words.times(words.gains(found.values())),
        "tiles": words.span(found, words.integer),
    }


def least_of_trees(ratio: dict) -> float:
    """The least multiple of a copy's time that a tree takes without padding."""
    trees = ("brent_kung", "blelloch")
    return min(value for (name, index, _), value in ratio.items() if name in trees and index == "plain")


def charge_range(recorded) -> dict:
    """By shape: operations an element, and multiples of a copy's time."""
    found = points(recorded)
    shapes = {"trees": ("brent_kung", "blelloch"), "raking": ("raking",)}
    return {
        shape: {
            key: words.span([each[key] for each in found if each["look"] in looks], "{:.1f}".format)
            for key in ("ops", "time")
        }
        for shape, looks in shapes.items()
    }


def plateau(ratio: dict) -> dict:
    """Tiles of 64: how far the scans are apart there."""
    values = [value for (_, _, tile), value in ratio.items() if tile == 64 and value]
    return {"spread": f"{max(values) / min(values) - 1:.1%}", "ratio": f"{max(values):.1f}"}


def largest(evidence, ratio: dict) -> dict:
    """Hillis-Steele where a block has a thread for each element, and where each thread takes two."""
    found = {}
    for tile in (1024, 2048):
        of = {"algorithm": "hillis_steele", "index": "plain", "tile": tile}
        found[str(tile)] = {
            "ratio": f"{ratio['hillis_steele', 'plain', tile]:.2f}",
            "barriers": words.integer(per_element(evidence.counted, "barriers", **of) * tile),
            "instructions": f"{per_element(evidence.counters, 'warp_instructions', **of):.2f}",
        }
    return found


def row(evidence, name: str, ratio: dict) -> list[str]:
    look, more = SCANS[name]

    def count(quantity: str, index: str = "plain") -> str:
        value = per_element(evidence.counted, quantity, algorithm=look, tile=TILE, index=index, **more)
        return words.integer(value * TILE)

    cells = [NAMES[name], count("ops"), count("barriers")]
    for index in ("plain", "padded"):
        of = charge(evidence, algorithm=look, tile=TILE, index=index, **more)
        cells += [words.integer(of["banks"] * TILE), words.integer(of["issue"] * ISSUE * TILE)]
        cells.append(f"{ratio[name, index, TILE]:.2f}")
    return cells


def correlations(recorded) -> dict:
    """Of the logarithms of time with operations, with the larger of issue and banks, and with the largest
    of all charges, over every block scan."""
    found = points(recorded)
    time = numpy.log([each["time"] for each in found])
    ways = {
        "ops": [each["ops"] for each in found],
        "two": [max(each["issue"], each["banks"]) for each in found],
        "charge": [each["charge"] for each in found],
    }
    by = {way: numpy.corrcoef(time, numpy.log(values))[0, 1] for way, values in ways.items()}
    return {"cases": words.integer(len(found))} | {
        way: f"{value:.2f}".replace("-", "−") for way, value in by.items()
    }


def alone(recorded) -> dict:
    """One count alone against the fitted form, over the same kernels, each once: mean errors."""
    found = fitted.alone(distinct(fitted.of_tiles(kernels.recorded(recorded.results))))
    return {name: words.share(each["mean_error"]) for name, each in found.items()}
