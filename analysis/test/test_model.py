"""The model of time: work, charges, the network, other forms, and what is said of their errors."""

import json
from dataclasses import replace
from pathlib import Path

import numpy
import pandas
import pytest

from analysis.core.loading import REFERENCE_GPU, load
from analysis.model import (
    clock,
    document,
    everywhere,
    forms,
    mispredicted,
    prices,
    programs,
    times,
    validation,
)
from analysis.model.distinct import are_same, distinct
from analysis.model.effects import described
from analysis.model.excluded import ATOMICS, CACHES, HOST, SPILLS, WAITS, outside
from analysis.model.kernels import Kernel, recorded
from analysis.model.times import Charges, Machine, Prices
from analysis.model.view import View, seen
from analysis.model.work import COUNTED, Limits, Work
from analysis.test.made_up import H200

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"
TILE_CLAIMS = ("depth", "divergence", "padding", "shuffle", "work")
MACHINE = Machine(H200["sm_count"], H200["sm_clock_mhz"])
LATENCY = {1: 60.0, 32: 60.0}
NAMED = Prices(0.25, 1.0, 4.0, 0.5, LATENCY, 70.0, 1200.0, 0.0006, 3.0, 1.0, 5e-7, 2.5e-7)
STEPS = 10
# (time - empty) * clock / charged, of recorded medians.
BY_HAND = (0.2577, 1.003, 49.59, 1102.6)


def a_step(**counts: float) -> dict[str, numpy.ndarray]:
    """Of STEPS steps that are all alike."""
    return {name: numpy.full(STEPS, float(counts.get(name, 0))) for name in COUNTED}


BLOCK = a_step(
    warp_instructions=40,
    mio_instructions=6,  # two loads of each warp, and the barrier
    shared_load_requests=4,
    shared_load_wavefronts=2,
    barriers=1,
)
WORK = Work("a<64>", 1e6, 64, 32, 10_624, BLOCK, 300.0, 300.0)
ONE = Kernel("work", "scan/a/tile:64", 1 << 26, 1 << 16, 300.0, 1e8, 1, (WORK,), 130.0, ("a<64>",))


def with_work(kernel: Kernel = ONE, counts: dict | None = None, **changes) -> Kernel:
    """The kernel with another block."""
    work = replace(kernel.work[0], counts=kernel.work[0].counts | (counts or {}), **changes)
    return replace(kernel, work=(work,))


@pytest.fixture(scope="module")
def kernels() -> list[Kernel]:
    return recorded(RESULTS)


@pytest.fixture(scope="module")
def recorded_prices():
    return prices.prices_of(prices.measured(RESULTS)[0])


def test_prices_are_times_beyond_an_empty_kernel(recorded_prices):
    """As by hand from the recording; where all that takes twice as long, prices are twice as high."""
    rates = prices.measured(RESULTS)[0]
    assert (recorded_prices.instruction, recorded_prices.wavefront) == pytest.approx(BY_HAND[:2], rel=0.01)
    assert (recorded_prices.step, recorded_prices.block_copy) == pytest.approx(BY_HAND[2:], rel=0.01)
    us, is_charge = rates.rows["time_us"], rates.rows["operation"] == "charge"
    beyond = us + (us - recorded_prices.launch_us).where(is_charge, 0)
    twice = prices.prices_of(replace(rates, rows=rates.rows.assign(time_us=beyond)))
    for name in ("instruction", "wavefront", "step", "block_us", "block_copy"):
        assert getattr(twice, name) == pytest.approx(2 * getattr(recorded_prices, name))
    assert twice.next_launch_us == pytest.approx(2 * recorded_prices.next_launch_us)


def test_the_price_of_a_barrier_is_what_a_full_multiprocessor_adds(recorded_prices):
    """On an H200 3.3 cycles a block and 0.3 a warp; a step of one block waits 41 cycles with one warp."""
    found = recorded_prices
    assert (found.barrier, found.barrier_warp) == pytest.approx((3.3, 0.3), abs=0.1)
    assert (found.latency[1], found.latency[32]) == pytest.approx((41, 14), abs=1)
    assert list(found.latency) == [1, 2, 4, 8, 16, 32]


