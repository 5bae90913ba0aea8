"""Runs a batch of kernels in several builds: which of them go wrong, and how."""

import itertools
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from .build import Batch, CompilerError, run
from .kernel import RESULTS, Kernel

UNBUILT = ("crash", "rejected")  # kinds of failures without a program: the compiler's crash, or its error


@dataclass(frozen=True)
class Failure:
    kernel: int  # of the batch
    way: str
    kind: str  # differs, findings, status, or UNBUILT
    message: str
    place: int = 0  # of a result that differs
    gpu: bool = False  # where it ran


def words_of(out: str) -> dict[int, list[int]]:
    """By kernel."""
    words: dict[int, list[int]] = {}
    for line in out.splitlines():
        kernel, _, word = line.split()
        words.setdefault(int(kernel), []).append(int(word, 16))
    return words


def judge_alone(
    program: Path, kernels: list[Kernel], k: int, expected: list[int], way: str, gpu: bool
) -> Failure | None:
    threads = [0] * k + [kernels[k].threads]
    status, out, errors = run(program, threads, gpu)
    if status not in (0, 3):
        return Failure(k, way, "status", f"exit status {status}\n{errors}", gpu=gpu)
    if words_of(out).get(k) != expected:
        got = words_of(out).get(k, [])
        place = (
            next(j for j, pair in enumerate(zip(got, expected, strict=True)) if pair[0] != pair[1]) % RESULTS
        )
        return Failure(k, way, "differs", different(got, expected) + "\n" + errors, place, gpu)
    return Failure(k, way, "findings", errors, gpu=gpu) if status == 3 or errors else None


def different(words: list[int], expected: list[int]) -> str:
    bad = [j for j, pair in enumerate(zip(words, expected, strict=True)) if pair[0] != pair[1]]
    shown = [f"thread {j // 16}, word {j % 16}: {words[j]:#x}, not {expected[j]:#x}" for j in bad[:4]]
    return f"{len(bad)} words differ: " + "; ".join(shown)


def judge(
    kernels: list[Kernel],
    expected: list[list[int]],
    arch: int,
    ways: list[str],
    places: Sequence[bool] = (False,),
) -> list[Failure]:
    """All at once; where that is not clean, those one by one that may not be. Places: whether on a GPU."""
    batch = Batch(kernels, arch)

    def of_one(k: int, way: str) -> list[Failure]:
        return judge([replace(kernels[k], name="kernel_0")], [expected[k]], arch, [way], places)

    def of_build(way: str) -> list[Failure]:
        try:
            program = batch.program(way)
        except CompilerError as error:
            if len(kernels) > 1:  # which of them?
                return [replace(each, kernel=k) for k in range(len(kernels)) for each in of_one(k, way)]
            return [Failure(0, way, "crash" if error.is_crash else "rejected", str(error))]
        return [each for gpu in places for each in of_run(program, way, gpu)]

    def of_run(program: Path, way: str, gpu: bool) -> list[Failure]:
        status, out, errors = run(program, [each.threads for each in kernels], gpu)
        words = words_of(out)
        clean = status == 0 and not errors
        suspects = [k for k in range(len(kernels)) if not clean or words.get(k) != expected[k]]
        alone = [judge_alone(program, kernels, k, expected[k], way, gpu) for k in suspects]
        return [each for each in alone if each]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(itertools.chain.from_iterable(pool.map(of_build, ways)))
