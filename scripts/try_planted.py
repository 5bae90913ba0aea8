"""Plant faults into NVIDIA's samples, one at a time, and see whether scripts/try finds them.

    scripts/try_planted.py --samples ~/cuda-samples

Each line of scripts/try_planted.csv changes one line of a program: it takes out a barrier or a fence, shifts
a bound, leaves an element unset. The machine must then report what is expected, a regular expression.
"""

import argparse
import csv
import re
import shutil
import sys
import tempfile
from pathlib import Path

from try_samples import Program, folder_of, programs
from try_table import ROOT, attempt, findings, known, write

LIST = Path(__file__).with_name("try_planted.csv")


def plant(row: dict[str, str], folder: Path) -> None:
    path = folder / row["file"]
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    number = int(row["line"]) - 1
    if row["text"] not in lines[number]:
        raise SystemExit(f"{path}:{row['line']}: no '{row['text']}' there: another version of the samples?")
    lines[number] = lines[number].replace(row["text"], row["instead"])
    path.write_text("".join(lines), encoding="utf-8")


def tried(row: dict[str, str], program: Program, samples: Path, limit: float) -> dict[str, str]:
    """The row of the table: what the machine says of the program with the fault."""
    with tempfile.TemporaryDirectory(prefix="planted-") as scratch:
        shutil.copytree(folder_of(program, samples), Path(scratch) / program.binary)
        plant(row, Path(scratch) / program.binary)
        done, content = attempt(program, Path(scratch), limit)
    found = done.returncode == 3 and re.search(row["expected"], done.stderr) is not None
    said = findings(content, done)
    return {name: row[name] for name in ("program", "file", "line", "fault")} | {
        "found": "yes" if found else "no",
        "says": said,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--samples", type=Path, required=True, help="folder with NVIDIA's cuda-samples")
    parser.add_argument("--out", type=Path, default=ROOT / "results/simt/planted.csv", help="the table")
    parser.add_argument("--only", metavar="REGEX", default="", help="programs whose name contains this")
    parser.add_argument("--limit", type=float, default=120, help="seconds of each program (default: 120)")
    options = parser.parse_args()
    chosen = {program.name: program for program in programs(options.only)}
    rows = known(options.out, list(chosen.values()))
    with LIST.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["program"] not in chosen:
                continue
            rows.append(tried(row, chosen[row["program"]], options.samples, options.limit))
            print(
                f"planted   {row['file']}:{row['line']}, {row['fault']}: found: {rows[-1]['found']}",
                flush=True,
            )
            write(options.out, rows)
    return 0 if all(row["found"] == "yes" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
