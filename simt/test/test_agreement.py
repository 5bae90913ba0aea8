"""The machine counts what a GPU's counters counted, for every launch of the programs in agreement/.

counters.<gpu>.jsonl has what a GPU counted (agreement/record.py). Every quantity of every launch must be
equal, but for those in CAUSES. One that varied on the GPU, for it depends on timing, must be within what was
seen. Of a program that polls, its name says so, only what polling cannot change is compared.
"""

import json
from dataclasses import dataclass
from functools import cache

import pytest

from simt.test import programs

RECORDED = programs.HERE / "agreement" / "counters.nvidia-h200.jsonl"
NO_QUANTITY = {
    *("program", "launch", "kernel", "grid", "block", "runs", "varies", "by_opcode", "barrier_instructions")
}

# What waiting in a loop does not change.
UNPOLLED = {
    "shared_store_requests",
    "global_store_requests",
    "global_store_sectors",
    "bulk_bytes_loaded",
    "bulk_bytes_stored",
}


@dataclass(frozen=True)
class Cause:
    """Why quantities differ, by so much of what the GPU counted at most."""

    reason: str
    programs: set[str]
    quantities: set[str] | None  # None: all
    share: float


CAUSES = [
    Cause(
        "a group that finds the convergence barrier of another call does not wait: whether it does is a"
        " matter of timing, and the GPU's passes over one launch differ",
        {"recursion"},
        {
            *("warp_instructions", "thread_instructions", "thread_instructions_pred_on"),
            *("branches", "divergent_branches", "local_load_requests", "local_store_requests"),
            *("global_store_requests", "global_store_sectors"),
        },
        0.72,
    ),
    Cause(
        "the GPU's pass that counts branches parts two tiles at one more; by opcode there are 12",
        {"tiles"},
        {"branches", "divergent_branches"},
        1.0,
    ),
]


@cache
def recorded() -> dict[str, list[dict]]:
    """The launches of each program."""
    by_program: dict[str, list[dict]] = {}
    for line in RECORDED.read_text(encoding="utf-8").splitlines()[1:]:
        row = json.loads(line)
        by_program.setdefault(row["program"], []).append(row)
    return by_program


def has_cause(program: str, quantity: str, wanted: int, got: int) -> bool:
    return any(
        program in cause.programs
        and (cause.quantities is None or quantity in cause.quantities)
        and abs(got - wanted) <= cause.share * wanted
        for cause in CAUSES
    )


def differences(program: str, wanted: dict, got: dict) -> list[str]:
    """Of one launch, a line for each quantity that differs."""
    lines = []
    for quantity in sorted(wanted.keys() - NO_QUANTITY):
        if program.endswith("_polls") and quantity not in UNPOLLED:
            continue
        low, high = wanted["varies"].get(quantity, [wanted[quantity]] * 2)
        count = got[quantity]
        if not low <= count <= high and not has_cause(program, quantity, wanted[quantity], count):
            expected = str(low) if low == high else f"{low} to {high}"
            lines.append(f"launch {wanted['launch']}, {wanted['kernel']}: {quantity} {count}, not {expected}")
    return lines


def test_every_program_is_recorded() -> None:
    assert sorted(recorded()) == programs.names("agreement")


@pytest.mark.parametrize("program", programs.names("agreement"))
def test_counts_agree(program: str) -> None:
    run = programs.run("agreement", program)
    assert (run.status, run.out) == (0, "ok\n"), run.errors
    wanted = recorded()[program]
    assert len(run.launches) == len(wanted)
    differing = [
        line for pair in zip(wanted, run.launches, strict=True) for line in differences(program, *pair)
    ]
    assert not differing, "\n" + "\n".join(differing)
