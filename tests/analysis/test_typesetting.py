"""What turns a Typst source into the committed bytes: figures with text, packed objects."""

import re
import zlib

import pytest
import typst

from analysis.common import plotting
from analysis.common.paper import FONTS
from analysis.common.pdf import packed

WORDS = "Blelloch 2²⁸, µs & <cold>"


@pytest.fixture
def drawing(tmp_path):
    """A figure with plain, bold, turned and raised text, as a committed SVG."""
    with plotting.house_style():
        figure, (axes,) = plotting.new_figure(3, 2)
        axes.set_title(WORDS)
        axes.set_ylabel("turned")
        axes.set_xscale("log")
        axes.plot([1, 10, 100], [1, 2, 3])
        plotting.save(figure, tmp_path / "drawing")
    return tmp_path / "drawing.svg"


def pdf_of(folder, svg: str) -> bytes:
    (folder / "shown.svg").write_text(svg)
    source = folder / "shown.typ"
    source.write_text('#set document(title: "shown")\n#image("shown.svg", alt: "shown")')
    return typst.compile(source, root="/", ignore_system_fonts=True, font_paths=[str(FONTS)])


def test_the_words_of_a_figure_are_text_in_the_pdf(drawing, tmp_path):
    svg = drawing.read_text()
    written = re.findall(r"<text [^>]*>([^<]*)</text>", svg)
    assert {"Blelloch 2²⁸, µs &amp; &lt;cold&gt;", "turned", "10⁰", "10¹", "10²"} <= set(written)
    assert "font-weight: 700" in svg and "rotate(-90 " in svg
    pdf = pdf_of(tmp_path, svg)
    assert set(re.findall(rb"/BaseFont/\w+\+(.+?)[/>\s]", pdf)) == {b"DejaVuSans", b"DejaVuSans-Bold"}


def test_packed_objects_are_the_same_objects(drawing, tmp_path):
    pdf = pdf_of(tmp_path, drawing.read_text())
    small = packed(pdf)
    assert small.startswith(b"%PDF-1.7") and small.endswith(b"%%EOF\n")
    parts = re.findall(rb"/N (\d+) /First (\d+) .*?stream\n(.*?)\nendstream", small, re.DOTALL)
    found = {}
    for count, first, data in parts:
        whole = zlib.decompress(data)
        places = list(map(int, whole[: int(first)].split()))
        assert len(places) == 2 * int(count)
        starts = [int(first) + at for at in places[1::2]] + [len(whole) + 1]
        found |= {number: whole[starts[i] : starts[i + 1] - 1] for i, number in enumerate(places[::2])}
    plain = {
        int(number): body.strip()
        for number, body in re.findall(rb"\n(\d+) 0 obj\s(.*?)endobj", pdf, re.DOTALL)
        if not body.strip().endswith(b"endstream")
    }
    assert found == plain and len(plain) > 5


def test_what_is_packed_stays_as_it_is(drawing, tmp_path):
    small = packed(pdf_of(tmp_path, drawing.read_text()))
    assert packed(small) == small
