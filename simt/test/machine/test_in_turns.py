"""Launches that nothing orders take turns, in the schedules in which late work goes backwards."""

import pytest

from simt.test import programs


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("is_ordered", [False, True])
def test_launches_that_nothing_orders(is_ordered: bool, seed: int) -> None:
    run = programs.run("machine", "in_turns", str(int(is_ordered)), options=("--seed", str(seed)))
    assert (run.status, run.errors) == (0, "")
    assert run.out == ("in turns\n" if seed % 4 == 3 and not is_ordered else "apart\n")
