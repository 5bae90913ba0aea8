"""Compiles a CUDA program by nvcc. What it made is kept in build/try, or in the folder that SIMT_CACHE names,
by a digest of all that it read."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from . import TryError

ROOT = Path(__file__).resolve().parents[2]
MACHINE = ROOT / "build" / "simt-run"
LIBRARY = ROOT / "build" / "libcudart.so.13"
CACHE = Path(os.environ.get("SIMT_CACHE") or ROOT / "build" / "try").absolute()
UP_TO_DATE = CACHE / "machine"  # is touched when make says so
KEPT = 1000  # files and folders in it
NOT_OF_MACHINE = {"bench", "probes", "test", "try_cuda"}  # of simt/
ALWAYS = ["-cudart=shared", "--extended-lambda", "--expt-relaxed-constexpr"]
OPTIMISED, UNOPTIMISED = ["-lineinfo"], ["-G"]
OF_HOST = ["-Xcompiler=-g1"]  # lines of what the host accesses


@dataclass(frozen=True)
class Options:
    """Of the compiler, as the user gives them."""

    includes: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)  # nvcc's own words

    def flags(self) -> list[str]:
        headers = [*self.includes, str(Path(__file__).parent / "headers")]
        return [
            f"-arch=sm_{architecture()}",
            *ALWAYS,
            *OF_HOST,
            *self.others,
            *[f"-I{folder}" for folder in headers],
        ]


def architecture() -> int:
    """Of the GPU that the machine is: 86 for sm_86. The machine reads the same variable."""
    return int(os.environ.get("SIMT_ARCH", "90"))


def architectures() -> list[int]:
    """Those that the machine can be."""
    table = (ROOT / "simt/loader/architecture.cpp").read_text(encoding="utf-8")
    return [int(number) for number in re.findall(r'^ *\{(\d+), "', table, re.MULTILINE)]


def codes_of(numbers: list[int]) -> list[str]:
    """Flags: machine code for each of these."""
    return [f"-gencode=arch=compute_{number},code=sm_{number}" for number in numbers]


def set_architecture(number: int) -> None:
    """For the machine, the compiler, and whatever is started here."""
    os.environ["SIMT_ARCH"] = str(number)


def run_make(target: str) -> int:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(["make", "-s", target], cwd=ROOT, env=environment, check=False).returncode


def need_machine() -> None:
    """Build simt-run if it is not built, or older than its sources."""
    folders = [path for path in (ROOT / "simt").iterdir() if path.name not in NOT_OF_MACHINE]
    files = [each for path in folders for each in (path.rglob("*.*") if path.is_dir() else [path])]
    newest = max(path.stat().st_mtime for path in files if path.suffix in (".cpp", ".h"))
    made = [path.stat().st_mtime for path in (MACHINE, LIBRARY, UP_TO_DATE) if path.exists()]
    can_build = os.access(ROOT, os.W_OK)
    if MACHINE.exists() and (max(made) >= newest or not can_build):
        return
    if not can_build:
        raise TryError(
            f"{ROOT} cannot be written, and the SIMT machine is not built there: run make simt first"
        )
    if run_make("simt") != 0:
        raise TryError("the SIMT machine does not build, see above")
    need_cache()
    UP_TO_DATE.touch()


def need_cache() -> None:
    """A folder to write to: a checkout may be read-only."""
    with suppress(OSError):
        CACHE.mkdir(parents=True, exist_ok=True)
    if not os.access(CACHE, os.W_OK):
        raise TryError(f"{CACHE} cannot be written: SIMT_CACHE=FOLDER simt/try .. takes another folder")


@cache
def nvcc() -> Path:
    """The compiler of set-up."""
    done = subprocess.run([ROOT / ".setup/cuda.sh"], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise TryError("no CUDA compiler, see above")
    return Path(done.stdout.strip())


def digest(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:32]


@cache
def digest_of(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return "missing"


class Compilers:
    """The compilers that run now, in groups of their own: an interrupt ends them all, and none begins."""

    def __init__(self) -> None:
        self.running: set[subprocess.Popen] = set()
        self.are_stopped = False

    def run(self, command: list[object]) -> tuple[int, str]:
        if self.are_stopped:
            raise TryError("interrupted")
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
        self.running.add(process)
        try:
            printed = "".join(process.communicate())
        finally:
            self.running.discard(process)
        return process.returncode, printed.strip()

    @contextmanager
    def ended_by_errors(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.are_stopped = True
            for process in list(self.running):
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGINT)
            raise


compilers = Compilers()


def call(arguments: list[object]) -> None:
    """Run nvcc. What it says is shown as it is."""
    status, printed = compilers.run([nvcc(), *arguments])
    if status != 0:
        errors = printed or f"nvcc failed: {' '.join(map(str, arguments))}"
        why = cure_of(errors, str(arguments[-1]))
        raise TryError("\n".join(filter(None, (errors, why))), by_compiler=True)


def cure_of(errors: str, source: str) -> str:
    """Of what the compiler says in words of its own."""
    if sign := re.search(r"[\"$`,\\]", source):
        return f"try: {source}: nvcc takes no file name with {sign[0]} in it"
    if re.search(r"kernel launch from .* requires separate|'(__cudaCDP2|cudaGraphSetConditional)", errors):
        return "try: the kernel asks the device's runtime, as for launches: -rdc=true links it"
    if missing := re.search(r"Unresolved extern (function|variable) '(\w+)'", errors):
        return (
            f"try: the __device__ {missing[1]} {demangled(missing[2])} is defined in another file: "
            "-rdc=true compiles and links device code of several files"
        )
    return ""


def demangled(name: str) -> str:
    with suppress(OSError):
        name = subprocess.run(["c++filt", name], capture_output=True, text=True, check=False).stdout or name
    return name.strip()


def files_of(rule: str) -> list[Path]:
    """Of a rule for make: the files that were read, but for those of the system and the compiler."""
    words = re.findall(r"(?:\\.|\S)+", rule.partition(": ")[2].replace("\\\n", " "))
    paths = [Path(os.path.normpath(word.replace("\\", ""))) for word in words]
    toolkit = nvcc().resolve().parents[1]
    given = [toolkit, Path(os.path.normpath(nvcc())).parents[1], Path("/usr/include"), Path("/usr/lib")]
    return [path.absolute() for path in paths if not any(folder in path.parents for folder in given)]


def compiled(source: Path, flags: list[str]) -> Path:
    """The object file of a source file."""
    key = digest(nvcc(), nvcc().stat().st_mtime, Path.cwd(), source, *flags)
    made, known = CACHE / f"{key}.o", CACHE / f"{key}.json"
    if made.exists() and known.exists():
        files = json.loads(known.read_text(encoding="utf-8"))
        if all(digest_of(Path(file)) == seen for file, seen in files.items()):
            made.touch()
            known.touch()
            return made
    with parts(made) as (part, rule):
        call([*flags, "-c", "-MD", "-MF", rule, "-o", part, source])
        files = [source, *files_of(rule.read_text(encoding="utf-8"))]
        read = {str(file): digest_of(file) for file in files}
        part.replace(made)
    known.write_text(json.dumps(read), encoding="utf-8")
    return made


@contextmanager
def parts(made: Path) -> Iterator[tuple[Path, Path]]:
    """Files that the compiler writes before one is whole; nothing is left of them."""
    names = [made.with_name(f"{made.stem}.{os.getpid()}.part{suffix}") for suffix in (".o", ".d")]
    try:
        yield names[0], names[1]
    finally:
        for name in names:
            name.unlink(missing_ok=True)


def build(files: list[Path], options: Options, way: list[str]) -> Path:
    """Compile and link the program, `way` is OPTIMISED or UNOPTIMISED. Returns its path."""
    need_cache()
    flags = [*options.flags(), *way]
    if way == UNOPTIMISED and not any("maxrregcount" in flag for flag in flags):
        flags.append("-maxrregcount=64")  # so that a block of 1,024 threads has its registers
    objects = [compiled(file, flags) for file in files]
    program = CACHE / digest(*map(digest_of, objects), *flags) / files[0].stem
    if not program.exists():
        program.parent.mkdir(exist_ok=True)
        with parts(program) as (part, _):
            call([*flags, "-o", part, *objects])
            part.replace(program)
    os.utime(program.parent)
    return program


def tidy() -> None:
    """Of what is kept, the oldest goes. Others may do the same at the same time."""
    with suppress(FileNotFoundError):
        for old in sorted(CACHE.iterdir(), key=lambda path: path.stat().st_mtime)[:-KEPT]:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
