"""How many blocks of a kernel a multiprocessor holds at once.

Threads and elements of a block are template arguments, by which the SIMT machine's table of steps names every
launch. Registers and shared memory are those of the machine code, results/<gpu>/resources.csv, which
scripts/resources.py reads from the compiled kernels.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, prod
from pathlib import Path

from analysis.common.errors import EvidenceError
from analysis.common.files import read_csv

COLUMNS = ("kernel", "registers", "shared_bytes")
WARP = 32

# Which template arguments are the elements of a block, as a product, and which its threads.
ARGUMENTS = {
    "scan_tiles": ((1,), 2),
    "reduce_tiles": ((1,), 2),
    "scan_tiles_in_form": ((2,), 3),
    "scan_with_prefixes": ((2,), 3),
    "add_prefixes": ((0,), 1),
    "scan_look_back": ((1, 2), 2),
    "reduce_items": ((0, 2), 2),
}


@dataclass(frozen=True)
class Limits:
    """Of one multiprocessor. Source: CUDA C++ Programming Guide, technical specifications."""

    blocks: int = 32
    warps: int = 64
    registers: int = 65536
    registers_unit: int = 256  # of a warp, rounded up
    shared_bytes: int = 228 << 10
    shared_unit: int = 128
    reserved_bytes: int = 1 << 10  # of shared memory, for every block


LIMITS = {"9.0": Limits()}  # by compute capability


@dataclass(frozen=True)
class Shape:
    """Of one block."""

    elements: int
    threads: int
    registers: int
    shared_bytes: int

    def resident(self, limits: Limits) -> int:
        """Blocks that a multiprocessor holds."""
        warps = ceil(self.threads / WARP)
        registers = ceil(self.registers * WARP / limits.registers_unit) * limits.registers_unit * warps
        units = ceil((self.shared_bytes + limits.reserved_bytes) / limits.shared_unit)
        return min(
            limits.blocks,
            limits.warps // warps,
            limits.registers // registers,
            limits.shared_bytes // (units * limits.shared_unit),
        )


def without_counting(kernel: str) -> str:
    """The kernel's name on a GPU: simt::Counted<Sum<float> > is Sum<float> there; without spaces."""
    while (counted := kernel.find("simt::Counted<")) >= 0:
        begin = end = counted + len("simt::Counted<")
        depth = 1
        while depth:
            depth += {"<": 1, ">": -1}.get(kernel[end], 0)
            end += 1
        kernel = kernel[:counted] + kernel[begin : end - 1].strip() + kernel[end:]
    return kernel.replace(" ", "")


def arguments(kernel: str) -> list[str]:
    """The template arguments."""
    inner = kernel[kernel.find("<") + 1 : kernel.rfind(">")]
    found, depth = [""], 0
    for letter in inner:
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [each.strip() for each in found]


def resources(path: Path) -> dict[str, tuple[int, int]]:
    """Registers of a thread and static bytes of shared memory of a block, by kernel; empty without the
    file."""
    if not path.exists():
        return {}
    table = read_csv(path, COLUMNS)
    return {row.kernel: (int(row.registers), int(row.shared_bytes)) for row in table.itertuples()}


def is_modelled(kernel: str) -> bool:
    """Whether the blocks of such a kernel each do the same to one tile."""
    return kernel.split("<")[0] in ARGUMENTS


def shape_of(kernel: str, known: Mapping[str, tuple[int, int]]) -> Shape:
    """Of a kernel that is modelled."""
    elements, threads = ARGUMENTS[kernel.split("<")[0]]
    found = arguments(kernel)
    registers, shared_bytes = of_machine_code(without_counting(kernel), known)
    return Shape(prod(int(found[each]) for each in elements), int(found[threads]), registers, shared_bytes)


def of_machine_code(kernel: str, known: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    if kernel not in known:
        raise EvidenceError(f"resources.csv: no kernel {kernel}; run make gpu, then scripts/resources.py")
    return known[kernel]
