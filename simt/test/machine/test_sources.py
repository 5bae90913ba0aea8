"""What is wrong with kernels of lecture notes, as the machine finds it; each corrected kernel passes."""

import pytest

from simt.test import programs

COMPACTED = "1 3 5 2 -1 -1 -1 -1 cudaSuccess\n"
RESULTS = {
    "blocks_full": "0 8 8 8 cudaSuccess\n",
    "blocks_fixed": "0 8 8 4 cudaSuccess\n",
    "compaction": COMPACTED,
    "compaction_fixed": COMPACTED,
    "eight": "1 2 5 9 14 20 27 35 cudaSuccess\n",  # element 1 never adds element 0
    "eight_fixed": "1 3 6 10 15 21 28 36 cudaSuccess\n",
}
BEFORE = "byte -4 of shared memory is accessed"
FINDINGS = {
    "blocks": "uninitialised read of shared memory: byte 32",
    "blocks_initialised": "an illegal address is accessed",
    "compaction_of_3": BEFORE,
    "compaction_of_6": BEFORE,
    "compaction_of_7": BEFORE,
    "compaction_with_threads_to_spare": "an illegal address is accessed",
}


@pytest.mark.parametrize("case", RESULTS)
def test_what_is_right(case: str) -> None:
    run = programs.run("machine", "sources", case, checks=True)
    assert (run.status, run.out, run.errors) == (0, RESULTS[case], "")


@pytest.mark.parametrize("case", FINDINGS)
def test_what_is_wrong(case: str) -> None:
    run = programs.run("machine", "sources", case, checks=True)
    assert FINDINGS[case] in run.errors
