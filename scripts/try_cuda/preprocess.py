"""A CUDA source file, preprocessed: its text, and which lines of it come from the user's files.

CUDA's qualifiers and launches are still there. Line markers tell the file and line of each line. What comes
from the system's headers and the machine's is blanked out for the parser: it contains no launches.
"""

import re
from dataclasses import dataclass
from pathlib import Path

MARKER = re.compile(rb'# (\d+) "((?:[^"\\]|\\.)*)"((?: \d)*)')


@dataclass(frozen=True)
class Source:
    text: bytes  # as preprocessed
    visible: bytes  # the same length, but blank where the text is not the user's
    positions: list[tuple[str, int]]  # of each line: file and line
    includes: list[tuple[str, str]]  # of the user's lines: <file>:<line>, and the path of the header

    def position(self, byte: int) -> str:
        """<file>:<line>, the file as the user knows it."""
        file, line = self.positions[self.text.count(b"\n", 0, byte)]
        return f"{shown(file)}:{line}"


def shown(file: str) -> str:
    """A path relative to the working directory, if it lies in there."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except ValueError:
        return file


def is_users(file: str, machine: Path) -> bool:
    return not file.startswith(("/usr/", "<")) and machine not in Path(file).parents


def source(text: bytes, machine: Path) -> Source:
    """`text` is what the preprocessor wrote; `machine` is the folder whose headers are not the user's."""
    visible, positions, includes = [], [], []
    file, line, users = "", 0, False
    for row in text.split(b"\n"):
        if found := MARKER.match(row):
            included_at = f"{shown(file)}:{line}" if users and b" 1" in found[3] else None
            file = found[2].decode(errors="replace").replace("\\\\", "\\").replace('\\"', '"')
            line = int(found[1]) - 1
            users = is_users(file, machine)
            if included_at:
                includes.append((included_at, file))
            visible.append(b" " * len(row))
        else:
            visible.append(row if users else b" " * len(row))
        positions.append((file, line))
        line += 1
    return Source(text, b"\n".join(visible), positions, includes)
