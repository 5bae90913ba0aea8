"""Mutation testing of kernels/ on the SIMT machine, into results/simt/mutants.csv: mutants.py [FILE..]

One mutant at a time: a barrier, __syncwarp or fence removed, or < swapped for <=, see scripts/mutations.py.
The tests that include a mutated file are compiled once, with all mutants in them, in copies of the kernels. A
run without a mutant says which mutants each test reaches; each mutant then runs the tests that reach it, the
quickest first, until one fails. A mutant in a constant expression is compiled by itself.

A mutant is killed, or survives; a survivor for which tests/mutants/equivalent.csv has a reason is equivalent.
Exit status 1 if a mutant survives without a reason, or has one and is killed. What has been run is not run
again while the code of its file, the sources of the test that killed it (of a survivor: of all its tests) and
those of the machine stay the same.
"""

import argparse
import csv
import json
import random
import signal
import sys
import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path

import mutations
from mutant_programs import (
    BOUNDS,
    PROCESSES,
    Builder,
    MutantsError,
    Program,
    Sources,
    cases_of,
    digest,
    error_line,
    fault_in,
    programs_of,
    run_case,
    write,
)
from mutations import Mutation

ROOT = Path(__file__).resolve().parents[1]
COLUMNS = ("file", "line", "kind", "source", "mutant", "nth", "verdict", "by", "reason", "digest")
REASON_COLUMNS = ("file", "kind", "source", "mutant", "nth", "reason")
NOT_COMPILED = "does not compile"


def say(text: str) -> None:
    print(f"mutants   {text}", flush=True)


def in_any_order(function, items: Iterable, workers: int):
    """The results of calls in several threads, as they come."""
    with ThreadPoolExecutor(workers) as pool:
        waiting = {pool.submit(function, item) for item in items}
        try:
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for each in done:
                    yield each.result()
        except BaseException:
            PROCESSES.stop()
            raise


@dataclass(frozen=True)
class Case:
    """One test of a program: its time without a mutant, which mutants it reaches, and why it fails, if so."""

    program: str
    name: str
    seconds: float
    reached: tuple[int, ...]
    error: str = ""

    @property
    def label(self) -> str:
        return f"{self.program} {self.name}"


@dataclass(frozen=True)
class Outcome:
    killed: bool
    by: str = ""  # the program, its test, and what it said


