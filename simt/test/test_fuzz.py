"""Random kernels agree with Python in six builds; of a planted error a small program remains."""

import csv
import random
import re
import subprocess
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from simt.test.fuzz.build import BATCH, HERE, MACHINE, ROOT, WAYS, Batch, CompilerError, nvcc, run
from simt.test.fuzz.expressions import Applied
from simt.test.fuzz.generate import draw, from_word
from simt.test.fuzz.judge import judge, words_of
from simt.test.fuzz.kernel import RESULTS, WORDS, Input, Kernel
from simt.test.fuzz.operations import ALL, Operation
from simt.test.fuzz.reduce import reduced
from simt.test.fuzz.statements import Output
from simt.test.fuzz.tally import tally

ARCH = 90


@pytest.mark.parametrize(
    "seed", ["a", *(pytest.param(f"more-{k}", marks=pytest.mark.full) for k in range(3))]
)
def test_random_kernels_agree_in_their_builds(seed: str) -> None:
    count, ways = (4, ["-O3", "-G"]) if seed == "a" else (BATCH, list(WAYS))
    drawn = [draw(f"{seed}.{k}", f"kernel_{k}", ARCH) for k in range(count)]
    failures = judge([each for each, _ in drawn], [words for _, words in drawn], ARCH, ways)
    assert not failures, "\n".join(f"{seed}.{each.kernel} {each.way} {each.message}" for each in failures)


# Kernels that the machine once got wrong where a GPU was right: words, a deadlock, races, undefined bits.
ONCE = {
    "probe-16-1.10": "-O3", "two-4-0.9": "-O3", "two-4-7.5": "-Xptxas -O1", "gpu-1-5.7": "-O3",
    "gpu-7-8.4": "-maxrregcount=24", "two-9-0.8": "-O3", "gpu-14-2.6": "-O3",
    "gpu-1-0.13": "-maxrregcount=24", "two-3-0.8": "-maxrregcount=24", "three-1-9.13": "-O3",
    "five-15-8.6": "-O3", "night-c-16.6": "-O3", "night-e-17.8": "-maxrregcount=24",
}  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("seed", ONCE)
def test_what_once_was_wrong_is_right(seed: str) -> None:
    kernel, words = draw(seed, "kernel_0", ARCH)
    failures = judge([kernel], [words], ARCH, [ONCE[seed]])
    assert not failures, failures[0].message


def test_readme_tells_what_the_gpus_said() -> None:
    text = (HERE / "README.md").read_text(encoding="utf-8")
    told = [
        re.findall(r"[\d,]+", line.split("|", 2)[2]) for line in text.splitlines() if line.startswith("| ")
    ][2:]
    for column, gpu in enumerate(("nvidia-h100", "nvidia-h200")):
        with (ROOT / "results" / gpu / "fuzz.csv").open(encoding="utf-8") as file:
            programs = [int(row["programs"]) for row in csv.DictReader(file)]
        assert [row[column] for row in told] == [f"{each:,}" for each in programs]
        assert f"{sum(programs):,}" in text


def test_who_is_wrong_is_told_by_builds_and_gpu() -> None:
    gpu = " on the GPU"
    log = [
        "seed a-0.1 fails in -O3, -O3 on the GPU; the GPU prints the same",
        "seed a-0.2 fails in -O3, -G",
        f"seed a-0.3 fails in -O3, -G{gpu}",
        "seed a-0.4: the compiler crashes (-O3)",
        "seed a-0.4: the compiler crashes (-Xptxas -O2)",
        "seed a-0.2: the compiler crashes (-Xptxas -O1)",
        "seed a-1.4 fails in -O3",  # of a batch that has not ended
        "fuzz      16 programs x 6 builds and a GPU, 3 failed, 9 s (seed a)",
    ]
    assert tally(log) == {
        "programs": 16,
        "crash": ["a-0.4"],
        "compiler": ["a-0.1"],
        "machine": ["a-0.2"],
        "open": ["a-0.3"],
    }


def applied(operation: Operation, r: random.Random) -> Applied:
    arguments = [Applied(from_word(t), [Input(r.randrange(WORDS))]) for t in operation.arguments]
    return Applied(operation, arguments)


def one_by_one(operations: list[Operation], name: str) -> Kernel:
    r = random.Random(name)
    return Kernel(name, 64, [Output(k, applied(each, r)) for k, each in enumerate(operations)])


def test_a_crash_of_the_compiler_is_that_of_one_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """ptxas has crashed on kernels that this draws: the others of the batch are judged all the same."""
    kernels = [one_by_one([each], f"kernel_{k}") for k, each in enumerate(islice(ALL["i32"], 3))]
    crashing, program = kernels[1].body, Batch.program

    def crash(batch: Batch, way: str) -> Path:
        if way == "-O3" and any(each.body is crashing for each in batch.kernels):
            raise CompilerError("ptxas", -11)
        return program(batch, way)

    monkeypatch.setattr(Batch, "program", crash)
    expected = [each.expected() for each in kernels]
    expected[2][0] ^= 1
    found = judge(kernels, expected, ARCH, ["-O3", "-Xptxas -O0"])
    assert [(each.kernel, each.way, each.kind) for each in found] == [
        (1, "-O3", "crash"),
        (2, "-O3", "differs"),
        (2, "-Xptxas -O0", "differs"),
    ]


@pytest.mark.full
def test_every_operation_is_what_python_says() -> None:
    operations = iter([each for some in ALL.values() for each in some])
    while some := list(islice(operations, RESULTS * BATCH)):
        parts = [some[k : k + RESULTS] for k in range(0, len(some), RESULTS)]
        kernels = [one_by_one(part, f"kernel_{k}") for k, part in enumerate(parts)]
        failures = judge(kernels, [each.expected() for each in kernels], ARCH, ["-O3"])
        assert not failures, "\n".join(f"{parts[each.kernel]} {each.message}" for each in failures)


