"""Counts belong to the source, not to the compiler: compilers.py [--quick] [CLAIM..]

Every claim, or those named, is compiled by each g++ that is installed (g++-11, g++-12, ..) and counted. All
must write the same files, byte for byte, as the binaries in build/simt; cells that differ are listed.
Only the file with the kernels is compiled: the machine and the harness are those of build/simt.
Exit status 1 if anything differs, does not compile or does not run, or if there is no second g++.
"""

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/simt"
VERSIONS = range(11, 20)


class CompilersError(Exception):
    """Why counts cannot be compared, in one line."""


def version_of(compiler: str) -> str:
    return subprocess.run([compiler, "-dumpversion"], capture_output=True, text=True).stdout.strip()


def others() -> list[str]:
    """The installed versions of g++ other than that of build/simt."""
    found = filter(shutil.which, (f"g++-{version}" for version in VERSIONS))
    return [compiler for compiler in found if version_of(compiler) != version_of("g++")]


def commands() -> dict[str, str]:
    """The build's commands by output, as ninja lists them."""
    done = subprocess.run(["ninja", "-C", BUILD, "-t", "compdb"], capture_output=True, text=True)
    if done.returncode != 0 or "[\n" not in done.stdout:
        raise CompilersError(f"no build in {BUILD}: run make simt")
    return {edge["output"]: edge["command"] for edge in json.loads(done.stdout[done.stdout.index("[\n") :])}


def build(claim: str, compiler: str, of_build: dict[str, str], folder: Path) -> Path:
    """The claim's binary with kernels by this compiler."""
    source = f"CMakeFiles/experiment_{claim}.dir/experiments/{claim}.cu.o"
    compiled, binary = folder / f"{claim}.o", folder / claim
    compile_ = shlex.split(of_build[source].replace(source, str(compiled)))
    at = next(i for i, word in enumerate(compile_) if re.search(r"g\+\+[-\d]*$", word))
    compile_[at] = shutil.which(compiler)
    link = of_build[f"experiments/{claim}"].replace(source, shlex.quote(str(compiled)))
    link = link.replace(f"-o experiments/{claim}", f"-o {shlex.quote(str(binary))}")
    for command in (compile_, ["bash", "-c", link]):
        done = subprocess.run(command, cwd=BUILD, capture_output=True, text=True)
        if done.returncode != 0:
            raise CompilersError(
                f"{claim} by {compiler}: {(done.stderr + done.stdout).strip().splitlines()[0]}"
            )
    return binary


def count(binary: Path, out: Path, quick: bool) -> dict[str, bytes]:
    """What the binary writes, by file."""
    done = subprocess.run([binary, f"--out={out}", *["--quick"] * quick], capture_output=True, text=True)
    if done.returncode != 0:
        raise CompilersError(f"{binary.name}: {done.stderr.strip()}")
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


def differences(ours: dict[str, bytes], theirs: dict[str, bytes], claim: str) -> list[str]:
    """The cells that differ, a line each; else the files that do."""
    table = f"{claim}.json"
    cells = []
    for one, other in zip(*(json.loads(each[table])["benchmarks"] for each in (ours, theirs)), strict=False):
        cells += [
            f"{one['name']}: {quantity}: {one.get(quantity)}, not {other.get(quantity)}"
            for quantity in sorted(one.keys() | other.keys())
            if one.get(quantity) != other.get(quantity)
        ]
    files = [name for name in sorted(ours.keys() | theirs.keys()) if ours.get(name) != theirs.get(name)]
    return cells or [f"{name} differs" for name in files]


def compare(claim: str, compilers: list[str], quick: bool) -> dict[str, list[str]]:
    """What differs from the counts of build/simt, by compiler."""
    of_build = commands()
    if not (BUILD / "experiments" / claim).exists():
        raise CompilersError(f"no build/simt/experiments/{claim}: run make simt")
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours = count(BUILD / "experiments" / claim, folder / "ours", quick)
        for compiler in compilers:
            theirs = count(build(claim, compiler, of_build, folder), folder / compiler, quick)
            found[compiler] = differences(theirs, ours, claim)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("claims", nargs="*", help="of experiments/; all if none is named")
    parser.add_argument("--quick", action="store_true", help="count at small sizes")
    arguments = parser.parse_args()
    claims = arguments.claims or sorted(path.stem for path in ROOT.glob("experiments/*.cu"))
    compilers, failed = others(), False
    if not compilers:
        print(f"compilers: no other g++ than {version_of('g++')}: install g++-11, say", file=sys.stderr)
        return 1
    with ThreadPoolExecutor(2) as pool:
        running = {claim: pool.submit(compare, claim, compilers, arguments.quick) for claim in claims}
        for claim, result in running.items():
            try:
                for compiler, lines in result.result().items():
                    failed |= bool(lines)
                    said = f"{len(lines)} cells differ" if lines else "the same"
                    print(f"compilers {claim}: {compiler} and g++ {version_of('g++')}: {said}", flush=True)
                    for line in lines:
                        print(f"          {line}")
            except CompilersError as error:
                failed = True
                print(f"compilers: {error}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
