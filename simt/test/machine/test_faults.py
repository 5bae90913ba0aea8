"""A launch that fails gives the error that a GPU gives, in this and every later call, and one line on
standard error: kernel, source line, block and thread. The program goes on."""

import re

import pytest

from simt.test import programs

RECORDED = (programs.HERE / "machine" / "faults.nvidia-h200.txt").read_text(encoding="utf-8").splitlines()
SOURCE_LINE = r"SIMT machine: .+: \S+:\d+: {what}, block \(\d+, 0, 0\), thread \(\d+, 0, 0\)\n"
REFUSED = (
    r"SIMT machine: .+: the launch is refused: .+; grid \(.+\), block \(.+\), \d+ bytes of dynamic shared"
    r" memory\n"
)

# What the line says, where it is of interest.
MESSAGES = {
    "null_load": "a null pointer is accessed",
    "misaligned_load_8": "an access of 8 bytes is misaligned: 0x[0-9a-f]+4",
    "shared_beyond": "byte 1048576 of shared memory is accessed, of which the block has 256 bytes",
    "trap": "trap",
    "cluster_rank_beyond": "shared memory of the block of rank 2 is accessed, in a cluster of 2 blocks",
    "cluster_ended_block": "shared memory of the block of rank 1 of its cluster is accessed, and the"
    " block has ended",
    "recursion_without_end": "the thread's stack of 1024 bytes is exceeded",
}
ASSERTION = (
    r"SIMT machine: failing_assertion: \S+:\d+: assertion `.+` failed at \S+:\d+, "
    r"block \(.+\), thread \(40, 0, 0\)\n"
)
REGISTERS = r"SIMT machine: many_registers: a block of 1024 threads needs more registers than there are\n"

# A GPU waits for ever, or has what the machine does not have.
DEADLOCK = ("cudaErrorLaunchTimeout", "deadlock: no resident block can make progress; .*")
OF_THE_MACHINE = {
    "deadlock": DEADLOCK,
    "deadlock_in_shared_memory": DEADLOCK,
    "deadlock_of_lock": DEADLOCK,
    "loop_without_end": DEADLOCK,
    "deadlock_at_barrier": DEADLOCK,
    "deadlock_at_cluster_barrier": DEADLOCK,
    # A GPU gives no error, and PTX says nothing of it.
    "cluster_store_async_to_two": (
        "cudaErrorLaunchFailure",
        "st.async stores to one block and completes an .*",
    ),
    # What a GPU does depends on what else uses that memory.
    "surface_of_freed_array": ("cudaErrorIllegalAddress", r".*, in memory that is freed: .*"),
    "texture_of_freed_array": ("cudaErrorIllegalAddress", r".*, in memory that is freed: .*"),
    "sparse_texture": ("cudaErrorIllegalInstruction", r"the machine has no such texture .*\(TEX.*\): .*"),
}

# Kernels whose names have parentheses of their own, by case.
NAMES = {
    "null_store": "store",
    "unnamed_namespace": "(anonymous namespace)::unnamed",
    "function_type": "void typed<int (*)(float)>",
    "enumerator": "void levelled<(Level)1>",
}


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda line: line.split(":")[0])
def test_errors_are_a_gpus(recorded: str) -> None:
    case = recorded.split(":")[0]
    run = programs.run("machine", "faults", case)
    assert (run.status, run.out) == (0, recorded + "\n")
    if "launch cudaSuccess" not in recorded.split(", ")[0]:
        line = REGISTERS if case == "too_many_registers" else REFUSED
    elif "synchronize cudaSuccess" in recorded:
        line = ""
    else:
        line = ASSERTION if case == "assertion" else SOURCE_LINE.format(what=MESSAGES.get(case, ".+"))
    if case != "no_kernel":
        assert re.fullmatch(line, run.errors), run.errors


@pytest.mark.parametrize("case", OF_THE_MACHINE)
def test_what_the_machine_refuses(case: str) -> None:
    error, what = OF_THE_MACHINE[case]
    run = programs.run("machine", "faults", case)
    assert run.status == 0
    assert run.out == (
        f"{case}: launch cudaSuccess, synchronize {error}, last {error}, malloc {error},"
        f" next launch {error}\n"
    )
    assert re.fullmatch(SOURCE_LINE.format(what=what), run.errors), run.errors


def test_products_by_a_warpgroup_are_refused() -> None:
    run = programs.run("machine", "warpgroup")
    assert "the machine has no products of matrices by a warpgroup (WARPGROUP" in run.errors
    assert "): use mma.sync or wmma, block (0, 0, 0)" in run.errors


@pytest.mark.parametrize("case", NAMES)
def test_kernels_are_named_without_their_parameters(case: str) -> None:
    assert f"SIMT machine: {NAMES[case]}: faults.cu:" in programs.run("machine", "faults", case).errors
