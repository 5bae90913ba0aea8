"""Runs a CUDA program, unmodified, on the SIMT machine and prints what its kernels do, line by line.

scripts/try prescan.cu
scripts/try main.cpp kernels.cu -I include -rdc=true -- --n=1024
"""

import argparse
import os
import re
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from . import TryError, advice, classroom, compare, export, foretold, page, report
from .build import OPTIMISED, UNOPTIMISED, Options, build, need_machine, nvcc, tidy
from .observed import Finding, Launch, merged, shown
from .run import FOUND, Run, Schedule, ending, library, missing, run, say

STOPPED = {
    "time": "the time is up (--limit)",
    "launches": "enough launches (--launches)",
    "memory": "the memory is used up (--memory)",
    "interrupt": "interrupted",
}
NO_LINES = (
    "the program names no lines, nor what PTX says of the order of its accesses: races may be named that are "
    "none. nvcc -lineinfo keeps both"
)
HAZARDS = [
    "race",
    "same_value",
    "first_read",
    "missing_acquire",
    "uninitialised_read",
    "divergent_barrier",
    "divergent_warp",
    "misuse",
    "fault",
    "host_access",
    "ignored_error",
    "leak",
]


def parse(arguments: list[str]) -> argparse.Namespace:
    description = __doc__.split("\n", 1)
    parser = argparse.ArgumentParser(
        prog="scripts/try",
        usage="%(prog)s [options] FILE.cu [FILE...] [-- ARGUMENT...]",
        description=description[0],
        epilog="Any other option is nvcc's; if it takes a value, write it with =, as in -maxrregcount=32. "
        "The exit status is 3 if a fault was found: a race, a read of what was never written, ...",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="sources of one program: .cu, and .cpp for the host, or a folder of them; or a program that "
        "nvcc has made (-arch=sm_90 -cudart shared -lineinfo -Xcompiler -g1)",
    )
    add(
        "-I", action="append", default=[], metavar="FOLDER", dest="includes", help="search headers there, too"
    )
    add("-D", action="append", default=[], metavar="MACRO", dest="defines", help="define a macro")
    add("-std", "--std", help="language, as c++20 (default: nvcc's)")
    add("--kernel", metavar="REGEX", help="report only kernels whose name contains this")
    add("--launch", type=int, metavar="N", help="report only this launch, from 1")
    add(
        "--allow",
        action="append",
        default=[],
        metavar="WHAT",
        help="show these, but do not fail for them: a place, as file:line, or one of "
        f"{', '.join(HAZARDS)}. On the line itself: // simt: allow HAZARD WHY",
    )
    add("--strict", action="store_true", help="fail for races that are benign on every GPU we know, too")
    add("--leaks", action="store_true", help="find memory that is never freed")
    add("--once", action="store_true", help="run the optimised program only")
    add(
        "--seeds",
        type=int,
        default=4,
        metavar="N",
        help="run each program under so many schedules (default: %(default)s)",
    )
    add(
        "--budget",
        type=int,
        default=60,
        metavar="SECONDS",
        help="begin no further schedule after that time (default: %(default)s)",
    )
    add("--seed", type=int, default=0, metavar="N", help="the first schedule (default: 0, ascending)")
    add(
        "--limit", type=int, default=60, metavar="SECONDS", help="end the program then (default: %(default)s)"
    )
    add(
        "--launches", type=int, default=0, metavar="N", help="end the program after N launches (default: all)"
    )
    add(
        "--gpu",
        action="append",
        default=[],
        metavar="FOLDER",
        help="predict the times on this GPU of results/ (default: on all)",
    )
    add(
        "--longer",
        type=float,
        default=1.0,
        metavar="F",
        help="predict launches with F times as many blocks (default: as they are)",
    )
    add("--against", type=Path, metavar="FILE", help="run this program, too, and show what differs by line")
    add(
        "--class",
        type=Path,
        metavar="FOLDER",
        dest="classroom",
        help="judge a folder of submissions; needs --expect",
    )
    add(
        "--expect",
        type=Path,
        metavar="FILE",
        help="with --class: what they must print, as JSON (docs/try.md)",
    )
    add(
        "--out",
        type=Path,
        default=Path("class"),
        metavar="FOLDER",
        help="with --class: where the tables go (default: %(default)s)",
    )
    add("--jobs", type=int, default=os.cpu_count(), metavar="N", help="with --class: so many at a time")
    add("--block", type=int, default=0, metavar="N", help="step through this block in the page (default: 0)")
    add(
        "--memory",
        type=int,
        default=0,
        metavar="GB",
        help="end the program when it takes more (default: nine tenths of what is free)",
    )
    add("--html", type=Path, metavar="OUT", help="write the annotated source as a page")
    add("--json", type=Path, metavar="OUT", help="write all counts")
    before, after = split(arguments)
    parsed, others = parser.parse_known_args(before)
    parsed.arguments = after
    between = [word for word in others if is_source(word)]  # options before, options behind
    others = [word for word in others if word not in between]
    parsed.files += map(Path, between)
    language = [f"-std={parsed.std}"] if parsed.std else []
    parsed.others = [*language, *[f"-D{macro}" for macro in parsed.defines], *others]
    for what in parsed.allow:
        if what not in HAZARDS and not re.search(r":\d+$", what):
            raise TryError(f"--allow {what}: a place, as file:line, or one of {', '.join(HAZARDS)}")
    if parsed.seeds < 1 or parsed.budget < 0:
        raise TryError("--seeds takes at least 1, --budget at least 0")
    if parsed.classroom:
        if parsed.files or not parsed.expect:
            raise TryError("--class takes no files, but --expect FILE")
    elif not parsed.files:
        raise TryError("no file to run; see --help")
    parsed.files = [file for path in parsed.files for file in sources_in(path)]
    for path in [*parsed.files, *filter(None, [parsed.against])]:
        if not path.is_file():
            raise TryError(f"{path}: no such file")
    return parsed


