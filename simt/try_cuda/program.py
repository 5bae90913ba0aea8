"""One program, as the user gave it: built in both ways, run, and reported."""

import argparse
import re
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from . import TryError
from .build import (
    OPTIMISED,
    UNOPTIMISED,
    Options,
    architecture,
    build,
    compilers,
    nvcc,
    set_architecture,
    tidy,
)
from .findings import Finding, merged
from .observed import Launch, Line, shown
from .report import advice, clock, compare, export, page, terminal
from .run import (
    FAULTY,
    INTERRUPTED,
    Input,
    Outcome,
    Run,
    Schedule,
    ending,
    is_told_otherwise,
    library,
    missing,
    run,
    say,
)

STOPPED = {
    "time": "the time is up (--limit)",
    "launches": "enough launches (--launches)",
    "memory": "the memory is used up (--memory)",
    "interrupt": "interrupted",
}
SOON = 5  # seconds with the clock, up to which lines are tried
NOT_ALL = 2  # exit status: a part of the program did not run
NO_LINES = (
    "the program names no lines, nor what PTX says of the order of its accesses: races may be named that are "
    "none. nvcc -lineinfo keeps both"
)


def attempt(options: argparse.Namespace) -> int:
    """The exit status."""
    settings = ("SIMT_STRICT", "SIMT_VOLATILE_IS_WEAK") if options.strict else ()
    schedule = Schedule(
        options.seed,
        options.seeds,
        options.budget,
        options.limit,
        options.launches,
        traced=options.launch or 1 if options.html or options.json else 0,
        settings=(*settings, *(("SIMT_LEAKS",) if options.leaks else ())),
        block=options.block,
        megabytes=options.memory << 10 or free_megabytes() * 9 // 10,
    )
    if options.gpu:
        clock.ensure_prices(options.gpu)
    outcome = of_program([path.resolve() for path in options.files], options, schedule)
    for finding in outcome.findings:
        if finding.names & set(options.allow):
            finding.allowed = finding.allowed or "--allow"
        say(str(finding))
    write(outcome, options)
    if options.against:
        print(f"\nand {shown(str(options.against.resolve()))}:", flush=True)
        other = of_program([options.against.resolve()], options, schedule)
        print(compare.report(outcome, other, gpu_of(options)))
    tidy()
    if any(each.fails_strictly if options.strict else each.fails for each in outcome.findings):
        return FAULTY
    if outcome.status == 0 and outcome.library:
        return NOT_ALL
    return outcome.status if outcome.status >= 0 else 1


def write(outcome: Outcome, options: argparse.Namespace) -> None:
    if options.json:
        export.write_json(options.json, outcome)
    if options.html:
        advised = advice.report(outcome.launches)
        partial = f"partial: {STOPPED[outcome.stopped]}" if outcome.stopped else ""
        page.write_html(options.html, outcome, advised, partial, options.block)


def free_megabytes() -> int:
    for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) >> 10
    return 0


def selected(launches: list[Launch], options: argparse.Namespace) -> list[Launch]:
    if not launches:
        return []
    if options.launch is not None and not 1 <= options.launch <= len(launches):
        raise TryError(f"--launch {options.launch}: the program has {len(launches)} launches")
    chosen = [
        launch
        for launch in launches
        if options.launch in (None, launch.number) and re.search(options.kernel or "", launch.kernel)
    ]
    if not chosen:
        names = ", ".join(sorted({launch.kernel for launch in launches}))
        raise TryError(f"--kernel {options.kernel}: no such kernel was launched; these were: {names}")
    return chosen


def executable(files: list[Path]) -> Path | None:
    """The program itself, if that is what was given."""
    with files[0].open("rb") as file:
        return files[0] if len(files) == 1 and file.read(4) == b"\x7fELF" else None


def of_program(files: list[Path], options: argparse.Namespace, schedule: Schedule) -> Outcome:
    """Build the program twice, unless it is built; run and report it."""
    built = executable(files)
    if built is None:
        nvcc()
    compiler = Options(options.includes, options.others)
    # Both programs are compiled at the same time.
    with ThreadPoolExecutor() as pool, compilers.ended_by_errors():
        optimised = None if built else pool.submit(build, files, compiler, OPTIMISED)
        is_once = options.once or built is not None
        unoptimised = None if is_once else pool.submit(build, files, compiler, UNOPTIMISED)
        sys.stdout.flush()
        program = built or optimised.result()
        given = Input()
        first = run(program, options.arguments, schedule, given)
        set_architecture(first.observed.architecture)  # a program may have been built for another
        launches = selected(first.observed.launches, options)
        show(files[0], program, first, schedule, launches)
        findings, status = [], first.status
        if unoptimised and first.observed.launches and first.observed.stopped != "interrupt":
            findings, is_interrupted = run_again(unoptimised, options, schedule, first, given)
            status = INTERRUPTED if is_interrupted else status
    waits = ""
    if launches and gpu_of(options) and status != INTERRUPTED:
        waits, is_interrupted = by_the_clock(program, options, schedule, first, launches, given)
        status = INTERRUPTED if is_interrupted else status
    for text in filter(None, (waits, advice.report(launches))):
        print(text, flush=True)
    found = merged(first.observed.findings, findings)
    return Outcome(files, status, launches, found, first.observed.stopped, waits, library(program))


