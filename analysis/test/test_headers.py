"""What kernels/fast/README.md says of speed beside results/nvidia-h200/headers.csv, which it is of."""

import csv
import re
from pathlib import Path
from statistics import fmean

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "kernels/fast/README.md").read_text(encoding="utf-8")
with (ROOT / "results/nvidia-h200/headers.csv").open(encoding="utf-8") as recorded:
    RECORDED = [row for row in csv.DictReader(recorded) if row["cub_us"]]
LENGTHS = [2**12, 2**16, 2**20, 2**24, 2**28]


def ratio(row: dict[str, str]) -> float:
    """CUB's time over ours."""
    return float(row["cub_us"]) / float(row["ours_us"])


def least(*calls: str) -> float:
    return min(ratio(row) for row in RECORDED if not calls or row["name"] in calls)


def rows() -> list[str]:
    """By call, for int32, cold."""
    found: dict[str, dict[int, float]] = {}
    for row in RECORDED:
        if row["type"] == "int32" and row["state"] == "cold":
            found.setdefault(row["name"], {})[int(row["n"])] = ratio(row)
    cells = {name: " | ".join(f"{by[n]:.2f}" for n in LENGTHS) for name, by in found.items()}
    return [f"| `{name}` | {each} |" for name, each in sorted(cells.items())]


@pytest.mark.parametrize("row", rows())
def test_a_row_is_as_recorded(row):
    assert row in TEXT.splitlines()


def in_three_digits(us: str) -> str:
    return f"{float(us):,.0f}" if float(us) >= 100 else f"{float(us):.1f}"


@pytest.mark.parametrize(
    "file",
    ["nvidia-h100/headers.rounds.csv", "nvidia-h200/headers.rounds.csv", "nvidia-h200/reductions.rounds.csv"],
)
def test_rounds_are_as_recorded(file):
    with (ROOT / "results" / file).open(encoding="utf-8") as recorded:
        rounds = list(csv.DictReader(recorded))
    columns = list(dict.fromkeys((row["name"], row["type"], row["n"]) for row in rounds))
    us = {(row["round"], row["name"], row["type"], row["n"]): in_three_digits(row["us"]) for row in rounds}
    for number, beside in {row["round"]: row["beside"] for row in rounds}.items():
        start = f"| {number} | {beside} | "
        end = " | ".join(us.get((number, *column), "") for column in columns)
        assert any(
            line.startswith(start) and line.split(" | ", 3)[3] == f"{end} |" for line in TEXT.splitlines()
        ), (file, number)


def test_what_a_line_for_each_sum_brings_is_as_recorded():
    with (ROOT / "results/nvidia-h200/headers.lines.csv").open(encoding="utf-8") as recorded:
        less = {
            row["name"]: 1 - float(row["us"]) / float(row["before_us"]) for row in csv.DictReader(recorded)
        }
    text = " ".join(TEXT.partition("- Round 15 was")[2].partition("Multiprocessors")[0].split())
    told = re.findall(r"(\d+)%(?: less time)? in `(\w+)`", text)
    assert len(told) == 7 and all(percent == f"{100 * less[name]:.0f}" for percent, name in told)
    assert min(less.values()) > -0.01  # nothing is slower


@pytest.mark.parametrize("gpu", ["nvidia-h100", "nvidia-h200"])
def test_rounds_of_segments_are_as_recorded(gpu):
    with (ROOT / f"results/{gpu}/segment_blocks.rounds.csv").open(encoding="utf-8") as recorded:
        rounds = list(csv.DictReader(recorded))
    beside = {row["round"]: row["beside"] for row in rounds}
    for number in beside:
        cells = " | ".join(row["us"] for row in rounds if row["round"] == number)
        start, end = f"| {number} | {beside[number]} | ", f" | {cells} |"
        assert any(line.startswith(start) and line.endswith(end) for line in TEXT.splitlines())
    cub: dict[tuple[str, ...], float] = {}
    for row in rounds:
        case = (row["name"], row["n"], row["type"])
        cub[case] = min(cub.get(case, float("inf")), float(row["cub_us"]))
    assert " | ".join(f"{us:.2f}" for us in cub.values()) in TEXT


