from pathlib import Path

import pytest

from analysis.common import paper, plotting
from analysis.common.contents import contents

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def committed() -> dict:
    """What paper and supplement print of the tree."""
    return contents(ROOT / "results", ROOT / "figures")


@pytest.fixture(scope="session")
def typeset(committed) -> dict[str, bytes]:
    """The tree's paper and supplement, as Typst makes them. Its tests are one process: the group "paper"."""
    return {name: paper.typeset(ROOT / f"paper/{name}.typ", committed) for name in paper.NAMES}


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
