"""Which of many alike `make test` runs; the others are left to `make test-rest`."""

from collections.abc import Callable, Iterable

import pytest


def some(values: Iterable, kept: Iterable[str], name: Callable = str) -> list:
    """All values as parameters of a test, of which `make test` runs those of these names."""
    values, kept = sorted(values) if isinstance(values, set) else list(values), set(kept)
    if unknown := kept - {name(value) for value in values}:
        raise ValueError(f"there is no {', '.join(sorted(unknown))}")
    return [value if name(value) in kept else pytest.param(value, marks=pytest.mark.full) for value in values]
