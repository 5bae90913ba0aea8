"""What a prediction is made from, and what simt/try and experiments/record/predict.py print of it."""

import csv
import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.model.excluded import CACHES, WAITS, reason
from analysis.test.test_model import MACHINE, NAMED, a_step, with_work
from experiments.test.project import ROOT
from simt.try_cuda.build import OPTIMISED, Options, build
from simt.try_cuda.observed import Launch
from simt.try_cuda.report import predictions as programs

PROGRAM = Path(__file__).with_name("foretold.cu")
BLOCKS, THREADS, N = 8192, 256, 8192 * 256
RESULTS, FIGURES = ROOT / "results", ROOT / "figures"
GPUS = ["nvidia-h200", "nvidia-h100"]


@pytest.fixture(scope="module")
def program():
    return build([PROGRAM], Options(), OPTIMISED)


@pytest.fixture(scope="module")
def launches(program, tmp_path_factory) -> list[dict]:
    out = tmp_path_factory.mktemp("foretold") / "counts.json"
    subprocess.run([ROOT / "build/simt-run", "--counts-only", "--json", out, program], check=True)
    return json.loads(out.read_text())["launches"]


@pytest.mark.full
def test_a_sector_that_is_read_twice_counts_once(launches):
    twice = launches[0]
    assert twice["global_load_sectors"] == 2 * N * 4 // 32
    assert (twice["sectors_read"], twice["sectors_written"]) == (N * 4 // 32, N * 4 // 32)
    assert 0 < twice["registers"] <= 32


def test_a_request_without_a_lane_passes_the_pipe(launches):
    """Of eight warps one has lanes that store, and the others issue the store all the same."""
    idle = launches[1]
    assert idle["shared_store_requests"] == 1
    work = programs.work_in(idle)
    others = idle["mio_instructions"] - idle["shared_load_requests"] - idle["shared_store_requests"] - 8
    assert others >= 7
    assert work.passes.sum() == work.wavefronts.sum() + others
    assert (
        len(idle["steps"]) == 2
        and sum(each["warp_instructions"] for each in idle["steps"]) == (idle["warp_instructions"])
    )


def test_each_launch_has_a_time_or_a_reason(launches):
    errors = programs.bands(FIGURES)
    for gpu in programs.gpus(RESULTS):
        idle, chain = (programs.predicted(programs.work_in(each), gpu, errors) for each in launches[1:])
        assert (idle.outside, chain.outside) == (programs.FEW, WAITS)
        alone = replace(programs.work_in(launches[0]), blocks=4000, bytes_read=0.0, bytes_written=1e4)
        assert programs.predicted(alone, gpu, errors).outside == programs.FITS
        assert programs.predicted(programs.work_in(launches[0]), gpu, errors, stopped=True).outside
        clustered = Launch(1, "", (1, 1, 1), (1, 1, 1), 0, None, Counter(), {}, work={"cluster_blocks": 2})
        assert programs.of_launch(clustered, gpu, 1).outside == programs.CLUSTERS
        longer = programs.work_in(launches[0]).longer(64, None)
        time = programs.predicted(longer, gpu, errors)
        assert not time.outside and time.limiter != time.then and 0 < time.band < 0.5
        copied = 64 * N * 4 * gpu.prices.copy_us
        assert copied < time.us < 2.5 * copied
        twofold = programs.predicted(longer.longer(2, None), gpu, errors)
        assert twofold.us == pytest.approx(2 * time.us, rel=0.05)


@pytest.mark.full
def test_the_report_ends_with_the_predicted_times(attempt):
    result = attempt(PROGRAM, "--once", "--longer", 64, "--kernel", "twice", "--gpu", GPUS[1])
    title, head, *rows = result.output.rstrip().splitlines()[-3:]
    assert title.startswith("predicted") and "64 times as many blocks" in title
    assert head.split()[:3] == ["launch", "GPU", "time"]
    assert [row.split()[1] for row in rows] == [GPUS[1]] and rows[0].endswith("twice")
    assert "no prediction" not in rows[0]


@pytest.mark.full
def test_an_unknown_gpu_is_named(attempt):
    result = attempt(PROGRAM, "--once", "--gpu", "abacus")
    assert result.status == 2
    assert result.errors.rstrip().endswith(f"there are: {', '.join(GPUS)}")


@pytest.mark.full
def test_a_table_of_a_program_can_be_committed(program, tmp_path):
    command = [sys.executable, "-m", "experiments.record.predict", "--name", "demo", "--longer", "64"]
    done = subprocess.run(
        [*command, "--out", tmp_path, program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("predict   demo: 2 of 6 launches")
    rows = list(csv.DictReader((tmp_path / "demo.csv").open(encoding="utf-8")))
    assert [row["gpu"] for row in rows] == [GPUS[0]] * 3 + [GPUS[1]] * 3
    assert all(bool(row["predicted_us"]) != bool(row["outside"]) for row in rows)
    missing = subprocess.run(
        [*command, tmp_path / "none"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert missing.returncode == 2 and missing.stderr.count("\n") == 1


@pytest.mark.parametrize(("sectors", "fits"), [(100.0, False), (1e5, True)])
def test_a_cache_may_decide_only_where_it_hardly_matters(sectors, fits):
    """Blocks that compute for long have a time, whether memory serves each request or the cache does."""
    gpu = programs.Gpu("a-gpu", "A", NAMED, MACHINE, 1 << 20)
    counts = a_step(global_load_sectors=100.0, global_load_requests=4.0, warp_instructions=sectors)
    work = with_work(counts=counts).work[0]
    time = programs.predicted(work, gpu, {"all": {"most": 0.1}})
    assert (time.outside == "") is fits
    assert reason(work) == CACHES
