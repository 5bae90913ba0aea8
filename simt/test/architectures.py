"""Programs on every architecture that the machine can be: `make architectures`.

    python -m simt.test.architectures [--only SET ..] [--scor FOLDER --indigo FOLDER] [--samples FOLDER]

Each is compiled by nvcc for every architecture, optimised and unoptimised (-G), and runs on the machine as a
GPU of that architecture. Sets:

    agreement   the programs of agreement/, which check what they compute
    kernels     the tests of kernels/test that make test runs, optimised alone, with checks for hazards
    fuzz        random kernels, in their six builds, against what Python computes
    suites      ScoR's programs and every tenth of Indigo's (suites/build.py): the verdict is sm_90's
    samples     those that took at most SHORT seconds on sm_90: right, and nothing is found that is not
                found on sm_90, or judged to be the sample's fault

Writes results/simt/architectures.csv, a row for a set, an architecture and a build: how many are right; are
refused by name, or skip themselves; do not compile, as nvcc says; are wrong. Of all but the first,
architectures.other.csv says which and why. Sets whose sources are not given keep their rows. What has run is
kept in build/architectures.
"""

import argparse
import csv
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from experiments.record.recording import write_table
from simt.test import programs
from simt.test.fuzz.build import BATCH, WAYS
from simt.test.fuzz.generate import draw
from simt.test.fuzz.judge import UNBUILT, Failure, judge
from simt.test.samples import run as samples
from simt.try_cuda import TryError
from simt.try_cuda.build import (
    OPTIMISED,
    UNOPTIMISED,
    architectures,
    call,
    codes_of,
    digest,
    digest_of,
    nvcc,
)

ROOT = programs.ROOT
BUILD = ROOT / "build/architectures"
TABLE = ROOT / "results/simt/architectures.csv"
OTHER = ROOT / "results/simt/architectures.other.csv"
OUTCOMES = ("right", "refused", "not_compiled", "wrong")
BUILDS = {"optimised": OPTIMISED, "unoptimised": UNOPTIMISED}
NEWER = (75, 80, 90, 100)  # a program needs one of these or a later one
EVERY = 10  # of Indigo's programs one
SHORT = 9  # seconds of a sample
SECONDS = 600  # of a run
REFUSED = "is refused|the machine has no such"
FUZZED = 2 * BATCH  # programs
MACHINE = [programs.MACHINE, programs.MACHINE.with_name("libcudart.so.13")]


@dataclass(frozen=True)
class Found:
    set: str
    architecture: int
    build: str
    program: str
    outcome: str
    said: str = ""
    count: int = 1  # of the program's tests


def line_of(text: str, pattern: str) -> str:
    """The first line that matches, else the last."""
    lines = text.strip().splitlines() or [""]
    said = next((line for line in lines if re.search(pattern, line)), lines[-1]).strip()
    return re.sub(r"/\S*/", "", said.removeprefix("SIMT machine: "))[:200]  # files by their names


def kept(key: str, find: Callable[[], list[Found]]) -> list[Found]:
    """What was found, from the file of that name if it is there."""
    path = BUILD / "found" / f"{key}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps([asdict(each) for each in find()])
        path.with_suffix(".new").write_text(text, encoding="utf-8")
        path.with_suffix(".new").replace(path)
    return [Found(**row) for row in json.loads(path.read_text(encoding="utf-8"))]


def run(number: int, command: list[object], **environment: str) -> tuple[int, str]:
    words = [str(word) for word in [programs.MACHINE, "--arch", number, *command]]
    pipe = subprocess.PIPE
    try:
        done = subprocess.run(
            words,
            stdout=pipe,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
            env=os.environ | {"SIMT_CORES": "1"} | environment,
        )
    except subprocess.TimeoutExpired:
        return 1, f"not ended after {SECONDS} s"
    return done.returncode, done.stdout


def judged(status: int, printed: str) -> tuple[str, str]:
    """The outcome of a run, and what was said of it."""
    if status == 0:
        return "right", ""
    said = line_of(printed, "SIMT machine: (?!hint)")
    return ("refused" if re.search(REFUSED, printed) else "wrong"), said


