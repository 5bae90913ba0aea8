from pathlib import Path

import pytest

from analysis.core import plotting
from analysis.report.printed import typesetting
from analysis.report.printed.contents import contents

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def committed() -> dict:
    """What paper and supplement print of the tree."""
    return contents(ROOT / "results", ROOT / "figures")


class Typeset(dict):
    """The tree's paper and supplement as Typst makes them, by name, each once."""

    def __init__(self, data: dict):
        super().__init__()
        self.data = data

    def __missing__(self, name: str) -> bytes:
        self[name] = typesetting.typeset(ROOT / f"paper/{name}.typ", self.data)
        return self[name]


@pytest.fixture(scope="session")
def typeset(committed) -> Typeset:
    """Its tests are one process: the group "paper"."""
    return Typeset(committed)


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
