"""List the registers and the shared memory of every kernel, into results/<gpu>/resources.csv:
resources.py [--check] [--objects FOLDER] [--gpu nvidia-h200]

They are those of the machine code that make gpu compiles, one row a kernel of an experiment, without CUB's
own. How many blocks a multiprocessor holds follows from them (analysis/model/shapes.py). Rows of kernels
that the objects do not have are kept: only what was compiled is replaced.
"""

import argparse
import csv
import io
import os
import re
import subprocess
import sys
from pathlib import Path

from machine_code import LIBRARY, MARKED, cuobjdump
from recording import ROOT

FIELDS = ("kernel", "registers", "shared_bytes")
RESERVED = 1 << 10  # bytes of shared memory that the system adds to those of a kernel that uses any
FUNCTION = re.compile(r" Function (\w+):\s+REG:(\d+) STACK:\d+ SHARED:(\d+)")


def usage(path: Path) -> dict[str, tuple[int, int]]:
    """Registers and bytes of shared memory by mangled name, of the project's own kernels."""
    done = subprocess.run([cuobjdump(), "-res-usage", path], capture_output=True, text=True, check=False)
    found = FUNCTION.findall(done.stdout)
    return {
        name: (int(registers), max(0, int(shared) - RESERVED))
        for name, registers, shared in found
        if not LIBRARY.match(name) and MARKED not in name
    }


def readable(mangled: list[str]) -> list[str]:
    """Names with template arguments, as the SIMT machine's table of steps has them, without spaces."""
    done = subprocess.run(["c++filt"], input="\n".join(mangled), capture_output=True, text=True, check=True)
    return [name_of(line) for line in done.stdout.splitlines()]


def name_of(signature: str) -> str:
    """scan_tiles<Blelloch,64> for void scan_tiles<Blelloch, 64>(float const*)."""
    end, depth = len(signature), 0
    for place in range(
        len(signature) - 1, -1, -1
    ):  # the last parenthesis outside of any other: the parameters
        depth += {")": 1, "(": -1}.get(signature[place], 0)
        if signature[place] == "(" and depth == 0:
            end = place
            break
    return signature[:end].removeprefix("void ").replace(" ", "")


def compiled(objects: list[Path]) -> dict[str, dict]:
    """A row by kernel, of all object files."""
    rows = {}
    for path in objects:
        used = usage(path)
        for name, values in zip(readable(list(used)), used.values(), strict=True):
            rows[name] = dict(zip(FIELDS, (name, *map(str, values)), strict=True))
    return rows


def recorded(target: Path) -> dict[str, dict]:
    if not target.exists():
        return {}
    with target.open(encoding="utf-8") as stream:
        return {row["kernel"]: row for row in csv.DictReader(stream)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--objects", type=Path, default=ROOT / "build/gpu/CMakeFiles", help="object files")
    parser.add_argument("--gpu", default="nvidia-h200", help="folder in results/")
    parser.add_argument(
        "--check",
        action="store_true",
        help="only name the kernels, of claims that this GPU has recorded, whose row is not as compiled",
    )
    arguments = parser.parse_args()
    objects = sorted(arguments.objects.glob("experiment_*.dir/experiments/*.o"))
    if not objects:
        print(f"resources: no object files in {arguments.objects}: make gpu compiles them", file=sys.stderr)
        return 1
    target = ROOT / "results" / arguments.gpu / "resources.csv"
    if arguments.check:
        objects = [path for path in objects if any(target.parent.glob(f"{path.name.split('.')[0]}.json*"))]
    rows, now = recorded(target), compiled(objects)
    if arguments.check:
        changed = sorted(name for name in now if now[name] != rows.get(name))
        for name in changed:
            print(f"resources {name}: not as compiled; run scripts/resources.py")
        return 1 if changed else 0
    rows |= now
    text = io.StringIO()
    table = csv.DictWriter(text, FIELDS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows[name] for name in sorted(rows))
    part = target.with_name(f".{target.name}.part")
    part.write_text(text.getvalue(), encoding="utf-8")
    os.replace(part, target)
    print(f"resources {len(rows)} kernels, in {target.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
