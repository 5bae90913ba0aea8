"""What turns a Typst source into the committed bytes: figures with text, packed objects."""

import re
import zlib

import pytest
import typst

from analysis.common import plotting
from analysis.common.pdf import packed
from analysis.common.svg_text import FONTS, as_text

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


def test_outlines_become_text_in_its_place(drawing, tmp_path):
    svg = drawing.read_text()
    text = as_text(svg)
    assert '<use xlink:href="#DejaVu' in svg and '<use xlink:href="#DejaVu' not in text
    written = re.findall(r"<text [^>]*>([^<]*)</text>", text)
    assert "".join(written).startswith(("Blelloch", "1"))
    assert "Blelloch2²⁸,µs&amp;&lt;cold&gt;" in "".join(written).replace(" ", "")
    assert 'font-weight="bold"' in text and "rotate(-90)" in text
    assert len(pdf_of(tmp_path, text)) < len(pdf_of(tmp_path, svg)) + 20000


def test_a_glyph_of_another_font_leaves_all_outlines(drawing):
    svg = drawing.read_text().replace("DejaVuSans-Bold-", "Cmr10-")
    assert as_text(svg) == svg


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
