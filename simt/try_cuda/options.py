"""The command line of simt/try."""

import argparse
import os
import re
from pathlib import Path
from typing import NoReturn

from . import TryError, build
from .report import clock

HAZARDS = (
    *("race", "same_value", "first_read", "missing_acquire", "uninitialised_read", "divergent_barrier"),
    *("divergent_warp", "miscompiled", "misuse", "fault", "host_access", "ignored_error", "leak"),
    *("unwritten_copy", "past_array", "block_lifetime", "undefined_fetch"),
)
ALLOWED = f"a place, as file:line, or one of {', '.join(HAZARDS)}"
ARCHITECTURES = ", ".join(f"sm_{number}" for number in build.architectures())
USAGE = "%(prog)s [options] FILE.cu [FILE...] [-- ARGUMENT...]"
DESCRIPTION = (
    "Runs a CUDA program, unmodified, on the SIMT machine and prints what its kernels do, line by line. "
    "FILE: sources of one program, .cu, and .cpp for the host, or a folder of them; or a program that nvcc "
    "has made (-cudart shared -lineinfo -Xcompiler -g1)."
)
EPILOG = (
    "Any other option is nvcc's; if it takes a value, write it with =, as in -maxrregcount=32. "
    "The exit status is 3 if a fault was found: a race, a read of what was never written, ..."
)


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise TryError(f"{message}; see --help")


def allowed(text: str) -> str:
    if text not in HAZARDS and not re.search(r":\d+$", text):
        raise argparse.ArgumentTypeError(f"{text}: {ALLOWED}")
    return text


def architecture(text: str) -> int:
    number = text.removeprefix("sm_")
    if number not in map(str, build.architectures()):
        raise argparse.ArgumentTypeError(f"the machine can be {ARCHITECTURES}, not {text}")
    return int(number)


def at_least(least: int):
    def number(text: str) -> int:
        if int(text) < least:
            raise argparse.ArgumentTypeError(f"{text}: at least {least}")
        return int(text)

    return number


def of_program(add) -> None:
    many = {"action": "append", "default": []}
    add("-I", dest="includes", metavar="FOLDER", help="search headers there, too", **many)
    add("-D", dest="defines", metavar="MACRO", help="define a macro", **many)
    like = f"be a GPU of sm_N: {ARCHITECTURES} (default: sm_90, which alone has times)"
    add("--arch", type=architecture, metavar="N", help=like)
    add("-std", "--std", help="language, as c++20 (default: nvcc's)")
    limit = "end the program then (default: %(default)s)"
    add("--limit", type=int, default=60, metavar="SECONDS", help=limit)
    add("--launches", type=int, default=0, metavar="N", help="end it after N launches (default: all)")
    memory = "end it when it takes more (default: nine tenths of what is free)"
    add("--memory", type=int, default=0, metavar="GB", help=memory)


def of_checks(add) -> None:
    seeds = "run each program under so many schedules (default: %(default)s)"
    add("--seeds", type=at_least(1), default=4, metavar="N", help=seeds)
    add("--seed", type=int, default=0, metavar="N", help="the first schedule (default: 0, ascending)")
    budget = "begin no further schedule after that time (default: %(default)s)"
    add("--budget", type=at_least(0), default=60, metavar="SECONDS", help=budget)
    add("--once", action="store_true", help="run the optimised program only")
    allow = f"show these, but do not fail for them: {ALLOWED}. On the line itself: // simt: allow HAZARD WHY"
    add("--allow", type=allowed, action="append", default=[], metavar="WHAT", help=allow)
    strict = "fail for races that are benign on every GPU we know, too; volatile orders no more than in C++"
    add("--strict", action="store_true", help=strict)
    add("--leaks", action="store_true", help="find memory that is never freed")


