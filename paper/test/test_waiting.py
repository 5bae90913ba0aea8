"""The machine code of step 4: instructions with their control bits, and what each warp does in each cycle."""

import itertools

import pytest

from analysis.core.files import read_json
from analysis.report.page import clock
from paper.test.conftest import DESKTOP, PHONE, ROOT
from paper.test.use import is_wider, open_part, picture, see, slide

pytestmark = pytest.mark.xdist_group("page")
RECORDED = read_json(ROOT / "results" / clock.FILE)
BEGIN = min(warp["first"] for warp in RECORDED["warps"])
LAST = max(warp["first"] + sum(part[2] for part in warp["parts"]) for warp in RECORDED["warps"]) - BEGIN - 1


def at(warp: dict, cycle: int) -> tuple[str, str, int] | None:
    """The instruction, the reason and the cycles that are left of it; None before and after the warp."""
    until = warp["first"]
    for place, why, cycles in warp["parts"]:
        until += cycles
        if until - cycles <= cycle < until:
            return RECORDED["instructions"][place]["text"], why, until - cycle
    return None


def expected(cycle: int) -> list[list[str]]:
    rows = []
    for warp in RECORDED["warps"]:
        text, why, left = at(warp, BEGIN + cycle) or ("–", None, 0)
        said = clock.REASONS[why][0] if why else "does nothing: not begun, or ended"
        rows.append(
            [text, said + (f", {left} cycles more" if left > 2 else ", 1 cycle more" if left == 2 else "")]
        )
    return rows


def states(page) -> list[list[str]]:
    rows = page.locator("#waiting .states tbody tr").all()
    return [row.locator("td").all_inner_texts() for row in rows]


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_each_warp_says_why_it_waits_in_every_cycle(open_page, viewport):
    page = open_page(viewport=viewport)
    see(page, "waiting")
    for cycle in (0, 40, 300, 655, LAST // 2, LAST - 30, LAST):
        slide(page.locator("#waiting .stepper input"), cycle)
        assert states(page) == expected(cycle), cycle
    assert not is_wider(page)
    slide(page.locator("#waiting .stepper input"), LAST // 2)
    picture(page, "waiting")


def test_the_code_around_a_warp_has_its_control_bits(page):
    see(page, "waiting")
    slide(page.locator("#waiting .stepper input"), 300)
    page.locator("#waiting [name=warp]").nth(5).check()
    text = at(RECORDED["warps"][5], BEGIN + 300)[0]
    row = page.locator("#waiting .code [aria-current]")
    assert row.locator("th").inner_text() == text
    bits = next(map(clock.bits_of, (each for each in RECORDED["instructions"] if each["text"] == text)))
    assert row.locator("td").all_inner_texts() == [str(bits[key]) for key in ("stall", "sets", "waits")]
    shown = page.locator("#waiting .see tbody tr").evaluate_all(
        "rows => rows.map(row => row.cells[0].innerText)"
    )
    assert shown[-len(RECORDED["instructions"]) :] == [each["text"] for each in RECORDED["instructions"]]


def test_a_cycle_and_an_issue_by_keyboard(open_page):
    page = open_page()
    open_part(page, "waiting")
    page.locator("#waiting [data-guess]").first.press("Enter")
    stage, where = page.locator("#waiting .stage"), page.locator("#waiting .where")
    stage.press("ArrowRight")
    assert where.inner_text().startswith("cycle 2 of ")
    starts = [start for warp in RECORDED["warps"] for start in starts_of(warp)]
    issues = {begin for begin, why in starts if why == "selected"}
    before = sorted({begin for begin, _ in starts} - issues)[50] - 1  # then a warp waits, and none issues
    slide(page.locator("#waiting .stepper input"), before - BEGIN)
    page.locator("#waiting [data-next]").press("Enter")
    issue = min(begin for begin in issues if begin > before)
    assert where.inner_text().startswith(f"cycle {issue - BEGIN + 1:,} of ")


def starts_of(warp: dict) -> list[tuple[int, str]]:
    """When each of its parts begins, and what it is."""
    ends = itertools.accumulate((part[2] for part in warp["parts"]), initial=warp["first"])
    return [(begin, why) for begin, (_, why, _) in zip(ends, warp["parts"], strict=False)]


def test_the_right_answer_is_what_takes_most_cycles(page):
    cycles = clock.cycles_by_reason(RECORDED["warps"])
    see(page, "waiting")
    right = page.locator("#waiting .is-right").get_attribute("data-guess")
    assert right == max(cycles, key=cycles.get)
    share = f"{100 * cycles[right] / sum(cycles.values()):.0f}%"
    assert share in page.locator("#waiting .point").inner_text()
