"""The staircase climbs by what was timed, and a finding says what its numbers say."""

import json

import pytest

from analysis.__main__ import main
from analysis.overview import findings, staircase
from tests.analysis.claims import COUNTS, TIMES
from tests.analysis.made_up import changed, document, timed_rows, write

CLIMBED = ("shuffle", "single_pass", "copy_speed")
WORK = {"tile": 2048, "ops": 5.0, "time": 0.5}
MODEL = {
    "alone": {"ops": {"mean_error": 0.61}, "instructions": {"mean_error": 0.25}},
    "fitted": {"errors": {"cases": 214, "mean": 0.08}, "held_out_mean": {"work": 0.08, "depth": 0.14}},
    "errors": None,
    "sample": {"cases": 330, "kernels": 214, "others": 19},
    "choice": {"judged": {"mean": 0.11}},
    "in_words": {"issue": "issue", "bytes": "bytes"},
}
PADDING = {
    "sizes": 12,
    "conflicts_at": 7,
    "where": "8-byte elements in every tile",
    "padded_over_plain": [0.5, 1.0],
    "second_level_where": "4-byte elements in tiles of 2,048",
    "second_level_over_padded": [1.1],
}
DIVERGENCE = {"fewer_warps": [3.0, 4.0], "time": {"scan": 1.02, "sum": 1.25}, "conflicts": {"sum": 2.0}}
HALVING = {"fewer_warps": [3.0], "conflicts": 0, "time": {"sum": 0.8}}
CUB = {"cases": 9, "losses": 0, "lost_at": [], "least": {"ratio": 0.99}, "most": {"ratio": 4.0}}
SPEED = {"shares": {"float": {"n": 1 << 28, "share": 0.97}, "int8": {"n": 8, "share": 0.9}}, "cub": CUB}
ROUNDING = {"gains": {"ill": 260.0}, "runs": 100, "distinct": {"tree": 1, "CUB": 100}}


def drawn(folders, times: dict) -> dict:
    for claim, found in times.items():
        write(folders[0], "simt", document(claim, COUNTS[claim]()))
        write(folders[0], "nvidia-h200", document(claim, timed_rows(found), gpu="NVIDIA H200"))
    assert main(["--overview", f"--results={folders[0]}", f"--figures={folders[1]}"]) == 0
    return json.loads((folders[1] / "staircase.json").read_text())


def test_steps_are_relative_to_their_copy_and_to_the_step_before(folders):
    times = changed(TIMES["shuffle"](), **{"hillis_steele__plain": 44.0, "raking/items:8__padded": 11.0})
    made = drawn(folders, {"shuffle": times})
    (steps,) = made["flights"].values()
    first, tree = steps[:2]
    assert (first["us"], first["copy_us"], first["ratio"], first["gain"]) == (44.0, 10.0, 4.4, None)
    assert tree["gain"] == pytest.approx(first["ratio"] / tree["ratio"])
    assert tree["said"].endswith("slower"), "200 µs against 44"
    assert "2.0 times" not in tree["change"] and "operations" in tree["change"]
    assert steps[-1]["ratio"] == pytest.approx(1.1)
    assert made["machine"] == "NVIDIA H200" and made["figure"]["name"] == "staircase"
    assert (folders[1] / "staircase.svg").exists()


def test_equal_times_gain_nothing_and_a_reference_is_no_step(folders):
    made = drawn(folders, {claim: TIMES[claim]() for claim in ("shuffle", "single_pass")})
    tile, vector = made["flights"].values()
    assert [step["said"] for step in tile if step["name"] == "padded"] == ["no faster"]
    assert [step["gain"] for step in vector if step["name"] == "CUB"] == [None]


def test_without_times_there_is_no_picture(folders):
    (folders[1] / "staircase.svg").write_text("of before")
    assert drawn(folders, {})["flights"] == {}
    assert not (folders[1] / "staircase.svg").exists()
    assert json.loads((folders[1] / "findings.json").read_text()) == {"findings": []}


def test_every_step_has_a_look_and_a_claim():
    for steps in staircase.FLIGHTS.values():
        assert all(step.look in staircase.LOOKS and step.claim in CLIMBED for step in steps)


