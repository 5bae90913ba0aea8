"""Mutation testing of kernels/ on the SIMT machine, into results/simt/mutants.csv:

    python -m kernels.test.mutants.run [FILE..]

One mutant at a time: a barrier, __syncwarp or fence removed, or < swapped for <=, see mutations.py.
nvcc compiles the tests that include a mutated file once, with all mutants in them, from a tree beside this
one. A run without a mutant says which mutants each test reaches; each mutant then runs the tests that reach
it, the quickest first, until one fails or the machine's checks find something. A mutant in a constant
expression is compiled by itself.

A mutant is killed, or survives; a survivor for which equivalent.csv has a reason is equivalent.
Exit status 1 if a mutant survives without a reason, or has one and is killed. What has been run is not run
again while the code of its file, the sources of the test that killed it (of a survivor: of all its tests) and
those of the machine stay the same.
"""

import argparse
import csv
import hashlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from kernels.test.mutants import mutations
from kernels.test.mutants.mutations import Mutation

ROOT = Path(__file__).resolve().parents[3]
COLUMNS = ("file", "line", "kind", "source", "mutant", "nth", "verdict", "by", "reason", "digest")
REASON_COLUMNS = ("file", "kind", "source", "mutant", "nth", "reason")
NOT_COMPILED = "does not compile"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
COMMENT = re.compile(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\])')|//[^\n]*|/\*.*?\*/""", re.DOTALL)
CODE = (".cu", ".cuh", ".h", ".cpp")
MACHINE = ("loader", "decode", "instructions", "run", "count", "order", "runtime")  # folders of simt/
OF_A_RUN = {"GPU_ARCH": "", "SIMT_LIMIT": "1200"}  # never on a GPU; seconds, if a program only waits
SECONDS = 10  # of processor time that every test has, besides ten times that without a mutant


class MutantsError(Exception):
    """Why mutants cannot be run, in one line."""


def say(text: str) -> None:
    print(f"mutants   {text}", flush=True)


def digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def code_of(text: str) -> str:
    """C++ without comments, and with single spaces."""
    return " ".join(COMMENT.sub(lambda found: found.group(1) or " ", text).split())


def write(path: Path, text: str) -> None:
    """Write a whole file or none; one that has this text already keeps its time."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


# --- Sources and tests --------------------------------------------------------------------------------


class Sources:
    """The files of the project, as include directives name them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._closures: dict[str, frozenset[str]] = {}
        machine = [path for part in MACHINE for path in sorted((root / "simt" / part).rglob("*.*"))]
        self.machine = digest(code_of(path.read_text(encoding="utf-8")) for path in machine)

    def text(self, file: str) -> str:
        return (self.root / file).read_text(encoding="utf-8")

    def included(self, file: str) -> frozenset[str]:
        """The project's files that this one includes, directly or not, and itself."""
        if file not in self._closures:
            seen, todo = set(), [file]
            while todo:
                each = todo.pop()
                if each not in seen and (self.root / each).is_file():
                    seen.add(each)
                    todo += INCLUDE.findall(self.text(each))
            self._closures[file] = frozenset(seen)
        return self._closures[file]

    def digest_of(self, mutation: Mutation, tests: Iterable["Test"]) -> str:
        """Of all on which a verdict depends: the mutant, the code of its file, the machine, these tests."""
        files = {file for test in tests for file in self.included(test.source)}
        others = sorted(
            file for file in files if file.startswith("kernels/test/") or not file.startswith("kernels/")
        )
        codes = [code_of(self.text(file)) for file in (mutation.file, *others)]
        return digest([*map(str, mutation.key), self.machine, *codes])


@dataclass(frozen=True)
class Test:
    """A program of tests, as ctest runs it."""

    name: str  # kernels/block_scans, kernels/scan_parts/others
    source: str  # kernels/test/block_scans.cu
    command: tuple[str, ...]
    environment: tuple[str, ...]

    @property
    def target(self) -> str:
        return f"test_{self.name.replace('/', '_')}"


@dataclass(frozen=True)
class Case:
    """A test: its processor time without a mutant, which mutants it reaches, and why it fails, if so."""

    test: str
    name: str
    seconds: float
    reached: tuple[int, ...]
    error: str = ""

    @property
    def label(self) -> str:
        return f"{self.test} {self.name}"


@dataclass(frozen=True)
class Outcome:
    killed: bool
    by: str = ""  # the test, and what it or the machine said


