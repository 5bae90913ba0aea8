"""The fast scan beside CUB and array libraries: wins, losses, and what is said without a recording."""

import pytest

from analysis.core.noise_floor import Floor
from analysis.core.prose import told
from analysis.test.made_up import evidence
from experiments.device.block_sums.analysis import host_spine
from experiments.fast import beside_cub, peers
from experiments.fast.copy_speed import analysis as copy_speed

SCANS = {"ours": 100.0, "cub_device": 130.0, "cub_newest": 120.0}


def times(**of: float) -> dict:
    found = {}
    for algorithm, us in (SCANS | of).items():
        for n, scale in ((1 << 20, 1.0), (1 << 28, 256.0)):
            name = f"scan/{algorithm}/type:int32/operator:sum/submit:stream/cache:warm/n:{n}"
            found[name] = us * scale
    return found


def with_peers(folder, us: float):
    found = evidence(folder, "copy_speed", None, times())
    lines = [
        f"torch,2.0,scan,int32,{n},{repetition},{us * scale}"
        for n, scale in ((1 << 20, 1), (1 << 28, 512))
        for repetition in range(7)
    ]
    (found.timed.path.parent / "peers.csv").write_text("\n".join([",".join(peers.COLUMNS), *lines]) + "\n")
    return found


def test_a_case_is_compared_with_the_faster_cub(tmp_path):
    found = beside_cub.beside_cub(evidence(tmp_path, "copy_speed", None, times()), "scan")
    assert list(found["ratio"]) == pytest.approx([1.2, 1.2])


@pytest.mark.parametrize(
    ("newest", "floor", "said"), [(120, 1.0, "none"), (80, 1.0, "two"), (99, 1.05, "none")]
)
def test_losses_are_counted_beyond_the_noise_floor(newest, floor, said, tmp_path):
    found = evidence(tmp_path, "copy_speed", None, times(cub_newest=newest))
    object.__setattr__(found, "floor", Floor({1: floor}))
    (sentence,) = beside_cub.in_words(found, "scan", "scan")
    assert f"slower than the faster CUB by more than the noise in {said};" in sentence
    assert beside_cub.in_words(found, "reduce", "reduction") == []


def test_libraries_are_compared_with_ours(tmp_path):
    found = with_peers(tmp_path, 250.0)
    assert peers.sentence(found.timed) == [
        "Our scan is 2.5 (torch.cumsum, 2²⁰ int32) to 5.0 (torch.cumsum, 2²⁸ int32) times as fast as that of "
        "array libraries."
    ]
    assert peers.times(found.timed)
    assert peers.figure(found).axes[0].get_xlabel().startswith("speed relative to our scan")


def test_without_a_recording_of_libraries_there_is_no_figure(tmp_path):
    found = evidence(tmp_path, "copy_speed", None, times())
    assert peers.sentence(found.timed) == []
    assert peers.times(found.timed) == {} and "peers" not in copy_speed.drawings(found)


def spine_times(**parts: float) -> dict:
    scan = "scan/three_phase/spine:{}/vector:device/cache:cold/n:1073741824"
    of_parts = {f"spine/{part}/cache:cold/n:1073741824": us for part, us in parts.items()}
    return {scan.format("host"): 2000.0, scan.format("device"): 1000.0} | of_parts


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({}, "a host spine adds 1,000 µs. Its parts are not recorded yet"),
        (
            {"to_host": 300, "scan": 400, "to_device": 200},
            "the copy back takes 200 µs; the rest is waiting and launching.",
        ),
        (
            {"to_host": 300, "scan": 600, "to_device": 200},
            "the copy back takes 200 µs: together more than that, as the GPU's own levels fall away.",
        ),
    ],
)
def test_a_host_spine_is_taken_apart(parts, said, tmp_path):
    found = evidence(tmp_path, "block_sums", None, spine_times(**parts))
    assert said in told("host spine", **host_spine(found.timed))
    assert host_spine(None) is None
