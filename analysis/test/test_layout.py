"""Paper and supplement are laid out: no text over other text or outside the margins, no row cut in two."""

import io
from itertools import takewhile

import pikepdf
import pypdfium2
import pytest

from analysis.report.printed import typesetting

pytestmark = pytest.mark.xdist_group("paper")
POINTS = 72 / 25.4  # a millimetre
# The margins: of each kind the lesser one of paper/layout.typ and paper/paper/style.typ.
SIDE, TOP, FOOT = 15.5 * POINTS, 16 * POINTS, 17 * POINTS
# Points by which punctuation and italics may stand over, and the room above a title's letters.
HANGING, HEAD = 4, 11
TOUCHING = 1  # points that boxes of letters share, of accents and raised digits


@pytest.fixture(params=typesetting.NAMES)
def pdf(request, typeset) -> bytes:
    return typeset[request.param]


def boxes(page) -> list[tuple]:
    """(left, bottom, right, top, text) of each stretch of text in one font, in points."""
    text = page.get_textpage()
    found = [text.get_rect(index) for index in range(text.count_rects())]
    return [(*box, text.get_text_bounded(*box)) for box in found]


def overlapping(found: list[tuple]) -> list[str]:
    wrong, above = [], sorted(found, key=lambda box: box[1])
    for index, a in enumerate(above):
        for b in takewhile(lambda box: box[1] < a[3], above[index + 1 :]):  # noqa: B023 (used at once)
            wide = min(a[2], b[2]) - max(a[0], b[0])
            high = min(a[3], b[3]) - max(a[1], b[1])
            if wide > TOUCHING and high > max(TOUCHING / 2, (min(a[3] - a[1], b[3] - b[1])) / 4):
                wrong.append(f"{a[4]!r} over {b[4]!r}")
    return wrong


def outside(found: list[tuple], width: float, height: float) -> list[str]:
    """Only the number of the page stands in the foot."""
    sides = SIDE - HANGING, width - SIDE + HANGING
    wrong = [box for box in found if box[0] < sides[0] or box[2] > sides[1] or box[3] > height - TOP + HEAD]
    feet = [box for box in found if box[1] < FOOT - HANGING]
    return [box[4] for box in wrong + [box for box in feet if not box[4].strip().isdigit()]]


def test_no_text_stands_over_other_text_or_outside_the_margins(pdf):
    with pypdfium2.PdfDocument(pdf) as document:
        for number, page in enumerate(document, 1):
            found = boxes(page)
            assert len(found) > 10, f"page {number} has hardly any text"
            assert not (wrong := overlapping(found)), f"page {number}: {wrong[:5]}"
            assert not (wrong := outside(found, *page.get_size())), f"page {number}: {wrong[:5]}"


def rows_of(element, page=None):
    """Each row of a table, as the pages that its text stands on: the tags of a PDF say so."""
    if isinstance(element, pikepdf.Array):
        for each in element:
            yield from rows_of(each, page)
    elif isinstance(element, pikepdf.Dictionary) and "/K" in element:
        if element.get("/S") == "/TR":
            yield set(pages_of(element, None))
        else:
            yield from rows_of(element.K)


def pages_of(element, page):
    page = element.Pg.objgen if isinstance(element, pikepdf.Dictionary) and "/Pg" in element else page
    if isinstance(element, pikepdf.Dictionary) and "/K" in element:
        yield from pages_of(element.K, page)
    elif isinstance(element, pikepdf.Array):
        for each in element:
            yield from pages_of(each, page)
    elif page is not None:
        yield page


def test_no_row_of_a_table_is_cut(pdf):
    with pikepdf.open(io.BytesIO(pdf)) as document:
        rows = list(rows_of(document.Root.StructTreeRoot.K))
        assert len(rows) > 50
        cut = [row for row in rows if len(row) > 1]
        assert not cut, f"{len(cut)} of {len(rows)} rows stand on two pages"
