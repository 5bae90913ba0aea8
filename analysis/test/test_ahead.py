"""Predictions for a GPU of which the prices alone are recorded."""

import shutil
from pathlib import Path

import pytest

from analysis.__main__ import main
from analysis.model import predictions
from analysis.model.view import view

RESULTS = Path(__file__).resolve().parents[2] / "results"
GPU = "another"


@pytest.fixture
def results(tmp_path) -> Path:
    """The recorded results with a further GPU, whose prices are those of the first one."""
    made = tmp_path / "results"
    made.mkdir()
    for folder in ("simt", predictions.REFERENCE_GPU):
        (made / folder).symlink_to(RESULTS / folder)
    (made / GPU).mkdir()
    shutil.copy(RESULTS / predictions.REFERENCE_GPU / "rates.jsonl", made / GPU)
    (tmp_path / "experiments").symlink_to(RESULTS.parent / "experiments")
    return made


def predict(results: Path) -> int:
    return main(["--predict", "--results", str(results)])


@pytest.mark.full
def test_with_the_same_prices_the_same_times_are_predicted(results):
    assert predict(results) == 0
    table, found = predictions.read(results, GPU), view(RESULTS)
    assert list(table.columns) == list(predictions.COLUMNS)
    assert [(row.claim, row.case, row.n) for row in table.itertuples()] == [
        (each.claim, each.case, each.n) for each in found.kernels
    ]
    assert table["predicted_us"].tolist() == pytest.approx(found.predicted_us.tolist(), rel=0.006)
    assert table["limiter"].tolist() == found.limiters
    assert set(table["outside"]) > {""}


@pytest.mark.full
def test_a_prediction_comes_before_the_times(results, capsys):
    shutil.copy(RESULTS / predictions.REFERENCE_GPU / "work.jsonl", results / GPU)
    assert predict(results) == 1
    assert "no GPU has rates alone" in capsys.readouterr().err
    assert predictions.read(results, GPU) is None


def test_nothing_is_predicted_without_a_gpu_that_was_measured(tmp_path, capsys):
    (tmp_path / "results" / GPU).mkdir(parents=True)
    (tmp_path / "experiments").symlink_to(RESULTS.parent / "experiments")
    shutil.copy(RESULTS / predictions.REFERENCE_GPU / "rates.jsonl", tmp_path / "results" / GPU)
    assert predict(tmp_path / "results") == 1
    assert "nothing to predict from" in capsys.readouterr().err
