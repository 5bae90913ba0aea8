"""The experiments on the SIMT machine: invalid command lines, and counts that depend on the kernels only."""

import json
import os
import re
import subprocess

import pytest

from analysis.core.claims import stated
from experiments.test.project import CLAIMS, FEW, ROOT
from experiments.test.rest import some

BAD = [
    ["--out="],
    ["--out={out}", "--nonsense"],
    ["--out={out}", "stray"],
    ["--out={out}", "--seed=x"],
    ["--out={out}", "--benchmark_filter=("],
    ["--out={out}", "--benchmark_filter=no_such_case"],
    ["--out=/dev/null/folder", "--quick"],
    ["--benchmark_format=xml"],
    ["--benchmark_repetitions=0"],
    ["--benchmark_repetitions=many"],
    ["--benchmark_list_tests=maybe"],
    ["--benchmark_out=/no/such/folder/file"],
    ["--benchmark_nonsense=1"],
    ["--profile=counts"],
]


def run(claim: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [ROOT / "build/simt-run", "--counts-only", ROOT / "build/gpu/experiments" / claim, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("arguments", BAD, ids=" ".join)
def test_a_bad_command_line_is_one_line(arguments, tmp_path):
    out = tmp_path / "out"
    answer = run(FEW[0], *[argument.format(out=out) for argument in arguments])
    assert answer.returncode != 0
    assert len(answer.stderr.splitlines()) == 1, answer.stderr
    assert answer.stderr.startswith(f"{FEW[0]}: ")
    assert not out.exists() or not list(out.iterdir())


FOUND_IN_ANY_ORDER = {"distinct_of_100"}  # results of kernels that add in the order of arrival


def of_any_order(row: dict, other: dict) -> dict:
    """The quantities of a case that neither row says to vary with the order of blocks."""
    varies = FOUND_IN_ANY_ORDER | {
        key.removeprefix("varies_") for key in row.keys() | other.keys() if key.startswith("varies_")
    }
    return {key: row[key] for key in row if key not in varies and not key.startswith("varies_")}


@pytest.mark.parametrize("claim", some(CLAIMS, [*FEW, "work"]))
def test_counts_do_not_depend_on_cores_run_or_schedule(claim, tmp_path):
    def counted(cores: str, seed: str) -> dict[str, bytes]:
        out = tmp_path / f"{cores}.{seed}"
        answer = run(claim, f"--out={out}", "--quick", SIMT_CORES=cores, SIMT_SEED=seed)
        assert answer.returncode == 0, answer.stderr
        return {path.name: path.read_bytes() for path in out.iterdir()}

    ascending, shuffled = counted(cores="1", seed="0"), counted(cores="3", seed="7")
    if shuffled == ascending:
        return  # to the last byte: neither the cores nor the schedule matter
    assert counted(cores="3", seed="0") == ascending
    assert shuffled.keys() == ascending.keys()
    rows, of_shuffled = (json.loads(each[f"{claim}.json"])["benchmarks"] for each in (ascending, shuffled))
    for row, other in zip(rows, of_shuffled, strict=True):
        assert of_any_order(row, other) == of_any_order(other, row)


@pytest.mark.parametrize("claim", some(CLAIMS, [*FEW, "work"]))
def test_the_list_names_every_case_counted(claim):
    assert all(line.count("/") >= 2 for line in run(claim, "--list").stdout.splitlines())


# --- By itself, as users of Google Benchmark run it ---------------------------------------------------


def shown(*arguments: str) -> str:
    """What a binary writes to standard output."""
    answer = run("work", "--quick", *arguments)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def claim_text(field: str) -> str:
    return stated("work")[field]


def test_alone_it_states_its_claim_its_check_and_its_counts():
    text = shown("--benchmark_filter=brent_kung.*plain/tile:512/n:4096")
    prose, table = text.split("\n---", 1)
    said = " ".join(prose.split())
    for field in ("title", "claim", "source", "prediction", "method", "fails_if"):
        assert claim_text(field) in said
    assert max(len(line) for line in prose.splitlines()) <= 100
    assert "SIMT machine" in said
    assert "1 case compared with the sequential reference, element by element: every result is right." in said
    (row,) = [line for line in table.splitlines() if line.startswith("scan/")]
    assert row.split()[:3] == ["scan/brent_kung/index:plain/tile:512/n:4096", "8,104", "="]
    for column in ("ops", "launches", "barriers", "wavefronts", "conflicts", "sectors"):
        assert column in table


def names(text: str) -> list[str]:
    return [row["name"] for row in json.loads(text)["benchmarks"]]


def test_google_benchmarks_options_work(tmp_path):
    listed = shown("--benchmark_list_tests").splitlines()
    assert listed == shown("--list").splitlines() == names(shown("--benchmark_format=json"))
    some = [name for name in listed if "blelloch" in name]
    assert names(shown("--benchmark_format=json", "--benchmark_filter=blelloch")) == some
    others = names(shown("--benchmark_format=json", "--benchmark_filter=-blelloch"))
    assert others == [name for name in listed if name not in some]
    header, *rows = shown("--benchmark_format=csv").splitlines()
    assert header.startswith("name,iterations,real_time,") and len(rows) == len(listed)
    file = tmp_path / "file"
    assert shown(f"--benchmark_out={file}").splitlines()[-1].startswith("=: ")
    assert names(file.read_text()) == listed
    shown(f"--benchmark_out={file}", "--benchmark_out_format=csv")
    assert file.read_text().splitlines()[0] == header


@pytest.mark.parametrize(
    "option", ["--benchmark_repetitions=3", "--benchmark_min_time=1", "--benchmark_time_unit=ms"]
)
def test_an_option_without_effect_says_so(option, tmp_path):
    answer = run("work", "--quick", f"--out={tmp_path}", option)
    assert answer.returncode == 0 and answer.stdout == ""
    assert answer.stderr.startswith(f"work: {option.split('=')[0]} has no effect: ")
    assert len(json.loads((tmp_path / "work.json").read_text())["benchmarks"]) == len(shown("--list").split())


def test_help_names_every_option():
    text = run("work", "--help").stdout
    for option in (
        "--out",
        "--quick",
        "--seed",
        "--list",
        "--profile",
        "--benchmark_filter",
        "--benchmark_out",
    ):
        assert option in text


def test_results_that_are_written_are_not_shown(tmp_path):
    answer = run("work", "--quick", f"--out={tmp_path}")
    assert answer.stdout == ""
    assert re.search(r"; \d+ of 407 closed forms equal the count\n$", answer.stderr)
