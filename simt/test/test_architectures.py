"""The machine is right for the code of every architecture that it knows: the programs of agreement/ check
what they compute, and do so in the code that nvcc makes for each.

No GPU but those of sm_90 has confirmed the counts of this code. What is compared with a GPU's are the values:
operation by operation where the operations exist (opcodes/), an operation's value being the same on all GPUs.
"""

import csv
import re
import subprocess

import pytest

from experiments.test.rest import some
from simt.test import architectures as table
from simt.test import programs
from simt.test.architectures import OUTCOMES, judged, tidied
from simt.test.fuzz.judge import Failure
from simt.test.test_opcodes import APPROXIMATE, DIFFERS, different, parse, recorded
from simt.try_cuda.build import architectures

FOLDER = programs.BINARIES / "architectures"
FOLDER_OF_SOURCES = programs.HERE / "opcodes"
BARRIERS = programs.BINARIES / "machine" / "block_barriers"
SOURCE_OF_BARRIERS = programs.HERE / "machine" / "block_barriers.cu"
FAMILIES = sorted(
    {path.parent.name for path in (programs.HERE / "agreement").rglob("*/*.cu")} - {"copies", "clusters"}
)
OPERATIONS = sorted(set(programs.names("opcodes")) - {APPROXIMATE})
FROM_90 = {"clusters"}
SOME = ["some", "unoptimised"]  # of the same programs
NOT_OF_75 = {"control", "halves", "warps", "integer_matrices"}  # which sm_75 lacks functions or PTX for
# What has other values by its nature: the card's own, not the architecture's.
OF_THE_CARD = {"%nsmid", "%nwarpid"}


def run(number: int, *command: object) -> subprocess.CompletedProcess:
    words = [programs.MACHINE, "--arch", number, "--counts-only", *command]
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=300, check=False)


def names_in(number: int, family: str) -> list[str]:
    listed = run(number, FOLDER / family, "--list")
    assert listed.returncode == 0, listed.stderr
    return listed.stdout.split()


def families_of(number: int) -> list[str]:
    newer = ["alone"] + ["from_80"] * (number >= 80) + ["from_100"] * (number >= 100)
    return [*FAMILIES, *newer, *SOME * (number in (75, 86, 120))]


CASES = [f"{number} {family}" for number in architectures() if number != 90 for family in families_of(number)]


@pytest.mark.parametrize("case", some(CASES, ["75 some", "86 some", "120 some"]))
def test_programs_are_right(case: str) -> None:
    number, family = case.split()
    failed = {}
    for name in names_in(number, family):
        done = run(number, FOLDER / family, name)
        if done.returncode != 0:
            failed[name] = done.stdout + done.stderr
    assert not failed


COMPARED = [
    (number, family)
    for number in (75, 86, 100, 120)
    for family in OPERATIONS
    if (number >= 90 or family not in FROM_90) and (number == 100 or family != "byte_floats")
    if number != 75 or family not in NOT_OF_75
]


def since() -> list[tuple[str, int]]:
    """The table of opcodes/since.h."""
    text = (FOLDER_OF_SOURCES / "since.h").read_text(encoding="utf-8")
    return [(name, int(number)) for name, number in re.findall(r'\{"([^"]+)", (\d+)\}', text)]


def operations_of(number: int, family: str) -> set[str]:
    """Those that an architecture has."""

    def needs(name: str) -> int:
        return next((first for text, first in since() if text in name), 75)

    return {name for name in recorded()[family] if needs(name) <= number}


@pytest.mark.full
@pytest.mark.parametrize(("number", "family"), COMPARED)
def test_operations_are_those_of_a_gpu(number: int, family: str) -> None:
    """An H200's: what an operation of PTX gives is the same everywhere."""
    wanted = recorded()[family]
    done = run(number, FOLDER / "opcodes" / family)
    got = {each.name: each for each in map(parse, done.stdout.splitlines())}
    assert got.keys() == operations_of(number, family), done.stderr
    known = {name for name in wanted if f"{family} {name}" in DIFFERS} | OF_THE_CARD
    wrong = [each for name, each in got.items() if each.digest != wanted[name].digest and name not in known]
    assert not wrong, "\n".join(different(wanted[each.name], each) for each in wrong) + done.stderr


