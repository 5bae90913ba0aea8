"""The files of figures/: light, with words as text, and the same drawing as before they were made light."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from analysis.core import plotting
from analysis.core.writing import as_json

FIGURES = Path(__file__).resolve().parents[2] / "figures"
MOST_BYTES, MOST_ELEMENTS = 200_000, 2_500


def elements(svg: str, tag: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(f"{{http://www.w3.org/2000/svg}}{tag}"))


@pytest.mark.parametrize("path", sorted(FIGURES.glob("*.svg")), ids=lambda path: path.stem)
def test_a_committed_figure_is_light_and_holds_text(path):
    svg = path.read_text()
    assert len(svg.encode()) <= MOST_BYTES
    assert len(list(ElementTree.fromstring(svg).iter())) <= MOST_ELEMENTS
    words = elements(svg, "text")
    assert words and all(each.text for each in words)
    assert not elements(svg, "tspan") and "#DejaVu" not in svg


def drawn(folder, draw) -> str:
    """The SVG of what `draw` draws on axes without frame, ticks and ground."""
    with plotting.house_style():
        figure, (axes,) = plotting.new_figure(3, 2)
        axes.set_axis_off()
        figure.patch.set_visible(False)
        draw(axes)
        plotting.save(figure, folder / "drawing")
    return (folder / "drawing.svg").read_text()


def places(svg: str, tag: str) -> list[str]:
    return [each.get("d") for each in elements(svg, tag) if "id" not in each.attrib]


def test_marks_of_one_look_are_one_element(tmp_path):
    def bars(axes):
        axes.bar([1, 2, 3], [1, 2, 3], color="red")
        axes.bar([4], [4], color="blue")

    (red, blue) = places(drawn(tmp_path, bars), "path")
    assert (red.count("M"), blue.count("M")) == (3, 1)


@pytest.mark.parametrize("style", [{"alpha": 0.5}, {"edgecolor": "blue"}])
def test_marks_that_would_look_otherwise_as_one_stay_apart(style, tmp_path):
    svg = drawn(tmp_path, lambda axes: axes.bar([1, 1.5], [1, 1], **style))
    assert [each.count("M") for each in places(svg, "path")] == [1, 1]


def test_markers_keep_place_order_and_style(tmp_path):
    def markers(axes):
        axes.plot([1, 2], [1, 1], "o", color="red", markerfacecolor="white")
        axes.plot([1.5], [1], "o", color="blue")

    svg = drawn(tmp_path, markers)
    styles = {each.get("id"): each.get("style") for each in elements(svg, "path") if "id" in each.attrib}
    uses = elements(svg, "use")
    of_each = [styles[each.get("{http://www.w3.org/1999/xlink}href")[1:]] for each in uses]
    assert ["#ffffff" in style and "#ff0000" in style for style in of_each] == [True, True, False]
    assert float(uses[0].get("x")) < float(uses[2].get("x")) < float(uses[1].get("x"))


def test_spaces_that_browsers_leave_out_are_of_another_kind(tmp_path):
    svg = drawn(tmp_path, lambda axes: axes.text(0, 0, "  a b  c "))
    assert [each.text for each in elements(svg, "text")] == ["\u00a0\u00a0a b\u00a0\u00a0c\u00a0"]


def test_powers_are_raised_on_every_axis(tmp_path):
    def powers(axes):
        axes.set_axis_on()
        axes.set(xscale="log", yscale="symlog", xlim=(1e-7, 1), ylim=(-10, 1e3))

    words = {each.text for each in elements(drawn(tmp_path, powers), "text")}
    assert {"10⁻⁶", "10⁰", "−10¹", "0", "10²"} <= words
    assert not re.search(r"[${}^]", "".join(words))


def test_documents_say_the_same_in_fewer_lines():
    row = {"case": "scan/blelloch", "times": [1.5, 1e-7, 3]}
    data = {"rows": [row] * 20, "empty": [], 4: None, "word": "µ" * 500, "none": {}}
    text = as_json(data)
    assert json.loads(text) == json.loads(json.dumps(data))
    assert text.count(json.dumps(row)) == 20 and text.count("\n") == 28
    assert as_json({"rows": [row]}) == json.dumps({"rows": [row]}) + "\n"
