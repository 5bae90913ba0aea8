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
from pathlib import Path

from . import TryError, export, foretold, page, report
from .build import OPTIMISED, UNOPTIMISED, Options, build, need_machine, nvcc, tidy
from .observed import Finding, Launch, merged, shown
from .run import FOUND, Run, Schedule, ending, missing, run, say

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
        nargs="+",
        type=Path,
        metavar="FILE",
        help="sources of one program: .cu, and .cpp for the host",
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
        "--limit",
        type=int,
        default=60,
        metavar="SECONDS",
        help="end the program then (default: %(default)s)",
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
    add("--html", type=Path, metavar="OUT", help="write the annotated source as a page")
    add("--json", type=Path, metavar="OUT", help="write all counts")
    before, after = split(arguments)
    parsed, others = parser.parse_known_args(before)
    parsed.arguments = after
    language = [f"-std={parsed.std}"] if parsed.std else []
    parsed.others = [*language, *[f"-D{macro}" for macro in parsed.defines], *others]
    for what in parsed.allow:
        if what not in HAZARDS and not re.search(r":\d+$", what):
            raise TryError(f"--allow {what}: a place, as file:line, or one of {', '.join(HAZARDS)}")
    if parsed.seeds < 1 or parsed.budget < 0:
        raise TryError("--seeds takes at least 1, --budget at least 0")
    for path in parsed.files:
        if not path.is_file():
            raise TryError(f"{path}: no such file")
    return parsed


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
    nvcc()
    files = [path.resolve() for path in options.files]
    compiler = Options(options.includes, options.others)
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
    )
    with ThreadPoolExecutor() as pool:  # both programs are compiled at the same time
        optimised = pool.submit(build, files, compiler, OPTIMISED)
        unoptimised = None if options.once else pool.submit(build, files, compiler, UNOPTIMISED)
        sys.stdout.flush()
        first = run(optimised.result(), options.arguments, schedule)
        launches = first.observed.launches
        chosen = selected(launches, options) if launches else []
        if chosen:
            print(report.report(chosen), flush=True)
        for line in first.said:
            say(line)
        if not launches and first.status in (0, FOUND):
            say(f"{shown(str(files[0]))}: the program launched no kernel")
        if line := ending(first, schedule):
            say(line)
        if line := missing(first, schedule):
            say(line)
        second = []
        if unoptimised and launches:
            second = run_again(unoptimised, options, schedule, first)
    tidy()
    findings = merged(first.observed.findings, second)
    if chosen:
        print(foretold.report(chosen, first.observed.findings, options.gpu, options.longer), flush=True)
    for finding in findings:
        file, line = finding.line
        if {finding.hazard, f"{Path(file).name}:{line}", finding.other} & set(options.allow):
            finding.allowed = finding.allowed or "--allow"
        say(str(finding))
    status = 0 if first.status == FOUND else first.status  # the program's own
    if options.json:
        export.write_json(options.json, files, chosen, findings, status, first.observed.stopped)
    if options.html:
        page.write_html(options.html, files, chosen, findings)
    if any(each.fails or (options.strict and not each.allowed) for each in findings):
        return FOUND
    return status if status >= 0 else 1


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
        return attempt(parse(sys.argv[1:]))
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