def test_the_kernels_that_are_priced_have_the_instructions_that_are_taken_off():
    """A step of barrier_steps.cuh and a block of block_copies.cuh, as the machine counts them."""
    rates = load(RESULTS, "rates")[0].counted
    own = rates.steps[rates.steps["case"] == "charge/step/threads:1024/resident:1/n:2048"]
    pair = own[own["step"].isin([2, 3])]["warp_instructions"].sum()
    assert pair / 2 / (2 * 32) == times.IN_STEP, "a block in each of two places"
    copy = rates.steps[rates.steps["case"].str.contains("block_copy/threads:32/")]
    assert copy["warp_instructions"].sum() / 4 == times.IN_COPY, "four blocks of a warp"


@pytest.mark.full
def test_the_machines_counts_predict_the_recorded_kernels(kernels, recorded_prices):
    """The goal, over the kernels on which the model was made: a mean error of 8%, 90% within 15%. On those
    of the claims that came later it is missed (figures/model.json, clock), and so it is over all."""
    view = seen(kernels, MACHINE, recorded_prices)
    found = document.describe(view)
    assert found["errors"]["cases"] == found["sample"]["kernels"] > 200
    assert found["errors"]["cases"] == sum(found["limiters"].values()) < found["sample"]["cases"]
    for gpu in everywhere.of_gpus(RESULTS):
        errors = gpu["errors"]
        assert errors["long"]["cases"] > 150
        assert errors["long"]["mean"] < 0.1 and errors["long"]["within_15"] > 0.8, gpu["name"]
        assert errors["by_counters_long"]["mean"] == pytest.approx(errors["long"]["mean"], abs=0.003)
        counts = gpu["differences"]
        assert all(
            counts[each]["within"] == counts[each]["kernels"] for each in ("instructions", "wavefronts")
        )
    later = clock.cases_of(RESULTS / REFERENCE_GPU)
    earlier = [each for each in kernels if each.claim not in {case.claim for case in later}]
    of_earlier = document.describe(seen(earlier, MACHINE, recorded_prices))["errors"]
    assert of_earlier["mean"] < 0.08 and of_earlier["within_15"] > 0.9
    off = mispredicted.misses(view, RESULTS / REFERENCE_GPU)
    assert sum(each["kernels"] for each in off["groups"]) == found["errors"]["cases"] - off["predicted_well"]


def test_the_network_does_better_than_what_knows_less(kernels, recorded_prices):
    view = seen(kernels, MACHINE, recorded_prices)
    sample = [view.kernels[place] for place in view.sample]
    mean = {name: each["mean"] for name, each in forms.compared(sample, recorded_prices, MACHINE).items()}
    assert min(mean, key=mean.get) == "network" and mean["operations"] > 2 * mean["network"]


def test_operations_of_tiles_predict_nothing(kernels):
    tiles = [each for each in kernels if each.claim in TILE_CLAIMS and each.launches == 1]
    assert abs(forms.alone(distinct(tiles))["ops"]["correlation"]) < 0.1


# Elements move between blocks, or blocks stay and take turns: per element they do not do the same.
UNEVEN = ("allocation", "compaction", "vector_width")


@pytest.mark.parametrize("count", ["ops", "instructions", "wavefronts", "blocks", "turns", "steps"])
def test_cases_of_one_kernel_have_the_same_counts(kernels, count):
    """An element, as lengths differ: so the names of the code and the instructions tell kernels apart."""
    inside = [each for each in kernels if each.copy_us and not outside(each)]
    for each in (each for each in inside if each.claim not in UNEVEN):
        (same,) = [other for other in distinct(inside) if other.code == each.code and are_same(each, other)][
            :1
        ]
        assert each.registers == same.registers
        own, other = (getattr(one, count) / one.n for one in (each, same))
        assert own == pytest.approx(other, rel=0.08, nan_ok=True)


def test_no_kernel_counts_twice(kernels, recorded_prices):
    """In the sample; of several cases the first stands for it."""
    view = seen(kernels, MACHINE, recorded_prices)
    sample = [view.kernels[place] for place in view.sample]
    assert distinct(sample) == sample
    assert {each.code for each in sample} == {each.code for each in view.kernels if not outside(each)}
    twice = [ONE, replace(ONE, claim="z", us=1.0)]
    assert distinct(twice) == [ONE]


