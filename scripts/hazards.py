"""Run the bench of small programs under compute-sanitizer, into results/<gpu>/hazards.csv; or with --simt on
the SIMT machine, into results/simt/hazards.csv.

Needs the binary `hazards` (of tests/simt/hazards), and NVIDIA's compute-sanitizer on a GPU. Every program
runs once under each of its tools, in a process of its own. A cell is "clean", "reported: <n>" (errors, or
hazards of racecheck), "timeout", "skipped" (the program would hang a GPU), or "failed" (the tool gave no
summary).

The SIMT machine runs the optimised program and `hazards_unoptimised`, each under several seeds. A cell is
"clean", or the kinds of what it reports.
"""

import argparse
import csv
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import recording
from recording import RecordError

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
SUMMARY = re.compile(r"ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: (\d+) hazard")


def sanitizer() -> str:
    named = shutil.which(os.environ.get("COMPUTE_SANITIZER", "compute-sanitizer"))
    found = named or shutil.which("compute-sanitizer", path="/usr/local/cuda/bin")
    if not found:
        raise RecordError("no compute-sanitizer here: it comes with the CUDA toolkit")
    return found


# What the machine says of each kind of fault, the more special first.
MACHINE = "SIMT machine: "
SAID = {
    "of writes of one value": "same_value",
    "data race": "race",
    "missing fence": "missing_acquire",
    "uninitialised read": "uninitialised_read",
    "divergent barrier": "divergent_barrier",
    "divergent warp": "divergent_warp",
    "deadlock": "deadlock",
    "an illegal address": "out_of_bounds",
    "of shared memory is accessed": "out_of_bounds",
}
BUILDS = {"optimised": "hazards", "unoptimised": "hazards_unoptimised"}
SEEDS = (0, 1, 3)  # ascending; in other orders, copies late


def programs_of(binary: Path, *runner: Path) -> list[dict[str, str]]:
    """The programs that the binary lists: name, kind, expected."""
    try:
        listed = subprocess.run(
            [*runner, binary, "--list"], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise RecordError(f"{binary} lists no programs: {error}") from None
    return list(csv.DictReader(listed.splitlines()))


def output_of(command: list, seconds: float) -> str | None:
    """What a command prints; None if it takes longer, and then its whole process group is killed."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        return process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None


def verdict(output: str | None) -> str:
    if output is None:
        return "timeout"
    if re.search("^skipped: ", output, re.MULTILINE):
        return "skipped"
    counts = [int(errors or hazards) for errors, hazards in SUMMARY.findall(output)]
    if not counts:
        return "failed"
    return f"reported: {max(counts)}" if any(counts) else "clean"


def kinds_of(output: str | None) -> set[str]:
    """Of what the SIMT machine reports in a run; a wrong result, if it reports nothing."""
    if output is None:
        return {"timeout"}
    said = [line for line in output.splitlines() if line.startswith(MACHINE)]
    kinds = {next((kind for text, kind in SAID.items() if text in line), "other") for line in said}
    if "race" in kinds:  # what a race writes may be there already, in some orders
        kinds.discard("same_value")
    return kinds if kinds or output.endswith("the result is right\n") else {"wrong_result"}


def check_on_machine(arguments: argparse.Namespace) -> list[dict[str, str]]:
    """One row per program, with what the machine finds in each build under any seed."""
    folder, machine = arguments.binary.parent, arguments.simt.resolve()
    programs = programs_of(arguments.binary, machine)
    print(f"hazards   {len(programs)} programs, {len(BUILDS)} builds, on the SIMT machine", flush=True)

    def run(task: tuple[dict, str]) -> str:
        program, build = task
        found = set()
        for seed in SEEDS:
            command = [machine, "--seed", str(seed), folder / BUILDS[build], program["name"]]
            found |= kinds_of(output_of(command, arguments.seconds))
        return " ".join(sorted(found)) or "clean"

    tasks = list(itertools.product(programs, BUILDS))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(((task[0]["name"], task[1]) for task in tasks), pool.map(run, tasks), strict=True))
    return [program | {build: found[program["name"], build] for build in BUILDS} for program in programs]


def check(arguments: argparse.Namespace) -> list[dict[str, str]]:
    """One row per program, with the verdict of each tool."""
    programs = programs_of(arguments.binary)
    print(f"hazards   {len(programs)} programs, {len(TOOLS)} tools, {sanitizer()}", flush=True)

    def run(task: tuple[dict, str]) -> str:
        program, tool = task
        # A failed call of the API is no finding of the tool.
        command = [sanitizer(), "--tool", tool, "--report-api-errors", "no"]
        output = output_of([*command, arguments.binary, program["name"]], arguments.seconds)
        found = verdict(output)
        if found == "failed":
            print(f"hazards   {program['name']}, {tool}: {output.strip()[-300:]}", file=sys.stderr)
        return found

    with ThreadPoolExecutor(arguments.workers) as pool:
        found = list(pool.map(run, itertools.product(programs, TOOLS)))
    rows = [found[i : i + len(TOOLS)] for i in range(0, len(found), len(TOOLS))]
    return [program | dict(zip(TOOLS, row, strict=True)) for program, row in zip(programs, rows, strict=True)]


def record(arguments: argparse.Namespace) -> None:
    started = time.monotonic()
    arguments.binary = arguments.binary.resolve()
    machine = "simt" if arguments.simt else recording.slug(recording.ask_gpu("name"))
    target = arguments.out / machine / "hazards.csv"
    rows = check_on_machine(arguments) if arguments.simt else check(arguments)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(".hazards.csv.part")
    with part.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    part.replace(target)
    print(f"hazards   {len(rows)} programs in {time.monotonic() - started:.0f} s, in {target}")
    failed = [row["name"] for row in rows if "failed" in row.values()]
    if failed:
        raise RecordError(f"a tool gave no summary of: {', '.join(failed)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    option = parser.add_argument
    option("--binary", type=Path, default=recording.ROOT / "build/gpu/tests/hazards", help="the GPU binary")
    option("--simt", type=Path, metavar="SIMT-RUN", help="on the SIMT machine, which this program runs")
    option("--out", type=Path, default=recording.ROOT / "results", help="folder in which <gpu>/ is written")
    option("--workers", type=int, default=8, help="processes that run at a time")
    option("--seconds", type=float, default=30, help="time limit of a process")
    arguments = parser.parse_args()
    return recording.run(lambda: record(arguments))


if __name__ == "__main__":
    sys.exit(main())
