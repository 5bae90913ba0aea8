"""The paper as it is printed: its pages, a name for each charge, one number for each thing, plain sentences.

It reads paper/paper.pdf, of which test_released.py says whether the tree makes it.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pypdfium2
import pytest
import typst

from analysis.model import drawing

ROOT = Path(__file__).resolve().parents[2]
PDF, SECTIONS = ROOT / "paper/paper.pdf", ROOT / "paper/paper"
PAGES = 12


def words_of(pdf: Path | bytes) -> str:
    with pypdfium2.PdfDocument(pdf) as document:
        text = " ".join(page.get_textpage().get_text_range() for page in document)
    return " ".join(re.sub("\ufffe\\s*", "", text).split())  # where PDFium sees a hyphen at the end of a line


@pytest.fixture(scope="module")
def said() -> str:
    return words_of(PDF)


def test_it_has_no_more_pages_than_it_may():
    with pypdfium2.PdfDocument(PDF) as document:
        assert len(document) <= PAGES


def overlaps(pdf: Path | bytes) -> list[tuple[int, str, str]]:
    """Pieces of text that stand on one another, with their page."""
    found = []
    with pypdfium2.PdfDocument(pdf) as document:
        for number, page in enumerate(document, 1):
            text = page.get_textpage()
            pieces = [text.get_rect(place) for place in range(text.count_rects())]
            pieces = [each for each in pieces if each[3] - each[1] > 3]
            for place, one in enumerate(pieces):
                for other in pieces[:place]:
                    width = min(one[2], other[2]) - max(one[0], other[0])
                    height = min(one[3], other[3]) - max(one[1], other[1])
                    least = min(one[3] - one[1], other[3] - other[1])
                    if width > 2 and height > 0.4 * least:
                        found.append((number, text.get_text_bounded(*one), text.get_text_bounded(*other)))
    return found


def test_no_text_stands_on_other_text():
    assert overlaps(PDF) == []


@pytest.mark.parametrize(("down", "expected"), [("4pt", 1), ("14pt", 0)])
def test_text_on_text_is_found(down, expected):
    source = f"#place(top)[One caption]\n#place(top, dy: {down})[another one]"
    assert len(overlaps(typst.compile(source.encode()))) == expected


def charges() -> list[str]:
    """As the table of charges names them."""
    table = (SECTIONS / "charges.typ").read_text(encoding="utf-8").split("[The five charges.")[1]
    _, *names = re.findall(r"\(\[(\w+)\],", table.split("<five>")[0])  # without the header
    return names


def test_a_charge_has_one_name():
    """Table, first page and figure; and no section has one of the names that it had before."""
    names = charges()
    assert len(names) == 5
    assert [look.label for look in drawing.LOOKS.values()] == names
    opening = (SECTIONS / "opening.typ").read_text(encoding="utf-8")
    assert [name for name in names if f"_{name}_" not in opening] == []
    old = re.compile(
        r"passes of the memory pipe|\*banks\*|\*barriers in sequence\*|issue and banks|banks to issue"
    )
    sections = {path.name: path.read_text(encoding="utf-8") for path in SECTIONS.glob("*.typ")}
    assert {name: old.findall(text) for name, text in sections.items() if old.search(text)} == {}


# By what is measured: how the paper says its number. All places that say it must print the same.
ONE_NUMBER = {
    "block scans": (r"[Oo]ver all (\d+) (?:block )?scans", r"All (\d+) block scans"),
    "correlation of operations": (
        r"correlates with the time by ([−\d.]+\d)",
        r"logarithms correlate by ([−\d.]+\d):",
    ),
    "correlation of the clock": (
        r"the compiler wrote, correlate by ([\d.]+\d)",
        r"predicts: they correlate by ([\d.]+\d)",
    ),
    "cells": (r"All ([\d,]+) comparisons", r"Of ([\d,]+) cells", r"All ([\d,]+) counts equal that GPU"),
    "claims": (r"Of our (\d+) claims", r"in all (\d+) claims\.", r"All (\d+) claims:"),
    "half a block": (
        r"scan is ([\d.]+ \(plain\) to [\d.]+) \(padded\)",
        r"scan is ([\d.]+ \(plain\) to [\d.]+) times \(padded\)",
    ),
    "active warps": (r"keep ([\d.]+) times as many warps", r"at least ([\d.]+) times as many warps"),
    "look-back, least": (r"CUB’s reaches (\d+)% to", r"CUB’s runs at (\d+)%"),
    "look-back, most": (r"CUB’s reaches \d+% to (\d+)%", r"CUB’s runs at \d+% \(\w+\) to (\d+)%"),
    "share of a copy": (
        r"runs at ([\d.]+ to [\d.]+) of the speed of a copy",
        r"reaches ([\d.]+ to [\d.]+) of a copy’s",
    ),
    "length of a copy's speed": (
        r"above 0\.9 from (2\S+) on\.",
        r"floats it stays above 0\.9 from (2\S+) on,",
    ),
    "worst again": (r"\w+ \((\d+)%\) and \w+ \(\d+%\) repeat worst", r"ten medians of \w+ lie within (\d+)%"),
    "Hillis-Steele against the tree": (
        r"Steele is ([\d.]+) times as fast as Blelloch",
        r"It is ([\d.]+) times as fast\. Over",
    ),
    "scans against CUB": (
        r"the scan is [\d.]+ to ([\d.]+) times as fast, in",
        r"At best it is ([\d.]+) times as fast",
    ),
    "padding": (
        r"the tree scan up to ([\d.]+) times as fast \(8",
        r"though the scan is up to(?: .*?)? ([\d.]+) times as fast:",  # a figure may come between
    ),
    "compaction": (r"The scans? preserves? the order and are ([\d.]+ \(0% selected\)) to",),
    "any operator": (r"they are ([\d.]+) \(segmented sum",),
}


@pytest.mark.parametrize("what", ONE_NUMBER)
def test_one_thing_has_one_number(what, said):
    found = {how: re.findall(how, said) for how in ONE_NUMBER[what]}
    assert [how for how, numbers in found.items() if not numbers] == []
    assert len({number for numbers in found.values() for number in numbers}) == 1, found


def test_a_second_number_is_found():
    said = "Over all 78 block scans. All 79 block scans."
    found = {number for how in ONE_NUMBER["block scans"] for number in re.findall(how, said)}
    assert found == {"78", "79"}


def of(name: str) -> dict:
    return json.loads((ROOT / f"figures/{name}.json").read_text(encoding="utf-8"))


def test_cub_at_one_length_is_one_time():
    """Figure 1 and the table by type have CUB's and our scan of 2^28 floats from one recording."""
    staircase = {step["name"]: step for steps in of("staircase")["flights"].values() for step in steps}
    _, copy, ours, _, cub, _ = next(row for row in of("paper")["fast"]["by_type"] if row[0] == "float")
    assert staircase["CUB"]["ratio"] == pytest.approx(1 / cub)
    assert staircase["fast scan"]["ratio"] == pytest.approx(ours / copy)
    again = of("paper")["noted"]["repeating"]
    assert again["ours"] / again["cub_device"] == pytest.approx(copy / cub / ours)


