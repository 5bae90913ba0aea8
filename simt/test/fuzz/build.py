"""Builds a batch of kernels in several ways, from two runs of the compiler: what differs is ptxas's work.

The host's half is built once, with empty kernels: the device code of a batch takes their place there.
"""

import os
import re
import subprocess
import tempfile
import threading
from functools import cache
from pathlib import Path

from .kernel import Kernel

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
FOLDER = ROOT / "build" / "fuzz"
MACHINE = Path(os.environ.get("SIMT_RUN", ROOT / "build" / "simt-run"))
BATCH = 16  # kernels, at most: host.cu has as many
SECONDS = 60
FLAGS = ["-std=c++17", "-fmad=false", "-w", "-lineinfo", f"-I{HERE}"]
DEBUG = "-g --dont-merge-basicblocks --return-at-end"  # what nvcc -G says to ptxas
LINES = "--generate-line-info"  # which the machine asks for; one build is without
# By name: options of nvcc, and of ptxas in its place. The first is the optimised program.
WAYS = {
    "-O3": ("", LINES), "-G": ("-G", DEBUG), "-Xptxas -O0": ("", f"{LINES} -O0"),
    "-Xptxas -O1": ("", f"{LINES} -O1"), "-Xptxas -O2": ("", f"{LINES} -O2"),
    "-maxrregcount=24": ("", "--maxrregcount 24"),
}  # fmt: skip


class CompilerError(Exception):
    """What a compiler said; it may have crashed instead."""

    def __init__(self, said: str, status: int) -> None:
        super().__init__(said)
        self.is_crash = status < 0 or "died due to signal" in said


def call(*command: object) -> str:
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}{done.stderr}"
        raise CompilerError(said, done.returncode)
    return done.stdout


@cache
def nvcc() -> Path:
    return Path(call(ROOT / ".setup" / "cuda.sh").strip())


def tool(name: str) -> Path:
    return nvcc().parent / name


def source(kernels: list[Kernel]) -> str:
    helpers = "\n".join(sorted({each for kernel in kernels for each in kernel.helpers()}))
    return "\n".join(['#include "prelude.cuh"', helpers, *(kernel.text() for kernel in kernels)])


@cache
def host(arch: int) -> Path:
    """The object file with empty kernels."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = FOLDER / f"host.{arch}.{os.getpid()}.o"
    call(nvcc(), f"-arch=sm_{arch}", "-c", "-o", made, HERE / "host.cu")
    return made


class Batch:
    """Kernels in one source file, in a folder of its own, which goes with it. Threads may ask for builds."""

    def __init__(self, kernels: list[Kernel], arch: int) -> None:
        self.kernels, self.arch = kernels, arch
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.temporary = tempfile.TemporaryDirectory(dir=FOLDER)
        self.folder = Path(self.temporary.name)
        (self.folder / "batch.cu").write_text(source(kernels), encoding="utf-8")
        self.host = host(arch)
        self.one_at_a_time = threading.Lock()  # several builds are from one file of PTX

    def ptx(self, options: str) -> Path:
        made = self.folder / f"batch{options}.ptx"
        with self.one_at_a_time:
            if not made.exists():
                call(nvcc(), f"-arch=compute_{self.arch}", *FLAGS, *options.split(), "-ptx", "-o", made,
                     self.folder / "batch.cu")  # fmt: skip
        return made

    def program(self, way: str) -> Path:
        of_nvcc, of_ptxas = WAYS[way]
        stem = self.folder / re.sub(r"\W", "", way)
        cubin, fat, made, program = (stem.with_suffix(end) for end in (".cubin", ".fatbin", ".o", ".program"))
        if program.exists():
            return program
        call(tool("ptxas"), f"-arch=sm_{self.arch}", "--fmad", "false", *of_ptxas.split(), "-o", cubin,
             self.ptx(of_nvcc))  # fmt: skip
        call(tool("fatbinary"), "-64", f"--create={fat}", f"--image3=kind=elf,sm={self.arch},file={cubin}")
        call("objcopy", f"--update-section=.nv_fatbin={fat}", self.host, made)
        library = nvcc().resolve().parents[1] / "lib64"
        call("g++", made, f"-L{library}", f"-Wl,-rpath,{library}", "-lcudart", "-o", program)
        return program


def run(program: Path, threads: list[int], gpu: bool) -> tuple[int, str, str]:
    """Status, results and messages, on the machine with all checks or on the GPU."""
    command = [*([] if gpu else [MACHINE]), program, *map(str, threads)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return 124, "", f"not ended after {SECONDS} s"
    return done.returncode, done.stdout, done.stderr