def test_a_program_says_what_it_lacks(tmp_path) -> None:
    done = run(80, FOLDER / "some", "--list")  # it launches nothing
    assert done.returncode == 0
    done = run(80, FOLDER / "some", "switch_dense")
    assert done.returncode != 0
    wanted = "no machine code for sm_80, only sm_75, sm_86, sm_120; compile it with nvcc -arch=sm_80"
    assert wanted in done.stderr


def test_code_of_a_lower_minor_version_runs() -> None:
    """As on a GPU of sm_89, which takes what was compiled for sm_86."""
    assert run(89, FOLDER / "some", "switch_dense").returncode == 0


def test_the_machine_cannot_be_what_it_does_not_know() -> None:
    done = run(70, FOLDER / "some", "--list")
    assert done.returncode == 2
    assert "cannot be sm_70; it can be sm_75 (T4), sm_80 (A100)" in done.stderr


def test_unknown_instructions_are_listed_without_running_the_program() -> None:
    done = subprocess.run(
        [programs.MACHINE, "--arch", "120", "--unknown", FOLDER / "some"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.full
def test_the_readme_says_how_much_is_right() -> None:
    def programs_for(number: int) -> int:
        families = [family for family in families_of(number) if family not in SOME]
        return sum(len(names_in(number, family)) for family in families)

    operations = {
        number: sum(len(operations_of(number, family)) for family in set(OPERATIONS) - missing)
        for number, missing in {75: NOT_OF_75 | FROM_90, 86: FROM_90, 90: set()}.items()
    }
    differing, of_the_card = len(DIFFERS), ", ".join(sorted(OF_THE_CARD))
    rows = {
        "sm_75": f"{programs_for(75)} | {operations[75]:,}, all that it has but for four families",
        "sm_80, 86, 89": f"{programs_for(80)} | of sm_86 {operations[86]:,}, all that it has",
        "sm_90": f"{len(programs.names('agreement'))} | {operations[90]:,},"
        f" but for the {differing} of `test/opcodes/differs.txt`",
        "sm_100, 120": f"{programs_for(100)} | the same, but for what is the card's own: {of_the_card}",
    }
    text = (programs.ROOT / "simt" / "README.md").read_text(encoding="utf-8")
    assert [name for name, row in rows.items() if f"| {name} | {row} |" not in text] == []


@pytest.mark.parametrize("number", [90, 120])
def test_an_mbarrier_is_initialised_again(number: int) -> None:
    done = run(number, programs.BINARIES / "machine" / "mbarriers_again")
    assert (done.returncode, done.stdout.strip()) == (0, "right"), done.stderr


@pytest.mark.full
@pytest.mark.parametrize("number", [75, 86, 89, 90, 120])
@pytest.mark.parametrize(
    ("name", "said", "race"),
    [
        ("exchange", "right", None),
        ("gathered", "right", None),
        ("early", "racy", "out[threadIdx.x] = values[THREADS - 1 - threadIdx.x]"),
        ("uncounted", "racy", "out[t] = values[THREADS - 1 - t]"),
        ("relaxed", "racy", "out[threadIdx.x] = values[THREADS - 1 - threadIdx.x]"),
    ],
)
def test_barriers_of_a_block_order_its_threads(number: int, name: str, said: str, race: str | None) -> None:
    command = [programs.MACHINE, "--arch", number, "--seeds", 4, BARRIERS, name]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False)
    assert said in done.stdout, done.stderr
    assert done.returncode == (3 if race else 0), done.stderr
    if race is not None:
        lines = SOURCE_OF_BARRIERS.read_text(encoding="utf-8").splitlines()
        reads = [f"block_barriers.cu:{k}" for k, line in enumerate(lines, 1) if race in line]
        assert "data race on shared memory" in done.stderr
        assert any(read in done.stderr for read in reads), done.stderr


@pytest.mark.full
@pytest.mark.parametrize("number", [75, 86, 89, 90, 120])
@pytest.mark.parametrize("name", ["barrier_copies", "twelve_bytes"])
def test_a_right_program_is_not_accused_on_any_architecture(name: str, number: int) -> None:
    program = programs.BINARIES / "machine" / name
    command = [programs.MACHINE, "--arch", number, "--seeds", 4, program]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout.strip().splitlines()[0]) == (0, "right"), done.stderr


