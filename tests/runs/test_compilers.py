"""Counts belong to the source: every installed g++ counts the same. One is enough to run the other tests."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import compilers  # noqa: E402

# Structs and trees in shared memory, index maps, and the rings with their bulk copies.
CLAIMS = ["any_operator", "padding", "copy_speed", "read_speed"]
OTHERS = compilers.others()


@pytest.mark.full
@pytest.mark.skipif(not OTHERS, reason="there is one version of g++ only")
@pytest.mark.parametrize("claim", CLAIMS)
def test_every_compiler_counts_the_same(claim):
    assert compilers.compare(claim, OTHERS, quick=True) == {compiler: [] for compiler in OTHERS}


ROW = '{{"benchmarks": [{{"name": "a", "ops": {}}}]}}'


def test_what_differs_is_named():
    ours = {"c.json": ROW.format(1).encode(), "c.steps.csv": b"1"}
    assert compilers.differences(ours, ours, "c") == []
    theirs = ours | {"c.json": ROW.format(2).encode()}
    assert compilers.differences(theirs, ours, "c") == ["a: ops: 2, not 1"]
    assert compilers.differences(ours | {"c.steps.csv": b"2"}, ours, "c") == ["c.steps.csv differs"]