@pytest.mark.full
def test_a_planted_error_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python computes one operation wrongly, for odd words: the first seed is taken where that matters."""
    right = next(each for each in ALL["i32"] if each.text.startswith("__popc("))
    wrong = replace(right, function=lambda a: right.function(a) ^ (a & 1))
    seeds = [f"planted {k}" for k in range(40)]
    results = [draw(seed, "kernel_0", ARCH)[1] for seed in seeds]
    monkeypatch.setitem(ALL, "i32", [wrong if each is right else each for each in ALL["i32"]])
    planted = (draw(seed, "kernel_0", ARCH) for seed in seeds)
    kernel, words = next(each for each, before in zip(planted, results, strict=False) if each[1] != before)
    failures = judge([kernel], [words], ARCH, ["-O3"])
    assert [each.kind for each in failures] == ["differs"]
    small = reduced(kernel, failures[0], ARCH, seconds=15)
    assert "__popc" in small.text()
    assert small.text().count("\n") < kernel.text().count("\n") / 2


# Seeds whose programs the machine ran wrongly as another GPU, did not know, or accused.
MENDED = [
    ("sm_75-0.1", 75, "-O3"),  # who waits at a BSYNC for lanes that have left it is complete
    ("sm_75-0.2", 75, "-O3"),  # HSETP2 of a float
    ("sm_75-0.1", 75, "-G"),  # HADD2 R0, -RZ.H0_H0, c[0x2], [0x10].F32
    ("sm_89-0.11", 89, "-O3"),  # PLOP3.LUT P1, PT, R23.SIGN, c[0x2] [0xe0].SIGN, ..
    ("sm_89-0.10", 89, "-O3"),  # a warp sync awaits lanes that are still on their way
]


@pytest.mark.full
@pytest.mark.parametrize(("seed", "arch", "way"), MENDED)
def test_what_was_wrong_on_another_architecture_is_right(seed: str, arch: int, way: str) -> None:
    kernel, words = draw(seed, "kernel_0", arch)
    assert judge([kernel], [words], arch, [way]) == []


COMPILER = HERE / "compiler"  # a program a file, in the builds that a GPU has run


def answers() -> list[dict[str, str]]:
    with (COMPILER / "answers.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(path.stem for path in COMPILER.glob("*.cu")))
def test_where_the_compiler_is_wrong_the_machine_says_what_a_gpu_says(tmp_path: Path, name: str) -> None:
    rows = [row for row in answers() if row["program"] == name]
    assert rows
    for row in rows:
        flags = ["-arch=sm_90", "-cudart=shared", "-std=c++17", "-fmad=false", "-w", *row["build"].split()]
        program = tmp_path / "program"
        subprocess.run([nvcc(), *flags, COMPILER / f"{name}.cu", "-o", program], check=True)
        done = subprocess.run([MACHINE, program], capture_output=True, text=True, check=False)
        assert done.stdout.split() == row["printed"].split(), row


def test_every_answer_is_of_a_program() -> None:
    assert {row["program"] for row in answers()} == {path.stem for path in COMPILER.glob("*.cu")}


def words_of_gpu() -> dict[tuple[str, str], dict[int, tuple[int, int]]]:
    """Of programs and builds for which an H200 prints other words than Python: by place, Python's and its."""
    found: dict[tuple[str, str], dict[int, tuple[int, int]]] = {}
    with (ROOT / "results/nvidia-h200/fuzz.words.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            place = RESULTS * int(row["thread"]) + int(row["word"])
            words = found.setdefault((row["program"], row["build"]), {})
            words[place] = (int(row["python"], 16), int(row["gpu"], 16))
    return found


def test_the_words_of_the_gpu_are_beside_pythons() -> None:
    of_gpu = words_of_gpu()
    for seed in {seed for seed, _ in of_gpu}:
        _, words = draw(seed, "kernel_0", ARCH)
        for way in (way for program, way in of_gpu if program == seed):
            for place, (python, gpu) in of_gpu[seed, way].items():
                assert words[place] == python != gpu and way in WAYS


# Behind a call by pointer lanes stay apart: so many of the GPU's words the machine prints, in each build.
APART = {"five-1-3.5": 1, "five-15-4.3": 1, "four-16-2.10": 15, "four-8-1.6": 12, "four-11-3.9": 51}
OPEN = ("four-8-1.6", "four-11-3.9")


@pytest.mark.full
@pytest.mark.parametrize("seed", APART)
def test_where_lanes_stay_apart_the_machine_prints_what_a_gpu_does(seed: str) -> None:
    kernel, expected = draw(seed, "kernel_0", ARCH)
    batch = Batch([kernel], ARCH)
    for way, words in ((way, words) for (name, way), words in words_of_gpu().items() if name == seed):
        _, out, _ = run(batch.program(way), [kernel.threads], gpu=False)
        (printed,) = words_of(out).values()
        assert sum(printed[place] == gpu for place, (_, gpu) in words.items()) == APART[seed]
        differ = {k: (expected[k], printed[k]) for k in range(len(printed)) if printed[k] != expected[k]}
        assert (differ == words) == (seed not in OPEN)


def test_readme_tells_how_many_words_of_open_programs_are_the_gpus() -> None:
    text = (HERE / "README.md").read_text(encoding="utf-8")
    for (seed, _), words in words_of_gpu().items():
        if seed in OPEN:
            assert re.search(rf"`{seed}` (it prints )?{APART[seed]} of {len(words)}\b", text)
