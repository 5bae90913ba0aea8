"""Using the page: controls by their names, numbers by theirs, screenshots for people."""

from playwright.sync_api import Locator, Page

from paper.test.conftest import SCREENSHOTS


def number(page: Page, part: str, name: str) -> str:
    return page.locator(f'#{part} [data-number="{name}"]').first.inner_text()


def see(page: Page, part: str) -> None:
    """Go through a step of the story without a guess, and open what is folded in it."""
    open_part(page, part)
    page.locator(f"#{part} [data-pass]").click()
    page.evaluate(
        "part => document.querySelectorAll(`#${part} details`).forEach(each => each.open = true)", part
    )


def open_part(page: Page, part: str) -> None:
    """If it is one that folds."""
    closed = page.locator(f"details#{part}:not([open]) > summary")
    if closed.count():
        closed.click()


def choose(page: Page, part: str, **levels) -> None:
    """Choose in the selects and radio buttons of a part, in this order."""
    for name, level in levels.items():
        radio = page.locator(f'#{part} input[type=radio][name="{name}"][value="{level}"]')
        if radio.count():
            radio.check()
        else:
            page.locator(f'#{part} select[name="{name}"]').select_option(str(level))


def bars(page: Page, part: str, place: int = 0) -> dict[str, list[str]]:
    """The numbers of a table of bars, by the names of its rows."""
    return dict(
        page.locator(f"#{part} .bars")
        .nth(place)
        .evaluate(
            """table => [...table.tBodies[0].rows].map(row => [row.cells[0].innerText,
                 [...row.querySelectorAll("b")].filter(each => each.checkVisibility())
                   .map(each => each.innerText)])"""
        )
    )


def slide(locator: Locator, value: float) -> None:
    """Move a slider."""
    locator.evaluate(
        "(range, to) => { range.value = to; range.dispatchEvent(new Event('input', {bubbles: true})); }",
        value,
    )


def is_wider(page: Page) -> bool:
    """Than the window: one would have to move it sideways."""
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def picture(page: Page, part: str) -> None:
    """A screenshot of a part, named after it and the width of the window; it must not be blank."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    path = SCREENSHOTS / f"{part}-{page.viewport_size['width']}.png"
    open_part(page, part)
    taken = page.locator(f"#{part}").screenshot(path=path)
    assert len(taken) > 10_000, f"{path} is nearly blank"
