"""Be the judge, the fast scan with its log, and the agreement explorer."""

import csv
import json
import re
from dataclasses import asdict

import pytest

from analysis.core.analyses import analysis_of
from analysis.core.loading import load
from analysis.core.verdict import speed_in_words
from analysis.report.claim_document import PERCENT, THRESHOLDS, exchanged, with_threshold
from experiments.fast.scan_ideas import analysis as scan_ideas
from paper.test.conftest import ROOT
from paper.test.use import bars, choose, picture, slide

pytestmark = pytest.mark.xdist_group("page")
SLIDER = "#judge input[name=threshold]"


def yours(page) -> dict[str, str]:
    rows = page.locator("#judge tbody tr").all()
    return {row.get_attribute("data-claim"): row.locator(".yours").inner_text() for row in rows}


def test_the_default_verdicts_are_those_of_the_analysis(page):
    found = yours(page)
    assert len(found) > 10
    for claim, said in found.items():
        document = json.loads((ROOT / f"figures/{claim}.json").read_text())
        assert said == speed_in_words(document["verdict"])
    assert page.locator("#judge .said").inner_text() == "All verdicts are those of the analysis."


@pytest.mark.parametrize("claim", ["padding", "single_pass"])
@pytest.mark.parametrize("cache", ["cold", "warm"])
def test_other_thresholds_give_the_verdicts_of_the_rule(page, claim, cache):
    evidence, verdict = load(ROOT / "results", claim)[0], analysis_of(claim).verdict
    if cache == "warm":
        evidence = evidence.__class__(**(vars(evidence) | {"timed": exchanged(evidence.timed)}))
    choose(page, "judge", cache=cache)
    for percent in (0, 7, 100):
        slide(page.locator(SLIDER), 1 + PERCENT.index(percent))
        expected = speed_in_words(asdict(verdict(with_threshold(evidence, percent))))
        assert yours(page)[claim] == expected


def test_a_large_threshold_changes_verdicts(page):
    slide(page.locator(SLIDER), len(THRESHOLDS) - 1)
    changed = page.locator("#judge tr.changed").count()
    assert changed > 3
    assert page.locator("#judge .said").inner_text().startswith(f"{changed} of ")
    assert page.locator("#judge output[name=shown]").inner_text() == "100%"
    picture(page, "judge")


def test_times_without_an_idea_are_those_recorded(page):
    timed = load(ROOT / "results", "scan_ideas")[0].timed
    vector = scan_ideas.vectors(timed)[0]
    page.locator("#fast input[name=words]").uncheck()
    said = page.locator("#fast .ideas .said")
    assert "How much more time" in said.inner_text()
    slide(page.locator("#fast input[name=guess]"), 40)
    page.locator("#fast [data-show]").click()
    without, beside = (scan_ideas.time_of(timed, vector, each).value for each in ("even_words", "stages_6"))
    text = said.inner_text()
    assert f"{round(without, 2)} µs against {round(beside, 2)} µs" in text
    assert f"{round(100 * (without / beside - 1))}% more time" in text
    assert "You guessed 40%" in text
    page.locator("#fast input[name=loads]").uncheck()
    assert said.inner_text().startswith("Not measured")


def test_all_ideas_beside_copy_and_cub(page, data):
    for place, vector in enumerate(data["fast"]["vectors"]):
        choose(page, "fast", vector=place)
        expected = {"copy": vector["copy"], "all five ideas": vector["all"], "CUB": vector["cub"]}
        found = bars(page, "fast")
        assert {name: float(values[0].replace(",", "")) for name, values in found.items()} == pytest.approx(
            expected, rel=5e-3
        )


def test_the_log_shows_an_outcome_after_a_guess(page):
    lines = list(csv.DictReader((ROOT / "results/nvidia-h200/log.csv").open(encoding="utf-8")))
    rounds = list(dict.fromkeys(line["round"] for line in lines))
    log = page.locator("#fast .log")
    assert log.locator(".where").inner_text().startswith(f"round 1 of {len(rounds)}")
    log.locator("[data-go='1']").click()
    log.locator("[data-go='1']").click()
    third = [line for line in lines if line["round"] == "3"]
    assert log.locator("[data-field=prediction] dd").inner_text() == third[0]["prediction"]
    assert log.locator("[data-field=outcome]").count() == 0
    log.locator('[data-value="met"]').click()
    assert log.locator("[data-field=outcome] dd").inner_text().startswith(third[0]["outcome"])
    for line in third:
        assert f"{float(line['time_us'])} µs" in log.locator("[data-field=times] dd").inner_text()
    assert log.locator(".said").inner_text() == "You were right in 1 of 1 round."
    assert log.locator("[data-value=refuted]").is_disabled()
    picture(page, "fast")


def test_no_count_is_said_to_differ_zero_times(page):
    said = page.locator("#agreement").inner_text()
    assert "All 17," in said and not re.search(r"(?<![\d,.])0 ", said)


def test_the_differing_cells_are_those_of_the_file(page):
    with (ROOT / "figures/agreement.differ.csv").open(encoding="utf-8") as file:
        cells = [cell for cell in csv.DictReader(file) if cell["gpu"] in ("", "nvidia-h200")]
    columns = ("claim", "case", "quantity", "against", "counted", "other", "difference", "cause")
    page.locator("#agreement details summary").click()
    shown = page.evaluate(
        """() => [...document.querySelectorAll("#agreement tbody tr")]
             .map(row => [...row.cells].map(cell => cell.innerText))"""
    )
    assert shown == [[cell[column] for column in columns] for cell in cells]
    cause = cells[-1]["cause"]
    choose(page, "agreement", cause=cause)
    some = sum(cell["cause"] == cause for cell in cells)
    assert page.locator("#agreement form output").inner_text() == f"{some} of {len(cells)}"
    assert page.locator("#agreement tbody tr:visible").count() == some
    picture(page, "agreement")
