"""Runs CUDA programs of others on the SIMT machine: NVIDIA's samples, and examples of CUB and Thrust.

    python -m simt.test.samples.run --from SOURCES                 run samples.csv, then plant planted.csv
    python -m simt.test.samples.run --from SOURCES --build FOLDER  compile for a GPU, for counters.py

Writes results/simt/samples.csv, a row a program; samples.findings.csv, a row for each line at fault, with
what judged.csv says of it; samples.launches.csv, a row for the first launch of each kernel and shape;
planted.csv.
SOURCES is a folder of yours with NVIDIA's `cuda-samples` and `cccl`; the tables are of v13.0 and v3.0.1. What
has not changed since it ran is not run again.

A program whose sizes are constants and take hours here runs at smaller ones: column `smaller` of samples.csv,
`<file>: <text> -> <text>; ..`, says which texts of one file are replaced, each of which is there once. The
program's name says it, too.
"""

import argparse
import contextlib
import csv
import itertools
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from experiments.record.recording import write_table
from simt.try_cuda import TryError
from simt.try_cuda.build import MACHINE, OPTIMISED, Options, build, digest, digest_of, need_machine, nvcc
from simt.try_cuda.quantities import QUANTITIES, conflicts

ROOT = Path(__file__).resolve().parents[3]
CACHE, RESULTS = ROOT / "build/samples", ROOT / "results/simt"
OPTIONS = {"cuda-samples": ["-std=c++17", "-rdc=true"], "cccl": ["-std=c++17"]}
# Folders that they include, the first by -I.
HEADERS = {"cuda-samples": ["Common"], "cccl": ["c2h/include", "cub/test"]}
COUNTED = ["warp_instructions", "thread_instructions", "shared_load_requests", "shared_store_requests"]
COUNTED += ["shared_load_wavefronts", "shared_store_wavefronts", "bank_conflicts", "global_load_sectors"]
COUNTED += ["global_store_sectors", "branches", "divergent_branches", "barriers"]
KINDS = {
    "race": "data race",
    "missing_acquire": "missing fence",
    "data race, of writes of one value": "same value",
}
SAID = re.compile(
    r"try: (?P<text>.*?: (?P<file>[\w.]+):(?P<line>\d+): "
    r"(?P<hazard>data race(?:, of writes of one value)?|missing fence|uninitialised read|divergent \w+).*)"
)


@dataclass(frozen=True)
class Program:
    name: str
    folder: str  # <repository>/<path in it>
    sources: list[str]
    arguments: list[str]
    options: list[str]  # of simt/try
    smaller: str  # <file>: <text> -> <text>; ..; empty if it runs unmodified

    @property
    def binary(self) -> str:
        return self.name.split()[0]

    @property
    def repository(self) -> str:
        return self.folder.split("/")[0]

    def flags(self, sources: Path) -> list[str]:
        """Of the compiler."""
        headers = sources / self.repository / HEADERS[self.repository][0]
        return [*OPTIONS[self.repository], f"-I{headers}", *self.options]