class Tree:
    """A copy of the project, whose kernels are others, and its build."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.source, self.build = root, folder / "tree", folder / "build"
        self.source.mkdir(parents=True, exist_ok=True)
        for path in root.iterdir():
            link = self.source / path.name
            if path.name not in ("build", "kernels", ".git") and not link.is_symlink():
                link.symlink_to(path)

    def write(self, changed: dict[str, str]) -> None:
        """The kernels; of those in `changed`, that text."""
        for path in (path for path in (self.root / "kernels").rglob("*") if path.is_file()):
            file = path.relative_to(self.root).as_posix()
            if path.suffix in CODE:
                write(self.source / file, changed.get(file) or path.read_text(encoding="utf-8"))
            elif not (self.source / file).is_symlink():
                (self.source / file).parent.mkdir(parents=True, exist_ok=True)
                (self.source / file).symlink_to(path)

    def configure(self) -> list[Test]:
        """The tests of kernels that need no GPU, in code of sm_90: kernels/<name>/sm_86 is left out.

        As if without optimisation: with all mutants in it a kernel keeps arrays in local memory, where what
        is read without need, and dropped, is a finding.
        """
        nvcc = self._output([self.root / ".setup/cuda.sh"]).strip()
        flags = "-w -D__CUDACC_DEBUG__"
        options = [
            f"-DCMAKE_CUDA_COMPILER={nvcc}",
            "-DCMAKE_CUDA_ARCHITECTURES=90",
            f"-DCMAKE_CUDA_FLAGS={flags}",
        ]
        places = ["-S", self.source, "-B", self.build, "-G", "Ninja"]
        self._output(["cmake", *places, *options])
        listed = json.loads(self._output(["ctest", "--test-dir", self.build, "--show-only=json-v1"]))
        sources = {path.stem: path.name for path in (self.root / "kernels/test").glob("*.c*")}
        found = []
        for each in listed["tests"]:
            folder, _, name = each["name"].removesuffix("/others").partition("/")
            if folder != "kernels" or name not in sources:
                continue
            if "--gpu" not in (command := tuple(each["command"])):
                settings = {one["name"]: one["value"] for one in each["properties"]}.get("ENVIRONMENT", [])
                found.append(Test(each["name"], f"kernels/test/{sources[name]}", command, tuple(settings)))
        return found

    def make(self, tests: Iterable[Test], jobs: int, *, quiet: bool = False) -> str:
        """What the compiler says if it fails, else ""."""
        command = ["ninja", "-C", self.build, f"-j{jobs}", *(test.target for test in tests)]
        environment = os.environ | {"NINJA_STATUS": "mutants   %f of %t: "}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            lines = []
            for line in process.stdout:
                lines.append(line)
                if not quiet and line.startswith("mutants "):
                    print(line, end="", flush=True)
        if process.returncode == 0:
            return ""
        return next((line.strip() for line in lines if "error" in line), lines[-1].strip())

    def _output(self, command: list) -> str:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise MutantsError((done.stderr.strip() or done.stdout.strip()).replace("\n", " "))
        return done.stdout


# --- Runs ---------------------------------------------------------------------------------------------


class Runs:
    """Runs of tests on the SIMT machine."""

    def __init__(self, root: Path) -> None:
        self.root, self.stopped = root, False

    def run(self, test: Test, case: str, seconds: float, **environment: str) -> tuple[int | None, str, float]:
        """Exit status, None if it took more processor time than this, output, and the processor time."""
        limited = ["bash", "-c", f'ulimit -t {int(seconds) + 1}; ulimit -c 0; exec "$@"', "bash"]
        command = [*limited, *test.command, f"--gtest_filter={case}", "--gtest_color=no"]
        return self._run(command, test, environment)

    def reached(self, test: Test, case: str, file: Path) -> tuple[int, ...]:
        """The mutants that a test reaches. Its marks race, so nothing is checked."""
        file.unlink(missing_ok=True)
        program = next(word for word in test.command if Path(word).name == test.target)
        command = [self.root / "build/simt-run", "--counts-only", program, f"--gtest_filter={case}"]
        self._run(command, test, {"MUTANTS_REACHED": str(file)})
        return tuple(map(int, file.read_text().split())) if file.exists() else ()

    def cases(self, test: Test) -> list[str]:
        """The names of a program's tests."""
        _, listed, _ = self._run([*test.command, "--gtest_list_tests"], test, {})
        names, suite = [], ""
        for line in listed.splitlines():
            word = line.split("#")[0].rstrip()
            if re.fullmatch(r"\S+\.", word):
                suite = word
            elif re.fullmatch(r"  \S+", word) and "DISABLED_" not in suite + word:
                names.append(suite + word.strip())
        return names

    def _run(self, command: list, test: Test, environment: dict) -> tuple[int | None, str, float]:
        if self.stopped:
            raise KeyboardInterrupt
        of_test = dict(each.split("=", 1) for each in test.environment)
        settings = os.environ | OF_A_RUN | of_test | environment
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace"}
        with subprocess.Popen(command, cwd=self.root, env=settings, **pipes) as process:
            output = process.stdout.read()
            _, waited, used = os.wait4(process.pid, 0)
            status = process.returncode = os.waitstatus_to_exitcode(waited)
        too_long = status in (-signal.SIGXCPU, -signal.SIGKILL, 124)
        return None if too_long else status, output, used.ru_utime + used.ru_stime


