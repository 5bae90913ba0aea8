import pytest

from analysis.common import evidence


@pytest.fixture(autouse=True)
def no_gpu_here(monkeypatch):
    """Whatever GPU the tests run beside, the figures are those of a machine without one."""
    monkeypatch.setattr(evidence, "gpus_of_this_machine", lambda: frozenset())


@pytest.fixture
def folders(tmp_path):
    """An empty results and an empty figures folder."""
    results, figures = tmp_path / "results", tmp_path / "figures"
    results.mkdir()
    figures.mkdir()
    return results, figures
