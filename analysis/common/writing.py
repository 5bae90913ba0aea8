"""Files appear whole or not at all."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy


def write_with(path: Path, write: Callable[[Path], None]) -> None:
    """Let `write` fill a temporary file beside `path`, then rename it; leftovers are overwritten."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.stem}.new{path.suffix}")
    try:
        write(temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    write_with(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def plain(value):
    """numpy's numbers as Python's, for JSON."""
    if isinstance(value, numpy.generic):
        return value.item()
    raise TypeError(f"cannot write {type(value).__name__} as JSON")


def as_json(data: dict) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False, default=plain) + "\n"


def write_json(path: Path, data: dict) -> None:
    write_text(path, as_json(data))
