"""Build what `make suites` checks, in build/suites: the programs of published suites, of clones of yours.

    python -m simt.test.suites.build --scor ScoR --indigo IndigoSuite --indigo3 Indigo3Suite --ecl ECL-Suite

ScoR's are its microbenchmarks, Indigo's the CUDA codes of its default configuration, each on two graphs that
its generators make and in four shapes of launch. Indigo3's are, of its CUDA codes in the types of its default
configuration, every 32nd by name of those without a bug, and of those with one bug that a check of memory can
find. ECL's are its six programs with races that were thought benign and their race-free twins. Both run on
two of the graphs that come with Indigo3, with weights. What a program should show is in its name. The
verdicts in results/simt/suites.csv are of the commits that simt/limits.md names, in the code of sm_90.
"""

import argparse
import os
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from simt.try_cuda import TryError
from simt.try_cuda.build import ALWAYS, CACHE, OPTIMISED, ROOT, UNOPTIMISED, call, codes_of, compiled

OUT, HARNESS = ROOT / "build/suites", ROOT / "simt/test/suites"
UNIT = 20  # programs
# A generator, its arguments, the graph that it makes: one whose first and last node have no edges, and one
# with a node that has more edges than a warp has lanes.
GRAPHS = [("dynamic_graphs/power_law", "29 29 0 1", "counter_power_law_29n_29e.egr")]
GRAPHS += [("static_graphs/star", "36 0 3", "undirect_star_36n_70e.egr")]
SHAPES = ["32 2", "64 3", "256 2", "64 36"]  # threads of a block, blocks
LABELS = {
    "out_of_bounds": "boundsBug|_(Bounds|ExcessThreads|NbrBounds|NborBounds)Bug",
    "race": "(atomic|guard|sync|race)Bug|^race_|_(Race|Sync)Bug|^ECL(?!.*-atomic)",
    "uninitialised_read": "_UninitializedBug",
}
# Of Indigo3: a bug is a word of a program's name. Its others (a loop over the wrong field, overflow,
# precedence, a livelock) are wrong results of accesses that are as they should be.
BUG = re.compile(r"_(?!No)([A-Za-z]+)Bug(?=_|$)")
OF_MEMORY = ("Bounds", "ExcessThreads", "NbrBounds", "NborBounds", "Race", "Sync", "Uninitialized")
OF_INDIGO3 = 32  # programs of which one is taken
GRAPHS_OF_INDIGO3 = ["undirect2dim_rand_torus_100n_400e", "undirect_binary_tree_200n_398e"]
# What they include, outside of the namespace of a program, and names that CUDA 13 no longer has.
INCLUDES = ["algorithm", "climits", "cstdio", "cstdlib", "cuda.h", "cuda/atomic", "functional", "limits",
            "set", "sys/time.h", "tuple", "vector"]  # fmt: skip
GONE = ["-DclockRate=warpSize", "-DmemoryClockRate=warpSize"]


def run(*command: object, folder: Path) -> None:
    subprocess.run(list(map(str, command)), cwd=folder, check=True, stdout=subprocess.DEVNULL)


def indigo(folder: Path, out: Path) -> list[Path]:
    """Have the suite's generators make the graphs and the programs."""
    sources = out / "sources"
    sources.mkdir(exist_ok=True)
    for program in sorted((folder / "CUDA_sources").glob("*.idg")):
        run(sys.executable, "generate_CUDA_codes.py", program, "../copyright.txt", sources, folder=folder)
    for generator, arguments, _ in GRAPHS:
        ranges = [f'-D{name}="0@99999@"' for name in ("NUMV", "NUME")]
        source = folder / f"graph_generators/{generator}.cpp"
        run("g++", f"-I{folder / 'graph_include'}", *ranges, source, "-o", out / "generator", folder=out)
        run(out / "generator", *arguments.split(), folder=out)
    return sorted(sources.glob("*/*.cu"))


def indigo3(folder: Path, out: Path) -> list[Path]:
    """Have the suite's generator make the programs, of all kinds of bugs, and take some."""
    copy = out / "indigo3.sources"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git", "inputs"))
    configuration = copy / "codeGen/configure.txt"
    text = configuration.read_text(encoding="utf-8")
    configuration.write_text(text.replace("{nobug}", "{all}"), encoding="utf-8")
    run(sys.executable, "generate_all_codes.py", "CUDA", folder=copy)
    every = sorted(copy.glob("generatedCodes/CUDA/*/*.cu"), key=lambda each: each.stem)
    bugs = {each: BUG.findall(each.stem) for each in every}
    faulty = [each for each in every if len(bugs[each]) == 1 and bugs[each][0] in OF_MEMORY]
    right = [each for each in every if not bugs[each]]
    return right[::OF_INDIGO3] + faulty[::OF_INDIGO3]


