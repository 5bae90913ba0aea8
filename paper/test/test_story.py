"""The story in six steps: each asks before it tells, and tells what was counted and measured."""

import json
import shutil

import pytest

from analysis.core.errors import EvidenceError
from analysis.core.files import SIMT
from analysis.core.loading import load, read
from analysis.core.sweep import per_tile
from analysis.report.page import document
from paper.test.conftest import DESKTOP, PHONE, ROOT
from paper.test.use import bars, choose, number, open_part, picture, see, slide

pytestmark = pytest.mark.xdist_group("page")
STEPS = ("operations", "wavefronts", "issue", "waiting", "charges", "predict")
MODEL = json.loads((ROOT / "figures/model.json").read_text())
CASES = {(each["claim"], each["case"]): each for each in MODEL["cases"]}
TILES = (64, 128, 256, 512, 1024, 2048)
IS_IN_SIGHT = """each => {
  const {top, bottom} = each.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}"""


def time_of(claim: str, case: str) -> str:
    timed = load(ROOT / "results", claim)[0].timed
    names = timed.rows["name"]
    name = names[names.str.startswith(f"{case}/cache:cold")].iloc[0]
    return shown(timed.time(name=name).value)


def shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{float(f'{value:.3g}'):g}"


def test_every_step_asks_before_it_tells(page):
    parts = page.locator("main > details").evaluate_all("each => each.map(({id}) => id)")
    assert tuple(parts[:6]) == STEPS and parts[-1] == "verdicts"
    for step in STEPS:
        told = page.locator(f"#{step} :is(.touch, .see, .truth, .is-right)")
        assert told.count() and not any(each.is_visible() for each in told.all()), step
        if step == "predict":
            assert page.locator("#predict [data-commit]").is_disabled()
            page.locator("#predict [name=charge]").first.check()
        page.locator(f"#{step} :is([data-guess], [data-commit])").first.click()
        if step != "predict":
            assert (
                page.locator(f"#{step} .touch").is_visible()
                and not page.locator(f"#{step} .see").is_visible()
            )
            assert page.locator(f"#{step} [role=status]").inner_text() == "Your guess is noted. Now touch."
            page.locator(f"#{step} [data-see]").click()
        point = page.locator(f"#{step} .point")
        assert point.is_visible()
        assert page.locator(f"#{step} [role=status]").text_content() == point.text_content()
        assert page.locator(f'nav a[href="#{step}"]').get_attribute("class") == "done"
        picture(page, step)


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("step", [*STEPS, "race"])
def test_just_show_me_shows(open_page, viewport, step):
    page = open_page(viewport=viewport, reduced_motion="reduce")
    open_part(page, step)
    page.locator(f"#{step} [data-pass]").click()
    point = page.locator(f"#{step} .see .point")
    point.wait_for(state="visible", timeout=1000)
    page.wait_for_function(IS_IN_SIGHT, arg=point.element_handle(), timeout=1000)


def test_a_wrong_guess_and_the_right_answer_are_marked(open_page):
    page = open_page()
    wrong = {"operations": "same", "waiting": "wait", "charges": "bytes", "race": "barriers"}
    for step, guess in wrong.items():
        open_part(page, step)
        page.locator(f'#{step} [data-guess="{guess}"]').click()
        on = page.locator(f"#{step} [data-see]")
        assert not on.count() or page.locator(f"#{step} .is-right, #{step} .is-wrong").count() == 0
        if on.count():
            on.click()
        assert page.locator(f"#{step} .is-wrong").get_attribute("data-guess") == guess
        assert page.locator(f"#{step} .is-right").count() == 1
    open_part(page, "predict")
    page.locator("#predict [name=charge][value=starts]").check()
    page.locator("#predict [data-commit]").click()
    limit = page.locator("#predict [data-number=limiter]").inner_text()
    assert page.locator("#predict .is-right").inner_text() == limit
    assert page.locator("#predict .is-wrong input").get_attribute("value") == "starts"
    open_part(page, "fast")
    page.locator('#fast .log [data-value="refuted"]').click()
    outcome = page.locator("#fast [data-field=outcome] dd").inner_text().split(":")[0]
    assert page.locator("#fast .log .is-right").get_attribute("data-value") == outcome != "refuted"
    assert page.locator("#fast .log .is-wrong").get_attribute("data-value") == "refuted"


