"""The table of docs/headers.md beside the recording that it is of: results/nvidia-h200/headers.csv."""

import csv
import math
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECORDED = ROOT / "results/nvidia-h200/headers.csv"
LENGTHS = [2**12, 2**16, 2**20, 2**24, 2**28]


def rows() -> list[str]:
    """By call: CUB's time over ours for int32, cold."""
    found: dict[str, dict[int, float]] = {}
    for row in csv.DictReader(RECORDED.open(encoding="utf-8")):
        if row["type"] == "int32" and row["state"] == "cold" and row["cub_us"]:
            ratio = float(row["cub_us"]) / float(row["ours_us"])
            found.setdefault(row["name"], {})[int(row["n"])] = ratio
    cells = {name: " | ".join(f"{by[n]:.2f}" for n in LENGTHS) for name, by in found.items()}
    return [f"| `{name}` | {each} |" for name, each in sorted(cells.items())]


@pytest.mark.parametrize("row", rows())
def test_a_row_is_as_recorded(row):
    assert row in (ROOT / "docs/headers.md").read_text(encoding="utf-8").splitlines()


def test_each_call_is_recorded_at_every_length():
    assert all(str(2 ** int(math.log2(n))) in RECORDED.read_text(encoding="utf-8") for n in LENGTHS)
    assert len(rows()) >= 20
