"""Compiles a CUDA program for the SIMT machine."""

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from . import TryError, preprocess, rewrite, scope

ROOT = Path(__file__).resolve().parents[2]
MACHINE = ROOT / "simt" / "include"
BUILT = ROOT / "build" / "simt"
LIBRARIES = [BUILT / "simt" / f"lib{name}.a" for name in ("simt_trial", "simt")]
HOST_SUFFIXES = {".cpp", ".cc", ".cxx", ".c"}


@dataclass(frozen=True)
class Options:
    """Of the compiler: -I, -D and -std, as the user gives them."""

    includes: list[str] = field(default_factory=list)
    defines: list[str] = field(default_factory=list)
    standard: str = "c++17"

    def flags(self) -> list[str]:
        return [
            f"-std={self.standard}",
            *[f"-I{folder}" for folder in self.includes],
            *[f"-D{macro}" for macro in self.defines],
            "-isystem",
            str(MACHINE),
            "-D__CUDACC__",
            "-D__NVCC__",
            "-include",
            str(MACHINE / "launch_syntax.h"),
            "-w",
        ]


def need_library() -> list[str]:
    """Build the machine if it is not built, or older than its sources. Returns the flags of kernels."""
    sources = [path for path in (ROOT / "simt").rglob("*") if path.suffix in {".cpp", ".h", ".txt"}]
    newest = max(path.stat().st_mtime for path in sources)
    ready = [*LIBRARIES, BUILT / "trial_flags"]
    if any(not path.exists() or path.stat().st_mtime < newest for path in ready):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        done = subprocess.run(["make", "-s", "try-machine"], cwd=ROOT, env=environment, check=False)
        if done.returncode != 0:
            raise TryError("the SIMT machine does not build, see above")
    return (BUILT / "trial_flags").read_text(encoding="utf-8").split()


def compiler(arguments: list, text: bytes | None = None) -> bytes:
    """Run g++. Its errors are shown as they are."""
    done = subprocess.run(["g++", *arguments], input=text, capture_output=True, check=False)
    if done.returncode == 0:
        return done.stdout
    errors = done.stderr.decode(errors="replace")
    scope.check_headers(errors)
    raise TryError(readable(errors))


def readable(errors: str) -> str:
    """The compiler's errors without what the rewriting put into quoted lines."""
    errors = re.sub(r"^cc1plus: .*\n", "", errors, flags=re.MULTILINE)
    return errors.rstrip()


def compile_device(path: Path, options: Options, flags: list[str], to: Path) -> int:
    """A file with kernels. Returns their number."""
    text = compiler(["-E", "-xc++", "-DSIMT_QUALIFIERS", *options.flags(), str(path)])
    source = preprocess.source(text, MACHINE)
    root = rewrite.parse(source)
    scope.check(source, root)
    rewritten = to.with_suffix(".ii.cpp")
    rewritten.write_bytes(rewrite.rewrite(source, root))
    standard = f"-std={options.standard}"
    qualifiers = ["-include", str(MACHINE / "qualifiers.h")]
    # addr2line 2.40 takes the first file of DWARF 5 for the file that was compiled, not for the user's.
    compiler([*flags, "-gdwarf-4", "-w", standard, *qualifiers, "-c", "-o", str(to), str(rewritten)])
    return scope.kernels(root)


def compile_host(path: Path, options: Options, to: Path) -> None:
    compiler(["-O1", "-g1", "-gdwarf-4", "-xc++", *options.flags(), "-c", "-o", str(to), str(path)])


def build(files: list[Path], options: Options, folder: Path, checked: bool = True) -> Path:
    """Compile and link the program. Returns its path. Unchecked: nothing sees its memory accesses."""
    flags = need_library()
    if not checked:
        flags = [flag for flag in flags if "tsan" not in flag and flag != "-fsanitize=thread"]
    objects, kernels = [], 0
    for number, path in enumerate(files):
        to = folder / f"{number}.o"
        if path.suffix in HOST_SUFFIXES:
            compile_host(path, options, to)
        else:
            kernels += compile_device(path, options, flags, to)
        objects.append(str(to))
    if kernels == 0:
        raise TryError(f"{preprocess.shown(str(files[0]))}: no kernel: there is no __global__ function in it")
    program = folder / files[0].stem
    libraries = [*map(str, LIBRARIES), "-lboost_context", "-lpthread", "-lm"]
    compiler([*objects, "-Wl,-u,simt_trial", *libraries, "-o", str(program)])
    return program