def test_the_clock_is_not_said_to_be_held_out(open_page):
    page = open_page()
    see(page, "predict")
    said = page.locator("#predict").inner_text()
    assert "made knowing these times" in said and "not chosen" not in said


def test_a_step_by_keyboard_alone(page):
    page.locator("#operations [data-guess]").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator('#operations [data-guess="hillis_steele"]').get_attribute("aria-pressed") == "true"
    for _ in range(3):  # past the other answers, to the slider
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    assert number(page, "operations", "tile") == "1,024"
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert page.locator("#operations input[value=padded]").is_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator("#operations .point").is_visible()
    assert page.evaluate("document.activeElement.className") == "see"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.hash") == "#wavefronts"


def test_the_answers_that_are_marked_right_are_those_measured(page):
    see(page, "operations")
    see(page, "charges")
    times = {
        name: time_of("work", f"scan/{name}/index:plain/tile:2048") for name in ("blelloch", "hillis_steele")
    }
    right = page.locator("#operations .is-right").get_attribute("data-guess")
    assert right == min(times, key=lambda name: float(times[name]))
    case = CASES["padding", "scan/blelloch/index:padded/bytes:4/tile:64"]
    assert page.locator("#charges .is-right").get_attribute("data-guess") == case["limiter"]


def test_operations_and_times_of_every_tile_and_map(page):
    counted = read(ROOT / "results" / SIMT / "work.jsonl")
    see(page, "operations")
    for place, tile in enumerate((512, 1024, 2048)):
        slide(page.locator("#operations input[type=range]"), place)
        for index in ("plain", "padded"):
            choose(page, "operations", index=index)
            for (_, found), scan in zip(
                bars(page, "operations").items(),
                ("hillis_steele", "sklansky", "brent_kung", "blelloch"),
                strict=True,
            ):
                ops = per_tile(counted, "ops", tile, algorithm=scan, index=index)
                assert found == [f"{ops:,.0f}", time_of("work", f"scan/{scan}/index:{index}/tile:{tile}")]


def test_wavefronts_and_times_of_the_index_maps(page):
    counted = read(ROOT / "results" / SIMT / "padding.jsonl")
    see(page, "wavefronts")
    for found, index in zip(
        bars(page, "wavefronts").values(), ("plain", "padded", "swizzled", "two_level"), strict=True
    ):
        kinds = ("shared_load_wavefronts", "shared_store_wavefronts")
        wavefronts = sum(per_tile(counted, kind, 2048, index=index, bytes=4) for kind in kinds)
        assert found == [
            f"{wavefronts:,.0f}",
            time_of("padding", f"scan/blelloch/index:{index}/bytes:4/tile:2048"),
        ]


def test_what_warps_issue_is_the_count_of_the_gpu(page):
    evidence = load(ROOT / "results", "divergence")[0]
    see(page, "issue")
    for found, threads in zip(bars(page, "issue").values(), ("spaced", "contiguous", "halving"), strict=True):
        case = f"reduce/tree/threads:{threads}/index:plain/block:512/tile:1024"
        rows = evidence.counters.rows
        row = rows[rows["name"].str.startswith(f"{case}/n:")].iloc[-1]
        counts = evidence.counted.rows
        warps = counts[counts["name"].str.startswith(f"{case}/n:")].iloc[-1]
        tiles = row["n"] / 1024
        assert found == [
            shown(warps["active_warps"] * 1024 / warps["n"]),
            f"{row['warp_instructions'] / tiles:,.0f}",
            time_of("divergence", case),
        ]


