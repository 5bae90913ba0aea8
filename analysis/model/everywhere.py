"""Predicted from counts made without a GPU, on every GPU whose prices are recorded, and from that GPU's own
counters, over the same kernels; and where the two differ, why."""

from collections import Counter
from pathlib import Path

from analysis.core import words
from analysis.core.evidence import Results
from analysis.core.files import claims_in
from analysis.core.loading import load
from analysis.core.statistics import rounded
from analysis.model import times
from analysis.model.distinct import firsts
from analysis.model.excluded import outside
from analysis.model.kernels import Kernel, by_counters, of_evidence, ratio_of
from analysis.model.prices import machine_of, measured, prices_of
from analysis.model.times import column, errors

GOAL_N = 1 << 26  # elements
DIFFERS = 0.03  # of a count
QUANTITIES = ("instructions", "wavefronts", "bytes")
# Causes, whose sentences are in paper/supplement/model.typ: the counter is of sectors, once for every request
# that touches them; writes that stay in the cache; sectors moved more than once; a vector of FEW blocks.
AGAIN, IN_CACHE, BEYOND, SHORT, OPEN = "again", "in_cache", "beyond", "short", "open"
FEW = 2


def of_gpus(results: Path) -> list[dict]:
    """Of each GPU that has prices; `kernels`: the sample, with its cases, limiters and times."""
    return [found for rates in measured(results) if (found := of_gpu(results, rates))]


def of_gpu(results: Path, rates: Results) -> dict | None:
    prices, machine, pairs = prices_of(rates), machine_of(rates), []
    for claim in claims_in(results):
        for evidence in load(results, claim):
            if evidence.timed and evidence.timed.folder == rates.folder:
                pairs += [(each, by_counters(each, evidence)) for each in of_evidence(evidence)]
    kernels = [kernel for kernel, _ in pairs]
    sample = firsts(kernels, [place for place, each in enumerate(kernels) if not outside(each)])
    if not sample:
        return None
    us = times.predicted(kernels, prices, machine)
    both = [place for place in sample if pairs[place][1]]
    by_gpu = us.copy()
    by_gpu[both] = times.predicted([pairs[place][1] for place in both], prices, machine) if both else []
    long, long_of_both = ([at for at in places if kernels[at].n >= GOAL_N] for places in (sample, both))
    timed, name = column(kernels, "us"), rates.machine["name"]
    ways = {"long": (us, long), "all": (us, sample)}
    ways |= {"by_counters": (by_gpu, both), "by_counters_long": (by_gpu, long_of_both)}
    limiters = times.limiters(times.parts([kernels[place] for place in sample], prices, machine))
    return {
        "folder": rates.folder,
        "name": name,
        "short": name.removeprefix("NVIDIA ").split(" ")[0],
        "longer_in_words": words.integer(max(kernels[at].n / kernels[at].counted_n for at in sample)),
        "errors": rounded({of: errors(found[at], timed[at]) for of, (found, at) in ways.items()}),
        "differences": differences([pairs[place] for place in both]),
        "kernels": {
            "cases": [(kernels[at].claim, f"{kernels[at].case}/n:{kernels[at].n}") for at in sample],
            "limiters": limiters,
            "predicted": us[sample],
            "measured": timed[sample],
        },
    }


def differences(pairs: list[tuple[Kernel, Kernel]]) -> dict:
    """By quantity: in how many kernels machine and counters agree within DIFFERS, and why others do not."""
    found = {}
    for quantity in QUANTITIES:
        ratios = [ratio_of(getattr(one, quantity), getattr(other, quantity)) for one, other in pairs]
        apart = [place for place, ratio in enumerate(ratios) if abs(ratio - 1) > DIFFERS]
        causes = Counter(cause(*pairs[place], quantity, ratios[place]) for place in apart)
        found[quantity] = {"kernels": len(pairs), "within": len(pairs) - len(apart)}
        found[quantity]["ratios"] = rounded([min(ratios), max(ratios)]) if ratios else []
        found[quantity]["causes"] = dict(causes)
    return found


def cause(machine: Kernel, counters: Kernel, quantity: str, ratio: float) -> str:
    if quantity != "bytes":
        return OPEN
    touched = 32 * (machine.sum("global_load_sectors") + machine.sum("global_store_sectors"))
    if abs(ratio_of(counters.bytes, touched) - 1) < 1e-6:
        return AGAIN
    if ratio > 1:
        return IN_CACHE if machine.bytes_written > counters.bytes_written * (1 + DIFFERS) else OPEN
    fewest = min(work.blocks for work in machine.work) * machine.counted_n / machine.n
    return SHORT if fewest <= FEW else BEYOND
