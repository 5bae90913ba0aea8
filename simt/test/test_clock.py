"""With the clock the machine computes and counts what it does without: in every program of agreement/ the
results are right and the counts are the GPU's. And it says for how long, and why warps wait."""

import re
import subprocess
from pathlib import Path

import pytest

from experiments.test.rest import some
from simt.test import programs
from simt.test.test_agreement import differences, recorded
from simt.test.test_clock_prices import prices

PRICES = "nvidia-h200"
AGREEMENT = programs.HERE / "agreement"
UNPRICED = "textures"  # this family
SOME = {
    "block_reduction",
    "cluster_halo",
    "nested_branches",
    "bulk_copies_polls",
    "look_back_polls",
    "mbarriers_polls",
}


@pytest.mark.parametrize("program", some(programs.names("agreement"), SOME))
def test_counts_do_not_change(program: str) -> None:
    run = programs.run("agreement", program, options=("--clock", PRICES))
    assert (run.status, run.out) == (0, "ok\n"), run.errors
    wanted = recorded()[program]
    found = [line for pair in zip(wanted, run.launches, strict=True) for line in differences(program, *pair)]
    assert not found, "\n" + "\n".join(found)
    clocks = [launch["clock"] for launch in run.launches]
    known = [clock for clock in clocks if clock.get("unknown", "") == ""]
    assert all(clock["us"] > clock["launch_us"] for clock in known)
    has_prices = not (AGREEMENT / UNPRICED / f"{program}.cu").exists()
    assert (len(known) == len(clocks)) == has_prices


@pytest.fixture(scope="module")
def launch() -> dict:
    return programs.run("agreement", "block_reduction", options=("--clock", PRICES)).launches[0]


def test_reasons_add_up(launch: dict) -> None:
    clock = launch["clock"]
    assert sum(clock["stalls"].values()) == pytest.approx(1, abs=0.001)
    by_line, by_instruction = (sum(each["cycles"] for each in clock[of]) for of in ("lines", "instructions"))
    assert by_line == by_instruction > launch["warp_instructions"]
    issued = sum(each["cycles"] * each["stalls"].get("selected", 0) for each in clock["instructions"])
    assert issued == pytest.approx(launch["warp_instructions"], rel=0.01)


def test_a_traced_block_is_told_without_a_gap() -> None:
    options = ("--clock", PRICES, "--trace", "1")
    clock = programs.run("agreement", "block_reduction", options=options).launches[0]["clock"]
    instructions, ends, issued = clock["instructions"], {}, {}
    for warp, place, why, begin, end in clock["trace"]:
        assert ends.setdefault(warp, begin) == begin < end and why in instructions[place]["stalls"]
        ends[warp] = end
        issued.setdefault(warp, []).extend([place] * (why == "selected"))
    assert len(ends) > 1 and all(places[0] == 0 for places in issued.values())
    assert instructions[issued[0][-1]]["text"] == "EXIT"
    assert all(0 <= each["stall"] < 16 and 0 <= each["waits_for"] < 64 for each in instructions)


def test_one_word_takes_additions_one_by_one_in_a_sample_too() -> None:
    run = programs.run("machine", "one_counter", options=("--clock", PRICES))
    (clock,), additions = [launch["clock"] for launch in run.launches], (1 << 14) * 8 * 8
    assert run.out == "ok\n" and clock["is_sample"]
    price = prices(PRICES)
    each = price["atomic_pass_cycles"] / price["clock_mhz"]
    assert clock["us"] - clock["launch_us"] == pytest.approx(additions * each, rel=0.05)


def test_swaps_that_are_tried_again_have_no_time() -> None:
    """How many fail depends on whose comes first."""
    run = programs.run("machine", "swapped_maxima", options=("--clock", PRICES))
    assert run.out == "ok\n"
    again, once = (launch["clock"]["unknown"] for launch in run.launches)
    assert "compare-and-swaps" in again and once == ""