def show(file: Path, program: Path, first: Run, schedule: Schedule, launches: list[Launch]) -> None:
    """What the first run counted, how it ended, and what is amiss with the program as such."""
    observed = first.observed
    if observed.stopped:
        print(f"\npartial: {STOPPED[observed.stopped]}; counts are of what ran until then", flush=True)
    if launches:
        print(terminal.report(launches), flush=True)
    for line in first.messages:
        say(line)
    has_ended = first.status == 0
    if not observed.launches and has_ended:
        say(f"{shown(str(file))}: the program launched no kernel")
    if line := ending(first, schedule):
        say(line)
    if not all(launch.names_lines for launch in observed.launches):
        say(NO_LINES)
    if name := library(program):
        say(
            f"the program calls {name}, which needs a GPU: the machine does not run it, so what it computes "
            "is missing here. CUB and Thrust run"
        )
    if line := missing(first, schedule):
        say(line)


def gpu_of(options: argparse.Namespace) -> str:
    """By whose clock times are taken; "": none are."""
    is_known = architecture() == clock.ARCHITECTURE and not options.untimed
    return (options.gpu or clock.GPU) if is_known else ""


def by_the_clock(
    program: Path,
    options: argparse.Namespace,
    schedule: Schedule,
    first: Run,
    launches: list[Launch],
    given: Input,
) -> tuple[str, bool]:
    """Run the program anew, with the clock, and again for lines that are taken as if they did not wait, if
    that is soon done: the report, and whether the user has interrupted it. first: without the clock, of which
    all was told."""
    gpu = gpu_of(options)
    clocked = replace(schedule, seed=0, seeds=1, traced=0, clock=gpu, longer=options.longer)

    def timed(at_once: str = "") -> Run:
        return run(program, options.arguments, replace(clocked, at_once=at_once), given, is_silent=True)

    def times_if(line: Line) -> clock.Times:
        again = timed(f"{line[0]}:{line[1]}").observed.launches
        return {launch.number: us for launch in again if (us := clock.us_of(launch))}

    done = timed()
    for line in done.messages:
        if line not in first.messages and not is_told_otherwise(line, first.observed.findings):
            say(f"{line} (with the clock)")
    if (line := ending(done, schedule)) and line != ending(first, schedule):
        say(f"{line} (with the clock)")
    is_interrupted = done.is_cut and done.status == INTERRUPTED
    if is_interrupted:
        say("interrupted: some launches have no time (--untimed leaves all times out)")
    clocks = {launch.number: launch.clock for launch in done.observed.launches}
    for launch in launches:
        launch.clock = clocks.get(launch.number, {})
    is_soon = not done.is_cut and done.seconds < SOON
    tried = clock.without_waits(launches, times_if) if is_soon else {}
    return clock.report(launches, gpu, options.longer, tried), is_interrupted


def run_again(
    program: Future, options: argparse.Namespace, schedule: Schedule, first: Run, given: Input
) -> tuple[list[Finding], bool]:
    """Without optimisation no access is merged or left out: what the checks find then, in the time left; and
    whether the user has interrupted it."""
    again = replace(schedule, budget=max(0, int(schedule.budget - first.seconds)), traced=0)
    try:
        second = run(program.result(), options.arguments, again, given, is_silent=True)
    except TryError as error:
        say(f"the unoptimised program does not compile, so it was not checked: {error}")
        return [], False
    for line in second.messages:
        if line not in first.messages:
            say(f"{line} (in the unoptimised program)")
    is_interrupted = second.is_cut and second.status == INTERRUPTED
    if is_interrupted:
        say("interrupted: the unoptimised program was not checked to its end")
    elif second.observed.stopped == "time":
        say(f"the unoptimised program was checked for {schedule.limit:,} s, not to its end")
    elif (line := missing(second, schedule)) and line != missing(first, schedule):
        say(f"{line} (in the unoptimised program)")
    return second.observed.findings, is_interrupted
