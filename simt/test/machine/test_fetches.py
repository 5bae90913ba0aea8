"""What the checks find of textures and surfaces: fetches.cu."""

import pytest

from simt.test import programs

FOUND = {
    "own_writes": "fetches.cu:25: a texture or surface read of what the same launch has written, at fetches",
    "unwritten": "fetches.cu:20: uninitialised read",
    "unwritten_array": "fetches.cu:28: uninitialised read",
    "own_surface_writes": "fetches.cu:40: a texture or surface read of what the same launch has written",
    "surface_race": "fetches.cu:34: data race on global memory",
    "in_two_streams": "fetches.cu:37: data race on global memory",
    "destroyed": "fetches.cu:20: a linear texture of 64 is used, which the program has destroyed",
    "no_object": "fetches.cu:20: no object has the handle 0: zeros are read, nothing is written",
    "other_kind": "fetches.cu:31: TEX.LL reads zeros of a 2-D texture of 64 x 4",
}


@pytest.mark.parametrize("case", FOUND)
def test_a_fault_is_found(case: str) -> None:
    run = programs.run("machine", "fetches", case, checks=True)
    assert run.status == 3
    assert FOUND[case] in run.errors
    assert len(run.errors.splitlines()) == 1


@pytest.mark.parametrize("case", ["in_two_launches", "surface_in_two_launches", "beyond_the_end"])
def test_a_correct_program_is_not_accused(case: str) -> None:
    run = programs.run("machine", "fetches", case, checks=True)
    assert (run.status, run.errors) == (0, "")


# Of the launches of agreement/textures, on an H100: smsp__inst_executed_op_texture, _surface_ld, _surface_st.
INSTRUCTIONS = {"filtering": [8, 8, 280], "handles": [12], "surfaces": [36]}


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_instructions_are_a_gpus(name: str) -> None:
    launches = programs.run("agreement", name).launches
    assert [launch["texture_instructions"] for launch in launches] == INSTRUCTIONS[name]