def test_who_computes_long_is_not_taken_to_wait() -> None:
    (launch,) = programs.run("machine", "long_alone", options=("--clock", PRICES)).launches
    assert launch["clock"]["unknown"] == "" and launch["clock"]["us"] > 2000


def test_a_load_that_is_used_at_once_waits_longest(launch: dict) -> None:
    first = max(launch["clock"]["lines"], key=lambda line: line["stalls"].get("long_scoreboard", 0))
    assert first["stalls"]["long_scoreboard"] > 0.5
    source = programs.HERE / "agreement" / "blocks" / Path(first["file"]).name
    assert "in[" in source.read_text(encoding="utf-8").splitlines()[first["line"] - 1]


def test_a_line_may_be_taken_as_if_it_waited_for_no_result(launch: dict) -> None:
    first = max(launch["clock"]["lines"], key=lambda line: line["stalls"].get("long_scoreboard", 0))
    place = (first["file"], first["line"])
    options = ("--clock", PRICES, "--at-once", f"{place[0]}:{place[1]}")
    at_once = programs.run("agreement", "block_reduction", options=options).launches[0]
    (then,) = (line for line in at_once["clock"]["lines"] if (line["file"], line["line"]) == place)
    assert first["stalls"]["long_scoreboard"] > 0.5 and "long_scoreboard" not in then["stalls"]
    assert at_once["warp_instructions"] == launch["warp_instructions"]


def test_a_reader_gets_a_table() -> None:
    command = [programs.MACHINE, "--counts-only", "--clock", PRICES, *programs.program("agreement", "matmul")]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    assert re.search(r"^matmul.+: \d+\.\d\d us, \d+ blocks on 132 multiprocessors$", said, re.MULTILINE), said
    assert re.search(r"^ +\d+%  matmul\.cu:\d+: [a-z_]+ \d+%", said, re.MULTILINE), said


def test_a_launch_that_fails_fails_as_without() -> None:
    program = (*programs.program("machine", "faults"), "null_load")
    runs = [
        subprocess.run(
            [programs.MACHINE, "--counts-only", *options, *program], capture_output=True, text=True
        )
        for options in ((), ("--clock", PRICES))
    ]
    assert [run.stdout for run in runs] == [runs[0].stdout] * 2
    assert (runs[1].returncode, "no time: the launch has failed" in runs[1].stderr) == (0, True)


def test_a_grid_that_is_too_small_to_be_longer_has_no_time() -> None:
    run = programs.run("agreement", "matmul", options=("--clock", PRICES, "--longer", "100000"))
    assert run.launches[0]["clock"]["unknown"] == "its grid is too small to be taken as longer"


def test_a_launch_that_uses_textures_has_no_time() -> None:
    run = programs.run("agreement", "filtering", options=("--clock", PRICES))
    assert run.launches[0]["clock"]["unknown"] == "it uses textures or surfaces, whose units have no prices"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "no prices in"),
        ("price,value,unit,from\nclock_mhz,1980,MHz,\n", "has no price multiprocessors"),
        ("price,value,unit,from\nclock_mhz,fast,MHz,\n", "the price of clock_mhz is 'fast'"),
    ],
)
def test_prices_that_cannot_be_read(tmp_path: Path, text: str | None, why: str) -> None:
    path = tmp_path / "clock.csv"
    if text:
        path.write_text(text)
    command = [programs.MACHINE, "--clock", path, *programs.program("agreement", "matmul")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert why in run.stderr
    assert run.stderr.count("\n") == 1


def test_blocks_that_wait_for_others_are_not_taken_as_longer_by_the_way() -> None:
    """They run as a whole, whatever it takes: of a short grid the time of a longer one does not follow."""
    runs = [
        programs.run("agreement", "look_back_polls", options=("--clock", PRICES, *longer)).launches[-1][
            "clock"
        ]
        for longer in ((), ("--longer", "100000"))
    ]
    assert [run["unknown"] for run in runs] == ["", "its grid is too small to be taken as longer"]
