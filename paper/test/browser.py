"""The browser of all tests that need one, started once. Without it they are skipped, or fail in CI."""

import os
import shutil
from pathlib import Path

import pytest

INSTALLED = ("chromium", "chromium-browser", "google-chrome")
FETCHED = Path(__file__).resolve().parents[2] / ".venv/browsers"  # by .setup/browser.sh, if none is installed
MISSING = "no browser: run .setup/browser.sh, which installs one"


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    installed = next(filter(None, map(shutil.which, INSTALLED)), None)
    if not installed and not any(FETCHED.glob("chromium*")):
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    os.environ["PLAYWRIGHT_BROWSERS_PATH"] = str(FETCHED)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed)
        yield browser
        browser.close()
