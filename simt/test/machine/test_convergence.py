"""Which lanes are together behind calls by pointer, branches and loops: as on an H200."""

from simt.test import programs

RECORDED = programs.HERE / "machine"
APART = 34  # of 400 launches: the lanes do not meet behind the call
TOGETHER = f"{2**32 - 1:08x}"


def as_on_a_gpu(name: str) -> list[str]:
    wanted = (RECORDED / f"{name}.nvidia-h200.txt").read_text(encoding="utf-8").splitlines()
    assert programs.run("machine", name).out.splitlines() == wanted
    return wanted


def test_lanes_meet_where_they_do_on_a_gpu() -> None:
    lines = as_on_a_gpu("recursion")
    assert sum(not line.endswith(f" {TOGETHER}, {TOGETHER}") for line in lines) == APART


def test_lanes_that_yield_stay_apart_from_those_that_wait_for_them() -> None:
    apart = {line.split(":")[0] for line in as_on_a_gpu("yields") if not line.endswith(f": {TOGETHER}")}
    calls = {f"call of {first} or {second}" for first in range(4) for second in range(4, 8)}
    assert apart == calls | {"branch", "loop", "exchanges", "lock"}
