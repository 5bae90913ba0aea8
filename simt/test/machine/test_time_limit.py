"""When the time is up, it is told how much was checked until then, or run."""

import pytest

from simt.test import programs

BLOCKS = "1 whole launch, and 3 of the 8 blocks (37%) of spin(int*)"


@pytest.mark.parametrize(
    ("arguments", "checks", "told"),
    [
        (["spin"], True, f"checked until then: {BLOCKS}"),
        (["spin"], False, f"run until then: {BLOCKS}"),
        ([], True, "checked until then: 1 whole launch"),
    ],
)
def test_the_share_is_told(arguments: list[str], checks: bool, told: str) -> None:
    """On a busy computer two seconds may be over before the launches that end have ended."""
    for seconds in ("2", "8", "32"):
        options = ("--limit", seconds, "--cores", "1")
        done = programs.run("machine", "time_limit", *arguments, options=options, checks=checks)
        assert done.status == 124
        if done.errors.splitlines()[-1] == f"SIMT machine: {told}":
            return
    pytest.fail(done.errors)