def test_the_readme_tells_what_is_right_on_each_architecture() -> None:
    """`make architectures` has recorded it, of both builds."""
    counts: dict[tuple[str, str], list[int]] = {}
    with (programs.ROOT / "results/simt/architectures.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            right, *others = (int(row[name]) for name in OUTCOMES)
            assert row["wrong"] == "0", "the readme says that nothing is"
            known = counts.setdefault((row["architecture"], row["set"]), [0, 0])
            known[0] += right
            known[1] += right + sum(others)
    text = (programs.ROOT / "simt" / "README.md").read_text(encoding="utf-8")
    for number in (number for number in architectures() if number != 90):
        of_sets = [count for (architecture, _), count in counts.items() if architecture == str(number)]
        assert f"| sm_{number} | {' | '.join(f'{right} of {all_}' for right, all_ in of_sets)} |" in text


def test_what_is_said_of_programs_has_no_names_of_a_run() -> None:
    ptxas = (
        "ptxas tmpxft_000023b2_00000000-11_copies.compute_75.ptx, line 54; error   : Feature 'x' is missing"
    )
    assert tidied(ptxas) == "ptxas: Feature 'x' is missing"
    assert tidied("copies.cu(11): error: no such thing") == "nvcc: no such thing"
    assert tidied("ptxas -arch=sm_120 -o O3.cubin batch.ptx: -11") == "ptxas is ended by signal 11"
    assert (
        tidied("fetch: a.cu:8: no such (TLD), block (0, 0, 0), thread (0, 0, 0)")
        == "fetch: a.cu:8: no such (TLD)"
    )


def test_what_the_machine_lacks_is_refused_and_all_else_wrong() -> None:
    assert judged(0, "right") == ("right", "")
    lacks = "SIMT machine: fetch: /a/b/handles.cu:8: the machine has no such texture instruction (TLD)"
    assert judged(1, lacks) == (
        "refused",
        "fetch: handles.cu:8: the machine has no such texture instruction (TLD)",
    )
    assert judged(3, "SIMT machine: data race on shared memory")[0] == "wrong"
    assert judged(1, "element 5 is 55088, not -886695") == ("wrong", "element 5 is 55088, not -886695")


def test_a_kernel_on_which_the_compiler_crashes_is_not_compiled_unless_another_build_is_wrong(monkeypatch):
    said = "/usr/bin/ptxas -arch=sm_120 -o /tmp/O3.cubin /tmp/batch.ptx: -11\n"
    failures = [
        Failure(0, "-O3", "crash", said),
        Failure(0, "-G", "differs", "a word differs"),
        Failure(1, "-O3", "crash", said),
    ]
    monkeypatch.setattr(table, "draw", lambda *_: (None, []))
    monkeypatch.setattr(table, "judge", lambda *_: failures)
    monkeypatch.setattr(table, "kept", lambda _, find: find())
    found = next(table.fuzz([120]))()[:3]
    assert [(each.outcome, tidied(each.said)) for each in found] == [
        ("wrong", "-G: a word differs"),
        ("not_compiled", "ptxas is ended by signal 11"),
        ("right", ""),
    ]
