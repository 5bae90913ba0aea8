"""The block scans as the paper measures them: multiples of a copy's time, charges by element, bills."""

from itertools import product

from analysis.core import sweep
from analysis.core.evidence import Results
from analysis.core.files import read_json
from analysis.core.looks import BLOCK_SCANS
from analysis.model.kernels import WAITING

CLAIM, TILE = "shuffle", 1024
MAPS = ("plain", "padded")
TILES = (64, 128, 256, 512, 1024, 2048)
SCANS = {  # in the order of the table: from the most to the fewest operations that run one after another
    "hillis_steele": ("hillis_steele", {}),
    "sklansky": ("sklansky", {}),
    "brent_kung": ("brent_kung", {}),
    "blelloch": ("blelloch", {}),
    "kogge_stone": ("kogge_stone", {}),
    "raking_2": ("raking", {"items": 2}),
    "raking_8": ("raking", {"items": 8}),
}
NAMES = {name: BLOCK_SCANS[look].label for name, (look, _) in SCANS.items()} | {
    "raking_2": "raking, 2 each",
    "raking_8": "raking, 8 each",
}
ISSUE = 4  # warp instructions that a multiprocessor can issue per cycle, one for each of its schedulers
WAVEFRONTS = ("shared_load_wavefronts", "shared_store_wavefronts")


def case(name: str, index: str = "plain", tile: int = TILE) -> dict:
    algorithm, more = SCANS[name]
    return {"algorithm": algorithm, "index": index, "tile": tile, **more}


def copy_of(timed: Results):
    return timed.time(algorithm="device_to_device", cache="cold")


def multiple(timed: Results, **factors) -> float | None:
    """The time of a case as a multiple of that of a copy of the same length."""
    time, copy = timed.time(operation="scan", cache="cold", **factors), copy_of(timed)
    return time.value / copy.value if time and copy else None


def multiples(timed: Results) -> dict[tuple[str, str, int], float | None]:
    """By scan, map and tile."""
    return {key: multiple(timed, **case(*key)) for key in product(SCANS, MAPS, TILES)}


def per_element(results: Results | None, quantity: str, **factors) -> float | None:
    """A count per element, at the longest vector of these cases that has it."""
    if results is None or quantity not in results.rows:
        return None
    rows = results.where(**{"operation": "scan"} | factors)
    rows = rows[rows[quantity].notna()].sort_values("n")
    return None if rows.empty else float(rows.iloc[-1][quantity] / rows.iloc[-1]["n"])


def charge(evidence, **factors) -> dict | None:
    """Cycles per element and multiprocessor: to issue the instructions, and to serve the wavefronts."""
    instructions = per_element(evidence.counters, "warp_instructions", **factors)
    wavefronts = [per_element(evidence.counted, each, **factors) for each in WAVEFRONTS]
    if instructions is None or None in wavefronts:
        return None
    return {"issue": instructions / ISSUE, "banks": sum(wavefronts)}


def cycles_of(timed: Results, microseconds: float) -> float:
    """Of the longest vector, in cycles per element and multiprocessor."""
    machine, n = timed.machine, sweep.longest(timed, algorithm="hillis_steele")
    return microseconds * machine["sm_clock_mhz"] * machine["sm_count"] / n


def bills(evidence) -> list[tuple]:
    """Of each scan of one tile, plain and padded: its charges, and its time in the same cycles."""
    found = []
    for name, index in product(SCANS, MAPS):
        of = case(name, index)
        us = multiple(evidence.timed, **of) * copy_of(evidence.timed).value
        found.append((name, index, charge(evidence, **of), cycles_of(evidence.timed, us)))
    return found


def points(recorded) -> list[dict]:
    """Every block scan that was timed, counted and profiled, by element: operations, the two charges
    that counts alone give; of a copy's time the measured one, the clock's, and for how much of that what is
    busiest is busy."""
    evidence, found = recorded.of(CLAIM), []
    modelled = read_json(recorded.figures / "model.json")["cases"]
    of_clock = {each["case"]: each for each in modelled if each["claim"] == CLAIM}
    for name, tile, index in product(SCANS, TILES, MAPS):
        of = case(name, index, tile)
        time, charged = multiple(evidence.timed, **of), charge(evidence, **of)
        ops = per_element(evidence.counted, "ops", **of)
        if time and charged and ops:
            look, more = SCANS[name]
            factors = more | {"index": index, "tile": tile}
            stem = "/".join(["scan", look, *(f"{key}:{value}" for key, value in factors.items())])
            copy, of_case = copy_of(evidence.timed).value, of_clock[stem]
            busy = max(us for part, us in of_case["parts"].items() if part != WAITING)
            point = {"look": look, "index": index, "ops": ops, "time": time}
            found.append(point | charged | {"clock": of_case["predicted_us"] / copy, "busy": busy / copy})
    return found
