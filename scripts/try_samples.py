"""NVIDIA's samples that are put on trial, and how a table of their launches is written."""

import csv
import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).with_name("try_samples.csv")


@dataclass(frozen=True)
class Program:
    name: str
    sources: list[str]  # in a folder of the samples that is called as the program's first word
    arguments: list[str]
    options: list[str]  # of scripts/try

    @property
    def binary(self) -> str:
        return self.name.split()[0]


def programs(pattern: str = "") -> list[Program]:
    """Those whose name contains the regular expression, in the order of the list."""
    with LIST.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if re.search(pattern, row["program"])]
    words = ("sources", "arguments", "options")
    return [Program(row["program"], *(shlex.split(row[name]) for name in words)) for row in rows]


def first_of_each_shape(rows: Iterable[dict]) -> list[dict]:
    """Of launches in their order, the first of each kernel, grid and block."""
    found: dict[tuple, dict] = {}
    for row in rows:
        found.setdefault((row["kernel"], row["grid"], row["block"]), row)
    return list(found.values())


def write_table(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    with part.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    part.replace(path)
