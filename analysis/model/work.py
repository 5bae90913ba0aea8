"""What one launch does, as the SIMT machine counts it: shape, steps between barriers, bytes; per block.

It is made of results/simt/<claim>.launches.csv and .steps.csv, or of a launch in the JSON of build/simt-run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil

import numpy
import pandas

WARP = 32
SECTOR = 32
COUNTED = (
    "warp_instructions",
    "alu_instructions",
    "fp64_instructions",
    "xu_instructions",
    "mio_instructions",
    "shared_load_requests",
    "shared_store_requests",
    "shared_atomic_requests",
    "shared_load_wavefronts",
    "shared_store_wavefronts",
    "shared_atomic_wavefronts",
    "global_load_requests",
    "global_store_requests",
    "global_load_sectors",
    "global_store_sectors",
    "volatile_load_requests",
    "local_load_requests",
    "local_store_requests",
    "atomic_sectors",
    "barriers",
)
LARGEST_GRID = dict.fromkeys(("add_block_sums", "reduce_chunks", "reduce_last_block"), 1024)  # whatever n
LARGEST_GRID["reduce_warp_chunks"] = 2112


@dataclass(frozen=True)
class Limits:
    """Of one multiprocessor. Source: CUDA C++ Programming Guide, technical specifications."""

    blocks: int = 32
    warps: int = 64
    registers: int = 65536
    registers_unit: int = 256  # of a warp, rounded up
    schedulers: int = 4  # each with its part of warps and registers
    shared_bytes: int = 228 << 10
    shared_unit: int = 128
    reserved_bytes: int = 1 << 10  # of shared memory, for every block


LIMITS = {"9.0": Limits()}  # by compute capability


@dataclass(frozen=True, eq=False)
class Work:
    """One launch. counts: by name an array, a number a step, of one block; bytes: of one block, distinct
    sectors only, as if a cache held all that the launch has touched."""

    kernel: str
    blocks: float
    threads: int
    registers: int  # of a thread
    shared_bytes: int
    counts: Mapping[str, numpy.ndarray]
    bytes_read: float
    bytes_written: float

    @property
    def warps(self) -> int:
        return ceil(self.threads / WARP)

    @property
    def requests(self) -> float:
        """To memory in the GPU, of a block."""
        return self.sum("global_load_requests") + self.sum("global_store_requests")

    @property
    def wavefronts(self) -> numpy.ndarray:
        return sum(self.counts[f"shared_{way}_wavefronts"] for way in ("load", "store", "atomic"))

    @property
    def passes(self) -> numpy.ndarray:
        """Of the pipe to memory, barriers apart: wavefronts, and one for every other instruction, also where
        no lane is at work; of a request to global memory one for each 128 bytes."""
        count = self.counts
        requests = sum(count[f"shared_{way}_requests"] for way in ("load", "store", "atomic"))
        others = count["mio_instructions"] - requests - count["barriers"] * self.warps
        wide = (count["global_load_sectors"] + count["global_store_sectors"]) / 4
        wide = wide - count["global_load_requests"] - count["global_store_requests"]
        return self.wavefronts + numpy.maximum(others, 0) + numpy.maximum(wide, 0)

    def sum(self, name: str) -> float:
        """Of one block."""
        return float(self.counts[name].sum())

    def resident(self, limits: Limits) -> int:
        """Blocks that a multiprocessor holds."""
        units = ceil(max(self.registers, 1) * WARP / limits.registers_unit) * limits.registers_unit
        warps = min(limits.warps, limits.registers // limits.schedulers // units * limits.schedulers)
        shared = ceil((self.shared_bytes + limits.reserved_bytes) / limits.shared_unit) * limits.shared_unit
        return min(limits.blocks, warps // self.warps, limits.shared_bytes // shared)

    def longer(self, factor: float, shorter: "Work | None") -> "Work":
        """The same launch for a vector that is longer by this factor: blocks do the same, there are more.
        Only where the kernel bounds its grid do blocks do more: what they do then is a line through this
        launch and one of a shorter vector, by the bytes that a block reads; without that, it is in
        proportion."""
        most = LARGEST_GRID.get(self.kernel.split("<")[0], float("inf"))
        blocks = min(self.blocks * factor, most)
        more = self.blocks * factor / blocks
        if more == 1:
            return replace(self, blocks=blocks)
        counts = {name: each * self.grown(name, more, shorter) for name, each in self.counts.items()}
        written = self.bytes_written * (more if self.bytes_written > SECTOR else 1)
        moved = {"bytes_read": self.bytes_read * more, "bytes_written": written}
        return replace(self, blocks=blocks, counts=counts, **moved)

    def grown(self, name: str, more: float, shorter: "Work | None") -> float:
        """By which factor a count grows if a block reads so much more."""
        own = self.sum(name)
        if not own or shorter is None or not shorter.bytes_read < self.bytes_read:
            return more
        slope = (own - shorter.sum(name)) / (self.bytes_read - shorter.bytes_read)
        return max(1.0, 1 + slope * self.bytes_read * (more - 1) / own)


def work_of(launch: Mapping, steps: pandas.DataFrame) -> Work:
    """launch: a row of <claim>.launches.csv; steps: its rows of <claim>.steps.csv."""
    blocks = int(launch["blocks"])
    counts = {name: steps[name].to_numpy(dtype=float) / blocks for name in COUNTED}
    size = (int(launch[name]) for name in ("threads", "registers", "shared_bytes"))
    moved = (SECTOR * int(launch[f"sectors_{way}"]) / blocks for way in ("read", "written"))
    return Work(str(launch["kernel"]), blocks, *size, counts, *moved)


def are_long(works: list[Work]) -> list[bool]:
    """Whether a launch works on the vector itself: it moves at least a quarter as much as the largest."""
    moved = [each.blocks * (each.bytes_read + each.bytes_written) for each in works]
    return [each * 4 >= max(moved) for each in moved]
