"""List the opcodes, with their modifiers, that the programs of simt/test execute, into covered.txt.

cover.py --cuobjdump PROGRAM --binaries PATH..

The paths are built programs, or folders of them, of which the values are tested: those of opcodes/ and
machine/system_functions against a GPU's, those of agreement/ by themselves, and their counts against a
GPU's. `build/simt-run --opcodes` lists those of the machine that are not among them.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+ )?([A-Z][A-Z0-9_.x]*)", re.MULTILINE)


def opcodes(cuobjdump: str, binary: Path) -> set[str]:
    listing = subprocess.run([cuobjdump, "-sass", binary], capture_output=True, text=True, check=True).stdout
    return set(INSTRUCTION.findall(listing))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cuobjdump", default="cuobjdump", metavar="PROGRAM")
    parser.add_argument("--binaries", type=Path, nargs="+", required=True, metavar="PATH")
    arguments = parser.parse_args()
    files = [file for path in arguments.binaries for file in (path.iterdir() if path.is_dir() else [path])]
    binaries = [path for path in files if os.access(path, os.X_OK)]
    executed = set().union(*(opcodes(arguments.cuobjdump, binary) for binary in binaries))
    covered = Path(__file__).with_name("covered.txt")
    covered.write_text("\n".join(sorted(executed)) + "\n", encoding="utf-8")
    print(f"{covered.name}: {len(executed)} opcodes with their modifiers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
