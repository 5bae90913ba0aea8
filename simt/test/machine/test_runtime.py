"""Every call of the runtime returns what it returned on an H200: runtime_*.cu, system_functions.cu."""

import pytest

from simt.test import programs

FOLDER = programs.HERE / "machine"
NAMES = sorted(path.name.removesuffix(".nvidia-h200.txt") for path in FOLDER.glob("*.nvidia-h200.txt"))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("faults", "recursion", "yields")])
def test_calls_return_what_they_return_on_a_gpu(name: str) -> None:
    run = programs.run("machine", name)
    assert run.status == 0
    assert (
        run.out.splitlines() == (FOLDER / f"{name}.nvidia-h200.txt").read_text(encoding="utf-8").splitlines()
    )