class Trial:
    """All mutants, and the tests that include their files."""

    def __init__(self, root: Path, build: Path, folder: Path, seconds: float) -> None:
        self.root, self.folder, self.seconds = root, folder, seconds
        self.sources = Sources(root)
        self.builder = Builder(root, folder)
        self.programs = programs_of(build, root)
        files = sorted(path.relative_to(root).as_posix() for path in (root / "kernels").rglob("*.cuh"))
        self.mutants = [m for file in files for m in mutations.find(file, self.sources.text(file))]
        self.by_number = mutations.numbered(self.mutants)
        self.numbers = {mutation.key: number for number, mutation in self.by_number.items()}
        self.cases: list[Case] = []  # those that pass without a mutant, the quickest first
        self.left_out: dict[str, str] = {}  # programs and tests that fail without a mutant, and why

    def tests_of(self, file: str) -> list[Program]:
        return [program for program in self.programs if file in self.sources.included(program.source)]

    def run(self, mutation: Mutation, first: str) -> Outcome | None:
        """`first`: the test that killed it before, if any. None if all of its tests are left out."""
        if all(test.name in self.left_out for test in self.tests_of(mutation.file)):
            return None
        number = self.numbers[mutation.key]
        return self._run_alone(number) if mutation.is_constant else self._run_chosen(number, first)

    def limit(self, case: Case) -> float:
        """Of a mutant's processor time, in seconds."""
        return self.seconds + 10 * case.seconds

    # --- All mutants in one program -------------------------------------------------------------------

    def binary(self, program: str) -> Path:
        return self.folder / "all" / program.replace("/", "_")

    def write_overlay(self) -> Path:
        """The kernels with all their mutants."""
        overlay = self.folder / "overlay"
        for file in {mutation.file for mutation in self.mutants}:
            of_file = {number: m for number, m in self.by_number.items() if m.file == file}
            write(overlay / file, mutations.with_all(self.sources.text(file), of_file))
        return overlay

    def build(self, programs: list[Program], workers: int) -> None:
        """Compile programs with all mutants in them, unless they are there and nothing has changed."""
        overlay, header = self.write_overlay(), "tests/mutants/mutants.h"
        choice = self.builder.choice(programs[0].compile[0])
        (self.folder / "all").mkdir(exist_ok=True)

        def build_one(program: Program) -> tuple[Program, str]:
            binary = self.binary(program.name)
            compiled = binary.with_suffix(".o")
            files = sorted(self.sources.included(program.source) | {header})
            mutated = [path if (path := overlay / file).exists() else self.root / file for file in files]
            texts = [path.read_text(encoding="utf-8") for path in mutated]
            source = digest([*texts, *program.compile, *BOUNDS, self.sources.digest_of_system_headers])
            if not is_built(compiled, source):
                options = ["-include", str(self.root / header)]
                if error := self.builder.compile(program, overlay, compiled, *options):
                    return program, error
                write(stamp_of(compiled), source)
            linked = digest([source, self.sources.digest_of_machine])
            if not is_built(binary, linked):
                if error := self.builder.link(program, [compiled, choice], binary):
                    return program, error
                write(stamp_of(binary), linked)
            return program, ""

        started = time.monotonic()
        for done, (program, error) in enumerate(in_any_order(build_one, programs, workers), 1):
            if error:
                self.left_out[program.name] = self.without_folders(error_line(error))
            seconds = time.monotonic() - started
            say(f"{done} of {len(programs)} programs compiled in {seconds:.0f} s: {program.name}")

    def measure(self, programs: list[Program], workers: int) -> None:
        """Run every test without a mutant: its time, and the mutants that it reaches."""
        todo = [program for program in programs if program.name not in self.left_out]
        for done, cases in enumerate(in_any_order(self._measured, todo, workers), 1):
            self.cases += (case for case in cases if not case.error)
            self.left_out |= {case.label: case.error for case in cases if case.error}
            say(f"{done} of {len(todo)} programs run without a mutant: {len(cases)} tests")
        self.cases.sort(key=lambda case: case.seconds)

    def _measured(self, program: Program) -> list[Case]:
        binary = self.binary(program.name)
        kept, stamp = binary.with_suffix(".json"), stamp_of(binary).read_text()
        if kept.exists() and (found := json.loads(kept.read_text()))["stamp"] == stamp:
            return [Case(**case) for case in found["cases"]]
        cases, reached = [], binary.with_suffix(".reached")
        for name in cases_of(binary, self.root):
            reached.unlink(missing_ok=True)
            started = time.monotonic()
            status, output = run_case(binary, name, self.root, 600, MUTANTS_REACHED=str(reached))
            seconds = round(time.monotonic() - started, 3)
            error = "" if status == 0 else fault_in(status, self.without_folders(output))
            numbers = map(int, reached.read_text().split()) if reached.exists() else ()
            cases.append(Case(program.name, name, seconds, tuple(numbers), error))
        write(kept, json.dumps({"stamp": stamp, "cases": [asdict(case) for case in cases]}))
        return cases

    def _run_chosen(self, number: int, first: str) -> Outcome:
        reaching = [case for case in self.cases if number in case.reached]
        reaching.sort(key=lambda case: case.label != first)
        for case in reaching:
            binary = self.binary(case.program)
            status, output = run_case(binary, case.name, self.root, self.limit(case), MUTANT=str(number))
            if status != 0:
                return self._killed(case, status, output)
        return Outcome(False, "" if reaching else "no test reaches it")

    def _killed(self, case: Case, status: int | None, output: str) -> Outcome:
        return Outcome(True, f"{case.label}: {fault_in(status, self.without_folders(output))}")

    # --- A mutant by itself ---------------------------------------------------------------------------

    def _run_alone(self, number: int) -> Outcome:
        """The mutant in the tests whose compiled code it changes."""
        mutation, folder = self.by_number[number], self.folder / f"one-{number}"
        write(folder / mutation.file, mutations.with_one(self.sources.text(mutation.file), mutation))
        errors, has_changed = [], False
        for program in self.tests_of(mutation.file):
            if program.name in self.left_out:
                continue
            compiled, binary = folder / "mutant.o", folder / "mutant"
            error = self.builder.compile(program, folder, compiled)
            if not error and compiled.read_bytes() == self._original(program).read_bytes():
                continue
            error = error or self.builder.link(program, [compiled], binary)
            if error:
                errors.append(error)
                continue
            has_changed = True
            for case in (case for case in self.cases if case.program == program.name):
                status, output = run_case(binary, case.name, self.root, self.limit(case))
                if status != 0:
                    return self._killed(case, status, output)
        if errors:
            return Outcome(True, f"{NOT_COMPILED}: {self.without_folders(error_line(errors[0]))[:200]}")
        return Outcome(False, "" if has_changed else "compiled to the same code in every test")

    def _original(self, program: Program) -> Path:
        """The object file without any mutant."""
        target = self.folder / "original" / f"{program.name.replace('/', '_')}.o"
        target.parent.mkdir(exist_ok=True)
        stamp = stamp_of(self.binary(program.name).with_suffix(".o")).read_text()
        if not is_built(target, stamp):
            if error := self.builder.compile(program, self.folder / "none", target):
                raise MutantsError(
                    f"{program.name} does not compile: {self.without_folders(error_line(error))}"
                )
            write(stamp_of(target), stamp)
        return target

    def without_folders(self, text: str) -> str:
        """Without the folders of this machine."""
        for folder in (self.folder / "overlay", *self.folder.glob("one-*"), self.root):
            text = text.replace(f"{folder}/", "")
        return text


