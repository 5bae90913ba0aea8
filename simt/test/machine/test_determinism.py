"""Counts depend neither on the number of cores nor on the order of blocks and warps; results never do."""

from operator import itemgetter

import pytest

from experiments.test.rest import some
from simt.test import programs

MACHINE = [("machine", "many_blocks"), ("machine", "waits_polls")]
AGREEMENT = [("agreement", name) for name in programs.names("agreement")]
TRIED = [name for _, name in MACHINE + AGREEMENT[::3]]
OPTIONS = [("--cores", "2"), ("--cores", "4"), ("--seed", "1"), ("--seed", "7", "--cores", "4")]


@pytest.mark.parametrize("program", some(MACHINE + AGREEMENT, TRIED, itemgetter(1)), ids=itemgetter(1))
def test_counts_are_the_same(program: tuple[str, str]) -> None:
    kind, name = program
    first = programs.run(kind, name, options=("--cores", "1"))
    assert (first.status, first.out) == (0, "ok\n"), first.errors
    for options in OPTIONS:
        run = programs.run(kind, name, options=options)
        assert (run.status, run.out) == (0, "ok\n"), (options, run.errors)
        if not name.endswith("_polls"):
            assert run.launches == first.launches, options
