"""What is busiest in a launch, predicted and measured: one norm, one rule."""

import pytest

from analysis.model import busy
from analysis.model.times import Machine
from analysis.test.test_model import MACHINE, STEPS, a_step, with_work
from experiments.test.project import ROOT
from simt.try_cuda.report import predictions as programs

RESULTS = ROOT / "results"
IDLE = dict.fromkeys(busy.COUNTED, 0.0)


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        ({"issue": 68, "dram": 64}, "issue"),
        ({"issue": 64, "dram": 68}, "bytes"),
        ({"issue": 50, "fma": 61, "dram": 60}, "issue"),
        ({"pipe": 60, "issue": 59}, "banks"),
        ({"issue": 59.9, "dram": 59, "pipe": 59}, "latency"),
    ],
)
def test_the_busiest_limits_if_it_is_busy_enough(share, expected):
    assert busy.busiest(IDLE | share) == expected


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"warp_instructions": 4.0}, {"issue": 100}),
        ({"warp_instructions": 2.0, "alu_instructions": 2.0}, {"issue": 50, "alu": 100}),
        ({"warp_instructions": 2.0, "fp64_instructions": 1.0}, {"issue": 50, "fp64": 50}),
        ({"warp_instructions": 0.5, "xu_instructions": 0.5}, {"issue": 12.5, "xu": 100}),
        ({"shared_load_wavefronts": 1.0}, {"pipe": 100}),
    ],
)
def test_percents_are_of_what_a_multiprocessor_can_do_in_the_time(counts, expected):
    """Each of its steps takes one cycle; a block of them for each multiprocessor."""
    work = with_work(counts=a_step(**counts), blocks=MACHINE.multiprocessors).work[0]
    found = busy.of_peak(work, 0.0, STEPS / MACHINE.cycles, MACHINE, 1.0)
    assert found == pytest.approx(IDLE | expected)


def test_memory_is_busy_by_the_bytes_of_the_launch():
    work = with_work(counts=a_step()).work[0]
    assert busy.of_peak(work, 300.0, 2.0, Machine(1, 1.0), 200.0)["dram"] == pytest.approx(75)


def test_the_peak_of_memory_is_that_of_the_data_sheet():
    """In TB/s: H100 SXM 3.35, H200 4.8; of a GPU whose bus is not known there is none, and no percent."""
    known = {each.name: each.memory / 1e6 for each in programs.gpus(RESULTS)}
    assert known == pytest.approx({"NVIDIA H100 80GB HBM3": 3.35, "NVIDIA H200": 4.8}, rel=0.03)
    assert busy.peak_of_memory({"name": "another", "memory_clock_mhz": 3000}) == 0
    other = programs.Gpu("a-gpu", "A", programs.gpus(RESULTS)[0].prices, MACHINE, 1 << 20)
    found = programs.predicted(with_work().work[0], other, {})
    assert found.us > 0 and found.busy == {}
