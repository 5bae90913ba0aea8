"""List the opcodes, with their modifiers, that the programs of simt/test execute, into covered.txt: with each
the architectures in whose code it is executed.

cover.py --cuobjdump PROGRAM --binaries PATH..

The paths are built programs, or folders of them, of which the values are tested: those of opcodes/ and
machine/system_functions against a GPU's, those of agreement/ by themselves, and their counts against a
GPU's; and those of architectures/, test_architectures.py. `build/simt-run --opcodes` lists the opcodes of the
machine that are not among them.
"""

import argparse
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+ )?([A-Z][A-Z0-9_.x]*)", re.MULTILINE)
CODE = re.compile(r"^arch = sm_(\d+)", re.MULTILINE)


def opcodes(cuobjdump: str, binary: Path) -> set[tuple[str, int]]:
    """An opcode with its modifiers, and the architecture of the code that it is in."""
    listing = subprocess.run([cuobjdump, "-sass", binary], capture_output=True, text=True, check=True).stdout
    _, *parts = CODE.split(listing)
    codes = zip(map(int, parts[::2]), parts[1::2], strict=True)
    return {(name, number) for number, text in codes for name in INSTRUCTION.findall(text)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cuobjdump", default="cuobjdump", metavar="PROGRAM")
    parser.add_argument("--binaries", type=Path, nargs="+", required=True, metavar="PATH")
    arguments = parser.parse_args()
    files = [file for path in arguments.binaries for file in (path.iterdir() if path.is_dir() else [path])]
    binaries = [path for path in files if path.is_file() and os.access(path, os.X_OK)]
    executed = defaultdict(set)
    for binary in binaries:
        for name, number in opcodes(arguments.cuobjdump, binary):
            executed[name].add(number)
    covered = Path(__file__).with_name("covered.txt")
    lines = [" ".join([name, *map(str, sorted(executed[name]))]) for name in sorted(executed)]
    covered.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{covered.name}: {len(executed)} opcodes with their modifiers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
