"""The page as a whole: one file, readable without scripts, on a phone and by keyboard; its verdicts."""

import re

import pytest

from analysis.core.verdict import speed_in_words
from analysis.report.page import document
from paper.test.conftest import PHONE, ROOT
from paper.test.use import choose, picture, see

pytestmark = pytest.mark.xdist_group("page")
STORY = ("operations", "wavefronts", "issue", "charges", "predict")
FURTHER = ("findings", "padding", "replay", "fast", "judge", "agreement", "verdicts")


def test_one_file_that_refers_to_no_other(file):
    text = file.read_text(encoding="utf-8")
    assert len(text.encode()) <= 3_000_000
    assert re.findall(r"""(?:src|href)=["'](?!data:|#)[^"']*""", text) == []
    assert "url(" not in text and "@import" not in text and "fetch(" not in text


def test_verdicts_are_those_of_the_figures_and_can_be_filtered(page):
    listed = document.sections(ROOT / "figures")
    rows = page.locator("#verdicts tbody tr")
    assert rows.count() == len(listed)
    for section, row in zip(listed, rows.all(), strict=True):
        verdict = section.documents[0]["verdict"]
        expected = [verdict["count"], speed_in_words(verdict), verdict["finding"].replace("`", "")]
        assert row.locator("td").all_inner_texts() == expected
    choose(page, "verdicts", count="refuted")
    refuted = sum(each.documents[0]["verdict"]["count"] == "refuted" for each in listed)
    assert page.locator("#verdicts tbody tr:visible").count() == refuted
    assert page.locator("#verdicts form output").inner_text() == f"{refuted} of {len(listed)}"
    picture(page, "verdicts")
    picture(page, "findings")


@pytest.mark.full
def test_without_scripts_the_page_has_text_tables_and_figures(open_page):
    page = open_page(java_script_enabled=False)
    assert page.locator(".live:visible").count() == 0
    assert page.locator("#verdicts tbody tr:visible").count() > 20
    for part in STORY[:4]:
        assert page.locator(f"#{part} .point:visible").count() == 1, part
    for part in ("operations", "wavefronts", "issue", "charges", "replay", "padding", "judge", "fast"):
        assert page.locator(f"#{part} noscript img").count() == 1, part
    page.locator("#padding summary").click()
    assert page.locator("#padding tbody tr:visible").count() == 60


@pytest.mark.full
def test_no_part_is_wider_than_a_phone(open_page):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    for part in (*STORY, "race"):
        see(page, part)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.evaluate("getComputedStyle(document.querySelector('.bars i')).transitionDuration") == "0s"
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    picture(page, "findings")
    picture(page, "verdicts")


@pytest.mark.full
def test_a_strip_says_that_it_scrolls_until_its_end(open_page):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    see(page, "wavefronts")
    strip = page.locator("#wavefronts .strip").first
    assert strip.get_attribute("class") == "strip wide more"
    assert "scrolls sideways" in strip.evaluate("each => getComputedStyle(each, '::before').content")
    strip.locator(".scroll").evaluate("each => each.scrollTo(each.scrollWidth, 0)")
    page.wait_for_function("!document.querySelector('#wavefronts .strip').classList.contains('more')")
    wide = open_page()
    see(wide, "wavefronts")
    assert wide.locator("#wavefronts .strip").first.get_attribute("class") == "strip"


@pytest.mark.full
def test_a_swipe_steps(open_page):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    see(page, "issue")
    before = page.locator("#issue .where").inner_text()
    stage = page.locator("#issue .stage")
    stage.dispatch_event("pointerdown", {"clientX": 300})
    stage.dispatch_event("pointerup", {"clientX": 100})
    assert page.locator("#issue .where").inner_text() != before


@pytest.mark.full
def test_every_control_has_a_name_and_every_link_leads_somewhere(page):
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("select, input, button, [tabindex]")].filter(each =>
             !(each.ariaLabel || each.closest("label")?.textContent.trim() || each.textContent.trim()))
             .map(each => each.outerHTML.slice(0, 80))"""
    )
    assert unnamed == []
    targets = page.evaluate("[...document.querySelectorAll('a')].map(link => link.getAttribute('href'))")
    assert all(page.locator(target).count() == 1 for target in targets)
    assert page.locator("svg:not([aria-label])").count() == 0


@pytest.mark.full
def test_the_skip_link_comes_first(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"


@pytest.mark.full
def test_without_recordings_every_part_is_there_all_the_same(tmp_path):
    text = document.render(tmp_path, ROOT / "figures", ROOT / "paper/page")
    assert all(f'id="{part}"' in text for part in FURTHER)
    assert not any(f'id="{part}"' in text for part in STORY)
