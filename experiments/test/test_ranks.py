"""Scans over several ranks: a result file on success; on failure one line per rank, in time, and no file."""

import json
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from experiments.test.project import ROOT, clean_environment

pytestmark = [
    pytest.mark.skipif(
        shutil.which("mpicxx") is None or shutil.which("mpirun") is None,
        reason="no MPI: apt-get install libopenmpi-dev openmpi-bin",
    ),
    pytest.mark.xdist_group("ranks"),
]


def gpus() -> int:
    if shutil.which("nvidia-smi") is None:
        return 0
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False).stdout
    return listed.count("GPU ")


SCANS = ROOT / "build/gpu/tests/test_runs_nccl_scans"
ON_GPUS = pytest.mark.skipif(gpus() < 2, reason="fewer than two GPUs")
RANKS = 3
SECONDS = 15  # a failing run must end within this time, also on a busy machine
DEADLINE = {"never starts": 2, "never ends": 6, "hangs": 6}  # of these runs; all others use DEFAULT
DEFAULT = 20

# fault -> the faulty rank, and the message of all ranks
DISAGREEMENTS = {
    "type": (1, "the ranks differ in the type: rank 0 has long long, 8 bytes, rank 1 has double, 8 bytes"),
    "operator": (
        2,
        "the ranks differ in the operator: rank 0 has trial::Sum<long long>, "
        "rank 2 has trial::Max<long long>",
    ),
    "form": (1, "the ranks differ in the form: rank 0 has inclusive, rank 1 has exclusive"),
    "parts": (0, "rank 0 has a vector in 4 parts, but there are 3 ranks"),
    "devices": (1, "rank 1 cannot take part: its host has 3 ranks and 2 GPUs; start one rank a GPU"),
    "room": (1, "rank 1 cannot take part: out of memory"),
    "gap": (1, "the part of rank 2 begins at element 10000, but what comes before it ends at 9999"),
    "end": (2, "the parts have 14999 elements, but the vector has 15000"),
    "wrong": (2, "rank 2 has 1 wrong elements"),
}
# fault -> the faulty rank, and the message of all others
ENDED = "ended from outside, as when another rank has died"
# (exchange, fault of rank 1) of nccl_scans -> the message of all others
LOST = {
    ("nccl", "killed"): ENDED,
    ("mpi", "killed"): ENDED,
    ("nccl", "hangs"): "NCCL: not all GPUs came to the end of the exchange in time",
    ("mpi", "hangs"): "no answer from rank 1 within 5 s",
}
FAILURES = {
    "killed": (0, ENDED),
    "exits": (1, ENDED),
    "exits with 0": (2, ENDED),
    "throws": (1, ENDED),
    "hangs": (1, "no answer from rank 1 within 6 s"),
    "never ends": (1, "the others have not come to the end within 6 s"),
}


@dataclass(frozen=True)
class Run:
    returncode: int
    lines: list[str]
    seconds: float
    files: dict[str, str]

    def said_by(self, rank: int, ranks: int = RANKS) -> list[str]:
        start = f"rank {rank} of {ranks}: "
        # Open MPI 5 does not end its own last line, so a rank's may follow on it.
        return [line.partition(start)[2] for line in self.lines if start in line]