def fault_in(status: int | None, output: str) -> str:
    """The first finding of the machine, else the first line of what a failed test says; no addresses."""
    if status is None:
        return "timeout"
    output = re.sub(r" \(address 0x[0-9a-f]+\)|( at)? address 0x[0-9a-f]+", "", output)
    finding = re.search(r"^SIMT machine: .*?: (\w+\.(?:cuh?|h):\d+: .*)", output, re.MULTILINE)
    if finding:
        return finding.group(1)[:240]
    failure = re.search(r"(\S+): Failure\n((?:(?!\[|Google Test trace).+\n)*)", output)
    if failure:
        return " ".join([f"{failure.group(1)}:", *failure.group(2).split()])[:240]
    if status < 0:
        return f"signal {-status}: {signal.strsignal(-status)}"
    lines = [line for line in output.splitlines() if line.strip() and not re.match(r"\[|Note:|Running", line)]
    return lines[0][:240] if lines else f"exit status {status}"


class Trial:
    """All mutants, and the tests that include their files."""

    def __init__(self, root: Path, workers: int) -> None:
        self.folder, self.workers = root / "build/mutants", workers
        self.sources, self.runs = Sources(root), Runs(root)
        files = sorted(path.relative_to(root).as_posix() for path in (root / "kernels").rglob("*.cuh"))
        self.mutants = [m for file in files for m in mutations.find(file, self.sources.text(file))]
        by_number = mutations.numbered(self.mutants)
        self.numbers = {mutation.key: number for number, mutation in by_number.items()}
        self.tree = Tree(root, self.folder)
        self.tree.write(
            {
                file: mutations.with_all(
                    self.sources.text(file), {n: m for n, m in by_number.items() if m.file == file}
                )
                for file in files
            }
        )
        self.tests = self.tree.configure()
        self.cases: list[Case] = []  # those that pass without a mutant, the quickest first

    def tests_of(self, file: str) -> list[Test]:
        return [test for test in self.tests if file in self.sources.included(test.source)]

    def in_any_order(self, function, items: Iterable):
        """The results of calls in several threads, as they come."""
        with ThreadPoolExecutor(self.workers) as pool:
            try:
                for each in as_completed([pool.submit(function, item) for item in items]):
                    yield each.result()
            except BaseException:
                self.runs.stopped = True
                pool.shutdown(cancel_futures=True)
                raise

    def prepare(self, todo: list[Mutation]) -> None:
        """Compile the tests of these mutants, and run them without any."""
        tests = {test.name: test for mutation in todo for test in self.tests_of(mutation.file)}
        if error := self.tree.make(tests.values(), self.workers):
            raise MutantsError(self.without_folders(error))
        for done, cases in enumerate(self.in_any_order(self._measured, tests.values()), 1):
            self.cases += (case for case in cases if not case.error)
            say(f"{done} of {len(tests)} programs run without a mutant: {len(cases)} tests")
            for case in (case for case in cases if case.error):
                say(f"left out: {case.label}: {case.error}")
        self.cases.sort(key=lambda case: case.seconds)

    def _measured(self, test: Test) -> list[Case]:
        """Every test of a program without a mutant, once for each program that is linked."""
        binary = self.tree.build / "tests" / test.target
        kept = self.folder / f"{test.target}.json"
        stamp = f"{binary.stat().st_mtime_ns} {self.sources.machine}"
        if kept.exists() and (found := json.loads(kept.read_text()))["stamp"] == stamp:
            return [Case(**case) for case in found["cases"]]
        cases = []
        for name in self.runs.cases(test):
            reached = self.runs.reached(test, name, kept.with_suffix(".reached"))
            status, output, seconds = self.runs.run(test, name, 600)
            error = "" if status == 0 else fault_in(status, self.without_folders(output))
            cases.append(Case(test.name, name, round(seconds, 3), reached, error))
        write(kept, json.dumps({"stamp": stamp, "cases": [asdict(case) for case in cases]}))
        return cases

    def run(self, mutation: Mutation, first: str) -> Outcome:
        """`first`: the test that killed it before, if any."""
        number = self.numbers[mutation.key]
        reaching = [case for case in self.cases if number in case.reached]
        reaching.sort(key=lambda case: case.label != first)
        return self._run(reaching, {test.name: test for test in self.tests}, MUTANT=str(number))

    def run_alone(self, mutation: Mutation) -> Outcome:
        tree, outcome = Tree(self.runs.root, self.folder / "alone"), Outcome(False, "no test reaches it")
        tree.write({mutation.file: mutations.with_one(self.sources.text(mutation.file), mutation)})
        tree.configure()
        builds = str(self.tree.build), str(tree.build)
        for test in self.tests_of(mutation.file):
            if error := tree.make([test], self.workers, quiet=True):
                return Outcome(True, f"{NOT_COMPILED}: {self.without_folders(error)[:200]}")
            test = replace(test, command=tuple(word.replace(*builds) for word in test.command))
            cases = [case for case in self.cases if case.test == test.name]
            outcome = self._run(cases, {test.name: test})
            if outcome.killed:
                break
        return outcome

    def _run(self, cases: list[Case], tests: dict[str, Test], **environment: str) -> Outcome:
        for case in cases:
            limit = SECONDS + 10 * case.seconds
            status, output, _ = self.runs.run(tests[case.test], case.name, limit, **environment)
            if status != 0:
                return Outcome(True, f"{case.label}: {fault_in(status, self.without_folders(output))}")
        return Outcome(False, "" if cases else "no test reaches it")

    def without_folders(self, text: str) -> str:
        """Without the folders of this machine."""
        return re.sub(rf"([^\s\"]*/tree|{re.escape(str(self.runs.root))})/", "", text)


