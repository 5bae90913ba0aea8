"""Turn the glyph outlines of a figure's SVG back into text.

The committed SVGs hold their glyphs as outlines, so that they look alike in every browser. A PDF can hold the
font instead, once: its figures become smaller, and their words can be searched. The font is the one that
matplotlib draws with and brings along.
"""

import re
from pathlib import Path
from xml.sax.saxutils import escape

import matplotlib

FONTS = Path(matplotlib.get_data_path()) / "fonts/ttf"
EM = 100  # matplotlib's units of a glyph's place
WEIGHTS = {"DejaVuSans": "normal", "DejaVuSans-Bold": "bold"}

WORDS = re.compile(
    r'<g( style="[^"]*")? transform="(translate\([^)]*\)(?: rotate\([^)]*\))?) scale\(([\d.]+) -[\d.]+\)">\s*'
    r"(?:<defs>.*?</defs>\s*)?((?:<use [^>]*/>\s*)+)</g>",
    re.DOTALL,
)
GLYPH = re.compile(
    r'<use xlink:href="#([\w-]+)-([0-9a-f]+)"'
    r'(?: transform="translate\(([-\d.]+) ([-\d.]+)\)(?: scale\(([\d.]+)\))?")?/>'
)
OUTLINE = re.compile(r'<use xlink:href="#[A-Za-z][\w-]*-[0-9a-f]+"')


def as_text(svg: str) -> str:
    """The same drawing with text for outlines; as it is if a glyph is not one of DejaVu Sans.

    Outlines are shared by the words of a figure, so either all of them go or none.
    """
    changed = WORDS.sub(lambda found: written(*found.groups(default="")), svg)
    return svg if OUTLINE.search(changed) else changed


def written(style: str, place: str, scale: str, uses: str) -> str:
    glyphs = GLYPH.findall(uses)
    if len(glyphs) != uses.count("<use") or any(font not in WEIGHTS for font, *_ in glyphs):
        return uses
    return f'<g{style} transform="{place}">{"".join(glyph(float(scale), *each) for each in glyphs)}</g>'


def glyph(scale: float, font: str, code: str, x: str, y: str, size: str) -> str:
    """One glyph at its own place, as matplotlib laid it out."""
    at, down = (round(float(each or 0) * scale, 3) for each in (x, y))
    em = round(EM * scale * float(size or 1), 3)
    about = f'font-family="DejaVu Sans" font-weight="{WEIGHTS[font]}" font-size="{em}"'
    return f'<text x="{at}" y="{-down}" {about}>{escape(chr(int(code, 16)))}</text>'
