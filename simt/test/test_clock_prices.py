"""The kernels from which a GPU's prices follow, run with the clock at these prices, take as long as there.

results/<gpu>/clock.micro.csv is what build/gpu/tests/simt/clock/micro printed on the GPU, with SCALE 64. What
counts is how much longer twice as many rounds take: starts drop out.
"""

import csv
import json
import re
import subprocess
import tempfile
from pathlib import Path
from statistics import median

import pytest

from experiments.test.rest import some
from simt.test import programs

GPUS = ("nvidia-h100", "nvidia-h200")
WITHIN = 0.05
WIDER = {  # why
    "atomic_sectors_per_ns": 0.25,  # few rounds: the queues are not yet full
    "l2_requests": 0.1,  # open: within 5% as long as the oldest warps went first, whatever their block
    "partial_sectors_per_ns": 0.07,  # the same
    "tensor_cycles": 0.12,  # few rounds: warps start one after the other
    "matrix_cycles/load": 0.17,
    "tensor_latency/IMMA.8816.S8.S8": 0.07,  # whose operands take one cycle, not two
    "loaded": 0.08,  # the multiprocessors' lines differ, and the slowest counts
    "loaded/64": 0.15,  # waiting for DRAM under load is one number
    "cluster_barrier": 0.12,  # larger clusters take a little longer
    "bulk_copy/16": 0.13,  # of bulk copies only the rate has a price of its own
    "bulk_copy/1024": 0.12,
    "bulk_copy/16384": 0.08,
    "behind": 0.08,
    "ring/128": 0.2,
    "ring/32": 0.55,  # what moves between halves of L2 is a line or nothing
    "ring/8": 0.65,
    "few": 0.13,  # open: a block that copies a word or two a thread lasts a little longer there
    "few/loads/1": 0.07,
    "l1_banks": 0.08,  # passes by two cycles each; a little less there
    "l2_halves": 0.1,  # parts of four sectors of a line take more of L2 than that of one, and a line's price
    "own_words": 0.08,  # one factor for lines and for sectors of them
}
LONGER = {"behind": 4, "few": 4, "copy": 4, "loaded": 8, "l2_halves": 4}  # rounds: by which SCALE; others: 1
FAR = {("nvidia-h200", "ping_pong"): 0.3}  # there the word lay in the other half of L2, see simt/clock
ELSEWHERE = (  # too short or too large for the machine: judged by the kernels of the claims
    ("launch", "dram_read", "dram_write", "memset", "next_launch")
)


def by_round(rows: list[dict], us: list[float]) -> dict[str, float]:
    """Microseconds that a round takes, by name: two lines each, of so many rounds and of twice as many."""
    pairs = range(0, len(rows), 2)
    return {rows[k]["name"]: (us[k + 1] - us[k]) / int(rows[k]["rounds"]) for k in pairs}


def measured(gpu: str) -> dict[str, float]:
    with (programs.ROOT / "results" / gpu / "clock.micro.csv").open() as file:
        rows = list(csv.DictReader(file))
    return by_round(rows, [float(row["us"]) for row in rows])


def clocked(gpu: str, name: str, *options: str) -> dict[str, float]:
    rows, clocks = run(gpu, name, *options)
    return by_round(rows, [clock["us"] for clock in clocks])


def run(gpu: str, name: str, *options: str) -> tuple[list[dict], list[dict]]:
    """What the kernel prints, and the clock of each launch."""
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.json"
        scale = str(LONGER.get(name.split("/")[0], 1))
        program = [programs.BINARIES / "clock" / "micro", "256", scale, name]
        command = [programs.MACHINE, "--counts-only", "--clock", gpu, *options, "--json", counts, *program]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        launches = json.loads(counts.read_text())["launches"]
    rows = list(csv.DictReader(out.splitlines(), ["name", "rounds", "us"]))
    return rows, [launch["clock"] for launch in launches]


def names(gpu: str) -> list[str]:
    """Of tensor cores only an H200 has prices."""
    return [name for name in measured(gpu) if not name.startswith(ELSEWHERE)]


def share_of(gpu: str, name: str) -> float:
    """By which it may be off."""
    return FAR.get((gpu, name), WIDER.get(name, WIDER.get(name.split("/")[0], WITHIN)))


SOME = {"block_start", "taken_branch", "shared_latency", "l1_latency", "ping_pong", "fence_latency", "copy"}


CASES = [f"{gpu} {name}" for gpu in GPUS for name in names(gpu)]


@pytest.mark.parametrize("case", some(CASES, {f"{gpu} {name}" for gpu in GPUS for name in SOME}))
def test_prices_come_back(case: str) -> None:
    gpu, name = case.split()
    assert clocked(gpu, name)[name] == pytest.approx(measured(gpu)[name], rel=share_of(gpu, name))


FILLS = {
    "alu_cycles": "issue",  # a unit that takes an instruction every second cycle
    "special_cycles": "issue",
    "matrix_cycles/conflicts": "pipe",
    "copy": "bytes",
    "block_ns": "starts",
}


@pytest.mark.parametrize("name", FILLS)
def test_what_a_kernel_is_made_to_fill_is_busy(name: str) -> None:
    busy = run(GPUS[1], name)[1][-1]["busy"]
    assert list(busy) == ["issue", "pipe", "bytes", "starts"]
    full, *others = sorted(busy.values(), reverse=True)
    assert busy[FILLS[name]] == full and 0.9 < full <= 1
    assert others[0] < 0.6


