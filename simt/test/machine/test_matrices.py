"""Races of ldmatrix and stmatrix are found, and what of a product nobody has written: no more than that."""

import pytest

from simt.test import programs

RACE, UNWRITTEN = "data race on shared memory", "uninitialised read of shared memory"
FOUND = {  # by argument of matrices.cu
    0: "", 1: RACE, 2: "", 3: RACE, 4: "",
    5: UNWRITTEN, 6: "", 7: "", 8: UNWRITTEN, 9: "", 10: UNWRITTEN, 11: "",
}  # fmt: skip


@pytest.mark.parametrize("case", FOUND)
def test_only_what_is_wrong_is_found(case: int) -> None:
    run = programs.run("machine", "matrices", str(case), checks=True)
    assert run.out == "cudaSuccess\n"
    assert run.status == (3 if FOUND[case] else 0), run.errors
    assert FOUND[case] in run.errors
    assert FOUND[case] or not run.errors


def test_a_product_by_half_a_warp_is_a_fault() -> None:
    run = programs.run("machine", "matrices", "12")
    assert run.out == "cudaErrorIllegalInstruction\n"
    assert "a product of matrices by some lanes of a warp, which PTX leaves undefined" in run.errors