def compile_for(numbers: list[int], source: Path, way: list[str], to: Path) -> dict[int, str]:
    """Compile a program for as many as nvcc can. Of the others, what it says."""
    lacking: dict[int, str] = {}
    for least in NEWER:
        some = [number for number in numbers if number >= least]
        flags = ["-std=c++17", "-cudart=shared", f"-I{ROOT}", "-Xptxas=-w", *way, *codes_of(some)]
        try:
            call([*flags, "-o", to, source])
        except TryError as error:
            said = line_of(str(error), "error")
            lacking |= {number: said for number in some}
        else:
            return {number: said for number, said in lacking.items() if number < least}
    return lacking


def agreement(numbers: list[int]) -> Iterator[Callable[[], list[Found]]]:
    def one(source: Path, build: str) -> list[Found]:
        (BUILD / "agreement").mkdir(parents=True, exist_ok=True)
        program, found = BUILD / "agreement" / f"{source.stem}.{build}", []
        lacking = compile_for(numbers, source, BUILDS[build], program)
        for number in numbers:
            outcome, said = "not_compiled", lacking.get(number, "")
            if number not in lacking:
                outcome, said = judged(*run(number, ["--counts-only", program]))
            found.append(Found("agreement", number, build, source.stem, outcome, said))
        program.unlink(missing_ok=True)
        return found

    headers = [programs.HERE / "agreement/check.h"]
    for source in sorted((programs.HERE / "agreement").rglob("*.cu")):
        for build, way in BUILDS.items():
            key = digest("agreement", nvcc(), *numbers, *way, *map(digest_of, [*MACHINE, *headers, source]))
            yield lambda source=source, build=build, key=key: kept(key, lambda: one(source, build))


def tests_of_kernels() -> list[str]:
    """Those that make test builds."""
    left = re.compile("^// (Left to make test-rest|Needs a GPU)", re.MULTILINE)
    files = sorted((ROOT / "kernels/test").glob("*.cu"))
    return [path.stem for path in files if not left.search(path.read_text(encoding="utf-8"))]


