"""Choose programs of HeCBench whose times are to be predicted, by a rule that knows no time.

    python -m experiments.record.choose HECBENCH/src SET

HECBENCH is a clone of yours of zjin-lcf/HeCBench; the committed table is of COMMIT. Candidates are the
folders *-cuda that compile one file, main.cu, without further libraries, and whose Makefile runs them with
whole numbers alone. They are taken in the order of the SHA-256 of their names, so of nobody's liking.
Chosen are the first MOST that nvcc compiles for sm_90 and that end well on the SIMT machine within LIMIT_S
seconds, with the first of these arguments that lets them: those of the Makefile; then the largest divided
by four, again and again. A chosen program has a second size if it ends well there, too: the largest
argument divided by SMALLER. Writes results/predicted/chosen/SET.csv, a row for each program that was looked
at, and leaves the binaries in build/hecbench; python -m experiments.record.predict --chosen SET predicts
them. The set `third` begins with the first candidate, each other one after those that the sets before it
looked at.
"""

import argparse
import csv
import hashlib
import re
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from analysis.model.programs import SETS
from simt.try_cuda.build import ROOT, nvcc

COMMIT = "f27000a5188f8ac79bd43fc95a1b3f890c18823d"
MACHINE, BINARIES = ROOT / "build/simt-run", ROOT / "build/hecbench"
CHOSEN = ROOT / "results/predicted/chosen"
MOST, LIMIT_S, SMALLER = 30, 10, 16
LEAST = 4  # an argument that is not divided any further
ONE_FILE = re.compile(r"^source\s*=\s*main\.cu\s*$", re.MULTILINE)
PLAIN = re.compile(r"^CFLAGS := \$\(EXTRA_CFLAGS\) -std=c\+\+17 -Xcompiler -Wall -arch=\$\(ARCH\)\s*$", re.M)
RUN = re.compile(r"^run:.*\n\t\$\(LAUNCHER\) \./\$\(program\)((?: \d+)+)\s*$", re.MULTILINE)


@dataclass
class Candidate:
    program: str
    arguments: str = ""  # with which it is predicted and timed
    smaller: str = ""
    of_makefile: str = ""
    refused: str = ""


def chosen(name: str) -> list[Candidate]:
    """All that were looked at for this set, refused ones too."""
    with (CHOSEN / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return [Candidate(**row) for row in csv.DictReader(file)]


def candidates(folder: Path) -> list[Candidate]:
    found = []
    for makefile in folder.glob("*-cuda/Makefile"):
        text = makefile.read_text(encoding="utf-8", errors="replace")
        run = RUN.search(text)
        if run and ONE_FILE.search(text) and PLAIN.search(text):
            found.append(Candidate(makefile.parent.name.removesuffix("-cuda"), of_makefile=run[1].strip()))
    return sorted(found, key=lambda each: hashlib.sha256(each.program.encode()).hexdigest())


def divided(arguments: list[int], by: int) -> list[int]:
    """The largest, the first one of several."""
    at = arguments.index(max(arguments))
    return [*arguments[:at], arguments[at] // by, *arguments[at + 1 :]]


def sizes(arguments: list[int]) -> Iterator[list[int]]:
    while True:
        yield arguments
        if max(arguments) // 4 < LEAST:
            return
        arguments = divided(arguments, 4)


def words(arguments: list[int]) -> str:
    return " ".join(map(str, arguments))


def ends_well(binary: Path, arguments: list[int]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        command = [MACHINE, "--counts-only", "--limit", str(LIMIT_S), binary, *map(str, arguments)]
        try:
            done = subprocess.run(
                list(map(str, command)), cwd=folder, capture_output=True, check=False, timeout=2 * LIMIT_S
            )
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 0 and not re.search(rb"\bFAIL", done.stdout, re.IGNORECASE)


def looked_at(candidate: Candidate, folder: Path) -> Candidate:
    binary = BINARIES / candidate.program
    command = [nvcc(), "-std=c++17", "-O3", "-arch=sm_90", "-cudart", "shared", "main.cu", "-o", binary]
    done = subprocess.run(command, cwd=folder / f"{candidate.program}-cuda", capture_output=True, check=False)
    if done.returncode != 0:
        candidate.refused = "nvcc does not compile it"
        return candidate
    given = list(map(int, candidate.of_makefile.split()))
    found = next((each for each in sizes(given) if ends_well(binary, each)), None)
    if found is None:
        candidate.refused = f"does not end well within {LIMIT_S} s at any size"
        return candidate
    candidate.arguments = words(found)
    smaller = divided(found, SMALLER)
    if min(smaller) > 0 and ends_well(binary, smaller):
        candidate.smaller = words(smaller)
    return candidate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", type=Path, help="HeCBench's folder src")
    parser.add_argument("set", choices=SETS)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    before = {each.program for name in SETS[: SETS.index(options.set)] for each in chosen(name)}
    BINARIES.mkdir(parents=True, exist_ok=True)
    of = [each for each in candidates(options.sources.resolve()) if each.program not in before]
    rows = []
    with ThreadPoolExecutor(options.jobs) as pool:
        ahead = [pool.submit(looked_at, each, options.sources.resolve()) for each in of]
        for number, each in enumerate(ahead, 1):
            rows.append(each.result())
            kept = sum(not row.refused for row in rows)
            last = rows[-1]
            print(
                f"{number} of {len(of)}, {kept} chosen: {last.program} {last.arguments or last.refused}",
                flush=True,
            )
            if kept == MOST:
                break
        pool.shutdown(wait=False, cancel_futures=True)
    CHOSEN.mkdir(parents=True, exist_ok=True)
    with (CHOSEN / f"{options.set}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(Candidate.__annotations__), lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, rows))


if __name__ == "__main__":
    main()
