"""How busy a launch keeps the units of a GPU, in percent of their peaks, and what limits it by that.

The norm is Nsight Compute's, so that a prediction and a measurement are judged by one rule. A charge in time
(times.py) is another: it is priced at what a GPU was measured to reach, for memory far below its peak.
Predicted percents are counts by the predicted time, its start included, of:
  issue          4 warp instructions a cycle and multiprocessor
  alu, fp64, xu  the parts of it that their pipes take: times.SLOWER
  pipe           1 wavefront a cycle and multiprocessor
  dram           two transfers a memory clock, as recorded, on each wire of the bus
The machine does not count what the pipe `fma` executes; as wide as the schedulers, it is no busier than they.
"""

from collections.abc import Mapping

from analysis.model.times import SLOWER, Machine
from analysis.model.work import Work

UNITS = {"issue": ("issue", "alu", "fma", "fp64", "xu"), "banks": ("pipe",), "bytes": ("dram",)}
COUNTED = ("issue", "alu", "fp64", "xu", "pipe", "dram")  # what the machine's counts give
OF_PEAK = 60  # percent. Source: Nsight Compute, section GPU Speed Of Light, rule on latency
SLOT = {"alu": "alu_instructions", "fp64": "fp64_instructions", "xu": "xu_instructions"}
# Wires to memory. Source: NVIDIA's H100 white paper, five stacks of 1,024; H200 data sheet, 4.8 TB/s at six.
BUS_BITS = {"NVIDIA H100 80GB HBM3": 5 * 1024, "NVIDIA H200": 6 * 1024}


def busiest(share: Mapping[str, float]) -> str:
    """One of UNITS, or latency: nothing is at OF_PEAK. share: percent of its peak by unit."""
    most = {name: max(share[each] for each in units if each in share) for name, units in UNITS.items()}
    found = max(most, key=most.get)
    return found if most[found] >= OF_PEAK else "latency"


def peak_of_memory(machine: Mapping) -> float:
    """Bytes a microsecond; 0 if the bus of that GPU is not known. machine: as it is recorded."""
    return 2 * machine["memory_clock_mhz"] * BUS_BITS.get(machine["name"], 0) / 8


def of_peak(work: Work, moved: float, us: float, machine: Machine, memory: float) -> dict[str, float]:
    """Percent by COUNTED. moved: bytes of the launch; us: its time; memory: bytes a microsecond at most."""
    cycles = us * machine.cycles * machine.multiprocessors
    issued = machine.limits.schedulers * cycles
    found = {"issue": work.sum("warp_instructions") / issued}
    found |= {name: SLOWER[count] * work.sum(count) / issued for name, count in SLOT.items()}
    found |= {"pipe": float(work.passes.sum()) / cycles}
    found = {name: work.blocks * each for name, each in found.items()} | {"dram": moved / us / memory}
    return {name: 100 * each for name, each in found.items()}