def test_parts_are_counts_at_prices():
    issue, banks, moved, latency, blocks = times.parts([ONE], NAMED, MACHINE)[:, 0]
    busy = 132 * 1980 / 1e6
    assert issue == pytest.approx(400 * 0.25 / busy)
    assert banks == pytest.approx((20 + 10 * (4 + 2 * 0.5)) / busy), "2 of 6 instructions are the barrier's"
    assert moved == pytest.approx(300e6 * 5e-7)
    # Each step has 20 instructions a warp; 6.5 are in the price of a step, 24 in that of a block.
    wait = 1200 + 10 * 60 + 4 * (10 * 13.5 - 24)
    assert latency == pytest.approx((wait + 100) / 20 / busy), "issue holds up in every step"
    assert blocks == pytest.approx(600)
    assert times.limiters(times.parts([ONE], NAMED, MACHINE)) == ["blocks"]


@pytest.mark.parametrize(
    ("name", "factor"), [("alu_instructions", 2), ("fp64_instructions", 2), ("xu_instructions", 8)]
)
def test_a_slow_pipe_is_issue(name, factor):
    slow = with_work(counts={name: numpy.full(STEPS, 30.0)})
    ratio = times.parts([slow], NAMED, MACHINE)[0, 0] / times.parts([ONE], NAMED, MACHINE)[0, 0]
    assert ratio == pytest.approx(factor * 30 / 40)


def test_an_instruction_without_a_lane_still_passes_the_pipe():
    """And a request to global memory once for each 128 bytes."""
    idle = with_work(counts={"mio_instructions": numpy.full(STEPS, 9.0)})
    assert idle.work[0].passes.sum() == WORK.passes.sum() + 3 * STEPS
    wide = {"mio_instructions": 7.0, "global_load_requests": 1.0, "global_load_sectors": 16.0}
    loads = with_work(counts={name: numpy.full(STEPS, each) for name, each in wide.items()})
    assert loads.work[0].passes.sum() == WORK.passes.sum() + 4 * STEPS


OF_A_BLOCK = Charges(issue=60.0, banks=40.0, bytes=30.0, blocks=0.0, wait=100.0, holds=(60.0, 40.0))


def test_a_single_block_takes_the_sum_and_many_take_the_largest():
    assert times.cycles_a_block(OF_A_BLOCK, 1) == pytest.approx(230)
    assert times.cycles_a_block(OF_A_BLOCK, 1000) == pytest.approx(60, rel=0.01)
    by_resident = [times.cycles_a_block(OF_A_BLOCK, each) for each in range(1, 33)]
    assert by_resident == sorted(by_resident, reverse=True)


def test_balanced_stations_are_served_as_the_theory_has_it():
    """n customers at k stations of demand d: d (n + k - 1) / n a customer."""
    balanced = Charges(50.0, 50.0, 50.0, 50.0, wait=0.0, holds=(50.0, 50.0))
    assert times.cycles_a_block(balanced, 6) == pytest.approx(50 * (6 + 4 - 1) / 6)


def test_a_last_wave_that_is_not_full_takes_longer_by_block():
    """Twenty blocks are resident: 40 a multiprocessor are two waves, 41 a third."""
    alone = with_work(blocks=132.0)
    two, more = (with_work(blocks=132.0 * each) for each in (40, 41))
    us = [times.of_work(each.work[0], NAMED, MACHINE) for each in (alone, two, more)]
    assert us[2] - us[1] == pytest.approx(us[0])


def test_the_largest_of_three_knows_no_waiting():
    """Of a kernel that waits, and of one whose bytes take longest."""
    waits = with_work(counts={"warp_instructions": numpy.full(STEPS, 4.0)})
    for each in (waits, ONE):
        parts = dict(zip(times.PARTS, times.parts([each], NAMED, MACHINE)[:, 0], strict=True))
        expected = max(parts[part] for part in ("issue", "banks", "bytes"))
        (us,) = forms.largest_of_three([each], NAMED, MACHINE)
        assert us == pytest.approx(expected + times.starts([each], NAMED)[0])


