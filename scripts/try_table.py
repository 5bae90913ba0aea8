"""Run programs by scripts/try and write a table of them: one row each, with launches, counts and findings.

scripts/try_table.py --out table.csv "prescan = docs/try/prescan.cu" "other = main.cpp kernels.cu -- --n=64"
"""

import argparse
import csv
import json
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from try_cuda.quantities import QUANTITIES

ROOT = Path(__file__).resolve().parents[1]
SHOWN = [quantity for quantity in QUANTITIES if quantity.name != "lanes"]


def attempt(
    words: list[str], out: Path, options: argparse.Namespace
) -> tuple[subprocess.CompletedProcess, dict]:
    at = words.index("--") if "--" in words else len(words)
    command = [ROOT / "scripts/try", *words[:at], "--json", out, "--limit", str(options.limit), *words[at:]]
    if options.allow_unset:
        command.insert(1, "--allow-unset")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done, json.loads(out.read_text(encoding="utf-8")) if out.exists() else {
        "launches": [],
        "fault": None,
    }


def findings(content: dict, done: subprocess.CompletedProcess) -> str:
    """The fault, and each warning once; without addresses, threads and blocks."""
    found = [content["fault"]] if content["fault"] else []
    found += [warning for launch in content["launches"] for warning in launch["warnings"]]
    if not found and done.returncode != 0:
        found = done.stderr.strip().splitlines()[-1:]
    kinds = Counter(place_and_kind(text) for text in found)
    return "; ".join(kinds)


def place_and_kind(text: str) -> str:
    """<file>:<line>: <what>, of a message of the machine's."""
    parts = text.split("), ", 1)[-1].split(": ")
    return ": ".join(parts[:2])


def row_of(program: str, words: list[str], options: argparse.Namespace) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        done, content = attempt(words, Path(folder) / "out.json", options)
    total = sum((Counter(launch["total"]) for launch in content["launches"]), Counter())
    row = {"program": program, "kernels": len({launch["kernel"] for launch in content["launches"]})}
    row |= {"launches": len(content["launches"])}
    row |= {quantity.name: round(quantity.of(total)) for quantity in SHOWN}
    return row | {"passed": "yes" if done.returncode == 0 else "no", "findings": findings(content, done)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("programs", nargs="+", metavar="NAME = FILE... [-- ARGUMENT...]")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=float, default=600, help="seconds of each program (default: 600)")
    parser.add_argument("--allow-unset", action="store_true", help="unset reads are warnings")
    options = parser.parse_args()
    rows = []
    for text in options.programs:
        name, _, command = text.partition("=")
        rows.append(row_of(name.strip(), shlex.split(command), options))
        print(
            f"try       {name.strip()}: {rows[-1]['launches']} launches, passed: {rows[-1]['passed']}",
            flush=True,
        )
    with options.out.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
