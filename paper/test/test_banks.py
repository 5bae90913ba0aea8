"""The bank stepper of step 2, the lane stepper of step 3, and the traces that they show."""

import gzip
import json

import pytest

from analysis.core.files import SIMT
from analysis.core.loading import read
from analysis.core.sweep import per_tile
from analysis.report.page import traces
from paper.test.conftest import PHONE, ROOT
from paper.test.use import choose, number, picture, see, slide

pytestmark = pytest.mark.xdist_group("page")
TRACES = traces.traces_of(ROOT / "results")
REPLAYED = [each for each in TRACES if "steps" in each]


def lanes_in(mask: int) -> int:
    return mask.bit_count()


@pytest.mark.parametrize("kind, quantity", [(0, "shared_load_requests"), (1, "shared_store_requests")])
def test_a_trace_has_the_requests_that_were_counted(kind, quantity):
    assert len(REPLAYED) > 100
    for trace in REPLAYED:
        found = [request for step in trace["steps"] for request in step if request[1] == kind]
        assert len(found) == trace["counts"][quantity], trace["case"]
        assert all(lanes_in(mask) == len(words) for _, _, mask, words, *_ in found)


def test_a_trace_has_the_operations_and_warps_that_were_counted():
    for trace in TRACES:
        assert sum(trace["ops"]) == trace["counts"]["ops"], trace["case"]
        assert sum(trace["conflicts"]) == trace["counts"]["bank_conflicts"], trace["case"]
        warps = sum(mask != 0 for step in trace["lanes"] for mask in step)
        assert warps == trace["counts"]["active_warps"], trace["case"]


def test_a_scan_leaves_the_prefixes_of_its_input():
    for trace in [each for each in REPLAYED if each["kernel"].startswith("scan/")]:
        places = place_of(trace)
        memory, inputs = {}, None
        for step in trace["values"]:
            memory |= dict(zip(step[::2], step[1::2], strict=True))
            inputs = inputs or [memory[place] for place in places]
        inclusive = [sum(inputs[: i + 1]) for i in range(trace["tile"])]
        result = [memory[place] for place in places]
        assert result in (inclusive, [0, *inclusive[:-1]]), trace["case"]


def place_of(trace: dict) -> list[int]:
    """The words in which the elements of a tile lie."""
    at = {"plain": lambda i: i, "padded": lambda i: i + i // 32, "swizzled": lambda i: i ^ (i // 32 % 32)}
    words = trace["bytes"] // 4
    return [trace["first"] + at[trace["index"]](i) * words for i in range(trace["tile"])]


@pytest.mark.parametrize("size, tile", [(4, 64), (8, 64), (4, 2048), (8, 2048)])
def test_traces_count_what_the_experiment_counts(size, tile):
    """Blelloch's scan, which results/simt/padding.jsonl has at 65,536 elements."""
    counted = read(ROOT / "results" / SIMT / "padding.jsonl")
    shown = [
        each
        for each in TRACES
        if (each["kernel"], each["bytes"], each["tile"]) == ("scan/blelloch", size, tile)
    ]
    assert len(shown) >= 3
    for trace in shown:
        for quantity in ("bank_conflicts", "shared_load_wavefronts", "shared_store_wavefronts", "ops"):
            expected = per_tile(counted, quantity, tile, index=trace["index"], bytes=size)
            assert trace["counts"].get(quantity, 0) == expected, (trace["case"], quantity)


EVERY_CHOICE = """() => {
  const form = document.querySelector("#wavefronts form"), found = [];
  const read = name => document.querySelector(`#wavefronts [data-number="${name}"]`).textContent;
  const each = (field, then) => { for (const option of [...(field.options ?? field)]) if (!option.disabled) {
    field.value = option.value; form.dispatchEvent(new Event("input")); then(); } };
  each(form.kernel, () => each(form.tile, () => each(form.index, () => each(form.bytes, () => {
    const range = document.querySelector("#wavefronts .stepper input");
    range.value = range.max; range.dispatchEvent(new Event("input"));
    found.push([form.kernel, form.tile, form.index, form.bytes].map(select => select.value)
      .concat(["so-far", "all", "counted"].map(read)));
  }))));
  return found;
}"""


def test_conflicts_of_every_choice_are_those_counted(page):
    counts = {
        (each["kernel"], each["tile"], each["index"], each["bytes"]): each["counts"]["bank_conflicts"]
        for each in TRACES
        if "steps" in each or each["tile"] == traces.LARGE
    }
    see(page, "wavefronts")
    found = page.evaluate(EVERY_CHOICE)
    assert len(found) == len(counts)
    for kernel, tile, index, size, so_far, every, counted in found:
        expected = f"{counts[kernel, int(tile), index, int(size)]:,}"
        assert counted == expected
        assert (so_far, every) == (expected, expected), (kernel, tile, index, size)


def test_stepping_by_buttons_keys_and_slider(page):
    see(page, "wavefronts")
    choose(page, "wavefronts", kernel="scan/blelloch", tile=64, index="plain", bytes=4)
    where = page.locator("#wavefronts .where")
    assert "up-sweep, stride 1" in where.inner_text()  # the first step with a conflict
    page.locator("#wavefronts [data-go='1']").click()
    assert "up-sweep, stride 2" in where.inner_text()
    page.locator("#wavefronts .stage").press("ArrowRight")
    assert "up-sweep, stride 4" in where.inner_text()
    page.locator("#wavefronts .stage").press("ArrowLeft")
    slide(page.locator("#wavefronts .stepper input"), 0)
    assert "the tile is loaded" in where.inner_text()
    assert page.locator("#wavefronts [data-go='-1']").is_disabled()
    assert number(page, "wavefronts", "step") == "0"


def test_a_conflict_is_drawn_in_red_and_said(page):
    see(page, "wavefronts")
    choose(page, "wavefronts", kernel="scan/blelloch", tile=64, index="plain", bytes=4)
    assert page.locator("#wavefronts rect.clash").count() > 1
    assert "2 wavefronts, 1 conflict" in page.locator("#wavefronts .stage svg").get_attribute("aria-label")
    where = page.locator("#wavefronts .where").inner_text()
    choose(page, "wavefronts", index="padded")
    assert page.locator("#wavefronts .where").inner_text() == where  # the same step through another map
    assert page.locator("#wavefronts rect.clash").count() == 0
    choose(page, "wavefronts", tile=2048)
    assert page.locator("#wavefronts .stage rect").count() >= 32
    picture(page, "wavefronts")


def test_every_lane_and_bank_fits_a_phone(open_page):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    see(page, "wavefronts")
    page.locator("#wavefronts [data-go='1']").tap()
    page.wait_for_function("document.querySelector('#wavefronts svg').viewBox.baseVal.width > 330")
    boxes = [box.bounding_box() for box in page.locator("#wavefronts .stage rect").all()]
    assert len(boxes) > 64
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] for box in boxes)
    assert page.locator("#wavefronts .touch .strip").count() == 0
    numbers = page.locator("#wavefronts .stage text").all_text_contents()
    assert all(numbers.count(str(lane)) >= 2 for lane in range(32))  # as a lane and as a bank
    picture(page, "wavefronts")