@pytest.mark.parametrize(
    ("shape", "resident"),
    [
        ((512, 32, 4100), 4),  # by threads
        ((32, 16, 260), 32),  # by blocks
        ((512, 64, 4100), 2),  # by registers
        ((256, 32, 60_000), 3),  # by shared memory
        ((96, 168, 0), 4),  # by the registers of a scheduler: three warps each
    ],
)
def test_resident_blocks(shape, resident):
    threads, registers, shared_bytes = shape
    work = replace(WORK, threads=threads, registers=registers, shared_bytes=shared_bytes)
    assert work.resident(Limits()) == resident


def test_a_longer_vector_has_more_blocks_or_a_bounded_grid_longer_ones():
    assert WORK.longer(64, None).blocks == 64 * WORK.blocks
    chunks = replace(WORK, kernel="reduce_chunks<15, 256>", blocks=512.0, bytes_read=600.0)
    longer = chunks.longer(64, replace(chunks, bytes_read=300.0))
    assert (longer.blocks, longer.bytes_read) == (1024, 600 * 32)
    assert longer.sum("barriers") == chunks.sum("barriers"), "as many in the shorter one: it does not grow"
    half = {name: each / 2 for name, each in chunks.counts.items()}
    grown = chunks.longer(64, replace(chunks, bytes_read=300.0, counts=half))
    assert grown.sum("warp_instructions") == pytest.approx(32 * 400)


def view_of(*kernels: Kernel, predicted) -> View:
    parts = times.parts(kernels, NAMED, MACHINE)
    return View(kernels, MACHINE, NAMED, parts, numpy.array(predicted))


@pytest.mark.parametrize(
    ("predicted", "registers", "cause", "said"),
    [
        ((200.0, 100.0), 48, "issue", "the cause is instruction issue"),
        ((130.0, 100.0), 32, "", "unexplained; by its counts it would be 0.77 times as fast as the other"),
        ((80.0, 100.0), 32, "", "unexplained; by its counts it would be 1.25 times as fast as the other"),
        ((80.0, 100.0), 48, "occupancy", "10 resident blocks of 48 registers a thread against 20"),
    ],
)
def test_an_effect_is_explained_or_open(predicted, registers, cause, said):
    more = {"warp_instructions": numpy.full(STEPS, 4000.0)}
    slow = with_work(counts=more, registers=registers, shared_bytes=22_000)
    slow = replace(slow, case="slow", us=200.0)
    fast = replace(ONE, case="fast", us=100.0)
    found = described(view_of(slow, fast, predicted=predicted), "work", "this", "that", "slow", "fast")
    assert found["cause"] == cause
    assert said in found["sentence"]
    assert described(view_of(slow, predicted=(1.0,)), "work", "this", "that", "slow", "none") is None


