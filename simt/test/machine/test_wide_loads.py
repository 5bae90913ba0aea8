"""Of a wide load the words that the program uses must have been written: simt/order/undefined.h."""

import pytest

from simt.test import programs

UNSET = {0: False, 1: False, 2: False, 3: False, 4: True, 5: False, 6: True}  # by case of wide_loads.cu


@pytest.mark.parametrize("case", UNSET)
def test_the_words_that_are_used_must_have_been_written(case: int) -> None:
    run = programs.run("machine", "wide_loads", str(case), checks=True)
    assert run.status == (3 if UNSET[case] else 0), run.errors
    assert ("uninitialised read of " in run.errors) == UNSET[case], run.errors


def test_a_load_that_the_compiler_widens_may_reach_beyond_the_block() -> None:
    run = programs.run("machine", "wide_loads", "7", checks=True)
    assert (run.status, run.errors) == (0, "")


def test_one_that_the_source_widens_may_not() -> None:
    run = programs.run("machine", "wide_loads", "8", checks=True)
    assert run.status == 1
    assert "byte 768 of shared memory is accessed, of which the block has 780 bytes" in run.errors