# --- The table ----------------------------------------------------------------------------------------


def read_table(path: Path, columns: tuple[str, ...]) -> dict[tuple, dict[str, str]]:
    """The rows, by the keys of their mutants."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        rows = list(table)
    if tuple(table.fieldnames or ()) != columns:
        raise MutantsError(f"{path}: its columns are not {', '.join(columns)}")
    return {(row["file"], row["kind"], row["source"], row["mutant"], int(row["nth"])): row for row in rows}


class Table:
    """results/simt/mutants.csv: the rows that are there and new ones, in the order of the sources."""

    def __init__(self, root: Path, trial: Trial) -> None:
        self.path, self.trial = root / "results/simt/mutants.csv", trial
        reasons = read_table(root / "kernels/test/mutants/equivalent.csv", REASON_COLUMNS)
        self.reasons = {key: row["reason"] for key, row in reasons.items()}
        self.rows = {key: row for key, row in read_table(self.path, COLUMNS).items() if key in trial.numbers}

    def is_fresh(self, mutation: Mutation) -> bool:
        row = self.rows.get(mutation.key)
        return row is not None and row["digest"] == self._digest(mutation, row["verdict"], row["by"])

    def _digest(self, mutation: Mutation, verdict: str, by: str) -> str:
        """Of all on which the verdict depends: of a killed mutant, one test."""
        tests = self.trial.tests_of(mutation.file)
        if verdict == "killed" and not by.startswith(NOT_COMPILED):
            tests = [test for test in tests if by.startswith(f"{test.name} ")]
        return self.trial.sources.digest_of(mutation, tests)

    def add(self, mutation: Mutation, outcome: Outcome) -> None:
        verdict = "killed" if outcome.killed else "survived"
        of_sources = self._digest(mutation, verdict, outcome.by)
        self.rows[mutation.key] = {"verdict": verdict, "by": outcome.by, "digest": of_sources}
        self.save()

    def save(self) -> None:
        """Write all rows, with the lines and the reasons as they are now, or none."""
        rows = []
        for mutation in (mutation for mutation in self.trial.mutants if mutation.key in self.rows):
            row = self.rows[mutation.key]
            row |= {name: getattr(mutation, name) for name in COLUMNS[: COLUMNS.index("verdict")]}
            row["reason"] = "" if row["verdict"] == "killed" else self.reasons.get(mutation.key, "")
            if row["verdict"] != "killed":
                row["verdict"] = "equivalent" if row["reason"] else "survived"
            rows.append(row)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_name(f".{self.path.name}.part")
        with part.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            table.writeheader()
            table.writerows(rows)
        part.replace(self.path)

    def faults(self) -> list[str]:
        """What makes the script fail, a line each."""
        found = []
        for mutation in self.trial.mutants:
            row = self.rows.get(mutation.key, {"verdict": "", "by": ""})
            where = f"{mutation.file}:{mutation.line}: {mutation.kind}: {mutation.source}"
            if row["verdict"] == "survived":
                found.append(
                    f"survived: {where} -> {mutation.mutant or 'nothing'}: {row['by'] or 'all pass'}"
                )
            elif row["verdict"] == "killed" and mutation.key in self.reasons:
                found.append(f"killed, but listed as equivalent: {where}: {row['by']}")
        gone = (key for key in self.reasons if key not in self.trial.numbers)
        return found + [f"listed as equivalent, but there is no such mutant: {key}" for key in gone]

    def summary(self) -> list[str]:
        """How many of each kind were killed, how many have not been run, a line each."""
        lines = []
        for kind in mutations.KINDS:
            mutants = [mutation for mutation in self.trial.mutants if mutation.kind == kind]
            run = [mutation for mutation in mutants if mutation.key in self.rows]
            verdicts = [self.rows[mutation.key]["verdict"] for mutation in run]
            numbers = {each: verdicts.count(each) for each in ("killed", "equivalent", "survived")}
            numbers["run with older sources"] = sum(not self.is_fresh(mutation) for mutation in run)
            numbers["not run"] = len(mutants) - len(run)
            said = ", ".join(f"{number} {what}" for what, number in numbers.items() if number > 0)
            lines.append(f"{kind}: {len(mutants)} mutants: {said or 'none'}")
        return lines


# --- The script ---------------------------------------------------------------------------------------


def run_mutants(todo: list[Mutation], trial: Trial, table: Table) -> None:
    """Those in constant expressions last: each takes a compilation of its own."""
    started = time.monotonic()

    def run_one(mutation: Mutation) -> tuple[Mutation, Outcome]:
        first = table.rows.get(mutation.key, {}).get("by", "").split(": ")[0]
        return mutation, trial.run(mutation, first)

    alone = [mutation for mutation in todo if mutation.is_constant]
    chosen = trial.in_any_order(run_one, [mutation for mutation in todo if not mutation.is_constant])
    by_themselves = ((mutation, trial.run_alone(mutation)) for mutation in alone)
    for done, (mutation, outcome) in enumerate(itertools.chain(chosen, by_themselves), 1):
        table.add(mutation, outcome)
        left = (time.monotonic() - started) / done * (len(todo) - done)
        said = f"killed: {outcome.by[:100]}" if outcome.killed else f"survived: {outcome.by or 'all pass'}"
        place = f"{mutation.file}:{mutation.line}: {mutation.kind}"
        say(f"{done} of {len(todo)}, {left:.0f} s left: {place}: {said}")


def run(root: Path, files: list[str], *, again: bool, missing: bool, workers: int) -> int:
    trial = Trial(root, workers)
    table = Table(root, trial)
    names = tuple(f"{name.rstrip('/')}/" for name in files)
    chosen = [m for m in trial.mutants if not names or f"{m.file}/".startswith(names)]
    if not chosen:
        raise MutantsError(f"no mutants in {' '.join(files)}")
    todo = [m for m in chosen if trial.tests_of(m.file) and (again or not table.is_fresh(m))]
    if missing:
        todo = [m for m in todo if m.key not in table.rows]
    todo.sort(key=lambda m: m.key in table.reasons)  # those that no test will kill take long
    without = sum(not trial.tests_of(m.file) for m in chosen)
    say(f"{len(chosen)} of {len(trial.mutants)} mutants: {len(todo)} to run, {without} that no test includes")
    if todo:
        trial.prepare(todo)
        run_mutants(todo, trial, table)
    table.save()
    for line in table.summary():
        say(line)
    faults = table.faults()
    for fault in faults:
        print(f"mutants: {fault}", file=sys.stderr)
    return 1 if faults else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    option = parser.add_argument
    option("files", nargs="*", help="files and folders, kernels/textbook; all if none is named")
    option("--again", action="store_true", help="run what has been run, too")
    option("--missing", action="store_true", help="run only those that have no row")
    option("--workers", type=int, default=2, help="processes that run at a time, one core each")
    option("--root", type=Path, default=ROOT, help="the project's folder, whose build/ has simt-run")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        root = arguments.root.resolve()
        return run(
            root, arguments.files, again=arguments.again, missing=arguments.missing, workers=arguments.workers
        )
    except (MutantsError, OSError) as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("mutants: interrupted; what has been run is kept", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