def read(name: str) -> list[dict[str, str]]:
    with Path(__file__).with_name(name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def programs(pattern: str = "") -> list[Program]:
    """Those whose name contains the regular expression, in the order of the list."""
    rows = [list(row.values()) for row in read("samples.csv") if re.search(pattern, row["program"])]
    return [
        Program(name, folder, *map(shlex.split, words), smaller) for name, folder, *words, smaller in rows
    ]


def first_of_each_shape(rows: Iterable[dict]) -> list[dict]:
    """Of launches in their order, the first of each kernel, grid and block."""
    found: dict[tuple, dict] = {}
    for row in rows:
        found.setdefault((row["kernel"], row["grid"], row["block"]), row)
    return list(found.values())


def need_sources(chosen: list[Program], sources: Path) -> None:
    for program in chosen:
        for source in program.sources:
            path = sources / program.folder / source
            if not path.is_file():
                raise TryError(f"{program.name}: {path} is not there: another version of the samples?")


def copied(program: Program, sources: Path, to: Path) -> Path:
    """A folder of sources that has this program, to be changed."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(sources / program.folder, to / program.folder)
    for headers in HEADERS[program.repository][:1]:
        (to / program.repository / headers).symlink_to(sources / program.repository / headers)
    return to


def prepared(program: Program, sources: Path) -> Path:
    """The sources; of a program that runs at smaller sizes, a copy with them."""
    if not program.smaller:
        return sources
    sources = copied(program, sources, CACHE / "smaller" / digest(program.name))
    file, _, changes = program.smaller.partition(": ")
    path = sources / program.folder / file
    text = path.read_text(encoding="utf-8")
    for before, _, after in (change.partition(" -> ") for change in changes.split("; ")):
        if (times := text.count(before)) != 1:
            raise TryError(
                f"{path}: '{before}' is there {times} times, not once: another version of the samples?"
            )
        text = text.replace(before, after)
    path.write_text(text, encoding="utf-8")
    return sources


def attempt(program: Program, sources: Path, limit: float, *options: str) -> dict:
    """What simt/try --json writes of the program, with `status`, `said` and `seconds`."""
    folder = sources / program.folder
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in (".cu", ".cuh", ".h", ".cpp")]
    machine = [MACHINE, MACHINE.with_name("libcudart.so.13")]
    kept = CACHE / f"{digest(program, limit, *options, nvcc(), *map(digest_of, [*machine, *files]))}.json"
    if not kept.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            out, start = Path(scratch) / "out.json", time.monotonic()
            command = [
                ROOT / "simt/try",
                *program.sources,
                *program.flags(sources),
                "--json",
                out,
                f"--limit={limit:g}",
                *options,
            ]
            done = subprocess.run(
                [*command, "--", *program.arguments], cwd=folder, capture_output=True, check=False
            )
            said = [
                line for line in done.stderr.decode(errors="replace").splitlines() if line.startswith("try: ")
            ]
            content = (
                json.loads(out.read_text(encoding="utf-8"))
                if out.exists()
                else {"launches": [], "findings": []}
            )
            content |= {"ends": done.returncode, "said": said, "seconds": round(time.monotonic() - start)}
            out.write_text(json.dumps(content), encoding="utf-8")
            out.replace(kept)
    return json.loads(kept.read_text(encoding="utf-8"))


def findings_of(content: dict) -> list[dict]:
    """A program that crashes leaves no table of findings: then, what was said of them."""
    said = map(SAID.match, content["said"])
    return content["findings"] or [line.groupdict() for line in said if line]


def place(finding: dict) -> str:
    """<file>:<line>: <what>"""
    kind = KINDS.get(finding["hazard"], finding["hazard"].replace("_", " "))
    return f"{Path(finding['file']).name}:{finding['line']}: {kind}"


def finding_rows(program: Program, content: dict, judged: list[dict[str, str]]) -> list[dict[str, str]]:
    """A row for each line at fault: in which of the two programs it was found, and whose fault it is."""
    found: dict[str, set[str]] = {}
    for finding in content["findings"]:
        found.setdefault(place(finding), set()).add(finding["program"])
    rows = []
    for (file, line, kind), where in ((text.split(":"), found[text]) for text in sorted(found)):
        row = {"program": program.name, "file": file, "line": line, "found": kind.strip()}
        row["in"] = where.pop() if len(where) == 1 else "both"
        said = [each for each in judged if (each["file"], each["found"]) == (file, row["found"])]
        rows.append(row | {name: said[0][name] if said else "" for name in ("wrong", "why")})
    return rows


def ended(content: dict) -> str:
    """Has the program found its own results right?"""
    if content.get("stopped"):
        return "stopped"
    return "yes" if content.get("status") == 0 and content["launches"] else "no"


def row_of(program: Program, content: dict) -> dict[str, object]:
    total = sum((Counter(launch["total"]) for launch in content["launches"]), Counter())
    row = {"program": program.name, "kernels": len({launch["kernel"] for launch in content["launches"]})}
    row |= {"launches": len(content["launches"])}
    row |= {each.name: round(each.of(total)) for each in QUANTITIES if each.name != "lanes"}
    return row | {"passed": ended(content), "seconds": content["seconds"]}


def launch_row(program: Program, launch: dict) -> dict[str, object]:
    """The quantities of one launch as the GPU counts them."""
    counts = Counter(launch["total"])
    row = {"program": program.name, "kernel": launch["kernel"].split("<")[0].split("::")[-1]}
    row |= {name: "x".join(map(str, launch[name])) for name in ("grid", "block")}
    counts["bank_conflicts"] = conflicts(counts)
    return row | {name: counts[name] for name in COUNTED}


def write(path: Path, rows: list[dict], chosen: list[Program]) -> None:
    """Into a table, in the place of the rows of the programs that were run, in the order of the list."""
    order = [program.name for program in programs()]
    names = {program.name for program in chosen}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            rows = rows + [row for row in csv.DictReader(file) if row["program"] in set(order) - names]
    if rows:
        write_table(path, sorted(rows, key=lambda row: order.index(row["program"])))


def run(chosen: list[Program], sources: Path, limit: float, out: Path) -> bool:
    """Run the programs and write their tables. True if all end as they should, each finding judged."""
    judged, is_right = read("judged.csv"), True
    for number, program in enumerate(chosen, 1):
        content = attempt(program, prepared(program, sources), limit)
        row = row_of(program, content)
        found = finding_rows(program, content, judged)
        launches = [launch_row(program, each) for each in content["launches"] if not each["refused"]]
        write(out / "samples.csv", [row], [program])
        write(out / "samples.findings.csv", found, [program])
        write(out / "samples.launches.csv", first_of_each_shape(launches), [program])
        unknown = ["{file}:{line}: {found}".format(**each) for each in found if not each["why"]]
        is_right &= not unknown and row["passed"] == "yes"
        said = f"{row['launches']:,} launches, {row['seconds']:,} s, passed: {row['passed']}"
        said += f", {len(found)} lines at fault" if found else ""
        print(f"samples   {number} of {len(chosen)}, {program.name}: {said}", flush=True)
        for line in content["said"] if row["passed"] == "no" else unknown:
            print(f"          {line}", flush=True)
    return is_right


def plant(row: dict[str, str], folder: Path) -> None:
    path = folder / row["file"]
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    number = int(row["line"]) - 1
    if row["text"] not in lines[number]:
        raise TryError(f"{path}:{row['line']}: no '{row['text']}' there: another version of the samples?")
    lines[number] = lines[number].replace(row["text"], row["instead"])
    path.write_text("".join(lines), encoding="utf-8")


def run_planted(chosen: list[Program], sources: Path, limit: float, out: Path) -> bool:
    """Change one line of a program at a time: it must be found, and not in the unchanged program."""
    by_name, is_right = {program.name: program for program in chosen}, True
    for name, faults in itertools.groupby(read("planted.csv"), lambda row: row["program"]):
        rows = []
        for row in faults if name in by_name else ():
            program = by_name[name]
            unchanged = prepared(program, sources)
            scratch = copied(program, unchanged, CACHE / "planted" / digest(*row.values()))
            plant(row, scratch / program.folder)
            clean, planted = (findings_of(attempt(program, folder, limit)) for folder in (unchanged, scratch))
            known = {each["text"].split(", block")[0] for each in clean}
            said = [each for each in planted if each["text"].split(", block")[0] not in known]
            is_found = any(re.search(row["expected"], each["text"]) for each in said)
            rows.append({key: row[key] for key in ("program", "file", "line", "fault")})
            rows[-1] |= {
                "found": "yes" if is_found else "no",
                "says": "; ".join(dict.fromkeys(map(place, said))),
            }
            print("planted   {file}:{line}, {fault}: found: {found}".format(**rows[-1]), flush=True)
            is_right &= is_found
        if rows:
            write(out / "planted.csv", rows, [by_name[name]])
    return is_right


def compile_for_gpu(chosen: list[Program], sources: Path, to: Path) -> None:
    """The very programs that the machine runs, and the runtime that they need on a GPU."""
    to.mkdir(parents=True, exist_ok=True)
    for program in {program.binary: program for program in chosen}.values():
        folder = prepared(program, sources) / program.folder
        files = [folder / source for source in program.sources]
        with contextlib.chdir(folder):
            shutil.copy2(build(files, Options(others=program.flags(sources)), OPTIMISED), to / program.binary)
        print(f"samples   {program.binary}", flush=True)
    for library in nvcc().resolve().parents[1].glob("**/libcudart.so.13"):
        shutil.copy2(library, to)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    add = parser.add_argument
    add("--from", dest="sources", type=Path, required=True, help="folder with cuda-samples and cccl")
    add("--out", type=Path, default=RESULTS, help="folder of the tables (default: results/simt)")
    add("--only", metavar="REGEX", default="", help="programs whose name contains this")
    add("--limit", type=float, default=600, help="seconds of each run (default: 600)")
    add("--build", type=Path, metavar="FOLDER", help="only compile them for a GPU, into this folder")
    options = parser.parse_args()
    chosen = programs(options.only)
    try:
        need_machine()
        sources = options.sources.resolve()
        need_sources(chosen, sources)
        if options.build:
            compile_for_gpu(chosen, sources, options.build.resolve())
            return 0
        options.out.mkdir(parents=True, exist_ok=True)
        is_right = run(chosen, sources, options.limit, options.out)
        return 0 if run_planted(chosen, sources, options.limit, options.out) and is_right else 1
    except TryError as error:
        print(f"samples   {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
