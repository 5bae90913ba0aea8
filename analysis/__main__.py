"""python -m analysis: results to figures, README tables and the report. See --help."""

import argparse
import multiprocessing.connection
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from analysis.agreement import document as agreement
from analysis.common import local, paper, readme
from analysis.common.errors import EvidenceError
from analysis.common.files import claims_in
from analysis.common.loading import load
from analysis.common.render import render
from analysis.common.verdict import speed_in_words
from analysis.gpus import document as gpus
from analysis.log import document as log
from analysis.model import ahead
from analysis.model import document as model
from analysis.overview import document as overview
from analysis.page import document as page
from analysis.paper import document as paper_figures

INTERRUPTED = 130  # the status of a command that Ctrl-C ends


@dataclass(frozen=True)
class Document:
    """What is written of all claims together."""

    progress: str  # printed when it begins
    help: str
    write: Callable[[argparse.Namespace], None]


DOCUMENTS = {
    "model": Document(
        "draw      model of time",
        "predict the time of every kernel",
        lambda of: model.write(of.results, of.figures),
    ),
    "predict": Document(
        "write     results/<gpu>/predicted.csv",
        "predict the times of every GPU of which the prices alone are recorded",
        lambda of: ahead.write(of.results),
    ),
    "agreement": Document(
        "draw      agreement of counts and counters",
        "compare counts and counters",
        lambda of: agreement.write(of.results, of.figures),
    ),
    "log": Document(
        "draw      the log",
        "describe the rounds in log.csv",
        lambda of: log.write(of.results, of.figures),
    ),
    "overview": Document(
        "draw      overview",
        "draw the staircase, list the findings",
        lambda of: overview.write(of.results, of.figures),
    ),
    "gpus": Document(
        "draw      further GPUs",
        "set further GPUs beside the first",
        lambda of: gpus.write(of.results, of.figures),
    ),
    "paper-figures": Document(
        "draw      what the paper alone shows",
        "draw what the paper alone shows",
        lambda of: paper_figures.write(of.results, of.figures),
    ),
    "paper": Document(
        "write     build/paper.pdf build/supplement.pdf",
        "typeset paper and supplement, <build>/paper.pdf and supplement.pdf",
        lambda of: paper.write(of.results, of.figures, of.build),
    ),
    "page": Document(
        "write     paper/page.html",
        "write paper/page.html",
        lambda of: page.write(of.results, of.figures, Path("paper/page.html")),
    ),
    "readme": Document(
        "write     README.md",
        "write findings and verdicts into README.md",
        lambda of: readme.rewrite(Path("README.md"), of.results, of.figures),
    ),
    "here": Document(
        "write     build/local/report.pdf",
        "typeset what this machine measured, <build>/local/report.pdf",
        lambda of: local.write(of.results, of.build),
    ),
}


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m analysis", description=__doc__)
    parser.add_argument(
        "claims", nargs="*", metavar="CLAIM", help="draw and judge these claims; default: all"
    )
    parser.add_argument(
        "--results", type=Path, default=Path("results"), help="one folder per machine (%(default)s)"
    )
    parser.add_argument(
        "--figures", type=Path, default=Path("figures"), help="folder of the figures (%(default)s)"
    )
    parser.add_argument(
        "--build", type=Path, default=Path("build"), help="folder of what is not committed (%(default)s)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="claims and documents at a time (%(default)s)")
    parser.add_argument("--verdict", action="store_true", help="print each verdict, and where its figure is")
    parser.add_argument("--traceback", action="store_true", help="of an error, the whole traceback")
    parser.add_argument(
        "--local",
        action="store_true",
        help="judge the claims by the times of this machine, <results>/local, into <build>/local instead",
    )
    instead = parser.add_argument_group("documents over all claims, written instead")
    for name, document in DOCUMENTS.items():
        instead.add_argument(
            f"--{name}",
            action="append_const",
            dest="documents",
            const=name,
            default=[],
            help=document.help,
        )
    return parser.parse_args(arguments)


def jobs_of(options: argparse.Namespace) -> list[Callable[[], None]]:
    claims = options.claims or ([] if options.documents else claims_in(options.results))
    drawings = [partial(draw, options, claim, f"{k} of {len(claims)}") for k, claim in enumerate(claims, 1)]
    if options.local:
        folder = options.build / "local"
        drawings = [partial(local.draw, claim, options.results, folder) for claim in options.claims]
    return drawings + [partial(write, options, name) for name in options.documents]


def side_by_side(jobs: list[Callable[[], int]], at_a_time: int) -> int:
    """Each in a process that is forked from this one: the libraries are loaded once.

    Returns 0, or the status of the first that fails, which ends the others.
    """
    fork = multiprocessing.get_context("fork")
    waiting, running = jobs[::-1], []
    try:
        while waiting or running:
            while waiting and len(running) < at_a_time:
                running.append(fork.Process(target=in_child, args=(waiting.pop(),)))
                running[-1].start()
            multiprocessing.connection.wait([each.sentinel for each in running])
            if failed := next((each.exitcode for each in running if each.exitcode), None):
                return INTERRUPTED if failed == -signal.SIGINT else 1
            running = [each for each in running if each.exitcode is None]
    finally:
        for each in running:
            each.terminate()
            each.join()
    return 0


def in_child(job: Callable[[], int]) -> None:
    # Ctrl-C ends it at once: files are written whole or not at all.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(job())


def write(options: argparse.Namespace, name: str) -> None:
    announce(DOCUMENTS[name].progress)
    DOCUMENTS[name].write(options)


def announce(line: str) -> None:
    """In one piece, whatever Python's buffer: others write beside us."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def draw(options: argparse.Namespace, claim: str, place: str) -> None:
    announce(f"draw      {claim} ({place})")
    documents = render(claim, load(options.results, claim), options.figures)
    if options.verdict:
        print("\n".join(line for each in documents for line in said(each, options.figures)))


def said(document: dict, figures: Path) -> list[str]:
    """The verdict on one GPU, whose times it rests on, and the figure."""
    verdict, timed = document["verdict"], document["machines"]["timed"]
    return [
        f"verdict   count: {verdict['count']}; speed: {speed_in_words(verdict)}",
        f"finding   {verdict['finding']}",
        f"times     {'of the ' + timed['machine']['name'] if timed else 'none'}",
        *[f"figure    {figures / each['name']}.svg" for each in document["figures"]],
    ]


def attempt(options: argparse.Namespace, job: Callable[[], None]) -> int:
    try:
        job()
    except EvidenceError as error:
        if options.traceback:
            raise
        print(f"analysis: {error}", file=sys.stderr)
        return 1
    return 0


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    jobs = [partial(attempt, options, job) for job in jobs_of(options)]
    try:
        if min(options.jobs, len(jobs)) > 1:
            return side_by_side(jobs, options.jobs)
        return next((1 for job in jobs if job() != 0), 0)
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