def weighted(graph: Path, out: Path) -> Path:
    """In `out`: a graph of Indigo3 (nodes, edges, nodes + 1 starts, heads), and weights, alike both ways."""
    words = [word for (word,) in struct.iter_unpack("i", graph.read_bytes())]
    nodes, edges, starts = words[0], words[1], words[2:]
    heads = starts[nodes + 1 :][:edges]
    weights = [
        1 + (min(node, head) * 31 + max(node, head) * 17) % 97
        for node in range(nodes)
        for head in heads[starts[node] : starts[node + 1]]
    ]
    to = out / graph.name
    to.write_bytes(struct.pack(f"{2 + nodes + 1 + 2 * edges}i", *words[: 3 + nodes + edges], *weights))
    return to


def label(name: str) -> str:
    """What the suite says of a program, by its name."""
    return " ".join(found for found, bug in LABELS.items() if re.search(bug, name)) or "clean"


def text_of(source: Path, kind: str) -> str:
    """A program in a namespace of its own."""
    source = source.resolve()
    macros = re.findall(r"^#define (\w+)", source.read_text(encoding="utf-8"), re.MULTILINE)
    text = f'namespace {re.sub(r"[^a-zA-Z0-9]", "_", source.stem)} {{\n#include "{source}"\n'
    text += f'suite::Entry entry({{"{source.stem}", "{kind}", "{label(source.stem)}",\n'
    text += "    [](int count, char** argument) { return suite::call(main, count, argument); }});\n}\n"
    return text + "".join(f"#undef {macro}\n" for macro in macros)


@dataclass(frozen=True)
class Build:
    out: Path
    architectures: list[int]
    pool: ThreadPoolExecutor

    def programs(
        self, kind: str, sources: list[Path], headers: Path, runs: list[str], includes: Sequence[str] = ()
    ) -> None:
        """includes: what must not be in a namespace. With them there may be headers with guards, too: one
        program a unit, for these would be in the first one alone."""
        unit = 1 if includes else UNIT
        units = [HARNESS / "main.cpp"]
        for first in range(0, len(sources), unit):
            text = "".join(f"#include <{each}>\n" for each in includes)
            text += '#include "simt/test/suites/suite.h"\n#define printf suite::hear\n'
            text += "#define fprintf suite::complain\n" if includes else ""
            text += "".join(text_of(source, kind) for source in sources[first : first + unit])
            units.append(self.out / f"{kind.lower()}_{first}.cu")
            units[-1].write_text(text, encoding="utf-8")
        for suffix, way in (("", OPTIMISED), ("_unoptimised", UNOPTIMISED)):
            flags = [*ALWAYS, *codes_of(self.architectures), *way, f"-I{ROOT}", f"-I{headers}", *GONE]
            more = [f'-DARGUMENTS="{"".join(run + ";" for run in runs)}"']
            made = [self.pool.submit(compiled, each, flags + more * (each == units[0])) for each in units]
            objects = [each.result() for each in made]
            call([*flags, "-o", self.out / f"{kind.lower()}{suffix}", *objects])
            print(f"suites    {kind.lower()}{suffix}: {len(sources)} programs", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    add = parser.add_argument
    add("--scor", type=Path, help="clone of csl-iisc/ScoR")
    add("--indigo", type=Path, help="clone of burtscher/IndigoSuite")
    add("--indigo3", type=Path, help="clone of burtscher/Indigo3Suite")
    add("--ecl", type=Path, help="clone of burtscher/ECL-Suite")
    add("--every", type=int, default=1, metavar="N", help="of Indigo's programs every Nth (default: all)")
    add("--arch", type=int, nargs="+", default=[90], metavar="N", help="for sm_N (default: sm_90)")
    add("--out", type=Path, default=OUT, help="folder of the programs (default: build/suites)")
    add("--jobs", type=int, default=os.cpu_count(), help="compilers that run at a time")
    options = parser.parse_args()
    if not (options.scor or options.indigo or options.indigo3 or options.ecl):
        parser.error("give the clone of one suite at least")
    if options.ecl and not options.indigo3:
        parser.error("--ecl needs --indigo3, for its graphs")
    out = options.out.resolve()
    for folder in (out, CACHE):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        with ThreadPoolExecutor(options.jobs) as pool:
            build = Build(out, options.arch, pool)
            if options.scor:
                folder = options.scor.resolve() / "microbenchmarks/src"
                build.programs("ScoR", sorted(folder.glob("*.cu")), folder, [""])
            if options.indigo:
                folder = options.indigo.resolve() / "Generators"
                sources = indigo(folder, out)[:: options.every]
                runs = [f"{out / graph} {shape}" for *_, graph in GRAPHS for shape in SHAPES]
                build.programs("Indigo", sources, folder / "sources_include", runs)
            if options.indigo3:
                folder = options.indigo3.resolve()
                given = [weighted(folder / f"inputs/{name}.egr", out) for name in GRAPHS_OF_INDIGO3]
                runs = [f"{graph} 1 0" for graph in given]
                build.programs("Indigo3", indigo3(folder, out), folder / "lib", runs, INCLUDES)
            if options.ecl:
                folder = options.ecl.resolve()
                sources = sorted(folder.glob("src/**/*.cu"), key=lambda each: each.stem)
                build.programs("ECL", sources, folder / "library", list(map(str, given)), INCLUDES)
    except (TryError, OSError, subprocess.CalledProcessError) as error:
        print(f"suites    {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
