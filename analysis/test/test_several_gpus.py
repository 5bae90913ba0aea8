"""What kernels/multi_gpu/README.md says of times beside results/, which it is of."""

import csv
from pathlib import Path

import pytest

from analysis.core.loading import load
from experiments.fast.multi_gpu import by_gpus

ROOT = Path(__file__).resolve().parents[2]
TEXT = " ".join((ROOT / "kernels/multi_gpu/README.md").read_text(encoding="utf-8").split())
GPUS = ("H200", "H100")


def rows_of(table: str, gpu: str) -> list[dict]:
    with (ROOT / f"results/nvidia-{gpu.lower()}/{table}.csv").open(encoding="utf-8") as recorded:
        return list(csv.DictReader(recorded))


def medians(gpu: str) -> dict:
    """Microseconds by exchange, number of ranks and floats per rank."""
    rows = rows_of("ranks", gpu)
    return {(row["exchange"], row["ranks"], int(row["part"])): float(row["median_us"]) for row in rows}


def milliseconds(us: float) -> str:
    return f"{us / 1000:.2f}" if us >= 1000 else f"{us / 1000:.3f}"


@pytest.mark.parametrize("gpu", GPUS)
def test_rows_are_as_recorded(gpu):
    us = medians(gpu)
    for part, named in {2**20: "2²⁰", 2**28: "2²⁸", 2**31: "2³¹"}.items():
        cells = [milliseconds(us[way, ranks, part]) for way in ("nccl", "mpi") for ranks in "124"]
        assert f"| {gpu} | {named} | {' | '.join(cells)} |" in TEXT


def test_factors_are_as_recorded():
    of = {gpu: medians(gpu) for gpu in GPUS}
    ways = ("nccl", "mpi")
    nccl, mpi = ([of[gpu][way, "4", 2**31] / of[gpu][way, "1", 2**31] for gpu in GPUS] for way in ways)
    assert f"take {nccl[0]:.2f} times on H200s and {nccl[1]:.2f} times on H100s" in TEXT
    assert f"by MPI {mpi[0]:.2f} and {mpi[1]:.2f} times." in TEXT


def test_outliers_are_as_recorded():
    timed = [each.timed for each in load(ROOT / "results", "multi_gpu")]
    late = {each.machine["name"].split()[1]: by_gpus.late(each, 4) for each in timed}
    (of_h200, samples), (of_h100, others) = late["H200"], late["H100"]
    assert f"{of_h200} of {samples} on H200s are more" in TEXT and f"{of_h100} of {others} on H100s." in TEXT
    rows = rows_of("late_exchanges", "H200")
    again = sum(int(row["late"]) for row in rows), sum(int(row["exchanges"]) for row in rows)
    assert f"{again[0]} of {again[1]:,} is" in TEXT


def test_late_exchanges_are_as_recorded():
    late, of = {True: 0, False: 0}, {True: 0, False: 0}
    for row in rows_of("links", "H200"):
        awake = row["start"] == "links kept awake"
        late[awake] += int(row["late"])
        of[awake] += int(row["exchanges"])
    assert f"{late[False]} of {of[False]:,} exchanges took" in TEXT
    assert f"and {late[True]} of {of[True]:,} where" in TEXT
