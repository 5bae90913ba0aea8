"""The page, made from the committed results and figures, in a real browser.

Screenshots go to build/screenshots, to be looked at.
"""

import json
import re
from pathlib import Path

import pytest

from analysis.report.page import document

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / "build/screenshots"
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
UNFOLD = "document.querySelectorAll('.part').forEach(part => part.open = true)"


@pytest.fixture(scope="session")
def data(file) -> dict:
    """What the page shows, by part: the data in its script elements."""
    text = file.read_text(encoding="utf-8")
    found = re.findall(r'<script type="application/json" id="data-(\w+)">(.*?)</script>', text, re.DOTALL)
    return {part: json.loads(data) for part, data in found}


@pytest.fixture(scope="session")
def file(tmp_path_factory) -> Path:
    """The page as the sources make it now."""
    folder = tmp_path_factory.mktemp("page")
    document.write(ROOT / "results", ROOT / "figures", folder, ROOT / "paper/page")
    return folder / document.NAME


@pytest.fixture
def open_page(browser, file):
    """open_page(**options of the context): the page. No script may fail and nothing may be fetched."""
    contexts, wrong = [], []

    def opened(**options):
        context = browser.new_context(viewport=options.pop("viewport", DESKTOP), **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: wrong.append(request.url) if is_fetched(request.url) else None)
        page.goto(file.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


def is_fetched(url: str) -> bool:
    return not url.startswith(("data:", "file:"))


@pytest.fixture
def page(open_page):
    """With all parts open, as when it is printed."""
    page = open_page()
    page.evaluate(UNFOLD)
    return page
