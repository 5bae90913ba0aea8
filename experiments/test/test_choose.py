"""Which programs of HeCBench are candidates, and at which sizes."""

from pathlib import Path

import pytest

from experiments.record import choose, predict

MAKEFILE = """
source = {source}
CFLAGS := $(EXTRA_CFLAGS) -std=c++17 -Xcompiler -Wall -arch=$(ARCH){flags}
run: $(program)
\t$(LAUNCHER) ./$(program){arguments}
"""


def add(folder: Path, name: str, source="main.cu", flags="", arguments=" 100 4") -> None:
    (folder / name).mkdir()
    text = MAKEFILE.format(source=source, flags=flags, arguments=arguments)
    (folder / name / "Makefile").write_text(text, encoding="utf-8")


def test_candidates_are_one_file_that_takes_whole_numbers(tmp_path) -> None:
    for name in ("one", "two", "three"):
        add(tmp_path, f"{name}-cuda")
    add(tmp_path, "sycl-sycl")
    add(tmp_path, "several-cuda", source="main.cu kernels.cu")
    add(tmp_path, "library-cuda", flags=" -lcublas")
    add(tmp_path, "file-cuda", arguments=" data/in.txt 10")
    add(tmp_path, "nothing-cuda", arguments="")
    found = choose.candidates(tmp_path)
    assert [each.program for each in found] == ["two", "one", "three"]  # by their hashes
    assert {each.of_makefile for each in found} == {"100 4"}


def test_the_largest_argument_is_divided() -> None:
    assert choose.divided([4, 64, 64], 4) == [4, 16, 64]
    assert list(choose.sizes([64, 5])) == [[64, 5], [16, 5], [4, 5]]


@pytest.mark.parametrize("name", choose.SETS)
def test_the_committed_choice_is_by_the_rule(name: str) -> None:
    rows = choose.chosen(name)
    assert sum(not row.refused for row in rows) == choose.MOST and not rows[-1].refused
    for row in rows:
        if row.refused:
            continue
        arguments = list(map(int, row.arguments.split()))
        assert arguments in list(choose.sizes(list(map(int, row.of_makefile.split()))))
        assert row.smaller in ("", choose.words(choose.divided(arguments, choose.SMALLER)))


def test_no_program_is_looked_at_for_two_sets() -> None:
    both = [{each.program for each in choose.chosen(name)} for name in choose.SETS]
    assert not both[0] & both[1]


def test_a_launch_that_cuda_refuses_has_no_number() -> None:
    refused = {"kernel": "a()", "grid": [1, 1, 1], "block": [2048, 1, 1]}
    launches = [refused | {"refused": "invalid argument"}, refused | {"refused": "why"}]
    rows = predict.rows_of({"program": "x"}, 1, {"nvidia-h200": predict.numbered(launches)})
    assert {(row["launch"], row["clock_unknown"]) for row in rows} == {(1, "why")}