def one_scan(folder: Path, ranks: int = RANKS, *fault: str) -> Run:
    deadline = DEADLINE.get(fault[0], DEFAULT) if fault else DEFAULT
    program = [ROOT / "kernels/test/run.sh", ROOT / "build/gpu/tests/test_runs_one_scan"]
    begin = time.monotonic()
    process = subprocess.run(
        [ROOT / "kernels/multi_gpu/mpirun.sh", "-np", str(ranks), *program, folder, str(deadline), *fault],
        env=clean_environment() | {"SIMT_CORES": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    seconds = time.monotonic() - begin
    files = {path.name: path.read_text() for path in folder.iterdir()}
    return Run(process.returncode, process.stderr.splitlines(), seconds, files)


@pytest.fixture(scope="module")
def failed(tmp_path_factory) -> dict[str, Run]:
    """The run of every fault, three concurrently because some mostly wait: these begin first."""
    ranks = {fault: at[0] for fault, at in (DISAGREEMENTS | FAILURES).items()} | {"never starts": 1}
    with ThreadPoolExecutor(3) as pool:
        runs = {
            fault: pool.submit(one_scan, tmp_path_factory.mktemp("run"), RANKS, fault, str(rank))
            for fault, rank in sorted(ranks.items(), key=lambda item: item[0] not in DEADLINE)
        }
        return {fault: run.result() for fault, run in runs.items()}


def expect_failure(run: Run) -> None:
    assert run.returncode != 0
    assert run.seconds < SECONDS
    assert run.files == {}


@pytest.mark.parametrize("ranks", [1, 4])
def test_all_ranks_make_one_file(tmp_path, ranks):
    run = one_scan(tmp_path, ranks)
    assert (run.returncode, run.lines) == (0, [])
    assert list(run.files) == ["one_scan.json"]
    assert [row["length"] for row in json.loads(run.files["one_scan.json"])] == [5000] * ranks


@pytest.mark.full
@pytest.mark.parametrize("fault", DISAGREEMENTS)
def test_every_rank_says_what_the_ranks_disagree_about(failed, fault):
    expect_failure(failed[fault])
    line = DISAGREEMENTS[fault][1]
    assert [failed[fault].said_by(rank) for rank in range(RANKS)] == [[line]] * RANKS


@pytest.mark.full
@pytest.mark.parametrize("fault", FAILURES)
def test_a_rank_that_fails_ends_all_and_every_rank_says_so(failed, fault):
    at, line = FAILURES[fault]
    if fault != "never ends":  # its scan succeeds and writes the complete file
        expect_failure(failed[fault])
    assert failed[fault].returncode != 0
    assert failed[fault].seconds < SECONDS
    for rank in set(range(RANKS)) - {at}:
        assert failed[fault].said_by(rank) == [line]


@pytest.mark.full
def test_a_rank_that_can_still_speak_says_why_it_fails(failed):
    assert failed["throws"].said_by(1) == ["a kernel did what it must not"]


@pytest.mark.full
def test_a_rank_that_never_starts_is_waited_for_no_longer_than_the_deadline(failed):
    expect_failure(failed["never starts"])
    assert "MPI has not started within 2 s: has every rank begun?" in failed["never starts"].lines


def scans_of_ranks(*arguments: str) -> Run:
    """On as many ranks as there are GPUs, or as RANKS on the SIMT machine."""
    ranks, begin = gpus() or RANKS, time.monotonic()
    part = 1 << 28 if gpus() else 20_000
    program = [ROOT / "kernels/test/run.sh", SCANS, str(part), "4", *arguments]
    process = subprocess.run(
        [ROOT / "kernels/multi_gpu/mpirun.sh", "-np", str(ranks), *program],
        env=clean_environment() | {"SIMT_CORES": "1", "SIMT_DEVICES": str(ranks)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    seconds = time.monotonic() - begin
    return Run(process.returncode, process.stderr.splitlines(), seconds, {"out": process.stdout})


@pytest.mark.full
@pytest.mark.skipif(not SCANS.exists(), reason="no NCCL to build it with")
@pytest.mark.parametrize("exchange", ["mpi", pytest.param("nccl", marks=ON_GPUS)])
def test_scans_of_ranks_are_right_and_timed(exchange):
    run, ranks = scans_of_ranks(exchange), gpus() or RANKS
    assert (run.returncode, run.lines) == (0, [])
    way, of, _, scans, median, least, most = run.files["out"].strip().split(",")
    assert (way, of, scans) == (exchange, str(ranks), "4")
    assert 0 < float(least) <= float(median) <= float(most)


@pytest.mark.full
@pytest.mark.skipif(not SCANS.exists(), reason="no NCCL to build it with")
@pytest.mark.skipif(gpus() == 1, reason="one GPU: there is no other rank to lose")
@pytest.mark.parametrize(
    ("exchange", "fault"),
    [pytest.param(*lost, marks=ON_GPUS) if lost[0] == "nccl" else lost for lost in LOST],
)
def test_a_rank_lost_in_the_middle_ends_the_scans_of_all(exchange, fault):
    run, ranks = scans_of_ranks(exchange, fault, "1"), gpus() or RANKS
    assert run.returncode != 0
    assert run.seconds < SECONDS
    assert run.files == {"out": ""}
    for rank in set(range(ranks)) - {1}:
        assert run.said_by(rank, ranks) == [LOST[exchange, fault]]
