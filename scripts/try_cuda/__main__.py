"""Runs a CUDA program, unmodified, on the SIMT machine and prints what its kernels do, line by line.

scripts/try prescan.cu
scripts/try main.cpp kernels.cu -I include -- --n=1024
"""

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

from . import TryError, export, page, report
from .build import Options, build
from .observed import Launch
from .preprocess import shown
from .run import FAULTED, Schedule, ending, run, say


def parse(arguments: list[str]) -> argparse.Namespace:
    description = __doc__.split("\n", 1)
    parser = argparse.ArgumentParser(
        prog="scripts/try",
        usage="%(prog)s [options] FILE.cu [FILE...] [-- ARGUMENT...]",
        description=description[0],
        epilog="A fault (a race, a read of what was never written, a divergent barrier, ...) ends the run; "
        "the exit status is then 3.",
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
    add("--std", default="c++17", help="language (default: %(default)s)")
    add("--kernel", metavar="REGEX", help="report only kernels whose name contains this")
    add("--launch", type=int, metavar="N", help="report only this launch, from 1")
    add(
        "--block",
        type=int,
        metavar="N",
        help="of --launch: trace this block, for --html and --json (default: 0)",
    )
    add("--allow-unset", action="store_true", help="reads of what was never written are warnings, not faults")
    add(
        "--seed", type=int, default=0, help="another schedule of blocks, warps and lanes (default: ascending)"
    )
    add(
        "--limit",
        type=float,
        default=60,
        metavar="SECONDS",
        help="end the program then (default: %(default)g)",
    )
    add(
        "--launches", type=int, default=0, metavar="N", help="end the program after N launches (default: all)"
    )
    add("--cores", type=int, default=0, metavar="N", help="CPU cores (default: all)")
    add("--html", type=Path, metavar="OUT", help="write the annotated source as a page")
    add("--json", type=Path, metavar="OUT", help="write all counts")
    before, separator, after = split(arguments)
    parsed = parser.parse_args(before)
    parsed.arguments = after if separator else []
    for path in parsed.files:
        if not path.is_file():
            raise TryError(f"{path}: no such file")
    return parsed


def split(arguments: list[str]) -> tuple[list[str], bool, list[str]]:
    if "--" not in arguments:
        return arguments, False, []
    at = arguments.index("--")
    return arguments[:at], True, arguments[at + 1 :]


def selected(launches: list[Launch], options: argparse.Namespace) -> list[Launch]:
    if options.launch is not None and not 1 <= options.launch <= len(launches):
        raise TryError(f"--launch {options.launch}: the program has {len(launches)} launches")
    chosen = [launch for launch in launches if options.launch in (None, launch.number)]
    found = [launch for launch in chosen if re.search(options.kernel or "", launch.kernel)]
    if not found and options.kernel:
        names = ", ".join(sorted({launch.kernel for launch in launches}))
        raise TryError(f"--kernel {options.kernel}: no such kernel was launched; these were: {names}")
    return found


def schedule_of(options: argparse.Namespace) -> Schedule:
    pages = options.html or options.json
    traced = (options.launch or 1, options.block or 0) if pages or options.block is not None else None
    return Schedule(options.seed, options.limit, options.launches, options.cores, options.allow_unset, traced)


def attempt(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="try-") as folder:
        files = [path.resolve() for path in options.files]
        program = build(files, Options(options.includes, options.defines, options.std), Path(folder))
        sys.stdout.flush()
        observed, status = run(program, options.arguments, schedule_of(options))
    if observed.launches:
        chosen = selected(observed.launches, options)
        print(report.report(chosen))
        if options.json:
            export.write_json(options.json, files, chosen, observed)
        if options.html:
            page.write_html(options.html, files, chosen, observed.fault, options.block or 0)
    elif observed.fault is None:
        say(f"{shown(str(files[0]))}: the program launched no kernel")
    if observed.fault:
        say(observed.fault)
        return FAULTED
    if line := ending(status, observed):
        say(line)
    return status if status >= 0 else 1


def main() -> int:
    try:
        return attempt(parse(sys.argv[1:]))
    except TryError as error:
        text = str(error)
        print(text if "\n" in text or ": error: " in text else f"try: {text}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # as of `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


if __name__ == "__main__":
    sys.exit(main())