def test_a_guess_is_repeated_beside_the_truth(page):
    slide(page.locator("#issue input[name=guess]"), 2.5)
    page.locator("#issue [data-commit]").click()
    page.locator("#issue [data-see]").click()
    assert "You guessed 2.5." in page.locator("#issue .point").inner_text()
    see(page, "wavefronts")
    assert "You guessed" not in page.locator("#wavefronts .point").inner_text()


@pytest.mark.full
def test_charges_of_every_tile_map_and_element(page):
    see(page, "charges")
    for place, tile in enumerate(TILES):
        slide(page.locator("#charges input[type=range]"), place)
        for index in ("plain", "padded", "swizzled", "two_level"):
            for size in (4, 8):
                choose(page, "charges", index=index, bytes=size)
                case = CASES["padding", f"scan/blelloch/index:{index}/bytes:{size}/tile:{tile}"]
                charges = [[shown(us)] for us in case["parts"].values()]
                assert list(bars(page, "charges").values()) == charges
                assert number(page, "charges", "prevails") == MODEL["in_words"][case["limiter"]]
                assert number(page, "charges", "measured") == shown(case["measured_us"])
                assert page.locator("#charges .bars").first.locator(".prevails").count() == 1


@pytest.mark.full
def test_kernels_to_predict_are_not_shown_before(page, data):
    offered = page.locator("#predict option").evaluate_all("all => all.map(({value}) => value)")
    unseen = {f"{each['claim']} {each['case']}": each for each in data["kernels"]["unseen"]}
    assert len(offered) > 5 and set(offered) <= set(unseen)
    assert len({unseen[each]["limiter"] for each in offered}) == 5
    yours, clocks = [], []
    for place, name in enumerate(offered):
        case = CASES[tuple(name.split(" "))]
        assert page.locator("#predict select").input_value() == name
        page.locator(f'#predict [name=charge][value="{case["limiter"]}"]').check()
        slide(page.locator("#predict input[name=guess]"), 2)
        page.locator("#predict [data-commit]").click()
        assert page.locator("#predict [data-when=right]").is_visible()
        yours.append(abs(100 / case["measured_us"] - 1))
        clocks.append(abs(case["predicted_us"] / case["measured_us"] - 1))
        assert number(page, "predict", "measured") == shown(case["measured_us"])
        for key, errors in {"yours": yours, "clock": clocks}.items():
            assert number(page, "predict", key) == f"{100 * errors[-1]:.0f}%"
            assert number(page, "predict", f"{key}-mean") == f"{100 * sum(errors) / len(errors):.0f}%"
        assert number(page, "predict", "kernels") == str(place + 1)
        page.locator("#predict [data-another]").click()
        assert not page.locator("#predict .see").is_visible()


def test_counts_of_a_kernel_to_predict(page):
    counted = load(ROOT / "results", "two_per_thread")[0].counted.rows
    case = page.locator("#predict select").input_value().split(" ")[1]
    row = counted[counted["name"].str.startswith(f"{case}/n:")].sort_values("n").iloc[-1]
    for key, count in {"ops": "ops", "instructions": "warp_instructions", "barriers": "barriers"}.items():
        assert number(page, "predict", key) == shown(1024 * row[count] / row["n"])


def test_a_sentence_that_the_numbers_no_longer_bear_is_named(tmp_path):
    sources = shutil.copytree(ROOT / "paper/page", tmp_path / "page")
    part = sources / "parts/operations.html"
    part.write_text(part.read_text().replace("n.work.time < 0.9", "n.work.time > 0.9"))
    with pytest.raises(EvidenceError, match=r"operations.html, line \d+: the numbers no longer bear"):
        document.render(ROOT / "results", ROOT / "figures", sources)


@pytest.mark.full
def test_the_story_on_a_phone(open_page):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    for step in STEPS:
        page.locator(f'nav a[href="#{step}"]').tap()
        page.locator(f"#{step} [data-pass]").tap()
        picture(page, step)
