"""What the clock predicts of the claims' cases."""

import csv
import subprocess
import sys

import pytest

from simt.clock import predict

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
    assert columns == ["claim", "case", "longer", "us", "apart", "first_stall", "unknown"]


def test_a_claim_that_is_not_built_is_named() -> None:
    command = [sys.executable, "-m", "simt.clock.predict", "--gpu", "nvidia-h200", "no_such_claim"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=predict.ROOT)
    assert done.returncode != 0 and "build the target experiment_no_such_claim" in done.stderr
