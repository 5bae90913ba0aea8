"""Test programs with mutants in them: which sources they are of, how they are compiled, linked and run."""

import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import mutations
from mutations import Mutation

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
# The machine does not see accesses to arrays in registers, which local variables are.
BOUNDS = ["-fsanitize=bounds", "-fno-sanitize-recover=bounds"]
OF_A_RUN = {
    "SIMT_STRICT": "1",
    "SIMT_CORES": "1",
}  # one core a program; what is a warning elsewhere is a fault


class MutantsError(Exception):
    """Why mutants cannot be run, in one line."""


def digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def write(path: Path, text: str) -> None:
    """Write a whole file or none; one that has this text already keeps its time."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


# --- Processes ----------------------------------------------------------------------------------------


@dataclass
class Processes:
    """The processes that are running: each leads a group of its own, killed when the script stops."""

    running: set = field(default_factory=set)
    stopped: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, command: list, seconds: float, **options) -> tuple[int | None, str]:
        """Exit status, None if it ran too long, and output. `seconds` limits its processor time."""
        limits = f'ulimit -t {int(seconds) + 1}; ulimit -c 0; exec "$@"'
        with self.lock:
            if self.stopped:
                raise KeyboardInterrupt
            process = subprocess.Popen(
                ["bash", "-c", limits, "bash", *map(str, command)],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,
                **options,
            )
            self.running.add(process)
        try:
            output, _ = process.communicate(timeout=10 * seconds + 60)  # waits need no processor
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, process.communicate()[0]
        finally:
            with self.lock:
                self.running.discard(process)
        if self.stopped:
            raise KeyboardInterrupt
        too_long = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        return None if too_long else process.returncode, output

    def stop(self) -> None:
        with self.lock:
            self.stopped = True
            for process in self.running:
                os.killpg(process.pid, signal.SIGKILL)


PROCESSES = Processes()


# --- Sources ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Program:
    """A test program of one source file, which two may have: tests/some_types.h."""

    name: str  # kernels/block_scans, kernels/scan_parts/others
    source: str  # tests/kernels/block_scans.cu
    directory: Path
    compile: tuple[str, ...]  # without output and depfile
    link: tuple[str, ...]
    object: str  # in the link command
    output: str


class Sources:
    """The files of the project, as include directives name them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._texts: dict[str, str] = {}
        self._closures: dict[str, frozenset[str]] = {}

    def text(self, file: str) -> str:
        if file not in self._texts:
            self._texts[file] = (self.root / file).read_text(encoding="utf-8")
        return self._texts[file]

    def _found(self, name: str) -> str | None:
        for folder in ("simt/stand_in/", ""):  # in the order of the include path
            if (self.root / folder / name).is_file():
                return folder + name
        return None

    def included(self, file: str) -> frozenset[str]:
        """The project's files that this one includes, directly or not, and itself."""
        if file not in self._closures:
            seen, todo = set(), [file]
            while todo:
                each = todo.pop()
                if each not in seen:
                    seen.add(each)
                    todo += filter(None, map(self._found, INCLUDE.findall(self.text(each))))
            self._closures[file] = frozenset(seen)
        return self._closures[file]

    def digest_of_test(self, source: str) -> str:
        """Of a test's source and what it includes, but for kernels/."""
        files = sorted(file for file in self.included(source) if not file.startswith("kernels/"))
        return digest(text for file in files for text in (file, self.text(file)))

    def _digest_of_folder(self, folder: str) -> str:
        paths = sorted((self.root / folder).rglob("*"))
        return digest(
            path.read_text(encoding="utf-8") for path in paths if path.suffix in (".h", ".cpp", ".cuh")
        )

    @cached_property
    def digest_of_machine(self) -> str:
        return self._digest_of_folder("simt")

    @cached_property
    def digest_of_system_headers(self) -> str:
        """Of what the machine has in place of CUDA's headers."""
        return self._digest_of_folder("simt/include")

    def digest_of(self, mutation: Mutation, tests: Iterable[Program]) -> str:
        """Of all on which a verdict depends: the mutant, the code of its file, the machine, these tests."""
        code = " ".join(mutations.code_of(self.text(mutation.file)).split())
        of_tests = [self.digest_of_test(test.source) for test in sorted(tests, key=lambda test: test.name)]
        return digest([*map(str, mutation.key), code, self.digest_of_machine, *of_tests])


# --- The build ----------------------------------------------------------------------------------------