def test_the_sentences_bear_the_recording():
    assert least("inclusive_scan", "exclusive_scan", "select_if") > 1
    won, near = (sum(ratio(row) >= share for row in RECORDED) for share in (1, 0.9))
    assert f"faster in {won} of {len(RECORDED)} cases, and keeps 0.9 of CUB's speed in {near}" in TEXT
    most = max(ratio(row) for row in RECORDED if row["name"] == "segmented_reduce/mean:10")
    assert f"CUB needs {most // 10 * 10:.0f} times as long" in TEXT
    one = ("segmented_reduce/mean:1000000", "segmented_reduce/mean:10000")  # of 2^12 elements
    behind = {
        one: "of a single segment of 2^12 elements ({})",
        ("arg_min",): "`arg_min` of floats ({})",
        ("segmented_reduce/mean:1000",): "short vectors in segments of 1,000 ({})",
        ("segmented_reduce/mean:10",): "and of 10 ({})",
        ("reduce_by_key/operator:other",): "by an operator that is not total ({})",
    }
    for calls, words in behind.items():
        assert words.format(f"{least(*calls):.2f}") in " ".join(TEXT.split())
    assert f"`reduce` keeps {least('reduce'):.2f} of its speed" in " ".join(TEXT.split())
    others = {row["name"] for row in RECORDED} - {call for calls in behind for call in calls}
    assert least(*others) >= max(least(*calls) for calls in behind)


def test_what_an_operator_that_is_not_total_costs_is_as_recorded():
    us = {(row["name"], row["type"], row["n"], row["state"]): float(row["ours_us"]) for row in RECORDED}

    def costs(call: str, lengths: list[int]) -> list[float]:
        return [
            each / us[call, type_, n, state] - 1
            for (name, type_, n, state), each in us.items()
            if name == f"{call}/operator:other" and int(n) in lengths
        ]

    text = " ".join(TEXT.split())
    calls = ("inclusive_scan_by_key", "By key they take"), ("reduce_by_key", "`reduce_by_key` takes")
    short, long = LENGTHS[:3], LENGTHS[3:]
    assert all(abs(fmean(costs("inclusive_scan", lengths))) < 0.005 for lengths in (short, long))
    for call, name in calls:
        of_short = costs(call, short)
        words = f"{fmean(of_short):.0%} longer up to 2^20 elements, {max(of_short):.0%} at most"
        assert f"{name} {words}, and {fmean(costs(call, long)):.0%} from 2^24 on" in text


def test_the_main_branch_is_as_recorded():
    text = " ".join(TEXT.split())
    with (ROOT / "results/nvidia-h200/headers.cub_main.csv").open(encoding="utf-8") as recorded:
        beside = [row for row in csv.DictReader(recorded) if row["cub_us"]]
    won, near = (sum(ratio(row) >= share for row in beside) for share in (1, 0.9))
    assert f"the faster in {won} of {len(beside)} cases, kept 0.9 of its speed in {near}" in text
    vectors = [row for row in beside if row["name"] in ("inclusive_scan", "exclusive_scan", "select_if")]
    assert f"by {min(map(ratio, vectors)):.2f} at least" in text
    toolkit = {tuple(row.values())[:4]: float(row["cub_us"]) for row in RECORDED}
    scans = [row for row in vectors if row["name"] != "select_if"]
    over = [(int(row["n"]), float(row["cub_us"]) / toolkit[tuple(row.values())[:4]]) for row in scans]
    short = [each for n, each in over if n <= 2**20]
    assert f"in {min(short):.2f} to {max(short):.2f} of the toolkit's time" in text
    assert f"differ by {max(abs(each - 1) for n, each in over if n > 2**20):.0%} at most" in text
