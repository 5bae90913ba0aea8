"""NVIDIA's samples that are put on trial, and how tables of them are written.

    scripts/try_samples.py --samples ~/cuda-samples --to build/samples-gpu

compiles them for a GPU, with the options of the samples themselves; scripts/try_counters.py runs them there.
"""

import argparse
import csv
import re
import shlex
import subprocess
import sys
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


def folder_of(program: Program, samples: Path) -> Path:
    """The folder of the program's sources, wherever in `samples` it lies."""
    for folder in sorted(samples.rglob(program.binary)):
        if all((folder / source).is_file() for source in program.sources):
            return folder
    raise SystemExit(f"{program.name}: no folder {program.binary} with {program.sources[0]} in {samples}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Compile the samples for a GPU.")
    parser.add_argument("--samples", type=Path, required=True, help="folder with NVIDIA's cuda-samples")
    parser.add_argument("--to", type=Path, required=True, help="folder of the programs")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--arch", default="sm_90")
    options = parser.parse_args()
    options.to.mkdir(parents=True, exist_ok=True)
    flags = ["-O3", "-std=c++17", "-lineinfo", "-rdc=true", "-cudart=static", "--extended-lambda"]
    flags += [f"-arch={options.arch}", f"-I{options.samples / 'Common'}", "-Xlinker=--strip-all"]
    for name, program in {program.binary: program for program in programs()}.items():
        folder = folder_of(program, options.samples)
        sources = [folder / source for source in program.sources]
        subprocess.run([options.nvcc, *flags, "-o", options.to / name, *sources], check=True)
        print(f"samples   {name}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
