"""The page that --html writes, in a real browser: the annotated source, and the stepper of requests.

Screenshots go to build/screenshots, to be looked at.
"""

import pytest

from experiments.test.project import ROOT
from paper.test.conftest import DESKTOP, PHONE, is_fetched
from paper.test.use import is_wider, picture, slide

pytestmark = pytest.mark.xdist_group("page")
SOURCE = ROOT / "simt/try_cuda/examples/prescan.cu"


@pytest.fixture
def opened(attempt, browser, tmp_path):
    """opened(arguments of simt/try, viewport): the page and what --json says. No script may fail."""
    contexts, wrong = [], []

    def run(*arguments: object, viewport: dict = DESKTOP) -> tuple:
        out = tmp_path / "page.html"
        result = attempt(*arguments, "--html", out, counted=True)
        contexts.append(browser.new_context(viewport=viewport))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: wrong.append(request.url) if is_fetched(request.url) else None)
        page.goto(out.as_uri())
        return page, result

    yield run
    for context in contexts:
        context.close()
    assert wrong == []


def requests_of(launch: dict) -> list[dict]:
    """In the order of steps, warps and instructions."""
    return sorted(launch["requests"], key=lambda request: (request["step"], request["warp"]))


def test_every_line_carries_its_counts(opened):
    page, result = opened(SOURCE)
    lines = {each["line"]: each["counts"] for each in result.json["launches"][0]["lines"]}
    assert lines
    for number, counts in lines.items():
        row = page.locator(f'tr[data-line="{SOURCE}:{number}"]')
        assert row.locator("code").inner_text().strip() == SOURCE.read_text().splitlines()[number - 1].strip()
        barriers = row.locator("td[data-name=barriers]").all_inner_texts()
        assert barriers == ([f"{counts['barriers']:,}"] if "barriers" in counts else [])
    picture(page, "source")


def test_the_stepper_shows_every_request_of_the_block(opened):
    page, result = opened(SOURCE)
    requests = requests_of(result.json["launches"][0])
    assert page.locator("#at").get_attribute("max") == str(len(requests) - 1)
    for at in (0, 1, len(requests) // 2, len(requests) - 1):
        slide(page.locator("#at"), at)
        first = requests[at]
        sentence = page.locator("#where").inner_text()
        assert sentence.startswith(
            f"step {first['step']}, warp {first['warp']}: {first['kind']}, prescan.cu:"
        )
        assert f"{len(first['lanes'])} lanes" in sentence
        assert page.locator("#stage rect.lane").count() == len(first["lanes"])
        assert page.locator("tr.here").get_attribute("data-line") == ":".join(map(str, first["line"]))
    page.locator("#back").click()
    assert page.locator("#at").input_value() == str(len(requests) - 2)


def test_only_requests_with_conflicts_can_be_stepped_through(opened):
    page, result = opened(SOURCE)
    costly = [each for each in requests_of(result.json["launches"][0]) if each["passes"] > 1]
    assert len(costly) > 10
    page.locator("#costly").check()
    assert page.locator("#at").get_attribute("max") == str(len(costly) - 1)
    assert page.locator("#stage rect.clash").count() > 0
    picture(page, "requests")


def test_a_click_on_a_line_leads_to_its_first_request(opened):
    page, result = opened(SOURCE)
    requests = requests_of(result.json["launches"][0])
    line = max(each["line"][1] for each in requests)
    page.locator(f'tr[data-line="{SOURCE}:{line}"]').click()
    first = next(at for at, each in enumerate(requests) if each["line"][1] == line)
    assert page.locator("#at").input_value() == str(first)


def test_the_page_fits_a_phone(opened):
    page, _ = opened(SOURCE, viewport=PHONE)
    assert not is_wider(page)
    picture(page, "requests")
    picture(page, "source")
    # A line and its counts, each with its name, are seen without moving the page sideways.
    row = page.locator(f'tr[data-line="{SOURCE}:27"]')
    for cell in [row.locator("code"), *row.locator("td[data-name]").all()]:
        box = cell.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    label = "cell => getComputedStyle(cell, '::before').content"
    assert row.locator("td[data-name=conflicts]").evaluate(label) != "none"


HOSTILE = """// </script><script>window.stolen = 1</script><img src=x onerror="window.stolen = 1">
__global__ void turn(int* data) {
    __shared__ int tile[64];
    tile[threadIdx.x] = data[threadIdx.x];  // <b onclick='stolen = 1'>
    data[threadIdx.x] = tile[63 - threadIdx.x];
}
#line 30 "</script><img src=x onerror=alert(1)>.cu"
__global__ void elsewhere(int* data) { data[threadIdx.x] = 1; }
int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    turn<<<2, 64>>>(data);
    elsewhere<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
"""


def test_a_hostile_source_runs_no_script_and_findings_are_marks(opened, tmp_path):
    path = tmp_path / "<img src=x onerror=window.stolen=1>.cu"
    path.write_text(HOSTILE)
    page, result = opened(path, "--block", "1")
    assert result.status == 3
    assert page.evaluate("window.stolen === undefined") and page.locator("img").count() == 0
    assert page.locator(".source b[onclick]").count() == 0
    marks = page.locator(".source td.mark")
    assert marks.count() >= 2 and marks.first.inner_text() == "race"
    assert "data race on shared memory" in marks.first.locator("abbr").get_attribute("title")
    assert "block 1 of launch 1" in page.locator("#requests h2").inner_text()
    assert page.locator("#advice .waits").inner_text().startswith("by the clock of an nvidia-h200")
    absent = page.locator(".source").nth(1).locator("tr[data-line]")  # a source that is not there
    assert absent.count() == 1 and absent.locator("th").inner_text() == "30"