def programs_of(build: Path, root: Path) -> list[Program]:
    """The tests of kernels and of the machine, of one source file each, as ninja lists their commands."""
    try:
        command = ["ninja", "-C", build, "-t", "compdb"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        edges = json.loads(text[text.index("[\n") :])
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        raise MutantsError(f"no build in {build}: {error}") from None
    by_output = {edge["output"]: edge for edge in edges if edge["command"]}
    programs = []
    for output, edge in sorted(by_output.items()):
        compiled = by_output.get(edge["file"])
        if not re.match(r"tests/test_(kernels|simt)_", output) or not compiled:
            continue
        if not compiled["file"].endswith(".cu"):
            continue
        source = Path(compiled["file"]).relative_to(root).as_posix()
        others = "/others" if output.endswith("_others") else ""
        programs.append(
            Program(
                name=re.sub(r"^tests/|\.cu$", "", source) + others,
                source=source,
                directory=Path(edge["directory"]),
                compile=tuple(without_outputs(shlex.split(compiled["command"]))),
                link=tuple(shlex.split(edge["command"].removeprefix(": && ").removesuffix(" && :"))),
                object=edge["file"],
                output=output,
            )
        )
    if not programs:
        raise MutantsError(
            f"no tests of kernels in {build}: nvcc compiles them now, which mutants do not use yet; "
            "results/simt/mutants.csv is as it was"
        )
    return programs


def without_outputs(command: list[str]) -> list[str]:
    """A compile command without a cache in front of it, depfile and output."""
    for i, word in enumerate(command):
        if Path(word).name == "ccache":
            command = command[i + 1 :]
            break
    kept, words = [], iter(command)
    for word in words:
        if word in ("-o", "-MF", "-MT"):
            next(words)
        elif word != "-MD":
            kept.append(word)
    return kept


class Builder:
    """Compiles tests with the headers of a folder in place of the project's own, in that order of the include
    path: what the SIMT machine replaces is not compiled."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = root, folder
        folder.mkdir(parents=True, exist_ok=True)

    def compile(self, program: Program, overlay: Path, target: Path, *options: str) -> str:
        """Returns what the compiler says if it fails, else ""."""
        command = list(program.compile)
        at = command.index(f"-I{self.root}")
        command[at:at] = ["-I", str(overlay)]
        command[1:1] = [*options, "-w", *BOUNDS, f"-ffile-prefix-map={overlay}={self.root}"]
        status, output = PROCESSES.run([*command, "-o", target], 1800, cwd=program.directory)
        return "" if status == 0 else (output.strip() or "the compiler failed")

    def link(self, program: Program, objects: list[Path], target: Path) -> str:
        """Returns what the linker says if it fails, else ""."""
        words = {program.object: objects, program.output: [target]}
        command = [word for each in program.link for word in words.get(each, [each])] + BOUNDS
        status, output = PROCESSES.run(command, 600, cwd=program.directory)
        return "" if status == 0 else (output.strip() or "the linker failed")

    def choice(self, compiler: str) -> Path:
        """The object file of tests/mutants/mutants.cpp."""
        target, source = self.folder / "mutants.o", self.root / "tests/mutants/mutants.cpp"
        command = [compiler, "-std=c++17", "-O2", f"-I{self.root}", "-c", source, "-o", target]
        status, output = PROCESSES.run(command, 600)
        if status != 0:
            raise MutantsError(f"{source} does not compile: {output.strip()}")
        return target


def error_line(said: str) -> str:
    """The first error of a compiler."""
    return next((line for line in said.splitlines() if "error" in line), said.splitlines()[0])


# --- Runs ---------------------------------------------------------------------------------------------


def cases_of(binary: Path, root: Path) -> list[str]:
    """The names of a GoogleTest program's tests."""
    _, listed = PROCESSES.run([binary, "--gtest_list_tests"], 60, cwd=root)
    names, suite = [], ""
    for line in listed.splitlines():
        word = line.split("#")[0].rstrip()
        if re.fullmatch(r"\S+\.", word):
            suite = word
        elif re.fullmatch(r"  \S+", word) and "DISABLED_" not in suite + word:
            names.append(suite + word.strip())
    return names


def run_case(
    binary: Path, name: str, root: Path, seconds: float, **environment: str
) -> tuple[int | None, str]:
    command = [binary, f"--gtest_filter={name}", "--gtest_color=no"]
    return PROCESSES.run(command, seconds, cwd=root, env=os.environ | OF_A_RUN | environment)


def fault_in(status: int | None, output: str) -> str:
    """The first line of what a failed test says, without addresses."""
    if status is None:
        return "timeout"
    output = re.sub(r" \(address 0x[0-9a-f]+\)|( at)? address 0x[0-9a-f]+", "", output)
    thrown = re.search(r'C\+\+ exception with description "([^"\n]*)', output)
    if thrown:
        return thrown.group(1)
    out_of_bounds = re.search(r"\S+: runtime error: .*", output)
    if out_of_bounds:
        return out_of_bounds.group()
    failure = re.search(r"(\S+): Failure\n((?:(?!\[|Google Test trace).+\n)*)", output)
    if failure:
        return " ".join([f"{failure.group(1)}:", *failure.group(2).split()])[:240]
    if status < 0:
        return f"signal {-status}: {signal.strsignal(-status)}"
    lines = [line for line in output.splitlines() if line.strip() and not re.match(r"\[|Note:|Running", line)]
    return lines[0][:240] if lines else f"exit status {status}"
