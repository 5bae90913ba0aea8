"""What the machine computes is what the host does, in programs of conversions, atomics and collectives."""

import pytest

from simt.test import programs


@pytest.mark.parametrize("options", [(), ("--seed", "1"), ("--seed", "2")])
def test_values_are_the_hosts(options: tuple[str, ...]) -> None:
    run = programs.run("machine", "values", options=options, checks=True)
    assert (run.status, run.out) == (0, "right\n"), run.errors
