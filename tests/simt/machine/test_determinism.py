"""Counts depend neither on the number of cores nor on the order of blocks and warps; results never do."""

import pytest

from tests.simt import programs

PROGRAMS = [
    ("machine", "many_blocks"),
    ("machine", "waits_polls"),
    *(("agreement", name) for name in programs.names("agreement")[::3]),
]
OTHERS = [("agreement", name) for name in programs.names("agreement") if ("agreement", name) not in PROGRAMS]
OPTIONS = [("--cores", "2"), ("--cores", "4"), ("--seed", "1"), ("--seed", "7", "--cores", "4")]


@pytest.mark.parametrize(
    ("kind", "name"),
    [*PROGRAMS, *(pytest.param(*other, marks=pytest.mark.full) for other in OTHERS)],
    ids=lambda value: value,
)
def test_counts_are_the_same(kind: str, name: str) -> None:
    first = programs.run(kind, name, options=("--cores", "1"))
    assert (first.status, first.out) == (0, "ok\n"), first.errors
    for options in OPTIONS:
        run = programs.run(kind, name, options=options)
        assert (run.status, run.out) == (0, "ok\n"), (options, run.errors)
        if not name.endswith("_polls"):
            assert run.launches == first.launches, options
