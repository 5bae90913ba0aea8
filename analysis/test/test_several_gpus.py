"""What kernels/multi_gpu/README.md says of times beside results/nvidia-h200, which it is of."""

import csv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = " ".join((ROOT / "kernels/multi_gpu/README.md").read_text(encoding="utf-8").split())
with (ROOT / "results/nvidia-h200/ranks.csv").open(encoding="utf-8") as recorded:
    US = {
        (row["exchange"], row["ranks"], int(row["part"])): float(row["median_us"])
        for row in csv.DictReader(recorded)
    }


def milliseconds(us: float) -> str:
    return f"{us / 1000:.2f}" if us >= 1000 else f"{us / 1000:.3f}"


def test_rows_are_as_recorded():
    for part, named in {2**20: "2²⁰", 2**28: "2²⁸", 2**31: "2³¹"}.items():
        cells = [milliseconds(US[way, ranks, part]) for way in ("nccl", "mpi") for ranks in "124"]
        assert f"| {named} | {' | '.join(cells)} |" in TEXT


def test_factors_are_as_recorded():
    by_nccl, by_mpi = (US[way, "4", 2**31] / US[way, "1", 2**31] for way in ("nccl", "mpi"))
    assert f"By NCCL 2³¹ floats per rank take {by_nccl:.2f} times, by MPI {by_mpi:.2f}." in TEXT


def test_late_exchanges_are_as_recorded():
    late, of = {True: 0, False: 0}, {True: 0, False: 0}
    with (ROOT / "results/nvidia-h200/links.csv").open(encoding="utf-8") as recorded:
        for row in csv.DictReader(recorded):
            awake = row["start"] == "links kept awake"
            late[awake] += int(row["late"])
            of[awake] += int(row["exchanges"])
    assert f"{late[False]} of {of[False]:,} exchanges took" in TEXT
    assert f"and {late[True]} of {of[True]:,} where" in TEXT
