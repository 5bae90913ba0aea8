"""What the clock predicts of the claims' cases."""

import csv
import re
import subprocess
import sys

import pytest

from analysis.core.recorded import read
from simt.clock import predict
from simt.test import programs

GPUS = sorted(path.parent.name for path in (predict.ROOT / "results").glob(f"*/{predict.TABLE}"))


@pytest.mark.parametrize("gpu", GPUS)
def test_a_prediction_is_a_time_or_says_why_there_is_none(gpu: str) -> None:
    rows = predict.predicted(gpu)
    assert rows and len({(row.claim, row.case) for row in rows}) == len(rows)
    assert all((float(row.us) > 0) if row.us else row.unknown for row in rows)
    assert all("/cache:cold/n:" in row.case for row in rows)


def test_a_claim_is_predicted_anew_and_others_stay(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(predict, "ROOT", tmp_path)
    (tmp_path / "results/gpu").mkdir(parents=True)
    old, other = (predict.Prediction(claim, "a/cache:cold/n:1", 1, 2.0) for claim in ("mine", "other"))
    for row in (other, old, predict.Prediction("mine", "a/cache:cold/n:1", 1, 3.0)):
        predict.keep("gpu", row.claim, [row])
    assert [(row.claim, row.us) for row in predict.predicted("gpu")] == [("mine", "3.0"), ("other", "2.0")]
    with (tmp_path / "results/gpu" / predict.TABLE).open() as file:
        columns = next(csv.reader(file))
    assert columns[:7] == ["claim", "case", "longer", "us", "apart", "first_stall", "unknown"]
    assert columns[7:] == [*predict.BUSY, *predict.STALLS]


def test_of_a_claim_some_cases_are_predicted_anew(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(predict, "ROOT", tmp_path)
    (tmp_path / "results/gpu").mkdir(parents=True)
    predict.keep("gpu", "mine", [predict.Prediction("mine", case, 1, 2.0) for case in ("first", "second")])
    predict.keep("gpu", "mine", [predict.Prediction("mine", "second", 1, 3.0)], of_some=True)
    assert {row.case: row.us for row in predict.predicted("gpu")} == {"first": "2.0", "second": "3.0"}


def test_a_claim_that_is_not_built_is_named() -> None:
    command = [sys.executable, "-m", "simt.clock.predict", "--gpu", "nvidia-h200", "no_such_claim"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=predict.ROOT)
    assert done.returncode != 0 and "build the target experiment_no_such_claim" in done.stderr


def test_shares_have_the_machines_names() -> None:
    header = (predict.ROOT / "simt/clock/stalls.h").read_text()
    assert re.findall(r'"(\w+)"', header.partition("STALL_NAMES")[2]) == list(predict.STALLS)
    launch = programs.run("agreement", "block_reduction", options=("--clock", GPUS[0])).launches[0]
    assert list(launch["clock"]["busy"]) == list(predict.BUSY)


@pytest.mark.parametrize("gpu", GPUS)
def test_the_price_of_one_more_launch_follows_from_empty_kernels(gpu: str) -> None:
    times = read(predict.ROOT / f"results/{gpu}/rates.jsonl").times()
    one, more = (min(times[f"charge/launch/kernels:{k}/cache:cold/n:1"]) for k in (1, 17))
    assert predict.Behind.of(gpu).launch == pytest.approx((more - one) / 16, abs=1e-6)


def test_a_prediction_comes_before_the_times(tmp_path, monkeypatch) -> None:
    """What was timed is looked back at, or left alone."""
    monkeypatch.setattr(predict, "ROOT", tmp_path)
    monkeypatch.setattr(predict.claims, "names", lambda: ["old", "new"])
    (tmp_path / "results/gpu").mkdir(parents=True)
    assert predict.asked([], "gpu", again=False) == ["new", "old"]
    (tmp_path / "results/gpu/old.jsonl").touch()
    assert predict.asked([], "gpu", again=False) == predict.asked(["new"], "gpu", again=False) == ["new"]
    assert predict.asked([], "gpu", again=True) == []
    predict.keep("gpu", "old", [predict.Prediction("old", "case", us=1.0)], predict.AGAIN)
    assert predict.asked([], "gpu", again=True) == predict.asked(["old"], "gpu", again=True) == ["old"]
    with pytest.raises(SystemExit, match="old: timed there already"):
        predict.asked(["new", "old"], "gpu", again=False)
    (tmp_path / "results/gpu/new.jsonl").touch()
    with pytest.raises(SystemExit, match="all claims were timed"):
        predict.asked([], "gpu", again=False)


def test_a_gpu_without_prices_is_named_with_those_that_have_some() -> None:
    with pytest.raises(SystemExit, match=r"results/none/clock.csv is missing: .* nvidia-h100, nvidia-h200"):
        predict.Behind.of("none")


def test_shorter_cases_differ_in_their_length_alone() -> None:
    names = ["a/x:1/n:4096", "a/x:1/n:1024", "a/x:10/n:2048", "a/x:1/n:65536"]
    assert predict.shorter("a/x:1/n:65536", names, 5000) == ["a/x:1/n:1024", "a/x:1/n:4096"]
    assert predict.shorter("a/x:1/n:1024", names, 5000) == ["a/x:1/n:1024"]


def launch(
    us: float,
    grid: int = 8,
    memsets: tuple[int, ...] = (),
    unknown: str = "",
    why: str = "wait",
    warps: int = 8,
) -> dict:
    clock = {"us": us, "launch_us": 2.0, "halves_us": [], "stalls": {why: 1}, "unknown": unknown}
    clock["warps"] = warps
    clock["busy"] = dict.fromkeys(predict.BUSY, us / 10)
    return {"grid": [grid, 1, 1], "memsets": list(memsets), "clock": clock}


BEHIND = predict.Behind(launch=1.0, small_memset=0.5, memset=3.0, multiprocessors=132)


def test_launches_and_memsets_behind_others_have_their_price() -> None:
    found = predict.timed(
        [launch(5, memsets=(4, predict.SMALL)), launch(4, memsets=(predict.SMALL + 1,))], BEHIND
    )
    assert found.us == 2 + 3 + 1 + 2 + 0.5 + 0.5 + 3
    assert found.shares["issue"] == pytest.approx((3 * 0.5 + 2 * 0.4) / 5) and found.shares["wait"] == 1
    assert predict.timed([launch(5), launch(4, unknown="why")], BEHIND).unknown == "why"


def test_all_warps_of_a_case_weigh_in_what_they_wait_for() -> None:
    found = predict.timed([launch(6, why="barrier", warps=1), launch(4, why="sleeping", warps=32)], BEHIND)
    assert found.first_stall == "sleeping"  # though the other launch is longer
    assert found.shares["barrier"] == pytest.approx(4 / (4 + 2 * 32), abs=1e-4)


CASES = [f"a/n:{1 << power}" for power in (18, 20, 22, 24, 26)]


@pytest.mark.parametrize(
    ("grids", "unknown", "cases", "us", "longer"),
    [
        ((8, 32), "", CASES, 102, 64),
        ((8, 8), "", CASES, 98, 4),  # 18 us for 12 M elements, and 48 M more than 26 us have
        ((8, 32), predict.TOO_SMALL, CASES, 98, 4),
        ((8, 0), "", [CASES[1], CASES[-1]], 102, 64),
        ((2 * 132, 0), "", [CASES[1], CASES[-1]], 99, 1),  # it fills the GPU
        ((8, 0), predict.TOO_SMALL, [CASES[1], CASES[-1]], 99, 1),
        ((8, 32), "", CASES[2:], 98, 4),  # none is quick
    ],
)
def test_a_grid_that_does_not_grow_is_timed_otherwise(monkeypatch, grids, unknown, cases, us, longer) -> None:
    real, grid = {1 << 22: 8.0, 1 << 24: 26.0, 1 << 26: 99.0}, {1 << 20: grids[0], 1 << 22: grids[1]}

    def launches(_claim: str, case: str, *clock: str) -> list[dict]:
        n = predict.elements(case)
        if "--longer" in clock:
            assert (n, clock[-1]) == (1 << 20, "64")
            return [launch(102, grid[n], unknown=unknown)]
        return [launch(real.get(n, 1), grid.get(n, 8))]

    monkeypatch.setattr(predict, "launches_of", launches)
    names = {"false": cases, "true": [case for case in cases if predict.elements(case) <= 1 << 20]}
    found = predict.prediction("claim", cases[-1], names, "gpu", BEHIND)
    assert found.case == "a/cache:cold/n:67108864" and found.unknown == ""
    assert (found.us, found.longer) == (us, longer)


def test_the_machine_tells_the_memsets_before_a_launch() -> None:
    launches = programs.run("machine", "runtime_graphs").launches
    assert [launch["memsets"] for launch in launches] == [[4096, 4096, 256], [256]]
