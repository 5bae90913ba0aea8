"""Run NVIDIA's samples by scripts/try and write two tables of them.

    scripts/try_table.py --samples ~/cuda-samples

One row a program: launches, counts, does it verify its own results, findings. One row for the first launch of
each kernel and shape: what a GPU counts, too (scripts/try_counters.py). The programs are those of
scripts/try_samples.csv. All but four end in a minute; mergeSort, sortingNetworks and histogram take 4, 7 and
16 minutes of one core, and scan, of 3,300 launches, two hours and 40 minutes.
"""

import argparse
import csv
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from recording import write_table
from try_cuda.quantities import QUANTITIES, conflicts
from try_samples import Program, first_of_each_shape, folder_of, programs

ROOT = Path(__file__).resolve().parents[1]
SHOWN = [quantity for quantity in QUANTITIES if quantity.name != "lanes"]
COUNTED = (
    "shared_load_requests",
    "shared_store_requests",
    "shared_load_wavefronts",
    "shared_store_wavefronts",
    "bank_conflicts",
    "global_load_sectors",
    "global_store_sectors",
    "barriers",
)


def attempt(program: Program, samples: Path, limit: float) -> tuple[subprocess.CompletedProcess, dict]:
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "out.json"
        command = [
            ROOT / "scripts/try",
            *program.sources,
            *program.options,
            "--json",
            out,
            "--limit",
            str(limit),
        ]
        folder = folder_of(program, samples)
        done = subprocess.run(
            [*command, "--", *program.arguments], cwd=folder, capture_output=True, text=True, check=False
        )
        text = out.read_text(encoding="utf-8") if out.exists() else '{"launches": [], "findings": []}'
    return done, json.loads(text)


def findings(content: dict, done: subprocess.CompletedProcess) -> str:
    """Each once; without addresses, threads and blocks."""
    found = [finding["text"].removeprefix(finding["kernel"] + ": ") for finding in content["findings"]]
    if not found and done.returncode != 0:
        found = done.stderr.strip().splitlines()[-1:]
    return "; ".join(Counter(place_and_kind(text) for text in found))


def place_and_kind(text: str) -> str:
    """<file>:<line>: <what>, of a message of the machine's."""
    return re.sub(r", byte.*| of (shared|global) memory.*", "", ": ".join(text.split(": ")[:2]))


def passed(content: dict, done: subprocess.CompletedProcess) -> str:
    """Has the program found its own results right? "stopped" if it was not asked to reach its end."""
    if done.returncode != 0:
        return "no"
    return "stopped" if content.get("stopped") else "yes"


def row_of(program: Program, done: subprocess.CompletedProcess, content: dict) -> dict[str, object]:
    total = sum((Counter(launch["total"]) for launch in content["launches"]), Counter())
    row = {"program": program.name, "kernels": len({launch["kernel"] for launch in content["launches"]})}
    row |= {"launches": len(content["launches"])}
    row |= {quantity.name: round(quantity.of(total)) for quantity in SHOWN}
    return row | {"passed": passed(content, done), "findings": findings(content, done)}


def launch_row(program: Program, launch: dict) -> dict[str, object]:
    """The quantities of one launch as the GPU counts them."""
    counts = Counter(launch["total"])
    row = {"program": program.name, "kernel": launch["kernel"].split("<")[0].split("::")[-1]}
    row |= {name: "x".join(map(str, launch[name])) for name in ("grid", "block")}
    counts["bank_conflicts"] = conflicts(counts)
    return row | {name: counts[name] for name in COUNTED}


def known(path: Path, chosen: list[Program]) -> list[dict]:
    """The rows of an earlier table, of programs that are not run now."""
    if not path.exists():
        return []
    names = {program.name for program in chosen}
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["program"] not in names]


def write(path: Path, rows: list[dict]) -> None:
    order = [program.name for program in programs()]
    write_table(path, sorted(rows, key=lambda row: order.index(row["program"])))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--samples", type=Path, required=True, help="folder with NVIDIA's cuda-samples")
    parser.add_argument("--out", type=Path, default=ROOT / "results/simt/samples.csv", help="the first table")
    parser.add_argument("--limit", type=float, default=7200, help="seconds of each program (default: 7,200)")
    parser.add_argument("--only", metavar="REGEX", default="", help="programs whose name contains this")
    options = parser.parse_args()
    chosen, launches_out = programs(options.only), options.out.with_suffix(".launches.csv")
    rows, launches = known(options.out, chosen), known(launches_out, chosen)
    for program in chosen:
        done, content = attempt(program, options.samples, options.limit)
        rows.append(row_of(program, done, content))
        launches += first_of_each_shape(launch_row(program, launch) for launch in content["launches"])
        print(
            f"try       {program.name}: {rows[-1]['launches']} launches, passed: {rows[-1]['passed']}",
            flush=True,
        )
        write(options.out, rows)
        if launches:
            write(launches_out, launches)
    return 0


if __name__ == "__main__":
    sys.exit(main())
