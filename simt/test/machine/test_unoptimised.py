"""Programs compiled without optimisation run, too: -G, and ptxas -O0. Their counts are not compared."""

import pytest

from simt.test import programs

NAMES = (
    "constant_memory",
    "diverged_atomics",
    "function_pointers",
    "halves",
    "matmul",
    "named_barriers",
    "struct_copies",
    "warp_reductions",
)


@pytest.mark.parametrize("mode", ["debug", "ptxas"])
@pytest.mark.parametrize("name", NAMES)
def test_results_are_right(name: str, mode: str) -> None:
    run = programs.run("unoptimised", mode, name)
    assert (run.status, run.out) == (0, "ok\n"), run.errors
