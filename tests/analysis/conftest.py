import pytest

from analysis.common import evidence


@pytest.fixture(autouse=True)
def no_gpu_here(monkeypatch):
    """Hide this machine's GPUs: the figures must not depend on them."""
    monkeypatch.setattr(evidence, "gpus_of_this_machine", lambda: frozenset())


@pytest.fixture
def folders(tmp_path):
    """Empty folders for results and figures."""
    results, figures = tmp_path / "results", tmp_path / "figures"
    results.mkdir()
    figures.mkdir()
    return results, figures
