"""Run the bench of small programs under compute-sanitizer, into results/<gpu>/hazards.csv; or with --simt on
the SIMT machine, into results/simt/hazards.csv.

Needs the binary `hazards` (of simt/test/hazards), and NVIDIA's compute-sanitizer on a GPU. Every program
runs once under each of its tools, in a process of its own. A cell is "clean", "reported: <n>" (errors, or
hazards of racecheck), "timeout", "skipped" (the program would hang a GPU), or "failed" (the tool gave no
summary).

The SIMT machine runs the optimised program and `hazards_unoptimised`, each under several seeds. A cell is
"clean", or the kinds of what it reports.

Other binaries than `hazards` are given with --binary, and the name of their table with --table. Such a binary
prints name, kind and expected finding of its programs for `--list`, as CSV, and runs the one that is named.
For the SIMT machine there is BINARY_unoptimised, too, and a program ends with the line "the result is right".
"""

import argparse
import csv
import hashlib
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

from experiments.record import recording
from experiments.record.recording import RecordError

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
    "an atomicCAS checks what was read": "first_read",
    "data race": "race",
    "missing fence": "missing_acquire",
    "uninitialised read": "uninitialised_read",
    "divergent barrier": "divergent_barrier",
    "divergent warp": "divergent_warp",
    "deadlock": "deadlock",
    "the host accesses memory of the device": "host_access",
    "nobody looks at the error": "ignored_error",
    "at the cluster's barrier": "divergent_barrier",
    "of its cluster is accessed": "block_lifetime",
    "is misaligned": "misaligned",
    "an illegal address": "out_of_bounds",
    "of shared memory is accessed": "out_of_bounds",
    "is accessed, in a cluster of": "out_of_bounds",
    "holds no mbarrier": "misuse",
}
# Of each column of the table: what the binary's name ends with, and the environment.
BUILDS = {"optimised": ("", {}), "unoptimised": ("_unoptimised", {})}
WEAK = {"volatile_weak": ("", {"SIMT_VOLATILE_IS_WEAK": "1"})}
STEP = 20  # seconds between two lines that say how far it is