def build_tests(numbers: list[int]) -> tuple[Path, str]:
    """The folder of the tests, and what ninja printed."""
    folder = BUILD / "kernels"
    environment = {"BUILD_FOLDER": folder, "BUILD_ARCHITECTURES": ";".join(map(str, [*numbers, 90]))}
    environment |= {
        "BUILD_OPTIONS": f"-DTESTED_ARCHITECTURES={';'.join(f'{number}-real' for number in numbers)}"
    }
    targets = [f"test_kernels_{name}" for name in tests_of_kernels()]
    done = subprocess.run(
        [ROOT / ".setup/build.sh", "-k", "0", *targets],
        env=os.environ | {name: str(value) for name, value in environment.items()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    for name in tests_of_kernels():  # one of an earlier build does not stand for it
        if re.search(rf"^FAILED: .*test_kernels_{name}\b", done.stdout, re.MULTILINE):
            (folder / f"tests/test_kernels_{name}").unlink(missing_ok=True)
    return folder / "tests", done.stdout


def tests_that(printed: str, what: str) -> int:
    said = re.search(rf"\[  {what} \] (\d+) test", printed)
    return int(said[1]) if said else 0


def kernels(numbers: list[int]) -> Iterator[Callable[[], list[Found]]]:
    def one(name: str, number: int, program: Path, printed: str) -> list[Found]:
        build = "optimised"
        if not program.exists():
            said = line_of(printed, rf"{name}.*error|error.*{name}|error")
            return [Found("kernels", number, build, name, "not_compiled", said)]
        status, out = run(number, [program], SIMT_CHECKS="1", SIMT_DEVICES="2")
        outcome, said = judged(status, out)
        failed = line_of(out, r"^\[  FAILED  \] \w+[/.]") if outcome != "right" and "[  FAILED" in out else ""
        passed = tests_that(out, "PASSED ")
        bad = max(1, tests_that(out, "FAILED ")) if outcome != "right" else 0
        found = [Found("kernels", number, build, name, "right", "", passed)] if passed else []
        if skipped := tests_that(out, "SKIPPED"):
            found.append(Found("kernels", number, build, name, "refused", line_of(out, "needs sm_"), skipped))
        if bad:
            found.append(Found("kernels", number, build, name, outcome, f"{failed} {said}".strip(), bad))
        return found

    folder, printed = build_tests(numbers)
    for number, name in itertools.product(numbers, tests_of_kernels()):
        program = folder / f"test_kernels_{name}"
        key = digest("kernels", number, *map(digest_of, [*MACHINE, program]))
        task = (name, number, program, printed)
        yield lambda task=task, key=key: kept(key, lambda: one(*task))


def fuzz(numbers: list[int]) -> Iterator[Callable[[], list[Found]]]:
    def one(number: int, names: list[str]) -> list[Found]:
        drawn = [draw(name, f"kernel_{k}", number) for k, name in enumerate(names)]
        failures = judge([each for each, _ in drawn], [words for _, words in drawn], number, list(WAYS))
        failures = sorted(reversed(failures), key=lambda each: each.kind not in UNBUILT)
        first = {each.kernel: each for each in failures}  # of each kernel: of a build, if one has failed
        return [of_kernel(number, name, first.get(k)) for k, name in enumerate(names)]

    def of_kernel(number: int, name: str, failure: Failure | None) -> Found:
        if failure is None:
            return Found("fuzz", number, "six", name, "right")
        if failure.kind in UNBUILT:
            return Found("fuzz", number, "six", name, "not_compiled", line_of(failure.message, "error"))
        said = f"{failure.way}: {line_of(failure.message, '.')}"
        return Found("fuzz", number, "six", name, "wrong", said)

    for number in numbers:
        for turn in range(FUZZED // BATCH):
            seed = f"sm_{number}-{turn}"
            key = digest("fuzz", number, seed, *map(digest_of, MACHINE))
            names = [f"{seed}.{k}" for k in range(BATCH)]
            yield lambda number=number, names=names, key=key: kept(key, lambda: one(number, names))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def suites(numbers: list[int], scor: Path, indigo: Path) -> Iterator[Callable[[], list[Found]]]:
    folder = BUILD / "suites"
    command = [sys.executable, "-m", "simt.test.suites.build", "--scor", scor, "--indigo", indigo]
    command += ["--every", EVERY, "--out", folder, "--arch", *numbers]
    subprocess.run(list(map(str, command)), cwd=ROOT, check=True)
    known = {row["name"]: row for row in rows(ROOT / "results/simt/suites.csv")}

    def one(number: int, binary: str) -> list[Found]:
        with tempfile.TemporaryDirectory() as out:
            record = [sys.executable, "-m", "simt.test.hazards.record", "--simt", programs.MACHINE]
            record += ["--binary", folder / binary, "--table", "suites", "--out", out]
            environment = os.environ | {"SIMT_ARCH": str(number)}
            subprocess.run(
                list(map(str, record)), cwd=ROOT, check=True, env=environment, stdout=subprocess.DEVNULL
            )
            verdicts = rows(Path(out) / "simt/suites.csv")
        found = []
        for row in verdicts:
            for build in BUILDS:
                wanted = known[row["name"]][build]
                said = "" if row[build] == wanted else f"{row[build]}; on sm_90 {wanted}"
                outcome = "wrong" if said else "right"
                found.append(Found("suites", number, build, row["name"], outcome, said))
        return found

    for binary in ("scor", "indigo"):
        own = scor.glob("microbenchmarks/src/*") if binary == "scor" else folder.glob("sources/**/*.cu")
        sources = sorted([*own, *folder.glob(f"{binary}_*.cu"), *(programs.HERE / "suites").glob("*.*")])
        for number in numbers:
            key = digest("suites", binary, number, nvcc(), *map(digest_of, [*MACHINE, *sources]))
            yield lambda number=number, binary=binary, key=key: kept(key, lambda: one(number, binary))


def of_samples(numbers: list[int], folder: Path) -> Iterator[Callable[[], list[Found]]]:
    """What is found in one on sm_90, too, or judged to be the sample's own fault, is right."""
    on_90 = ROOT / "results/simt"
    short = {row["program"] for row in rows(on_90 / "samples.csv") if int(row["seconds"]) <= SHORT}
    judged = {
        (row["file"], row["found"]) for row in samples.read("judged.csv") if row["wrong"] == "the sample"
    }

    def one(program: samples.Program) -> list[Found]:
        sources = samples.prepared(program, folder)  # one folder for all architectures
        said = {number: samples.attempt(program, sources, SECONDS, f"--arch={number}", "--seeds=1")
                for number in (90, *numbers)}  # fmt: skip
        places = {
            number: {(row["file"], row["found"]) for row in samples.finding_rows(program, content, [])}
            for number, content in said.items()
        }
        known = judged | places[90]
        return [of_content(program.name, number, said[number], places[number] - known) for number in numbers]

    def of_content(name: str, number: int, content: dict, new: set[tuple[str, str]]) -> Found:
        texts = [*content["said"], *(each["text"] for each in content["findings"])]
        refusal = line_of("\n".join(texts), REFUSED)
        if re.search(REFUSED, refusal):
            return Found("samples", number, "both", name, "refused", refusal)
        if new:
            return Found("samples", number, "both", name, "wrong", ": ".join(min(new)))
        if samples.ended(content) == "yes":
            return Found("samples", number, "both", name, "right")
        outcome = "wrong" if content["launches"] else "not_compiled"
        return Found("samples", number, "both", name, outcome, line_of("\n".join(content["said"]), "error"))

    for program in (each for each in samples.programs() if each.name in short):
        yield lambda program=program: one(program)


def tidied(said: str) -> str:
    """Without what differs from run to run, or from build to build of one program."""
    said = re.sub(r"^ptxas \S+, line \d+; error\s+: ", "ptxas: ", said)
    said = re.sub(r"^(ptxas) .*: -(\d+)$", r"\1 is ended by signal \2", said)
    said = re.sub(r"^\w+\.cuh?\(\d+\): error: ", "nvcc: ", said)
    return re.sub(r", block \(.*", "", said)


def others_of(found: list[Found]) -> list[dict[str, object]]:
    """A row for a program and what is said of it: on which architectures, in which builds, how many tests."""
    said: dict[tuple, list[Found]] = {}
    for each in found:
        if each.outcome != "right":
            said.setdefault((each.set, each.program, each.outcome, tidied(each.said)), []).append(each)
    return [
        dict(zip(("set", "program", "outcome"), place[:3], strict=True))
        | {
            "architectures": " ".join(map(str, sorted({each.architecture for each in some}))),
            "builds": " ".join(sorted({each.build for each in some})),
            "count": sum(each.count for each in some),
            "said": place[3],
        }
        for place, some in sorted(said.items())
    ]


def written(found: list[Found], names: set[str]) -> None:
    """The tables; rows of other sets stay."""
    counts: Counter = Counter()
    for each in found:
        counts[each.set, each.architecture, each.build, each.outcome] += each.count
    places = sorted({place[:3] for place in counts})
    table = [
        {"set": place[0], "architecture": place[1], "build": place[2]}
        | {outcome: counts[(*place, outcome)] for outcome in OUTCOMES}
        for place in places
    ]
    for path, fresh in ((TABLE, table), (OTHER, others_of(found))):
        stay = [row for row in rows(path) if row["set"] not in names] if path.exists() else []
        write_table(path, sorted([*stay, *fresh], key=lambda row: row["set"]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    folders = {name: parser.add_argument(f"--{name}", type=Path) for name in ("scor", "indigo", "samples")}
    parser.add_argument("--only", nargs="+", default=[], metavar="SET", help="these sets alone")
    options = parser.parse_args()
    given = {name: path.resolve() for name in folders if (path := getattr(options, name))}
    numbers = [number for number in architectures() if number != 90]
    sets = {"agreement": agreement, "kernels": kernels, "fuzz": fuzz}
    if {"scor", "indigo"} <= given.keys():
        sets["suites"] = lambda some: suites(some, given["scor"], given["indigo"])
    if "samples" in given:
        sets["samples"] = lambda some: of_samples(some, given["samples"])
    if unknown := set(options.only) - set(sets):
        parser.error(
            f"{', '.join(sorted(unknown))}: sets here are {', '.join(sets)}; others need their sources"
        )
    sets = {name: each for name, each in sets.items() if name in options.only or not options.only}
    found: list[Found] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, tasks in sets.items():
            todo = list(tasks(numbers))
            for done, some in enumerate(pool.map(lambda task: task(), todo), 1):
                found += some
                if done % 20 == 0 or done == len(todo):
                    print(f"{name:9} {done} of {len(todo)}", flush=True)
    written(found, set(sets))
    wrong = [each for each in found if each.outcome == "wrong"]
    for each in wrong:
        print(f"{each.set:9} sm_{each.architecture} {each.build} {each.program}: {each.said}")
    return int(bool(wrong))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (TryError, OSError, subprocess.CalledProcessError) as error:
        print(f"architectures: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
