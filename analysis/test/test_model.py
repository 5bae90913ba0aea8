"""What the clock says of the kernels, beside what was measured: samples, limiters, effects, misses, nulls."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.core.loading import REFERENCE_GPU
from analysis.model import document, forms, mispredicted, validation
from analysis.model.clock import AGAIN, BUSY, STALLS
from analysis.model.distinct import are_same, distinct
from analysis.model.effects import described
from analysis.model.kernels import LONG, PARTS, WAITING, Kernel, recorded

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"
TILE_CLAIMS = ("depth", "divergence", "padding", "shuffle", "work")
IDLE = dict.fromkeys(BUSY, 0.1)
ONE = Kernel(
    claim="work",
    case="scan/a/tile:64",
    n=1 << 26,
    us=100.0,
    predicted_us=110.0,
    code=("a<64>",),
    counts={"ops": 2.0, "instructions": 1e8, "wavefronts": 1e7, "bytes": 1e9, "blocks": 1e6},
    busy=IDLE | {"issue": 0.7},
    stalls=dict.fromkeys(STALLS, 0.0) | {"barrier": 0.5, "long_scoreboard": 0.3, "selected": 0.2},
)


@pytest.fixture(scope="module")
def kernels() -> list[Kernel]:
    return recorded(RESULTS, REFERENCE_GPU)


def test_the_clock_predicts_the_recorded_kernels(kernels):
    """Looking back: the goal over long vectors is a mean error of 6%, 95% within 15%."""
    found = document.describe(kernels, 2.8)
    assert found["errors"]["cases"] == found["sample"]["kernels"] > 200
    assert found["errors"]["cases"] == sum(found["limiters"].values()) < found["sample"]["cases"]
    assert found["errors"]["mean"] < 0.07 and found["errors"]["within_15"] > 0.9
    assert min(found["limiters"][part] for part in PARTS) > 0


def test_every_kernel_is_long_and_has_its_shares(kernels):
    assert len({each.where() for each in kernels}) == len(kernels)
    for each in kernels:
        assert each.n >= LONG and each.us > 0 and each.predicted_us > 0
        assert all(0 <= share <= 1.05 for share in each.busy.values()), each.where()
        assert sum(each.stalls.values()) == pytest.approx(1, abs=0.01), each.where()
    counted = [each for each in kernels if each.counts]
    assert len(counted) > 0.9 * len(kernels) and all(each.count("bytes") > 0 for each in counted)


def test_a_case_without_a_number_or_a_time_is_no_kernel(tmp_path):
    """As one that was recorded at another length alone."""
    results = tmp_path / "results"
    for folder in ("simt", "nvidia-h200"):
        (results / folder).mkdir(parents=True)
        for path in (RESULTS / folder).glob("work.*"):
            (results / folder / path.name).symlink_to(path)
    (tmp_path / "experiments").symlink_to(ROOT / "experiments")
    lines = (RESULTS / "nvidia-h200" / AGAIN).read_text().splitlines()
    own = [line for line in lines if line.startswith("work,")]
    unknown = own[0].split(",")
    unknown[3], unknown[6] = "", "why"
    other = own[1].replace("/n:", "/n:1")
    (results / "nvidia-h200" / AGAIN).write_text("\n".join([lines[0], ",".join(unknown), other, *own[2:]]))
    assert len(recorded(results, "nvidia-h200")) == len(own) - 2 > 0
    assert recorded(results, "nvidia-h100") == []


@pytest.mark.parametrize(
    ("busy", "limiter"),
    [({}, "issue"), ({"pipe": 0.8}, "pipe"), ({"issue": 0.59, "bytes": 0.5}, WAITING)],
)
def test_the_busiest_limits_if_it_is_busy_enough(busy, limiter):
    kernel = replace(ONE, busy=ONE.busy | busy)
    assert kernel.limiter == limiter
    rest = 1 - max(kernel.busy.values())
    assert kernel.parts[WAITING] == pytest.approx(rest * kernel.predicted_us)
    assert list(kernel.parts) == list(PARTS)


def test_operations_of_tiles_predict_nothing(kernels):
    tiles = [each for each in kernels if each.claim in TILE_CLAIMS and len(each.code) == 1]
    assert abs(forms.alone(distinct(tiles))["ops"]["correlation"]) < 0.1


# Elements move between blocks, or blocks stay and take turns: per element they do not do the same.
UNEVEN = ("allocation", "compaction", "vector_width")


@pytest.mark.parametrize("count", ["ops", "instructions", "wavefronts", "blocks"])
def test_cases_of_one_kernel_have_the_same_counts(kernels, count):
    """An element, as lengths differ: so the names of the code and the instructions tell kernels apart."""
    sample = distinct(kernels)
    for each in (each for each in kernels if each.claim not in UNEVEN):
        same = next(other for other in sample if other.code == each.code and are_same(each, other))
        own, other = (one.count(count) / one.n for one in (each, same))
        assert own == pytest.approx(other, rel=0.08, nan_ok=True)


def test_no_kernel_counts_twice(kernels):
    """In the sample; of several cases the first stands for it."""
    sample = distinct(kernels)
    assert distinct(sample) == sample
    assert {each.code for each in sample} == {each.code for each in kernels}
    assert distinct([ONE, replace(ONE, claim="z", us=1.0)]) == [ONE]
    more = replace(ONE, counts=ONE.counts | {"instructions": 1.1e8})
    assert distinct([ONE, more]) == [ONE, more]


def test_what_knows_less_takes_what_is_busy_longest():
    found = forms.compared([ONE], 3.0)
    assert found["clock"]["worst"] == pytest.approx(1.1)
    assert found["three"]["worst"] == pytest.approx((0.7 * 110 + 3) / 100)
    assert found["bytes"]["worst"] == pytest.approx((0.1 * 110 + 3) / 100)


def test_ranks_are_of_pairs_that_differ_and_are_as_long():
    slow = replace(ONE, us=200.0, predicted_us=100.0)
    assert document.ranked([ONE, slow]) == {"pairs": 1, "wrong": 1}
    assert document.ranked([ONE, replace(slow, predicted_us=300.0)]) == {"pairs": 1, "wrong": 0}
    assert document.ranked([ONE, replace(slow, us=104.0)]) == {"pairs": 0, "wrong": 0}
    assert document.ranked([ONE, replace(slow, n=1)]) == {"pairs": 0, "wrong": 0}


@pytest.mark.parametrize(
    ("slow_us", "busy", "cause", "said"),
    [
        (220.0, {"issue": 0.9}, "issue", "the cause is instruction issue, 198 µs against 77.0 µs"),
        (220.0, {}, "issue", "(2.0 times the warp instructions)"),
        (220.0, {"issue": 0.3}, WAITING, "that a warp waits longer at barriers, 110 µs against 55.0 µs"),
        (120.0, {}, "", "unexplained; by the clock it would be 0.92 times as fast as the other"),
        (100.0, {}, "", "unexplained; by the clock it would be 1.10 times as fast as the other"),
    ],
)
def test_an_effect_is_explained_or_open(slow_us, busy, cause, said):
    more = ONE.counts | {"instructions": 2e8}
    slow = replace(ONE, us=200.0, predicted_us=slow_us, busy=ONE.busy | busy, counts=more)
    found = described("work", "this", "that", slow, ONE)
    assert (found["cause"], found["cases"]) == (cause, [slow.case, ONE.case])
    assert said in found["sentence"]


def test_without_counters_there_is_no_model(tmp_path):
    document.write(tmp_path, tmp_path)
    assert json.loads((tmp_path / "model.json").read_text()) == {"cases": [], "causes": {}}


def test_misses_are_told_by_what_warps_wait_for_most(tmp_path):
    """As the profiler has it; the clock's share of that beside it."""
    cases = [replace(ONE, case=name, us=us) for name, us in (("a", 200), ("b", 210), ("c", 60), ("d", 111))]
    rows = ["claim,case,barrier,mio_throttle,short_scoreboard,long_scoreboard,lg_throttle"]
    rows += [f"work,{name}/cache:cold/n:{ONE.n},0.2,0.3,0.1,0.1,0.1" for name in "abd"]
    (tmp_path / "stalls.csv").write_text("\n".join(rows))
    found = mispredicted.misses(cases, tmp_path)
    assert found["predicted_well"] == 1
    short, long = found["groups"]
    assert (short["predicted"], short["waits"], short["kernels"]) == ("too short", "shared memory", 2)
    assert (short["measured"], short["by_clock"]) == (pytest.approx(0.4), 0)
    assert (long["predicted"], long["waits"], long["kernels"]) == ("too long", mispredicted.UNREAD, 1)
    assert [each["waits"] for each in mispredicted.misses(cases, tmp_path / "none")["groups"]] == [
        mispredicted.UNREAD
    ] * 2


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
