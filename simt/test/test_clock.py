"""With the clock the machine computes and counts what it does without: in every program of agreement/ the
results are right and the counts are the GPU's."""

import pytest

from experiments.test.rest import some
from simt.test import programs
from simt.test.test_agreement import differences, recorded

PRICES = "nvidia-h200"
SOME = {"block_reduction", "nested_branches", "bulk_copies_polls", "look_back_polls", "mbarriers_polls"}


@pytest.mark.parametrize("program", some(programs.names("agreement"), SOME))
def test_counts_do_not_change(program: str) -> None:
    run = programs.run("agreement", program, options=("--clock", PRICES))
    assert (run.status, run.out) == (0, "ok\n"), run.errors
    wanted = recorded()[program]
    found = [line for pair in zip(wanted, run.launches, strict=True) for line in differences(program, *pair)]
    assert not found, "\n" + "\n".join(found)
    assert all(launch["clock"]["us"] > launch["clock"]["launch_us"] for launch in run.launches)
