"""A whole run of few claims, in a copy of the project: interrupted, resumed, repeated, and at small sizes."""

import json
import signal

import pytest

from analysis.core import recorded
from experiments.test.project import FEW, Project, copy_project
from experiments.test.test_make import assert_complete, interrupt

pytestmark = [
    pytest.mark.full,
    pytest.mark.xdist_group("make_few"),  # one process runs all of them, in this order
]


@pytest.fixture(scope="module")
def few(tmp_path_factory) -> Project:
    return copy_project(tmp_path_factory.mktemp("project"), FEW)


def test_interrupted_it_ends_well(few):
    interrupt(few, [("^count ", 0.2, signal.SIGKILL), (r"^draw .* of \d", 1, signal.SIGINT)])
    assert "done      in" in few.make()
    assert_complete(few, FEW)


def test_again_it_does_nothing(few):
    before = few.files()
    assert few.make().startswith("done      nothing to do")
    assert few.files() == before


def test_at_small_sizes_it_writes_to_a_folder_of_its_own(few):
    before = few.files()
    assert ": build/quick" in few.make("quick")
    for claim in FEW:
        assert recorded.read(few.folder / f"build/quick/results/simt/{claim}.jsonl").cases
        assert json.loads((few.folder / f"build/quick/figures/{claim}.json").read_text())["verdict"]
    assert few.files() == before