def programs_of(binary: Path, only: str, *runner: Path) -> list[dict[str, str]]:
    """The programs that the binary lists, if their name has the pattern in it: name, kind, expected."""
    if not binary.exists():
        raise RecordError(f"there is no {binary}")
    try:
        listed = subprocess.run(
            [*runner, binary, "--list"], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise RecordError(f"{binary} lists no programs: {error}") from None
    return [row for row in csv.DictReader(listed.splitlines()) if re.search(only, row["name"])]


def output_of(command: list, seconds: float, **environment: str) -> str | None:
    """What a command prints; None if it takes longer, and then its whole process group is killed."""
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | environment,
        start_new_session=True,
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
    said = [line for line in said if not line.startswith(f"{MACHINE}hint: ")]
    said = [line for line in said if "the launch is refused" not in line]  # its error is looked at, or is not
    kinds = {next((kind for text, kind in SAID.items() if text in line), "other") for line in said}
    if "race" in kinds:  # what a race writes may be there already, in some orders
        kinds.discard("same_value")
    return kinds if kinds or output.endswith("the result is right\n") else {"wrong_result"}


def outputs(arguments: argparse.Namespace, column: str, binary: Path, name: str) -> list[str | None]:
    """What the machine prints of a program, under each seed."""
    suffix, environment = (BUILDS | WEAK)[column]
    command = [arguments.simt.resolve(), "--seed", "", f"{binary}{suffix}", name]
    printed = []
    for seed in range(arguments.seeds):
        command[2] = str(seed)
        printed.append(output_of(command, arguments.seconds, **environment))
    return printed


def found_in(printed: list[str | None]) -> str:
    """What the machine finds in a program under any seed."""
    found = set().union(*map(kinds_of, printed))
    if len(found) > 1:  # a wrong result is what comes of a fault, in some orders
        found.discard("wrong_result")
    if "race" in found:
        found -= {"same_value", "first_read"}
    return " ".join(sorted(found)) or "clean"


def on_machine(arguments: argparse.Namespace, column: str, binary: Path, name: str) -> str:
    return found_in(outputs(arguments, column, binary, name))


def under_tool(arguments: argparse.Namespace, tool: str, binary: Path, name: str) -> str:
    """The verdict of one of the sanitizer's tools. A failed call of the API is no finding of it."""
    command = [sanitizer(), "--tool", tool, "--report-api-errors", "no", binary, name]
    output = output_of(command, arguments.seconds)
    found = verdict(output)
    if found == "failed":
        print(f"{arguments.table:9} {name}, {tool}: {output.strip()[-300:]}", file=sys.stderr)
    return found


class Journal:
    """Verdicts that are known; of those in a file, if one is given, those of these files and options."""

    def __init__(self, path: Path | None, files: Iterable[Path], options: str) -> None:
        self.path, self.known, self.lock = path, {}, Lock()
        if path:
            content = b"".join(each.read_bytes() for each in files)
            self.digest = hashlib.sha256(content + options.encode()).hexdigest()
            lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
            words = (line.split("\t") for line in lines)
            self.known = {each[1]: each[2] for each in words if len(each) == 3 and each[0] == self.digest}

    def add(self, task: str, found: str) -> None:
        self.known[task] = found
        if self.path and not {"timeout", "failed"} & set(found.split()):
            with self.lock, self.path.open("a", encoding="utf-8") as file:
                file.write(f"{self.digest}\t{task}\t{found}\n")


def check(arguments: argparse.Namespace) -> list[dict[str, str]]:
    """One row per program, with the verdict of each tool, or of each build on the SIMT machine."""
    machine = [arguments.simt.resolve()] if arguments.simt else []
    columns = list(BUILDS | (WEAK if arguments.volatile_weak else {})) if machine else TOOLS
    only = arguments.only
    rows = [(binary, row) for binary in arguments.binary for row in programs_of(binary, only, *machine)]
    if not rows:
        raise RecordError(f"no program is called {only}")
    tasks = list(itertools.product(rows, columns))
    files = [Path(f"{binary}{suffix}") for binary in arguments.binary for suffix, _ in BUILDS.values()]
    files += [*machine, *(path.with_name("libcudart.so.13") for path in machine)]
    journal = Journal(arguments.journal, filter(Path.exists, files), f"{arguments.seeds} {arguments.seconds}")
    where = "on the SIMT machine" if machine else sanitizer()
    print(f"{arguments.table:9} {len(rows)} programs, each in {len(columns)} ways, {where}", flush=True)

    def run(task: tuple[tuple[Path, dict], str]) -> str:
        (binary, row), column = task
        key = f"{binary.name} {row['name']} {column}"
        if key not in journal.known:
            one = on_machine if machine else under_tool
            journal.add(key, one(arguments, column, binary, row["name"]))
        return journal.known[key]

    before, started, said, found = len(journal.known), time.monotonic(), time.monotonic(), []
    pool = ThreadPoolExecutor(os.cpu_count() if machine else arguments.workers)
    try:
        for each in pool.map(run, tasks):
            found.append(each)
            now, run_here = time.monotonic(), len(journal.known) - before
            if now - said > STEP and run_here:
                left = (now - started) / run_here * (len(tasks) - len(found))
                print(
                    f"{arguments.table:9} {len(found)} of {len(tasks)}, about {left:.0f} s left", flush=True
                )
                said = now
    finally:
        pool.shutdown(cancel_futures=True)
    ways = len(columns)
    return [
        row | dict(zip(columns, found[i * ways : (i + 1) * ways], strict=True))
        for i, (_, row) in enumerate(rows)
    ]


def record(arguments: argparse.Namespace) -> None:
    started = time.monotonic()
    arguments.binary = [binary.resolve() for binary in arguments.binary]
    machine = "simt" if arguments.simt else recording.slug(recording.ask_gpu("name"))
    target = arguments.out / machine / f"{arguments.table}.csv"
    rows = check(arguments)
    recording.write_table(target, rows)
    print(f"{arguments.table:9} {len(rows)} programs in {time.monotonic() - started:.0f} s, in {target}")
    failed = [row["name"] for row in rows if "failed" in row.values()]
    if failed:
        raise RecordError(f"a tool gave no summary of: {', '.join(failed)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    option = parser.add_argument
    binary = recording.ROOT / "build/gpu/tests/hazards"
    option("--binary", type=Path, nargs="+", default=[binary], help="the GPU binaries")
    option("--table", default="hazards", help="name of the table")
    option("--only", default="", metavar="PATTERN", help="only programs with it in their name (see --out)")
    option("--simt", type=Path, metavar="SIMT-RUN", help="on the SIMT machine, which this program runs")
    option("--seeds", type=int, default=4, help="with --simt: schedules of each program; see simt-run --help")
    option("--volatile-weak", action="store_true", help="with --simt: also with volatile as in C++")
    option("--journal", type=Path, help="file of verdicts, by which an interrupted run goes on")
    option("--out", type=Path, default=recording.ROOT / "results", help="folder in which <gpu>/ is written")
    option("--workers", type=int, default=8, help="processes that run at a time")
    option("--seconds", type=float, default=30, help="time limit of a process")
    arguments = parser.parse_args()
    return recording.run("hazards", lambda: record(arguments))


if __name__ == "__main__":
    sys.exit(main())
