"""The experiments' binaries: invalid command lines, and counts that depend on the kernels only."""

import os
import subprocess

import pytest

from tests.runs.project import CLAIMS, ROOT

BAD = [
    [],
    ["--out="],
    ["--out={out}", "--nonsense"],
    ["--out={out}", "stray"],
    ["--out={out}", "--seed=x"],
    ["--out={out}", "--benchmark_filter=("],
    ["--out={out}", "--benchmark_filter=no_such_case"],
    ["--out=/dev/null/folder", "--quick"],
]


def run(claim: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [ROOT / "build/simt/experiments" / claim, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("arguments", BAD, ids=" ".join)
def test_a_bad_command_line_is_one_line(arguments, tmp_path):
    out = tmp_path / "out"
    answer = run(CLAIMS[0], *[argument.format(out=out) for argument in arguments])
    assert answer.returncode != 0
    assert len(answer.stderr.splitlines()) == 1, answer.stderr
    assert answer.stderr.startswith(f"{CLAIMS[0]}: ")
    assert not out.exists() or not list(out.iterdir())


@pytest.mark.parametrize("claim", CLAIMS)
def test_counts_do_not_depend_on_cores_or_run(claim, tmp_path):
    written = []
    for index, cores in enumerate(("1", "1", "2", "3")):
        out = tmp_path / str(index)
        answer = run(claim, f"--out={out}", "--quick", SIMT_CORES=cores)
        assert answer.returncode == 0, answer.stderr
        written.append({path.name: path.read_bytes() for path in out.iterdir()})
    assert f"{claim}.json" in written[0]
    assert all(each == written[0] for each in written)


@pytest.mark.parametrize("claim", CLAIMS)
def test_the_list_names_every_case_counted(claim):
    assert all(line.count("/") >= 2 for line in run(claim, "--list").stdout.splitlines())
