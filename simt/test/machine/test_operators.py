"""Applications of an operator of floats are recognised in code of sm_100, too: simt/decode/operators.h."""

import pytest

from simt.test import programs

# Warp instructions and lanes of 5 steps. For sm_120 nvcc hoists the addition out of its condition.
APPLIED = {90: "5 129\n", 120: "5 160\n"}


@pytest.mark.parametrize("architecture", APPLIED)
def test_additions_of_a_warps_scan(architecture: int) -> None:
    run = programs.run("machine", "operators", options=("--arch", str(architecture)))
    assert (run.status, run.out) == (0, APPLIED[architecture]), run.errors