def test_a_launch_on_tensor_cores_without_prices_has_no_time() -> None:
    run = programs.run("agreement", "wmma_types", options=("--clock", "nvidia-h100"))
    assert run.launches[0]["clock"]["unknown"] == "the GPU's table has no prices of tensor cores"


@pytest.mark.parametrize("gpu", GPUS)
def test_a_longer_grid_takes_as_much_longer(gpu: str) -> None:
    longer = clocked(gpu, "copy", "--longer", "64")["copy"]
    assert longer == pytest.approx(64 * measured(gpu)["copy"], rel=WITHIN)


def test_more_schedulers_have_more_places_to_wait_in() -> None:
    there, here = measured("nvidia-h200"), clocked("nvidia-h200", "queue")
    for name in ("queue/3", "queue/4"):
        longer = there[name] - there["queue/1"]
        assert here[name] - here["queue/1"] == pytest.approx(longer, rel=WITHIN), name


APART = {  # by how much the first one's cycles may be off, and all
    "load": (0.2, 0.02),
    "load,256,1": (0.2, 0.2),  # two warps a scheduler: one more cycle a load there
    "store": (0.2, 0.05),
    "barrier": (0.1, 0.05),
    "barrier,128,16": (0.4, 0.05),  # 37 to 47 cycles there
    "scan": (0.15, 0.1),
    "chain": (0.1, 0.08),
    "chain,512,4": (0.15, 0.05),
    "chain,1024,1": (0.4, 0.05),  # the younger warps of a block have less of an advantage there
    "chain,1024,2": (0.4, 0.05),
    "shift": (0.1, 0.05),
    "shift,512,4": (0.4, 0.05),
}


def test_warps_have_their_turns_as_on_the_gpu(tmp_path: Path) -> None:
    """Cycles of a step of the warp that is through first, and of all: clock.turns.csv is the median of five
    runs of build/gpu/tests/simt/clock/turns."""
    results = programs.ROOT / "results/nvidia-h200"
    one = re.sub("(?m)^multiprocessors,.*", "multiprocessors,1,,here", (results / "clock.csv").read_text())
    (tmp_path / "clock.csv").write_text(one)
    command = [programs.MACHINE, "--counts-only", "--clock", tmp_path / "clock.csv"]
    command += [programs.BINARIES / "clock" / "turns", "1"]
    here = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    there = (results / "clock.turns.csv").read_text().splitlines()[1:]
    assert len(there) == 30
    printed = [line for line in here if line.count(",") == 4]
    for theirs, ours in zip(there, printed, strict=True):
        case, *cycles = theirs.rsplit(",", 2)
        name, *clocked = ours.rsplit(",", 2)
        assert name == case
        for own, their, within in zip(
            clocked, cycles, APART.get(case, APART[case.split(",")[0]]), strict=True
        ):
            assert float(own) == pytest.approx(float(their), rel=within), (case, own, their)


def test_flags_in_one_line_and_loads_behind_stores_are_slow() -> None:
    """Numbers of the README of simt/clock: the GPU's and the clock's."""
    there, here = measured("nvidia-h200"), clocked("nvidia-h200", "ring")
    assert 6 < there["ring/8"] / there["ring/128"] < 8.5
    assert here["ring/8"] / here["ring/128"] == pytest.approx(3, rel=0.2)
    assert there["behind/stores"] / there["behind/nothing"] == pytest.approx(10, rel=0.05)


def test_stores_that_fill_a_sector_together_pay_for_one() -> None:
    sectors, words = (clocked(GPUS[0], name)[name] for name in ("partial_sectors_per_ns", "joined_sectors"))
    assert 8 * words < 2 * sectors  # of 8 words of 4 bytes; of a byte, each of which is written once


def micro_us(gpu: str) -> dict[tuple[str, int], float]:
    with (programs.ROOT / "results" / gpu / "clock.micro.csv").open() as file:
        return {(row["name"], int(row["rounds"])): float(row["us"]) for row in csv.DictReader(file)}


@pytest.mark.parametrize("gpu", GPUS)
def test_prices_of_memsets_follow_from_one_before_an_empty_kernel(gpu: str) -> None:
    us, price = micro_us(gpu), prices(gpu)
    for name, sizes in (("small_memset_us", (4, 64, 1024)), ("memset_us", (8192, 65536, 1 << 20))):
        first = median(us[f"memset/{size}", 1] for size in sizes) - us["next_launch", 1]
        assert price[name] == pytest.approx(first, abs=0.01), name


def prices(gpu: str) -> dict[str, float]:
    with (programs.ROOT / "results" / gpu / "clock.csv").open() as file:
        return {row["price"]: float(row["value"]) for row in csv.DictReader(file)}


def profiled(gpu: str) -> dict[int, float]:
    """Microseconds of empty kernels under ncu, by blocks: clock.profiled.csv, of `micro 256 1 launch` and
    `micro 256 1 block_ns`."""
    with (programs.ROOT / "results" / gpu / "clock.profiled.csv").open() as file:
        rows = [(int(row["blocks"]), int(row["ns"]) / 1000) for row in csv.DictReader(file)]
    return {blocks: median(us for of, us in rows if of == blocks) for blocks, _ in rows}


def test_prices_of_profiled_launches_follow_from_empty_kernels() -> None:
    """The H100's one block was not read: as much less than 4,096 as on the H200."""
    h200, h100 = profiled("nvidia-h200"), profiled("nvidia-h100")
    assert prices("nvidia-h200")["profiled_launch_us"] == pytest.approx(h200[1], abs=0.01)
    assert prices("nvidia-h100")["profiled_launch_us"] == pytest.approx(
        h100[4096] - (h200[4096] - h200[1]), abs=0.01
    )