def stamp_of(built: Path) -> Path:
    """The file that says of what a file was built."""
    return built.with_name(f"{built.name}.stamp")


def is_built(built: Path, stamp: str) -> bool:
    """Whether a file is there and of these sources. If not, it is no longer said to be of any."""
    if built.exists() and stamp_of(built).exists() and stamp_of(built).read_text() == stamp:
        return True
    stamp_of(built).unlink(missing_ok=True)
    return False


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

    def __init__(self, path: Path, trial: Trial, reasons: dict[tuple, dict[str, str]]) -> None:
        self.path, self.trial = path, trial
        self.reasons = {key: row["reason"] for key, row in reasons.items()}
        self.rows = {key: row for key, row in read_table(path, COLUMNS).items() if key in trial.numbers}

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
        for mutation in self.trial.mutants:
            row = self.rows.get(mutation.key)
            if row is not None:
                row |= {name: getattr(mutation, name) for name in COLUMNS[: COLUMNS.index("verdict")]}
                row["reason"] = "" if row["verdict"] == "killed" else self.reasons.get(mutation.key, "")
                if row["verdict"] != "killed":
                    row["verdict"] = "equivalent" if row["reason"] else "survived"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_name(f".{self.path.name}.part")
        with part.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            table.writeheader()
            table.writerows(self.rows[m.key] for m in self.trial.mutants if m.key in self.rows)
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
            rows = [self.rows[mutation.key] for mutation in run]
            numbers = {
                each: sum(row["verdict"] == each for row in rows)
                for each in ("killed", "equivalent", "survived")
            }
            numbers["killed by the compiler"] = sum(row["by"].startswith(NOT_COMPILED) for row in rows)
            numbers["killed"] -= numbers["killed by the compiler"]
            numbers["run with older sources"] = sum(not self.is_fresh(mutation) for mutation in run)
            numbers["not run"] = len(mutants) - len(run)
            said = ", ".join(f"{number} {what}" for what, number in numbers.items() if number > 0)
            lines.append(f"{kind}: {len(mutants)} mutants: {said or 'none'}")
        return lines


# --- The script ---------------------------------------------------------------------------------------


def is_selected(file: str, selected: list[str]) -> bool:
    return not selected or any(f"{file}/".startswith(each.rstrip("/") + "/") for each in selected)


