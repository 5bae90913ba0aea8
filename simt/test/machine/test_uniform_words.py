"""Where the compiler lets some lanes of a warp step a register that all of them share, the machine tells."""

import pytest

from simt.test import programs

WRONG = {0: True, 1: True, 2: False, 3: False, 4: False}  # by argument of uniform_words.cu


@pytest.mark.parametrize("case", WRONG)
def test_words_of_other_lanes_are_found(case: int) -> None:
    run = programs.run("machine", "uniform_words", str(case), checks=True)
    assert ("thread 0 has" in run.out) == WRONG[case]
    assert ("miscompiled: UR" in run.errors) == WRONG[case], run.errors
    assert run.status == WRONG[case], run.errors  # its own: 1, if a sum is wrong
    assert WRONG[case] or not run.errors