def of_report(add) -> None:
    add("--kernel", metavar="REGEX", help="report only kernels whose name contains this")
    add("--launch", type=int, metavar="N", help="report only this launch, from 1")
    gpu = f"take the times by the clock of this GPU of results/ (default: {clock.GPU})"
    add("--gpu", metavar="FOLDER", help=gpu)
    add("--untimed", action="store_true", help="count and check, without the clock")
    longer = "take the times of launches with N times as many blocks (default: as they are)"
    add("--longer", type=at_least(1), default=1, metavar="N", help=longer)
    against = "run this program, too, and show what differs by line"
    add("--against", type=Path, metavar="FILE", help=against)
    add("--html", type=Path, metavar="OUT", help="write the annotated source as a page")
    add("--block", type=int, default=0, metavar="N", help="step through this block in it (default: 0)")
    add("--json", type=Path, metavar="OUT", help="write all counts and findings")


def of_class(add) -> None:
    add(
        "--class",
        dest="classroom",
        type=Path,
        metavar="FOLDER",
        help="judge these submissions; needs --expect",
    )
    expect = "what they must print, as JSON (simt/try_cuda/classroom/README.md)"
    add("--expect", type=Path, metavar="FILE", help=expect)
    out = "where the tables go (default: %(default)s)"
    add("--out", type=Path, default=Path("class"), metavar="FOLDER", help=out)
    add("--jobs", type=at_least(1), default=os.cpu_count(), metavar="N", help="so many at a time")


GROUPS = {
    "the program": of_program,
    "checks": of_checks,
    "report": of_report,
    "a class": of_class,
}


def parser() -> Parser:
    made = Parser(prog="simt/try", usage=USAGE, description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False)
    for title, add_all in GROUPS.items():
        add_all(made.add_argument_group(title).add_argument)
    return made


def parse(arguments: list[str]) -> argparse.Namespace:
    """With `files`, `others`, nvcc's options, and `arguments`, of the program."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    parsed, rest = parser().parse_known_args(arguments[:at])
    parsed.arguments = arguments[at + 1 :]
    given, others = parted(rest)
    language = [f"-std={parsed.std}"] if parsed.std else []
    parsed.others = [*language, *[f"-D{macro}" for macro in parsed.defines], *others]
    if parsed.classroom and (given or not parsed.expect):
        raise TryError("--class takes no files, but --expect FILE")
    if not parsed.classroom and not given:
        raise TryError("no file to run; see --help")
    if parsed.arch and parsed.classroom:
        raise TryError("--class judges programs of sm_90: leave --arch out")
    if parsed.arch:
        build.set_architecture(parsed.arch)
    if parsed.gpu and build.architecture() != clock.ARCHITECTURE:
        raise TryError(f"--gpu: the prices in results/ are of GPUs of sm_{clock.ARCHITECTURE}")
    if parsed.gpu and parsed.untimed:
        raise TryError("--gpu is for the times, which --untimed leaves out")
    parsed.files = [file for path in given for file in sources_in(path)]
    for path in filter(None, [*parsed.files, parsed.against]):
        if not path.is_file():
            raise TryError(f"{path}: no such file")
    return parsed


def parted(words: list[str]) -> tuple[list[Path], list[str]]:
    """Files, and nvcc's options: a word behind one of these is its value, unless it is a source."""
    files, others = [], []
    for before, word in zip(["", *words], words, strict=False):
        is_value = before.startswith("-") and "=" not in before and not is_source(Path(word))
        if word.startswith("-") or is_value:
            others.append(word)
        else:
            files.append(Path(word))
    return files, others


def is_source(path: Path) -> bool:
    return path.suffix in (".cu", ".cpp", ".cc", ".cxx", ".c") and path.is_file()


def sources_in(path: Path) -> list[Path]:
    """A file, or of a folder its .cu and .cpp files."""
    if not path.is_dir():
        return [path]
    sources = sorted(each for each in path.iterdir() if each.suffix in (".cu", ".cpp"))
    if not sources:
        raise TryError(f"{path}: a folder without .cu and .cpp files")
    return sources
