"""The host may poll what a launch writes for the whole system; who reads once without a wait has raced."""

from pathlib import Path

import pytest

from experiments.test.rest import some

SOURCE = Path(__file__).with_name("polling.cu")
RACES = (
    *("device_scope_once", "device_scope_polled", "variable", "system_once", "pinned_once", "twice"),
    "volatile_once",
)
CORRECT = ("polled", "volatile_polled", "counter_polled", "two_rounds", "progress", "waits")
TRIED = ("system_once", "polled")


@pytest.mark.parametrize("name", some((*RACES, *CORRECT), TRIED))
def test_only_who_polls_may_read_before_it_has_waited(name, attempt):
    result = attempt(SOURCE, "--seeds", 2, "--", name)
    races = [line for line in result.errors.splitlines() if "data race on memory of the host" in line]
    assert (result.status, len(races)) == ((3, 1) if name in RACES else (0, 0)), result.errors
    lines = enumerate(SOURCE.read_text().splitlines(), 1)
    at = [number for number, line in lines if line.endswith(f"// {name}")]
    assert all(f"polling.cu:{number}: " in race for number, race in zip(at, races, strict=True))