def is_source(word: str) -> bool:
    """And no option's value."""
    return Path(word).suffix in (".cu", ".cpp", ".cc", ".cxx", ".c") and Path(word).is_file()


def sources_in(path: Path) -> list[Path]:
    """A file, or of a folder its .cu and .cpp files."""
    if not path.is_dir():
        return [path]
    found = sorted(each for each in path.iterdir() if each.suffix in (".cu", ".cpp"))
    if not found:
        raise TryError(f"{path}: a folder without .cu and .cpp files")
    return found


def split(arguments: list[str]) -> tuple[list[str], list[str]]:
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:at], arguments[at + 1 :]


def selected(launches: list[Launch], options: argparse.Namespace) -> list[Launch]:
    if options.launch is not None and not 1 <= options.launch <= len(launches):
        raise TryError(f"--launch {options.launch}: the program has {len(launches)} launches")
    chosen = [launch for launch in launches if options.launch in (None, launch.number)]
    found = [launch for launch in chosen if re.search(options.kernel or "", launch.kernel)]
    if not found and options.kernel:
        names = ", ".join(sorted({launch.kernel for launch in launches}))
        raise TryError(f"--kernel {options.kernel}: no such kernel was launched; these were: {names}")
    return found


def attempt(options: argparse.Namespace) -> int:
    need_machine()
    if (built := executable(options.files)) is None:
        nvcc()
    files = [path.resolve() for path in options.files]
    traced = options.launch or 1 if options.html or options.json else 0
    settings = ("SIMT_STRICT", "SIMT_VOLATILE_IS_WEAK") if options.strict else ()
    schedule = Schedule(
        options.seed,
        options.seeds,
        options.budget,
        options.limit,
        options.launches,
        traced,
        (*settings, *(("SIMT_LEAKS",) if options.leaks else ())),
        options.block,
        options.memory << 10 or free_megabytes() * 9 // 10,
    )
    status, chosen, findings, stopped = of_program(files, options, schedule, built)
    for finding in findings:
        file, line = finding.line
        if {finding.hazard, f"{Path(file).name}:{line}", finding.other} & set(options.allow):
            finding.allowed = finding.allowed or "--allow"
        say(str(finding))
    if options.json:
        export.write_json(options.json, files, chosen, findings, status, stopped)
    if options.html:
        advised = advice.report(chosen, options.gpu, options.longer) if chosen else ""
        partial = f"partial: {STOPPED[stopped]}" if stopped else ""
        page.write_html(options.html, files, chosen, findings, advised, partial, options.block)
    if options.against:
        other = [options.against.resolve()]
        print(f"\nand {shown(str(other[0]))}:", flush=True)
        _, theirs, others, _ = of_program(other, options, schedule, executable(other))
        both = (findings, others)
        print(
            compare.report(
                [*map(str, files[:1]), str(other[0])], (chosen, theirs), both, options.gpu, options.longer
            )
        )
    tidy()
    if any(each.fails or (options.strict and not each.allowed) for each in findings):
        return FOUND
    return status if status >= 0 else 1


