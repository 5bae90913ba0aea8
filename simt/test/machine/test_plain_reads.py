"""Plain reads of shared memory are put off until somebody writes: what was known at the read counts."""

import pytest

from simt.test import programs

RACES = {0: True, 1: True, 2: False, 3: False}  # by case of plain_reads.cu


@pytest.mark.parametrize("case", RACES)
@pytest.mark.parametrize("seed", range(4))
def test_a_write_races_with_the_reads_that_it_does_not_wait_for(case: int, seed: int) -> None:
    options = ("--seed", str(seed))
    run = programs.run("machine", "plain_reads", str(case), options=options, checks=True)
    assert run.status == (3 if RACES[case] else 0), run.errors
    assert ("data race on shared memory" in run.errors) == RACES[case], run.errors
