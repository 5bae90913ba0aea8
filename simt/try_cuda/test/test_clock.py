"""Times and waits by the machine's clock: in the terminal, as JSON and on the page."""

import json

import pytest

from simt.test.programs import ROOT
from simt.try_cuda.report import clock

PROGRAM = ROOT / "simt/try_cuda/examples/prescan.cu"
LINE = {"file": "a.cu", "line": 3, "cycles": 100, "stalls": {"long_scoreboard": 0.6, "wait": 0.4}}


def test_a_gpu_without_prices_is_named(attempt):
    result = attempt(PROGRAM, "--gpu", "nvidia-t4")
    said = "no prices of such a GPU in results/; there are: nvidia-h100, nvidia-h200"
    assert (result.status, result.errors) == (2, f"try: --gpu nvidia-t4: {said}\n")


def test_reasons_are_told_in_their_order():
    stalls = {"wait": 0.2, "long_scoreboard": 0.7, "barrier": 0.1}
    assert clock.waits(stalls, 2) == "long scoreboard 70%, wait 20%"


@pytest.mark.full
def test_each_launch_has_a_time_and_each_line_its_waits(attempt, tmp_path):
    data, page = tmp_path / "counts.json", tmp_path / "page.html"
    options = ("--once", "--json", data, "--html", page)
    result = attempt(PROGRAM, *options)
    assert result.status == 0, result.errors
    report = result.output[result.output.index("by the clock of an nvidia-h200") :]
    launches = json.loads(data.read_text())["launches"]
    for launch in launches:
        measured = launch["clock"]
        assert measured["us"] > measured["launch_us"] > 0
        assert sum(measured["stalls"].values()) == pytest.approx(1, abs=0.001)
        assert {"lines", "instructions"} <= measured.keys()
    assert "prescan.cu:" in report and "without waits" in report
    assert "by the clock of an nvidia-h200" in page.read_text()


def test_a_line_that_waits_for_no_result_is_not_tried(monkeypatch):
    monkeypatch.setattr(clock, "with_times", lambda launches: [launches])

    class Timed:
        clock = {"lines": [LINE, LINE | {"line": 4, "stalls": {"wait": 1.0}}]}

    assert clock.worth_trying([Timed()]) == [("a.cu", 3)]