def test_the_worst_error_stands_beside_the_mean(said):
    forms, worst = of("model"), []
    worst += [each["errors"]["all"]["worst"] for each in forms["everywhere"]]
    worst += [each["worst"] for each in forms["clock"]]
    worst += [each["all"]["worst"] for each in (*forms["strangers"], *forms["samples"])]
    worst += [forms["forms"][name]["worst"] for name in ("three", "bytes")]
    table = said[said.index("the clock cases mean in 15% worst") :][:2500]
    assert [each for each in worst if f" {each:.2f} " not in table] == []


CLUMSY = (
    "of a copy’s.",
    ", of a copy’s",
    "an element or two a thread",
    "which none was",
    "a worth among",
    "the code says",
    "so none hides",
    "does not repeat better",
    "count the same with each",
    "at no price",
    "at work",
    "elements a thread",
    "words a thread",
    "a thread an element",
)


def test_sentences_that_readers_stumbled_on_are_gone(said):
    assert [each for each in CLUMSY if each in said] == []


def test_what_is_cited_is_in_the_references_and_the_other_way_round():
    text = "".join(path.read_text(encoding="utf-8") for path in SECTIONS.glob("*.typ"))
    known = keys(
        re.findall(r"^@\w+\{([^,]+),", (ROOT / "paper/references.bib").read_text("utf-8"), re.MULTILINE)
    )
    asked = {
        "volkov2016",
        "smith2025",
        "adinets2022",
        "yan2013",
        "maleki2016",
        "diamos2010",
        "luo2024",
        "zhang2011",
        "khairy2020",
    }
    assert sorted(asked - known) == []
    assert sorted(each for each in asked if f"@{each}" not in text) == []


def keys(found: Iterable[str]) -> set[str]:
    every = list(found)
    assert len(every) == len(set(every)), "a key stands twice"
    return set(every)
