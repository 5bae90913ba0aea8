"""The replay of worked examples: memory as recorded, wrong printed numbers marked."""

import pytest

from analysis.core.files import SIMT
from analysis.core.loading import read
from experiments.block.worked_examples.examples import printed_steps, steps_of
from paper.test.conftest import PHONE, ROOT
from paper.test.use import choose, open_part, picture, slide

pytestmark = pytest.mark.xdist_group("page")
COUNTED = read(ROOT / "results" / SIMT / "worked_examples.jsonl")


def memory(page) -> list[list[int]]:
    rows = page.locator("#replay .memory tr").all()
    return [[int(value) for value in row.locator("td").all_inner_texts()] for row in rows]


def test_memory_is_what_the_machine_recorded(page, data):
    for example in data["replay"]:
        choose(page, "replay", example=example["id"])
        steps = steps_of(COUNTED, example["id"])
        slide(page.locator("#replay input[type=range]"), max(0, len(steps) - 1))
        if page.locator("#replay [data-check]").is_enabled():
            page.locator("#replay [data-check]").click()
        expected = [[step.values[element] for element in sorted(step.values)] for step in steps.values()]
        assert memory(page) == expected


MARKED = """() => {
  const form = document.querySelector("#replay form");
  const range = document.querySelector("#replay input[type=range]");
  const marked = {};
  for (const {value} of form.example.options) {
    form.example.value = value; form.dispatchEvent(new Event("input"));
    marked[value] = 0;
    for (let step = 0; step <= range.max; ++step) {
      range.value = step; range.dispatchEvent(new Event("input"));
      document.querySelector("#replay [data-check]").click();
      marked[value] += document.querySelectorAll("#replay .printed .is-wrong").length;
    }
  }
  return marked;
}"""


def wrong_in(line) -> int:
    """In a set, numbers that do not belong to it, and one mark if any is missing."""
    if line.kind in ("word", "final"):
        return len(set(line.printed) - set(line.true)) + bool(set(line.true) - set(line.printed))
    return line.wrong


def test_every_wrong_number_is_marked_and_no_other(page):
    expected = {}
    for line in printed_steps(COUNTED):
        if line.true:
            expected[line.example] = expected.get(line.example, 0) + wrong_in(line)
    assert page.evaluate(MARKED) == expected
    assert sum(expected.values()) > 10


def test_spotting_an_error(page):
    choose(page, "replay", example="steps")
    slide(page.locator("#replay input[type=range]"), 1)
    unknown = page.locator("#replay .memory tr").nth(1).locator("td")
    assert set(unknown.all_inner_texts()) == {"?"}, "the replay tells before it is asked"
    page.locator("#replay .printed button").nth(2).click()  # 7, where the kernel has 8
    page.locator("#replay .printed button").nth(0).click()  # 3, which is right
    page.locator("#replay [data-check]").click()
    said = page.locator("#replay .said").inner_text()
    assert said == "2 numbers are wrong or missing; you found 1. You marked 1 that is right."
    assert unknown.nth(2).inner_text() == "8"
    picture(page, "replay")


def test_replay_on_a_phone(open_page):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    open_part(page, "replay")
    assert page.locator("#replay .strip").get_attribute("class") == "strip", (
        "eight elements do not fit a phone"
    )
    page.locator("#replay .printed button").first.tap()
    assert page.locator("#replay .printed button").first.get_attribute("aria-pressed") == "true"
    picture(page, "replay")
