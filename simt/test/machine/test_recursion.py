"""Who is together behind a call by pointer, and behind the shuffle that follows: as on an H200."""

from simt.test import programs

RECORDED = programs.HERE / "machine" / "recursion.nvidia-h200.txt"
APART = 34  # of 400 launches: the lanes do not meet behind the call


def test_lanes_meet_where_they_do_on_a_gpu() -> None:
    wanted = RECORDED.read_text(encoding="utf-8").splitlines()
    together = f"{2**32 - 1:08x}"
    assert sum(not line.endswith(f" {together}, {together}") for line in wanted) == APART
    assert programs.run("machine", "recursion").out.splitlines() == wanted