def free_megabytes() -> int:
    for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) >> 10
    return 0


def executable(files: list[Path]) -> Path | None:
    """The program itself, if that is what was given."""
    with files[0].open("rb") as file:
        return files[0].resolve() if len(files) == 1 and file.read(4) == b"\x7fELF" else None


def of_program(
    files: list[Path], options: argparse.Namespace, schedule: Schedule, built: Path | None
) -> tuple[int, list[Launch], list[Finding], str | None]:
    """Build the program twice, unless it is `built`, run and report it. Its own exit status, the launches
    that were chosen, what was found, and why it was stopped."""
    compiler = Options(options.includes, options.others)
    with ThreadPoolExecutor() as pool:  # both programs are compiled at the same time
        pool.submit(import_module, "analysis.model.programs")  # a second, which the report would wait for
        optimised = None if built else pool.submit(build, files, compiler, OPTIMISED)
        once = options.once or built is not None
        unoptimised = None if once else pool.submit(build, files, compiler, UNOPTIMISED)
        sys.stdout.flush()
        program = built or optimised.result()
        first = run(program, options.arguments, schedule)
        launches = first.observed.launches
        chosen = selected(launches, options) if launches else []
        if first.observed.stopped:
            print(
                f"\npartial: {STOPPED[first.observed.stopped]}; counts are of what ran until then", flush=True
            )
        if chosen:
            print(report.report(chosen), flush=True)
        for line in first.said:
            say(line)
        if not launches and first.status in (0, FOUND):
            say(f"{shown(str(files[0]))}: the program launched no kernel")
        if line := ending(first, schedule):
            say(line)
        if launches and not any(file for launch in launches for file, _ in launch.lines):
            say(NO_LINES)
        if first.status not in (0, FOUND) and (name := library(program)):
            say(f"the program is linked to {name}, which needs a GPU: CUB and Thrust run here")
        if line := missing(first, schedule):
            say(line)
        second = []
        if unoptimised and launches and first.observed.stopped != "interrupt":
            second = run_again(unoptimised, options, schedule, first)
    if chosen:
        if text := advice.report(chosen, options.gpu, options.longer):
            print(text, flush=True)
        print(foretold.report(chosen, options.gpu, options.longer), flush=True)
    status = 0 if first.status == FOUND else first.status  # the program's own
    return status, chosen, merged(first.observed.findings, second), first.observed.stopped


def run_again(program: Future, options: argparse.Namespace, schedule: Schedule, first: Run) -> list[Finding]:
    """Without optimisation no access is merged or left out: what the checks find then, in the time left."""
    again = replace(schedule, budget=max(0, int(schedule.budget - first.seconds)), traced=0)
    try:
        second = run(program.result(), options.arguments, again, is_silent=True)
    except TryError as error:
        say(f"the unoptimised program does not compile, so it was not checked: {error}")
        return []
    for line in second.said:
        if line not in first.said:
            say(f"{line} (in the unoptimised program)")
    if second.observed.stopped == "time":
        say(f"the unoptimised program was checked for {schedule.limit:,} s, not to its end")
    elif (line := missing(second, schedule)) and line != missing(first, schedule):
        say(f"{line} (in the unoptimised program)")
    return second.observed.findings


def main() -> int:
    try:
        options = parse(sys.argv[1:])
        if options.classroom:
            need_machine()
            return classroom.grade(options.classroom, options.expect, options.out, max(1, options.jobs))
        return attempt(options)
    except TryError as error:
        print(error if error.by_compiler else f"try: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # as of `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


if __name__ == "__main__":
    sys.exit(main())
