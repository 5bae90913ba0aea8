"""Write a digest of an experiment's machine code.

machine_code.py --architecture 90 --compiler "nvcc 13.0.88" --out FILE experiment.o [harness.o ..]

The digest covers the instructions of all kernels in the experiment's object file, and of those in the
harness's object files that it calls into. Only the kernels' text sections count: names, comments, host
code and the files' places do not affect the digest; one changed instruction does. A template is compiled
only where it is launched, so a kernel affects only the experiments that launch it. CUB's own kernels are
left out: results name CUB's version. The names of the experiment's kernels are listed beside the digest.
Recordings carry the digest, so that `make stale` finds those made with other kernels (stale.py). The SIMT
machine counts what is compiled for sm_90: the digest of that is "counted".
"""

import argparse
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from elftools.elf.elffile import ELFFile

TEXT = ".text."
COUNTED = "90"  # the architecture whose code the SIMT machine runs
CUOBJDUMP = "lib/python3*/site-packages/nvidia/cu*/bin/cuobjdump"  # of the virtual environment
LIBRARY = re.compile(r"_ZN\d+(cub|thrust)")  # how mangled names of its kernels begin
OWN = "trial::"  # the namespace of kernels/, left out of names
MARKED = "7harness6MarkedI"  # in the names of twins that are counted and never timed


def symbols(path: Path) -> tuple[set[str], set[str]]:
    """The global names that an object file defines, and those that it needs from other files."""
    defined, needed = set(), set()
    with path.open("rb") as stream:
        for symbol in ELFFile(stream).get_section_by_name(".symtab").iter_symbols():
            if symbol["st_info"]["bind"] != "STB_LOCAL" and symbol.name:
                (needed if symbol["st_shndx"] == "SHN_UNDEF" else defined).add(symbol.name)
    return defined, needed


def called(experiment: Path, harness: list[Path]) -> list[Path]:
    """The experiment, and the harness's object files that it calls directly."""
    own, needed = symbols(experiment)
    return [experiment, *(path for path in harness if (symbols(path)[0] - own) & needed)]


def cuobjdump() -> Path:
    found = sorted(Path(sys.prefix).glob(CUOBJDUMP))
    if not found:
        raise SystemExit(f"machine_code.py: no cuobjdump in {sys.prefix}; run make, which installs it")
    return found[-1]


def images(path: Path, architecture: str) -> list[bytes]:
    """The device code of an architecture in an object file, as ELF images; empty if it has no kernels."""
    if b".nv_fatbin" not in path.read_bytes():
        return []
    with tempfile.TemporaryDirectory(prefix="machine-code-") as folder:
        command = [cuobjdump(), "--extract-elf", f"sm_{architecture}", path.resolve()]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        found = [each.read_bytes() for each in sorted(Path(folder).iterdir())]
    if done.returncode != 0:
        raise SystemExit(f"machine_code.py: cuobjdump failed on {path}: {done.stderr.strip()}")
    return found


def kernels(path: Path, architecture: str) -> list[tuple[str, bytes]]:
    """The mangled names and the text sections of the project's own kernels in an object file."""
    elves = [ELFFile(io.BytesIO(image)) for image in images(path, architecture)]
    sections = [section for elf in elves for section in elf.iter_sections()]
    found = [(each.name.removeprefix(TEXT), each.data()) for each in sections if each.name.startswith(TEXT)]
    return [(name, text) for name, text in found if not LIBRARY.match(name) and MARKED not in name]


def digest(experiment: Path, harness: list[Path], architecture: str) -> str:
    """The digest of all kernels, independent of their names and of the order of files."""
    texts = [text for path in called(experiment, harness) for _, text in kernels(path, architecture)]
    return hashlib.sha256(b"".join(sorted(hashlib.sha256(text).digest() for text in texts))).hexdigest()


def names(experiment: Path, architecture: str) -> list[str]:
    """The names of the experiment's kernels in the source, without template arguments."""
    mangled = "\n".join(name for name, _ in kernels(experiment, architecture))
    done = subprocess.run(["c++filt"], input=mangled, capture_output=True, text=True, check=True)
    lines = done.stdout.replace("(anonymous namespace)::", "").replace(OWN, "").splitlines()
    return sorted({re.match(r"(?:void )?(.*?)[<(]", f"{line}(").group(1) for line in lines})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--architecture", required=True, help="one of those in the object files")
    parser.add_argument("--compiler", required=True, help="compiler of the object files")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    parser.add_argument("experiment", type=Path)
    parser.add_argument("harness", type=Path, nargs="*")
    arguments = parser.parse_args()
    digests = {
        architecture: digest(arguments.experiment, arguments.harness, architecture)
        for architecture in {COUNTED, arguments.architecture}
    }
    document = {
        "machine_code": digests[arguments.architecture],
        "counted": digests[COUNTED],
        "architecture": arguments.architecture,
        "compiler": arguments.compiler,
        "kernels": names(arguments.experiment, arguments.architecture),
    }
    part = arguments.out.with_name(f"{arguments.out.name}.new")
    part.write_text(json.dumps(document) + "\n", encoding="utf-8")
    os.replace(part, arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
