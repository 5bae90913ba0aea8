"""What nobody has written may be loaded, moved and masked out; where it decides something, it is found."""

import pytest

from simt.test import programs

LOCAL, SHARED = "uninitialised read of local memory", "uninitialised read of shared memory"
FOUND = {  # by argument of undefined.cu
    0: "", 1: SHARED, 2: "", 3: "", 4: "", 5: SHARED, 6: "",
    7: "", 8: LOCAL, 9: "", 10: LOCAL, 11: "", 12: "",
    13: "the lane reads from one that does not take part", 14: SHARED, 15: "", 16: SHARED, 17: "",
}  # fmt: skip


@pytest.mark.parametrize("case", FOUND)
def test_only_what_decides_something_is_found(case: int) -> None:
    run = programs.run("machine", "undefined", str(case), checks=True)
    assert run.status == (3 if FOUND[case] else 0), run.errors
    assert FOUND[case] in run.errors
    assert FOUND[case] or not run.errors
