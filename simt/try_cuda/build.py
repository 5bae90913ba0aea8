"""Compiles a CUDA program by nvcc. What it made is kept in build/try, by a digest of all that it read."""

import hashlib
import json
import os
import re
import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from . import TryError

ROOT = Path(__file__).resolve().parents[2]
MACHINE = ROOT / "build" / "simt-run"
LIBRARY = ROOT / "build" / "libcudart.so.13"
CACHE = ROOT / "build" / "try"
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
    if MACHINE.exists() and max(made) >= newest:
        return
    if run_make("simt") != 0:
        raise TryError("the SIMT machine does not build, see above")
    CACHE.mkdir(parents=True, exist_ok=True)
    UP_TO_DATE.touch()


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


def call(arguments: list[object]) -> None:
    """Run nvcc. What it says is shown as it is."""
    done = subprocess.run([nvcc(), *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        errors = (done.stdout + done.stderr).strip()
        raise TryError(errors or f"nvcc failed: {' '.join(map(str, arguments))}", by_compiler=True)


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
    part, rule = CACHE / f"{key}.{os.getpid()}.part.o", CACHE / f"{key}.{os.getpid()}.part.d"
    call([*flags, "-c", "-MD", "-MF", rule, "-o", part, source])
    read = {str(file): digest_of(file) for file in [source, *files_of(rule.read_text(encoding="utf-8"))]}
    rule.unlink()
    part.replace(made)
    known.write_text(json.dumps(read), encoding="utf-8")
    return made


def build(files: list[Path], options: Options, way: list[str]) -> Path:
    """Compile and link the program, `way` is OPTIMISED or UNOPTIMISED. Returns its path."""
    CACHE.mkdir(parents=True, exist_ok=True)
    flags = [*options.flags(), *way]
    if way == UNOPTIMISED and not any("maxrregcount" in flag for flag in flags):
        flags.append("-maxrregcount=64")  # so that a block of 1,024 threads has its registers
    objects = [compiled(file, flags) for file in files]
    program = CACHE / digest(*map(digest_of, objects), *flags) / files[0].stem
    if not program.exists():
        program.parent.mkdir(exist_ok=True)
        part = program.with_suffix(f".{os.getpid()}.part")
        call([*flags, "-o", part, *objects])
        part.replace(program)
    os.utime(program.parent)
    return program


def tidy() -> None:
    """Of what is kept, the oldest goes. Others may do the same at the same time."""
    with suppress(FileNotFoundError):
        for old in sorted(CACHE.iterdir(), key=lambda path: path.stat().st_mtime)[:-KEPT]:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
