"""The staircase climbs by what was timed, and a finding says what its numbers say."""

import json
from pathlib import Path

import pytest

from analysis.__main__ import main
from analysis.core.files import read_csv
from analysis.report.overview import document as overview
from analysis.report.overview import staircase
from analysis.test.claims import recorded_counts, recorded_times
from analysis.test.made_up import changed, document, timed_rows, write

ROOT = Path(__file__).resolve().parents[2]
CLIMBED = ("shuffle", "single_pass", "copy_speed")


def drawn(folders, times: dict) -> dict:
    for claim, found in times.items():
        write(folders[0], "simt", document(claim, recorded_counts(claim)))
        write(folders[0], "nvidia-h200", document(claim, timed_rows(found), gpu="NVIDIA H200"))
    assert main(["--overview", f"--results={folders[0]}", f"--figures={folders[1]}"]) == 0
    return json.loads((folders[1] / "staircase.json").read_text())


def test_steps_are_relative_to_their_copy_and_to_the_step_before(folders):
    edits = {"device_to_device": 10.0, "hillis_steele__plain": 44.0, "raking/items:8__padded": 11.0}
    times = changed(recorded_times("shuffle"), **edits, brent_kung__plain=200.0)
    made = drawn(folders, {"shuffle": times})
    (steps,) = made["flights"].values()
    first, tree = steps[:2]
    assert (first["us"], first["copy_us"], first["ratio"], first["gain"]) == (44.0, 10.0, 4.4, None)
    assert tree["gain"] == pytest.approx(first["ratio"] / tree["ratio"])
    assert tree["said"] == "0.22× as fast", "200 µs against 44"
    assert "2.0 times" not in tree["change"] and "operations" in tree["change"]
    assert steps[-1]["ratio"] == pytest.approx(1.1)
    assert made["machine"] == "NVIDIA H200" and made["figure"]["name"] == "staircase"
    assert (folders[1] / "staircase.svg").exists()


def test_equal_times_gain_nothing_and_a_reference_is_no_step(folders):
    claims = CLIMBED
    made = drawn(folders, {claim: changed(recorded_times(claim), scan=100.0) for claim in claims})
    tile, vector = made["flights"].values()
    assert [step["said"] for step in tile if step["name"] == "padded"] == ["as fast"]
    assert [step["gain"] for step in vector if step["name"] == "CUB"] == [None]


def test_without_times_there_is_no_picture(folders):
    (folders[1] / "staircase.svg").write_text("of before")
    assert drawn(folders, {})["flights"] == {}
    assert not (folders[1] / "staircase.svg").exists()
    assert json.loads((folders[1] / "findings.json").read_text()) == {"findings": []}


def test_every_step_has_a_look_and_a_claim():
    steps = read_csv(staircase.STEPS, staircase.COLUMNS)
    assert set(steps["look"]) <= set(staircase.LOOKS) and set(steps["claim"]) == set(CLIMBED)


def test_every_finding_has_its_numbers_and_they_bear_it():
    found = overview.found_in(ROOT / "figures", ROOT / overview.SOURCE)
    assert {"findings": found} == json.loads((ROOT / "figures/findings.json").read_text())
    assert [each["claim"] for each in found] == ["work", "padding", "divergence", "copy_speed", "rounding"]


def test_a_finding_without_its_numbers_is_left_out(tmp_path):
    (tmp_path / "found.md").write_text(
        "## a: A {{ n.a.x }}\nSaid\nof it.\n## b: B\n{{ n.b.x }}\n## c: C\n{{ n.a.y }}\n"
    )
    (tmp_path / "a.json").write_text('{"numbers": {"x": 1}}')
    found = overview.found_in(tmp_path, tmp_path / "found.md")
    assert found == [{"title": "A 1", "sentence": "Said of it.", "claim": "a"}]
