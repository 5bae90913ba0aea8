"""Any program's launches, predicted on every GPU whose prices are recorded.

What a launch does is read from the JSON of build/simt-run, what a GPU charges from results/<gpu>/rates.jsonl,
and how far such a prediction is off from figures/model.json.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import prod
from pathlib import Path

import numpy

from analysis.core.files import read_json
from analysis.core.loading import load
from analysis.model import busy, times
from analysis.model.excluded import CACHES, reason
from analysis.model.prices import EXPERIMENT, machine_of, prices_of
from analysis.model.times import IN_WORDS, PARTS, Machine, Prices
from analysis.model.work import COUNTED, SECTOR, Work

from .. import TryError
from ..build import ROOT, architecture
from ..observed import Launch

STOPPED = "it does not run to its end on the SIMT machine"
TENSOR = "it multiplies matrices on tensor cores, which have no price"
FEW = "its blocks fill less than half of the GPU"
TEXTURES = "it uses textures or surfaces, whose units have no price"
FITS = "its data fit in the second-level cache"
CLUSTERS = "its blocks form clusters, for whose shared memory there are no prices"


@dataclass(frozen=True)
class Gpu:
    """What a prediction knows of a GPU."""

    folder: str
    name: str
    prices: Prices
    machine: Machine
    cache_bytes: int  # of the second-level cache
    memory: float = 0.0  # bytes a microsecond at its peak; 0: not known


@dataclass(frozen=True)
class Prediction:
    """us: of the launch alone, cold, its start included. outside: why there is none; then us is 0, and the
    rest is empty. band: 90% of the recorded kernels of this limiter are off by no more. busy: see busy.py;
    empty where the peak of memory is not known."""

    us: float = 0.0
    limiter: str = ""
    then: str = ""  # what would limit it next
    band: float = 0.0
    outside: str = ""
    busy: Mapping[str, float] = field(default_factory=dict)


@cache
def known() -> tuple[list[Gpu], dict[str, dict]]:
    """What this project has recorded."""
    return gpus(ROOT / "results"), bands(ROOT / "figures")


def chosen(folders: Sequence[str]) -> list[Gpu]:
    """Those of these folders of results/; of none, all. They are of sm_90: other code has no prices."""
    if architecture() != 90:
        return []
    names = [gpu.folder for gpu in known()[0]]
    if unknown := [folder for folder in folders if folder not in names]:
        there = ", ".join(names)
        raise TryError(f"--gpu {unknown[0]}: no prices of such a GPU in results/; there are: {there}")
    return [gpu for gpu in known()[0] if not folders or gpu.folder in folders]


def of_launch(launch: Launch, gpu: Gpu, longer: float) -> Prediction:
    """As one with so many times as many blocks."""
    if launch.work.get("cluster_blocks", 1) > 1:
        return Prediction(outside=CLUSTERS)
    if launch.total["texture_instructions"]:
        return Prediction(outside=TEXTURES)
    work = work_in(launch.work).longer(longer, None)
    if launch.total["tensor_instructions"] > 0:
        return Prediction(outside=TENSOR)
    return predicted(work, gpu, known()[1], stopped=not launch.is_whole)


def gpus(results: Path) -> list[Gpu]:
    timed = [each.timed for each in load(results, EXPERIMENT) if each.timed]
    return [
        Gpu(
            each.folder,
            each.machine["name"],
            prices_of(each),
            machine_of(each),
            int(each.machine["l2_bytes"]),
            busy.peak_of_memory(each.machine),
        )
        for each in timed
    ]


def bands(figures: Path) -> dict[str, dict]:
    """How far the model is off, by the charge that prevails; empty without its document."""
    path = figures / "model.json"
    return read_json(path).get("bands", {}) if path.exists() else {}


def work_in(launch: Mapping) -> Work:
    """Of a launch in the JSON of build/simt-run."""
    blocks = prod(launch["grid"])
    steps = launch["steps"] or [{}]
    counts = {
        name: numpy.array([step.get(name, 0) for step in steps], dtype=float) / blocks for name in COUNTED
    }
    moved = (SECTOR * launch[f"sectors_{way}"] / blocks for way in ("read", "written"))
    size = (prod(launch["block"]), launch["registers"], launch["shared_bytes"])
    return Work(launch["kernel"], blocks, *size, counts, *moved)


def predicted(work: Work, gpu: Gpu, errors: Mapping[str, dict], stopped: bool = False) -> Prediction:
    """Cold. Where a cache may decide how many bytes come from memory, the time is between that with the
    fewest and that with the most: the middle is the prediction if they are no further apart than the band.
    errors: bands()."""
    why = STOPPED if stopped else reason(work) or out_of_reach(work, gpu)
    if why not in ("", CACHES, FITS):
        return Prediction(outside=why)
    parts = times.parts_of(work, gpu.prices, gpu.machine)
    order = [PARTS[place] for place in numpy.argsort(-parts)]
    band = errors.get(order[0], errors.get("all", {})).get("most", 0.0)
    ends = bounds(work, gpu)
    least, most = (times.of_work(each, gpu.prices, gpu.machine) for each in ends)
    if most > least * (1 + band):
        return Prediction(outside=why)
    us = (least + most) / 2 + gpu.prices.launch_us
    moved = sum(each.blocks * (each.bytes_read + each.bytes_written) for each in ends) / 2
    share = busy.of_peak(work, moved, us, gpu.machine, gpu.memory) if gpu.memory else {}
    return Prediction(us, IN_WORDS[order[0]], IN_WORDS[order[1]], band, "", share)


def bounds(work: Work, gpu: Gpu) -> tuple[Work, Work]:
    """The launch with the fewest bytes to and from memory: what fits in the cache is read once, and written
    later; and with the most: each request is served by memory, if caches decide."""
    moved = {
        f"bytes_{way}": SECTOR * work.sum(f"global_{kind}_sectors")
        for way, kind in (("read", "load"), ("written", "store"))
    }
    return (
        replace(work, bytes_written=0.0) if out_of_reach(work, gpu) == FITS else work,
        replace(work, **moved) if reason(work) == CACHES else work,
    )


def out_of_reach(work: Work, gpu: Gpu) -> str:
    full = gpu.machine.multiprocessors * work.resident(gpu.machine.limits)
    if 2 * work.blocks < full:
        return FEW
    return FITS if work.blocks * (work.bytes_read + work.bytes_written) < gpu.cache_bytes else ""


def stopped_kernels(content: Mapping) -> set[str]:
    """Those that a fault has ended, as an instruction that the machine does not know."""
    return {each["kernel"] for each in content["findings"] if each["hazard"] == "fault"}
