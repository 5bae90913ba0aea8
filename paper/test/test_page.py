"""The page as a whole: one file, readable without scripts, on a phone and by keyboard; its verdicts."""

import re

import pytest

from analysis.core.verdict import speed_in_words
from analysis.report.page import document
from paper.test.conftest import DESKTOP, PHONE, ROOT
from paper.test.use import choose, is_wider, open_part, picture, see, slide

pytestmark = pytest.mark.xdist_group("page")
STORY = ("operations", "wavefronts", "issue", "waiting", "charges", "predict")
FURTHER = ("findings", "padding", "replay", "fast", "judge", "agreement", "verdicts")
PARTS = (*STORY, *FURTHER, "race")
LENGTH = "document.documentElement.scrollHeight"
FOLD = "document.querySelectorAll('.part details').forEach(each => each.open = false)"
PLACE = """() => [scrollY,
  ...[...document.querySelectorAll("main :is(input, select)")].map(each => each.value + each.checked),
  ...[...document.querySelectorAll(".part")].map(each => [each.open, each.dataset.stage, each.innerText]),
  ...[...document.querySelectorAll("[aria-pressed=true]")].map(each => each.innerText)].map(String)"""
LEAVE_ANOTHER = """dispatchEvent(new Event("pagehide"));
  localStorage.setItem("scan-on-trial",
    localStorage.getItem("scan-on-trial").replace(/"made":"[^"]*"/, '"made":"before"'));
  Storage.prototype.setItem = () => {}  // as it goes, it may keep its place after the next has begun"""
DRAWN = """part => [...document.querySelectorAll(`#${part} .stage svg`)].every(svg =>
  Math.abs(svg.getBoundingClientRect().width / svg.viewBox.baseVal.width - 1) < .25)"""
LETTERS = """part => [...document.querySelectorAll(`#${part} .stage svg text`)].map(text =>
  parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
OVERLAPPING = """part => {
  const boxes = [...document.querySelectorAll(`#${part} .stage svg text`)].map(
    text => ({said: text.textContent, ...text.getBoundingClientRect().toJSON()}));
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 &&
    a.top < b.bottom - 3 && b.top < a.bottom - 3;
  return boxes.flatMap((a, place) =>
    boxes.slice(place + 1).filter(b => meet(a, b)).map(b => `${a.said} ${b.said}`));
}"""


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
        assert row.locator("td").all_inner_texts() == [verdict["count"], speed_in_words(verdict)]
        assert row.locator(".finding").text_content() == verdict["finding"].replace("`", "")
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
    for part in STORY[:5]:
        assert page.locator(f"#{part} .point:visible").count() == 1, part
    for part in ("operations", "wavefronts", "issue", "charges", "replay", "padding", "judge", "fast"):
        assert page.locator(f"#{part} noscript img").count() == 1, part
    page.locator("#padding details summary").click()
    assert page.locator("#padding tbody tr:visible").count() == 60


@pytest.mark.full
def test_no_part_is_wider_than_a_phone(open_page):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    for part in (*STORY, "race"):
        see(page, part)
        assert not is_wider(page), part
    assert page.evaluate("getComputedStyle(document.querySelector('.bars i')).transitionDuration") == "0s"
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    picture(page, "findings")
    picture(page, "verdicts")


@pytest.mark.full
def test_a_strip_says_that_it_scrolls_until_its_end(open_page):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(page.url + "#agreement")
    page.locator("#agreement details summary").tap()
    page.wait_for_function("document.querySelector('#agreement .strip').className === 'strip wide more'")
    strip = page.locator("#agreement .strip")
    assert "scrolls sideways" in strip.evaluate("each => getComputedStyle(each, '::before').content")
    strip.locator(".scroll").evaluate("each => each.scrollTo(each.scrollWidth, 0)")
    page.wait_for_function("!document.querySelector('#agreement .strip').classList.contains('more')")
    wide = open_page()
    see(wide, "wavefronts")
    assert wide.locator("#wavefronts .strip").last.get_attribute("class") == "strip"


def test_a_phone_has_a_short_page_whatever_is_open(open_page):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    lengths = {"at first": page.evaluate(LENGTH)}
    for part in PARTS:
        see(page, part) if part in (*STORY, "race") else open_part(page, part)
        if part not in STORY:
            page.evaluate(FOLD)
        lengths[part] = page.evaluate(LENGTH)
        assert page.locator(".part[open]").count() == 1
    assert max(lengths.values()) <= 9000, lengths


def test_parts_open_by_links_and_by_keyboard(open_page):
    page = open_page()
    page.locator('nav a[href="#judge"]').click()
    await_open(page, "judge")
    page.locator("#padding > summary").press("Enter")
    await_open(page, "padding")
    page.go_back()
    await_open(page, "judge")
    page.locator("#judge > summary").press("Enter")
    await_open(page, "")
    page.locator('nav a[href="#judge"]').click()
    await_open(page, "judge")


def await_open(page, part: str) -> None:
    """Until this part is open alone."""
    page.wait_for_function(
        "part => [...document.querySelectorAll('.part[open]')].map(({id}) => id).join() === part",
        arg=part,
        timeout=3000,
    )


def test_a_reload_keeps_the_place(open_page):
    page = open_page(reduced_motion="reduce")
    page.locator('#operations [data-guess="blelloch"]').click()
    choose(page, "operations", index="padded")
    open_part(page, "predict")
    page.locator("#predict [name=charge][value=bytes]").check()
    page.locator("#predict [data-commit]").click()
    open_part(page, "wavefronts")
    slide(page.locator("#wavefronts input[name=guess]"), 3.5)
    page.locator("#wavefronts [data-commit]").click()
    page.locator("#wavefronts [data-see]").click()
    choose(page, "wavefronts", index="padded")
    page.locator("#wavefronts details summary").first.click()
    choose(page, "wavefronts", kernel="reduce/tree/threads:spaced", tile=64)
    slide(page.locator("#wavefronts .stepper input"), 4)
    page.locator("#wavefronts .requests button").last.click()
    open_part(page, "replay")
    page.locator("#replay .printed button").nth(2).click()
    page.locator("#replay [data-check]").click()
    open_part(page, "wavefronts")
    page.evaluate("scrollTo(0, 700)")
    before = page.evaluate(PLACE)
    page.reload()
    page.wait_for_function("scrollY > 600")
    assert page.evaluate(PLACE) == before and before[0] == "700"
    await_open(page, "wavefronts")


def test_a_page_made_anew_does_not_take_an_old_place(open_page):
    page = open_page()
    page.locator("#operations [data-pass]").click()
    page.evaluate(LEAVE_ANOTHER)
    page.reload()
    assert page.locator("#operations").get_attribute("data-stage") == "asked"


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_letters_in_drawings_are_as_large_as_in_text(open_page, viewport):
    page = open_page(viewport=viewport, reduced_motion="reduce")
    for part in (*STORY, "race", "fast"):
        see(page, part) if part != "fast" else open_part(page, part)
        page.wait_for_function(DRAWN, arg=part)
        sizes = page.evaluate(LETTERS, part)
        assert all(9 <= size <= 14 for size in sizes), (part, sizes)
        assert page.evaluate(OVERLAPPING, part) == [], part


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
