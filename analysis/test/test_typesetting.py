"""What turns a Typst source into the committed bytes: figures with text."""

import re

import pytest
import typst

from analysis.core import plotting
from analysis.report.printed.typesetting import FONTS

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
