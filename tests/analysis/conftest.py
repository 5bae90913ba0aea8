import pytest

from analysis.common import plotting


@pytest.fixture
def folders(tmp_path):
    """Empty folders for results and figures."""
    results, figures = tmp_path / "results", tmp_path / "figures"
    results.mkdir()
    figures.mkdir()
    return results, figures


@pytest.fixture
def undrawn(monkeypatch):
    """Figures are made, but not written: for tests of documents alone."""
    monkeypatch.setattr(plotting, "save", lambda figure, path: None)


@pytest.fixture(scope="module")
def without_layout():
    """Figures are drawn, but not laid out, which takes the longer: for tests of what is around them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plotting, "freeze_layout", lambda figure: figure.set_layout_engine("none"))
        yield
