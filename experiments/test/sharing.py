"""How processes share the tests: each file in one of them, so that its fixtures are made once."""

from pathlib import Path

import pytest

from paper.test.browser import browser  # noqa: F401  (a fixture: a second Playwright in one process fails)

ROOT = Path(__file__).resolve().parents[2]
# They begin first, so that no process is left with a long file at the end.
LONGEST = (
    "experiments/test/test_make.py",
    "experiments/test/test_make_few.py",
    "kernels/test/mutants/test_mutants.py",
    "experiments/test/test_ranks.py",
    "analysis/test/test_render.py",
)
# No fixture takes long to make, and every test runs by itself: one at a time, last, they even out the load.
SHORT = (
    "experiments/test/test_binaries.py",
    "analysis/test/test_verdicts.py",
    "analysis/test/test_committed.py",
)
# It alone opens the page in `make test`, once; other tests in a browser are left to `make test-rest`.
OPENS_THE_PAGE = "paper/test/test_page.py"


def place(item: pytest.Item) -> int:
    file = item.path.relative_to(ROOT).as_posix()
    if file in LONGEST:
        return LONGEST.index(file)
    return len(LONGEST) + (file in SHORT)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=place)
    for item in items:
        file = item.path.relative_to(ROOT).as_posix()
        if file not in SHORT and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(file))
        if "browser" in item.fixturenames and file != OPENS_THE_PAGE:
            item.add_marker(pytest.mark.full)
