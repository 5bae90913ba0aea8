"""Paper and page in the tree are what the tree makes: each carries a digest of what stands on it.

And what README and paper both say, they say with the same numbers.
"""

import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from analysis.core.writing import digest
from analysis.report.page import document as page
from analysis.report.printed import typesetting

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.xdist_group("paper")
REMEDY = "is not what the tree makes: run make release-paper and commit it"


def test_the_paper_is_what_the_tree_makes(typeset):
    with pikepdf.open(ROOT / "paper/paper.pdf") as released:
        found = str(released.docinfo.get(typesetting.DIGEST, ""))
    assert found == digest(typeset["paper"]), f"paper/paper.pdf {REMEDY}"


def test_the_page_is_what_the_tree_makes():
    made = page.render(ROOT / "results", ROOT / "figures", ROOT / "paper/page")
    released = (ROOT / "paper/page.html").read_text(encoding="utf-8")
    assert f'content="{digest(made.encode())}"' in released, f"paper/page.html {REMEDY}"


def words_of_readme() -> str:
    return " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())


def words_of_paper() -> str:
    with pypdfium2.PdfDocument(ROOT / "paper/paper.pdf") as document:
        text = " ".join(page.get_textpage().get_text_range() for page in document)
    return " ".join(re.sub("\ufffe\\s*", "", text).split())  # where PDFium sees a hyphen at the end of a line


SAID = {  # by what is said: how README and paper say it
    "operations": (
        "does ([0-9.]+) times the operations of Blelloch",
        "does ([0-9.]+) times the operations of Blelloch",
    ),
    "time": ("and is ([0-9.]+) times as fast", "It is ([0-9.]+) times as fast"),
    "sizes with conflicts": ("some at (.*?) sizes", "leaves conflicts at (.*?) sizes"),
    "beside CUB": (
        "a scan ([0-9.]+ to [0-9.]+) times as fast as CUB",
        "is ([0-9.]+ to [0-9.]+) times as fast as CUB",
    ),
    "counts compared": ("of ([0-9,]+) equal the GPU's hardware counters", "All ([0-9,]+) comparisons"),
    "counts that are equal": ("([0-9,]+) of [0-9,]+ equal the GPU's", "Of ([0-9,]+) cells all are equal"),
    "faulty programs": ("finds all (\\d+) faulty programs", "finds all (\\d+) faulty programs"),
    "right programs": ("none of its (\\d+) right ones", "none of (\\d+) correct ones"),
    "racecheck": ("reports (\\d+ of Indigo.s \\d+) races", "reports (\\d+ of Indigo.s \\d+) races"),
    "faulty programs of ScoR": ("of ScoR it finds (\\d+ of \\d+)", "Of ScoR .*? it finds (\\d+ of \\d+)"),
    "accused of ScoR": (
        "and accuses (\\d+ of \\d+), as ScoR",
        "and accuses (\\d+ of \\d+) correct ones: ScoR",
    ),
    "claims": ("(\\d+) claims are on trial", "All (\\d+) claims: the count"),
    "claims compared": (
        "(\\d+) of \\d+ verdicts are the same",
        "Of \\d+ claims (\\d+) have the same answers",
    ),
    "kernels predicted": (
        "on average over (\\d+) kernels there",
        "Looking back at (\\d+) kernels that both",
    ),
    "error": ("is off by ([0-9.]+)% on average over", "is off by ([0-9.]+)% there"),
    "error of no change": (
        "in its place would be off by ([0-9.]+)%",
        "that nothing changes is off by ([0-9.]+)%",
    ),
    "kernels that change": (
        "For the (\\d+) kernels whose time differs",
        "In the (\\d+) kernels whose time does change",
    ),
}


@pytest.mark.parametrize("what", SAID)
def test_readme_and_paper_print_the_same(what):
    found = [
        re.search(how, text)
        for how, text in zip(SAID[what], (words_of_readme(), words_of_paper()), strict=True)
    ]
    assert all(found), f"not found: {SAID[what]}"
    readme, printed = (each[1].replace("’", "'") for each in found)
    assert readme == printed
