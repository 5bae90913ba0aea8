import pytest


@pytest.fixture
def folders(tmp_path):
    """Empty folders for results and figures."""
    results, figures = tmp_path / "results", tmp_path / "figures"
    results.mkdir()
    figures.mkdir()
    return results, figures