@pytest.mark.parametrize(
    ("finding", "numbers", "title", "sentence"),
    [
        (findings.operations, [WORK, {}], "do not predict", "2.0 times faster than the tree."),
        (findings.operations, [WORK | {"time": 2.0}, {}], "Operations predict", "2.0 times slower"),
        (
            findings.operations,
            [WORK, MODEL],
            "do not",
            "Over 214 kernels (without 19 that wait for earlier blocks or the host) a time in proportion to "
            "the operations is off by 61% on average, and one in proportion to warp instructions, the best "
            "single count, by 25%. A time made of five costs, of which the largest prevails (issue and "
            "bytes), is off by 8% over 214 kernels. Six numbers are fitted to them (8% to 14% where a "
            "claim's kernels are left out of the fit).",
        ),
        (
            findings.operations,
            [WORK, MODEL | {"errors": {"cases": 9, "mean": 0.1}}],
            "do not",
            "by 10%. Prices are measured apart; one number, how sharply the largest prevails, is chosen on "
            "half of the kernels (11% on the other half).",
        ),
        (findings.padding, [PADDING], "does not remove all", "at 7 of 12 sizes (8-byte"),
        (
            findings.padding,
            [PADDING],
            "does not remove all",
            "2,048 and is 1.10 times slower than one level there.",
        ),
        (
            findings.padding,
            [PADDING | {"conflicts_at": 0, "second_level_over_padded": []}],
            "i/32 removes all",
            "no conflict at any of 12 sizes, and is up to 2.0 times faster than no padding.",
        ),
        (
            findings.divergence,
            [DIVERGENCE],
            "win nothing",
            "in the sum they have 2.0 times the bank conflicts",
        ),
        (findings.divergence, [DIVERGENCE | {"time": {"scan": 0.5, "sum": 1.25}}], "win at times", "faster"),
        (
            findings.divergence,
            [DIVERGENCE | {"halving": HALVING}],
            "win nothing by themselves; halving the stride wins",
            "A halving stride, with few active warps and no conflicts, is 1.25 times faster than spaced",
        ),
        (
            findings.divergence,
            [DIVERGENCE | {"halving": HALVING | {"conflicts": 5, "time": {"sum": 1.5}}}],
            "win nothing",
            "A halving stride, with few active warps, is 1.50 times slower than spaced threads.",
        ),
        (findings.divergence, [DIVERGENCE | {"time": {"sum": 0.5}}], "win time", "2.0 times faster"),
        (findings.divergence, [DIVERGENCE | {"fewer_warps": [1.0]}], "As many", "keep no fewer warps"),
        (
            findings.fast_scan,
            [SPEED, {}, {}, {}],
            "97% of the speed",
            "0.25 to 1.01 of the time (9 cases); no loss exceeds the noise.",
        ),
        (
            findings.fast_scan,
            [SPEED, {}, {"floors": {"4096": 1.1, "65536": 1.01}}, {}],
            "97% of the speed",
            "no loss exceeds the noise, which is 1.0% to 10.0% by length.",
        ),
        (
            findings.fast_scan,
            [SPEED | {"cub": CUB | {"losses": 2, "lost_at": [512]}}, {}, {}, {}],
            "97%",
            "2 losses exceed the noise, at n = 512.",
        ),
        (
            findings.fast_scan,
            [SPEED, {}, {}, {"shares": {"int8": {"ours": 0.26, "cub": 0.24}}}],
            "97%",
            "Look-back, which is one pass too, reaches 24% to 26%, ours and CUB's (`single_pass`).",
        ),
        (findings.fast_scan, [SPEED, {}, {}, {"shares": {"int8": {"ours": 0.95}}}], "97%", "90% (int8) to"),
        (
            findings.rounding,
            [ROUNDING],
            "need not repeat",
            "In 100 runs CUB give up to 100 different results; tree always",
        ),
        (
            findings.rounding,
            [ROUNDING | {"distinct": {"tree": 1}}],
            "and repeats",
            "the same bits in 100 runs",
        ),
        (findings.rounding, [ROUNDING | {"gains": {"ill": 0.5}}], "not always more accurate", "0.50"),
    ],
)
def test_a_finding_follows_its_numbers(finding, numbers, title, sentence):
    said = finding(*numbers)
    assert title in said[0]
    assert sentence in said[1]


def test_each_claims_document_has_the_numbers_of_its_finding(folders, undrawn):
    claims = [claim for _, of in findings.FINDINGS for claim in of if claim in COUNTS]
    for claim in claims:
        write(folders[0], "simt", document(claim, COUNTS[claim]()))
        write(folders[0], "nvidia-h200", document(claim, timed_rows(TIMES[claim]()), gpu="NVIDIA H200"))
    assert main([*claims, f"--results={folders[0]}", f"--figures={folders[1]}"]) == 0
    found = findings.found_in(folders[1])
    assert [each["claim"] for each in found] == [of[0] for _, of in findings.FINDINGS]