def test_step_2_shows_the_tile_that_it_asks_about(open_page):
    page = open_page()
    see(page, "wavefronts")
    question = page.locator("#wavefronts .question").inner_text()
    for index in ("plain", "padded"):
        choose(page, "wavefronts", index=index)
        assert f" {number(page, 'wavefronts', 'wavefronts')} " in question.replace(":", " ").replace(
            "wavefronts", ""
        )
    assert page.locator("#wavefronts line").count() == 32  # of the fullest request


TICKED = """cases => cases.map(([kernel, tile, last]) => {
  const form = document.querySelector("#issue form");
  const range = document.querySelector("#issue .stepper input");
  form.left.value = form.right.value = kernel; form.tile.value = tile;
  form.dispatchEvent(new Event("input"));
  range.value = last; range.dispatchEvent(new Event("input"));
  return document.querySelector("#issue [data-number=so-far]").textContent;
})"""


def test_lanes_tick_to_the_counted_warps(page, data):
    cases = [(name, case) for name, kernel in data["lanes"].items() for case in kernel["cases"]]
    found = page.evaluate(TICKED, [(name, case["tile"], len(case["names"]) - 1) for name, case in cases])
    counted = [f"{case['counts']['active_warps']:,}" for _, case in cases]
    assert found == [f"active warps so far: {each} of {each}" for each in counted]


def test_lanes_equal_the_experiment_on_divergence(data):
    counted = read(ROOT / "results" / SIMT / "divergence.jsonl")
    for threads in ("spaced", "contiguous", "halving"):
        kernel = data["lanes"][f"reduce/tree/threads:{threads}"]
        case = next(each for each in kernel["cases"] if each["tile"] == 1024)
        for quantity in ("ops", "active_warps"):
            expected = per_tile(
                counted, quantity, 1024, operation="reduce", threads=threads, index="plain", block=512
            )
            assert case["counts"][quantity] == expected


def test_lanes_at_work_in_a_step(page, data):
    see(page, "issue")
    choose(
        page, "issue", left="reduce/tree/threads:spaced", right="reduce/tree/threads:contiguous", tile=1024
    )
    slide(page.locator("#issue .stepper input"), 6)
    for place, name in enumerate(("spaced", "contiguous")):
        case = next(
            each for each in data["lanes"][f"reduce/tree/threads:{name}"]["cases"] if each["tile"] == 1024
        )
        lanes = sum(map(lanes_in, case["lanes"][6]))
        panel = page.locator("#issue .stage > div").nth(place)
        assert panel.locator("[data-number=now]").inner_text().startswith(f"{lanes} lane")
        colour = data["lanes"][f"reduce/tree/threads:{name}"]["colour"]
        assert panel.locator(f'rect[fill="{colour}"]').count() == lanes
    picture(page, "issue")


def test_playing_goes_on_by_itself_until_paused(page):
    see(page, "issue")
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # no time passes by itself, however busy the machine is
    before = page.locator("#issue .where").inner_text()
    page.locator("#issue [data-play]").click()
    page.clock.run_for(2000)
    assert page.locator("#issue .where").inner_text() != before
    page.locator("#issue [data-play]").click()
    stopped = page.locator("#issue .where").inner_text()
    page.clock.run_for(3000)
    assert page.locator("#issue .where").inner_text() == stopped


def test_a_damaged_trace_is_one_clear_line(tmp_path):
    (tmp_path / "simt").mkdir()
    spoiled = json.dumps({"case": "scan/x/tile:4"}) + "\n"
    for content in (gzip.compress(spoiled.encode()), spoiled.encode()):
        (tmp_path / traces.FILE).write_bytes(content)
        with pytest.raises(traces.EvidenceError, match="not .*trace.*; delete the file and run make again"):
            traces.traces_of(tmp_path)
    assert traces.traces_of(ROOT / "nowhere") == []