def test_what_blocks_wait_for_adds_up():
    """Each ratio in the sentence is of the two times before it."""
    slow = replace(with_work(shared_bytes=50_000), case="slow", us=200.0)
    half = {"barriers": numpy.array([1.0, 0.0] * (STEPS // 2))}
    fast = replace(with_work(slow, counts=half), case="fast", us=100.0)
    view = view_of(slow, fast, predicted=(200.0, 100.0))
    waits = [view.waits(place) for place in (0, 1)]
    assert [sum(of.values()) for of in waits] == pytest.approx(
        [view.part("latency", each) for each in (0, 1)]
    )
    assert waits[0]["barriers"] / waits[1]["barriers"] == pytest.approx(2)
    said = described(view, "work", "this", "that", "slow", "fast")["sentence"]
    assert "pass 2.0 times as many barriers in sequence" in said


@pytest.mark.parametrize(
    ("counted", "why"),
    [
        ({"volatile_load_requests": 1.0}, WAITS),
        ({"atomic_sectors": 1.0, "global_load_requests": 10.0}, ATOMICS),
        ({"local_load_requests": 1.0, "global_load_requests": 10.0}, SPILLS),
        ({"global_load_sectors": 10.0, "global_load_requests": 1.0}, CACHES),
        ({"global_load_sectors": 1.0, "global_load_requests": 1.0}, ""),
    ],
)
def test_what_the_model_does_not_know_is_outside(counted, why):
    assert outside(with_work(counts=a_step(**counted))) == why
    assert outside(replace(ONE, case="scan/three_phase/spine:host")) == HOST


def test_without_counters_there_is_no_model(tmp_path):
    document.write(tmp_path, tmp_path)
    assert json.loads((tmp_path / "model.json").read_text()) == {"cases": [], "causes": {}}


def test_the_rule_for_wavefronts_is_found_again_on_half_of_the_patterns():
    """Chosen on 40 patterns of each size; what it does on the other 40 is reported, whatever it is."""
    found = validation.of_rule(RESULTS / "nvidia-h200/wavefronts.csv")
    assert [each["bytes"] for each in found] == [4, 8, 16]
    assert [each["part"] for each in found] == [32, 16, 8]
    assert all(each["fit_equal"] == each["fit"] for each in found)
    assert all(each["held_out_equal"] >= 0.9 * each["held_out"] for each in found)


def test_wavefronts_of_a_request():
    lanes, address = list(range(32)), [8 * lane for lane in range(32)]
    assert validation.wavefronts(lanes, address, 8, 16, validation.NEVER) == 2
    assert validation.wavefronts(lanes, [0] * 32, 8, 16, validation.ALWAYS) == 1
    assert validation.wavefronts(lanes, [128 * lane for lane in lanes], 4, 32, validation.NEVER) == 32


# Of the well predicted, the waits are 0.2 each. Too short a time, by what most of its warps wait for:
WAITS_OF_ONE = [
    (0.5, {"barrier": 0.5, "mio_throttle": 0.3}, ("barriers", "barriers")),
    (
        0.5,
        {"barrier": 0.4, "mio_throttle": 0.3, "short_scoreboard": 0.3},
        ("shared memory", "shared memory"),
    ),
    (0.5, {"long_scoreboard": 0.15}, ("global memory", mispredicted.OPEN)),  # less than the others
    (0.5, None, (mispredicted.UNREAD, mispredicted.OPEN)),
    (1.5, {"barrier": 0.5}, (None, mispredicted.OPEN)),  # the largest charge alone is as far off
]


@pytest.mark.parametrize(("ratio", "reasons", "expected"), WAITS_OF_ONE)
def test_a_cause_of_a_miss_needs_its_evidence(tmp_path, kernels, recorded_prices, ratio, reasons, expected):
    """One kernel, which its largest charge limits, is off by a made-up ratio, all others not at all."""
    view = seen(kernels, MACHINE, recorded_prices)
    codes = [each.code for each in view.kernels]
    alone = [place for place in view.sample if codes.count(view.kernels[place].code) == 1]
    first = max(alone, key=lambda place: view.parts[:, place].max() / view.predicted_us[place])
    others = [place for place in view.sample if place != first]
    times_of = dict.fromkeys(others, 1.0) | {first: ratio}
    made = [
        replace(each, us=float(view.predicted_us[place]) / times_of.get(place, 1.0))
        for place, each in enumerate(view.kernels)
    ]
    waits = {place: dict.fromkeys(("barrier", "mio_throttle", "long_scoreboard"), 0.2) for place in others}
    waits |= {first: reasons} if reasons else {}
    rows = [
        {"claim": made[place].claim, "case": f"{made[place].case}/cache:cold/n:{made[place].n}"} | of
        for place, of in waits.items()
    ]
    names = ("barrier", "mio_throttle", "short_scoreboard", "long_scoreboard", "lg_throttle")
    lines = [",".join(str(row.get(name, 0)) for name in ("claim", "case", *names)) for row in rows]
    (tmp_path / mispredicted.FILE).write_text("\n".join([",".join(("claim", "case", *names)), *lines]))
    found = mispredicted.misses(replace(view, kernels=made), tmp_path)
    assert found["predicted_well"] == len(others)
    (group,) = found["groups"]
    assert (group.get("waits"), group["cause"]) == expected


def test_what_is_predicted_too_long_is_explained_by_its_largest_charge(tmp_path, kernels, recorded_prices):
    view = seen(kernels, MACHINE, recorded_prices)
    place = max(view.sample, key=lambda each: view.predicted_us[each] / view.parts[:, each].max())
    us = [float(view.predicted_us[each]) for each in range(len(view.kernels))]
    us[place] = float(view.parts[:, place].max())
    made = [replace(each, us=time) for each, time in zip(view.kernels, us, strict=True)]
    (group,) = mispredicted.misses(replace(view, kernels=made), tmp_path)["groups"]
    assert (group["predicted"], group["alone"], group["cause"]) == (
        mispredicted.TOO_LONG,
        [1, 1],
        mispredicted.OVERLAP,
    )


HEAD = "program,arguments,gpu,launch,launches,kernel,grid,block,longer,predicted_us,limiter,then,band,outside"
HEAD += ",issue,alu,fp64,xu,pipe,dram,busiest"
BUSY = "program,arguments,launch,kernel,us,issue,alu,fma,fp64,xu,pipe,dram,gpu"


@pytest.mark.parametrize(("of", "right"), [("first", 1), ("second", 2)])
def test_programs_of_other_people_are_judged_by_their_longest_launch(tmp_path, of, right):
    """The first set by the largest charge, the second by what is predicted to be busiest."""
    for folder in ("predicted", "a-gpu"):
        (tmp_path / folder).mkdir()
    ahead, timed = programs.tables(tmp_path, "a-gpu", of)
    rows = [
        "p,,a-gpu,1,1,short(int),1x1x1,32x1x1,1,11,bytes,waiting in the block,0.1,,5,5,5,5,5,90,bytes",
        "p,,a-gpu,2,1,void longer<3>(int),1x1,8x1x1,1,80,waiting in the block,bytes,0.1,,5,5,5,5,5,5,latency",
        "p,,a-gpu,3,1,unknown(int),1x1x1,32x1x1,1,,,,,few,,,,,,,",
        "q,,a-gpu,1,1,one(int),1x1x1,32x1x1,1,30,passes of the memory pipe,bytes,0.1,,5,5,5,70,65,5,issue",
    ]
    ahead.write_text("\n".join([HEAD, *rows]))
    measured = [
        "p,,1,short(int),10,5,5,5,5,5,5,90,g",
        "p,,2,void longer<3>(int),100,5,59,5,5,5,5,5,g",
        "p,,3,unknown(int),900,5,5,5,5,5,5,5,g",
        "q,,1,one(int),20,5,5,5,5,61,60,5,g",
    ]
    assert programs.summary(tmp_path, "a-gpu", of) is None
    timed.write_text("\n".join([BUSY, *measured]))
    found = programs.summary(tmp_path, "a-gpu", of)
    p, q = found["programs"]
    assert (p["kernel"], p["known"], p["launches"]) == ("longer", 2, 3)
    assert p["error"] == pytest.approx((0.1 + 0.2) / 2) and q["error"] == pytest.approx(0.5)
    assert (p["limiter"], p["busiest"], p["right"]) == ("latency", "latency", True)
    assert (q["limiter"], q["right"]) == (("banks", False) if of == "first" else ("issue", True))
    assert (q["busiest"], q["right_by_peak"]) == ("issue", True)
    assert (found["set"], found["known"], found["launches"], found["right"]) == (of, 3, 4, right)
    assert found["right_by_peak"] == 2
    assert found["mean"] == pytest.approx((0.15 + 0.5) / 2, rel=0.01)


def test_every_launch_that_was_predicted_was_timed_and_the_other_way_round():
    """A launch that is like another by one GPU's predictions may have a row of its own by another's."""
    for of in programs.SETS:
        predicted = pandas.read_csv(RESULTS / f"predicted/{of}.csv")
        for path in RESULTS.glob(f"*/programs.{of}.csv"):
            own = predicted[predicted["gpu"] == path.parent.name]
            assert len(programs.launches(RESULTS, path.parent.name, of)) == len(own)
            timed = pandas.read_csv(path)
            assert len(timed.merge(predicted[programs.KEY].drop_duplicates(), on=programs.KEY)) == len(timed)


def test_what_is_predicted_busiest_is_so_by_the_percents_beside_it():
    for of in programs.SETS:
        known = pandas.read_csv(RESULTS / f"predicted/{of}.csv").dropna(subset="predicted_us")
        assert [programs.busiest(row) for row in known.to_dict("records")] == list(known["busiest"]), of
