"""The race, and break the padding: times and counts are those of results, and so is what follows."""

import json
import statistics

import numpy
import pytest

from analysis.core.loading import load
from analysis.core.statistics import median
from analysis.report.page import kernels
from experiments.block.padding import analysis as padding
from paper.test.conftest import DESKTOP, PHONE, ROOT
from paper.test.use import choose, number, open_part, picture, see, slide

pytestmark = pytest.mark.xdist_group("page")


@pytest.fixture(scope="module")
def points(data) -> list[dict]:
    return data["kernels"]["points"]


def ranks(values) -> numpy.ndarray:
    ordered = sorted(values)
    places = {value: [] for value in ordered}
    for place, value in enumerate(ordered):
        places[value].append(place)
    return numpy.array([statistics.mean(places[value]) for value in values])


def test_points_are_the_recorded_cases(points):
    evidence = {claim: load(ROOT / "results", claim)[0] for claim in kernels.CLAIMS}
    assert len(points) > 200
    for point in points[::7]:
        rows = evidence[point["claim"]].timed.rows
        rows = rows[rows["name"] == f"{point['case']}/cache:cold/n:{point['n']}"]
        assert point["time"] == round(median(rows["time_us"]).value, 2)
        counted = evidence[point["claim"]].counted.rows
        counted = counted[counted["name"].str.startswith(point["case"] + "/n:")].sort_values("n").iloc[-1]
        assert point["counts"]["ops"] == pytest.approx(counted["ops"] / counted["n"], rel=1e-5)
        assert point["counts"]["conflicts"] == pytest.approx(
            counted["bank_conflicts"] / counted["n"], rel=1e-5
        )


@pytest.mark.parametrize("quantity", ["ops", "conflicts", "wavefronts", "instructions"])
def test_correlation_and_error_are_those_of_the_points(page, points, quantity):
    see(page, "race")
    choose(page, "race", quantity=quantity)
    known = [point for point in points if quantity in point["counts"]]
    xs = numpy.array([point["counts"][quantity] for point in known])
    times = numpy.array([1000 * point["time"] / point["n"] for point in known])
    expected = numpy.corrcoef(ranks(xs), ranks(times))[0, 1]
    assert number(page, "race", "points") == str(len(known))
    assert float(number(page, "race", "correlation")) == pytest.approx(expected, abs=0.006)
    scales = (times / numpy.where(xs > 0, xs, numpy.nan))[xs > 0]
    least = min(numpy.abs(scale * xs / times - 1).mean() for scale in scales)
    assert float(number(page, "race", "error").rstrip("%")) == pytest.approx(100 * least, abs=0.6)
    assert page.locator("#race circle").count() == len(known)


def test_points_have_the_limits_charges_and_times_of_the_clock(points):
    model = json.loads((ROOT / "figures/model.json").read_text())
    cases = {(each["claim"], each["case"]): each for each in model["cases"]}
    for point in points:
        case = cases[point["claim"], point["case"]]
        assert point["limit"] == model["in_words"][case["limiter"]]
        assert point["charges"] == case["parts"]
        assert point["counts"]["clock"] == pytest.approx(1e6 * case["predicted_us"] / point["n"], rel=1e-5)


def test_without_a_clock_points_have_counts_alone(tmp_path):
    found = kernels.kernels_of(ROOT / "results", tmp_path)
    assert "clock" not in found["quantities"] and found["unseen"] == []
    assert all(point["limit"] == "" and "clock" not in point["counts"] for point in found["points"])


def test_filters_a_dot_and_a_guess(page, points, data):
    page.locator('#race [data-guess="ops"]').click()
    choose(page, "race", algorithm="Blelloch", tile=1024, index="plain")
    few = [p for p in points if (p["label"], p["tile"], p["index"]) == ("Blelloch", 1024, "plain")]
    assert number(page, "race", "points") == str(len(few))
    page.locator("#race .stage").press("ArrowRight")
    said = page.locator("#race .said").inner_text()
    assert any(point["case"] in said and str(point["time"]) in said for point in few)
    choose(page, "race", algorithm="", tile="", index="")
    rows = page.locator("#race .ranking tbody tr")
    assert rows.count() == len(data["kernels"]["quantities"])
    errors = [int(row.locator("td").nth(1).inner_text().rstrip("%")) for row in rows.all()]
    assert errors == sorted(errors)
    picture(page, "race")


ARE_APART = """labels => {
  const boxes = labels.map(each => each.getBoundingClientRect());
  return boxes.every(({bottom}, row) => row + 1 === boxes.length || bottom <= boxes[row + 1].top + 1) &&
    labels.every(each => each.scrollWidth <= each.offsetWidth);
}"""
COMPUTED = """cases => cases.map(({index, bytes, tile}) => {
  const form = document.querySelector("#padding form");
  form.tile.value = tile; form.bytes.value = bytes;
  form.map.value = index.replace("16", ""); form.every.value = index === "padded16" ? 16 : 32;
  form.dispatchEvent(new Event("input"));
  const numbers = document.querySelectorAll("#padding [data-number]");
  return [...numbers].slice(0, 2).map(number => number.innerText);
})"""


def test_computed_conflicts_are_those_counted(page, data):
    counted = load(ROOT / "results", "padding")[0].counted
    found = page.evaluate(COMPUTED, data["padding"])
    assert len(found) == 60
    for case, shown in zip(data["padding"], found, strict=True):
        expected = padding.conflicts(counted, case["index"], case["bytes"])[case["tile"]]
        assert shown == [f"{expected:,.0f}"] * 2, case


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_padding_opens_on_bars_with_labels_apart(open_page, viewport):
    page = open_page(viewport=viewport)
    open_part(page, "padding")
    bars = page.locator("#padding .bars i").evaluate_all("all => all.map(bar => bar.offsetWidth)")
    assert max(bars) > 100 and sum(width > 1 for width in bars) > 5
    assert page.locator("#padding .bars th[scope=row]").evaluate_all(ARE_APART)
    choose(page, "padding", map="padded")
    assert page.locator("#padding .none").is_visible() and not page.locator("#padding .bars").is_visible()


def test_the_padding_can_be_broken(page):
    choose(page, "padding", tile=2048, bytes=4, map="padded")
    assert number(page, "padding", "conflicts") != "0"
    assert page.locator("#padding .said").inner_text().startswith("You broke the rule")
    slide(page.locator("#padding input[name=every]"), 7)
    assert number(page, "padding", "counted") == "not counted"
    assert "computed only" in page.locator("#padding .said").inner_text()
    picture(page, "padding")
