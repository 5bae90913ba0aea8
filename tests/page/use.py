"""Using the page: controls by their names, numbers by theirs, screenshots for people."""

from playwright.sync_api import Locator, Page

from tests.page.conftest import SCREENSHOTS


def number(page: Page, part: str, name: str) -> str:
    return page.locator(f'#{part} [data-number="{name}"]').first.inner_text()


def choose(page: Page, part: str, **levels) -> None:
    """Choose in the selects of a part, in this order."""
    for name, level in levels.items():
        page.locator(f'#{part} select[name="{name}"]').select_option(str(level))


def slide(locator: Locator, value: int) -> None:
    """Move a slider."""
    locator.evaluate(
        "(range, to) => { range.value = to; range.dispatchEvent(new Event('input', {bubbles: true})); }",
        value,
    )


def picture(page: Page, part: str) -> None:
    """A screenshot of a part, named after it and the width of the window; it must not be blank."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    path = SCREENSHOTS / f"{part}-{page.viewport_size['width']}.png"
    taken = page.locator(f"#{part}").screenshot(path=path)
    assert len(taken) > 10_000, f"{path} is nearly blank"