def run_mutants(todo: list[Mutation], trial: Trial, table: Table, workers: int, minutes: float) -> None:
    started = time.monotonic()

    def run_one(mutation: Mutation) -> tuple[Mutation, Outcome | None]:
        if minutes > 0 and time.monotonic() - started > 60 * minutes:
            return mutation, None
        before = table.rows.get(mutation.key, {}).get("by", "")
        return mutation, trial.run(mutation, before.split(": ")[0])

    for done, (mutation, outcome) in enumerate(in_any_order(run_one, todo, workers), 1):
        if outcome is None:
            continue
        table.add(mutation, outcome)
        left = (time.monotonic() - started) / done * (len(todo) - done)
        said = f"killed: {outcome.by[:100]}" if outcome.killed else f"survived: {outcome.by or 'all pass'}"
        place = f"{mutation.file}:{mutation.line}: {mutation.kind}"
        say(f"{done} of {len(todo)}, {left:.0f} s left: {place}: {said}")


def run(arguments: argparse.Namespace) -> int:
    trial = Trial(
        arguments.root.resolve(), arguments.build.resolve(), arguments.folder.resolve(), arguments.seconds
    )
    table = Table(arguments.results, trial, read_table(arguments.reasons, REASON_COLUMNS))
    chosen = [m for m in trial.mutants if m.kind in arguments.kinds and is_selected(m.file, arguments.files)]
    todo = [m for m in chosen if trial.tests_of(m.file) and (arguments.again or not table.is_fresh(m))]
    if 0 < arguments.sample < len(todo):
        todo = random.Random(arguments.seed).sample(todo, arguments.sample)
    # Those that were never run come first, and those that no test will kill, which take long, last.
    todo.sort(
        key=lambda m: (m.key in table.rows, m.key in table.reasons, m.is_constant, m.kind == "comparison")
    )
    without = sum(not trial.tests_of(m.file) for m in chosen)
    say(f"{len(chosen)} of {len(trial.mutants)} mutants: {len(todo)} to run, {without} that no test includes")
    if arguments.list:
        for mutation in todo:
            print(f"{mutation.file}:{mutation.line}: {mutation.kind}: {mutation.source} -> {mutation.mutant}")
        return 0
    programs = {test.name: test for mutation in todo for test in trial.tests_of(mutation.file)}
    if programs:
        trial.build(list(programs.values()), arguments.workers)
        trial.measure(list(programs.values()), arguments.workers)
    for what, why in sorted(trial.left_out.items()):
        say(f"left out: {what}: {why}")
    run_mutants(todo, trial, table, arguments.workers, arguments.minutes)
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
    option(
        "--kinds", type=lambda text: text.split(","), default=list(mutations.KINDS), help="barrier,fence,.."
    )
    option("--minutes", type=float, default=0, help="start no mutant after this time; 0: no limit")
    option("--seconds", type=float, default=10, help="of processor time, and ten times that without a mutant")
    option("--workers", type=int, default=2, help="processes that run at a time, one core each")
    option("--sample", type=int, default=0, help="run this many of those that are left; 0: all")
    option("--seed", type=int, default=0, help="of the sample")
    option("--again", action="store_true", help="run what has been run, too")
    option("--list", action="store_true", help="list the mutants to run, and end")
    option("--root", type=Path, default=ROOT, help="the project's folder")
    option("--build", type=Path, default=ROOT / "build/simt", help="build folder of the SIMT machine")
    option("--folder", type=Path, default=ROOT / "build/mutants", help="where mutants are built")
    option("--results", type=Path, default=ROOT / "results/simt/mutants.csv", help="the table")
    option(
        "--reasons", type=Path, default=ROOT / "tests/mutants/equivalent.csv", help="why some are equivalent"
    )
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.kinds) - set(mutations.KINDS))
    if unknown:
        parser.error(f"there are no {', '.join(unknown)}; kinds are {', '.join(mutations.KINDS)}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return run(arguments)
    except MutantsError as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        PROCESSES.stop()
        print("mutants: interrupted; what has been run is kept", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
