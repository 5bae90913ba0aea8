"""Who is together behind a call by pointer: the machine and an H200 agree, but behind some recursive calls.

There lanes stay apart on the GPU, and the machine has them together: simt/test/fuzz/README.md.
"""

from simt.test import programs

RECORDED = programs.HERE / "machine" / "recursion.nvidia-h200.txt"
APART = 34  # of the GPU's launches; a machine that tells them, too, has none that differs


def test_lanes_meet_where_they_do_on_a_gpu() -> None:
    wanted = RECORDED.read_text(encoding="utf-8").splitlines()
    got = programs.run("machine", "recursion").out.splitlines()
    assert len(got) == len(wanted)
    different = [one for one, other in zip(wanted, got, strict=True) if one != other]
    assert len(different) == APART
    together = f"{2**32 - 1:08x}"
    assert not any(line.endswith(f" {together}, {together}") for line in different)
