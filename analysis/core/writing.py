"""Files appear whole or not at all."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy

LINE, ROW = 160, 360  # characters of what stands in one line; a row of a list may be longer


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


def digest(content: bytes) -> str:
    """What committed documents carry, to be compared with what the tree makes."""
    return hashlib.sha256(content).hexdigest()


def plain(value):
    """numpy's numbers as Python's, for JSON."""
    if isinstance(value, numpy.generic):
        return value.item()
    raise TypeError(f"cannot write {type(value).__name__} as JSON")


def as_json(data: dict) -> str:
    """A line for each entry that fits into one."""
    return laid_out(json.loads(in_a_line(data)), LINE) + "\n"


def in_a_line(data) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, default=plain)


def laid_out(data, room: int, margin: str = "\n") -> str:
    line = in_a_line(data)
    if len(line) <= room or not isinstance(data, dict | list):
        return line
    inner = margin + " "
    if isinstance(data, dict):
        parts = [f"{in_a_line(key)}: {laid_out(value, LINE, inner)}" for key, value in data.items()]
    else:
        parts = [laid_out(value, ROW, inner) for value in data]
    return line[0] + inner + f",{inner}".join(parts) + margin + line[-1]


def write_json(path: Path, data: dict) -> None:
    write_text(path, as_json(data))
