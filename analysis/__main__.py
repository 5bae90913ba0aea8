"""python -m analysis: results to figures, README tables and the report. See --help."""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from analysis.core.errors import EvidenceError
from analysis.core.files import claims_in
from analysis.core.loading import load
from analysis.core.plotting import not_shown
from analysis.core.verdict import speed_in_words
from analysis.model import document as model
from analysis.report import generations, local, readme
from analysis.report.agreement import document as agreement
from analysis.report.gpus import document as gpus
from analysis.report.log import document as log
from analysis.report.overview import document as overview
from analysis.report.page import document as page
from analysis.report.paper import document as paper_figures
from analysis.report.printed import typesetting as printed
from analysis.report.render import render

# Of all claims together: what is printed, what writes it, and from which options.
DOCUMENTS: dict[str, tuple] = {
    "model": ("draw      model of time", model.write, "results", "figures"),
    "agreement": ("draw      agreement of counts and counters", agreement.write, "results", "figures"),
    "log": ("draw      the log", log.write, "results", "figures"),
    "overview": ("draw      overview", overview.write, "results", "figures"),
    "gpus": ("draw      further GPUs", gpus.write, "results", "figures"),
    "paper-figures": ("draw      what the paper alone shows", paper_figures.write, "results", "figures"),
    "paper": ("write     build/paper.pdf build/supplement.pdf", printed.write, "results", "figures", "build"),
    "page": ("write     build/page.html", page.write, "results", "figures", "build"),
    "readme": ("write     README.md", readme.rewrite, "results", "figures"),
    "generations": ("write     results/simt/generations.csv", generations.write, "results", "build"),
    "here": ("write     build/local/report.pdf", local.write, "results", "build"),
}


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m analysis", description=__doc__)
    said = "draw and judge these claims; default: all"
    parser.add_argument("claims", nargs="*", metavar="CLAIM", help=said)
    folders = {"results": "results, one per machine", "figures": "the figures", "build": "the PDFs"}
    for name, of in folders.items():
        parser.add_argument(f"--{name}", type=Path, default=Path(name), help=f"folder of {of} (%(default)s)")
    flags = {
        "verdict": "print each verdict, and where its figure is",
        "traceback": "of an error, the whole traceback",
        "local": "judge the claims by the times of this machine, <results>/local, into <build>/local instead",
    }
    for name, said in flags.items():
        parser.add_argument(f"--{name}", action="store_true", help=said)
    instead = parser.add_argument_group("documents over all claims, written instead")
    for name, (progress, *_) in DOCUMENTS.items():
        kept = {"action": "append_const", "dest": "documents", "const": name, "default": []}
        instead.add_argument(f"--{name}", **kept, help=progress)
    return parser.parse_args(arguments)


def jobs_of(options: argparse.Namespace, place: str) -> list[Callable[[], None]]:
    names = options.claims or ([] if options.documents else claims_in(options.results))
    judge = draw_local if options.local else draw
    drawings = [
        partial(judge, options, name, place or f"{k} of {len(names)}") for k, name in enumerate(names, 1)
    ]
    return drawings + [partial(write, options, name) for name in options.documents]


def write(options: argparse.Namespace, name: str) -> None:
    progress, document, *folders = DOCUMENTS[name]
    announce(progress)
    document(*(getattr(options, folder) for folder in folders))


def announce(line: str) -> None:
    """In one piece, whatever Python's buffer: others write beside us."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def draw(options: argparse.Namespace, claim: str, place: str) -> None:
    announce(f"draw      {claim} ({place})")
    documents = render(claim, load(options.results, claim), options.figures)
    if options.verdict:
        folders = [options.figures, *[not_shown(options.figures)] * len(documents)]
        print("\n".join(line for each in zip(documents, folders, strict=False) for line in said(*each)))


def draw_local(options: argparse.Namespace, claim: str, place: str) -> None:
    announce(f"draw      {claim} ({place}), timed on this machine")
    local.draw(claim, options.results, options.build / "local")


def said(document: dict, figures: Path) -> list[str]:
    """The verdict on one GPU, whose times it rests on, and the figure."""
    verdict, timed = document["verdict"], document["machines"]["timed"]
    return [
        f"verdict   count: {verdict['count']}; speed: {speed_in_words(verdict)}",
        f"finding   {verdict['finding']}",
        f"times     {'of the ' + timed['machine']['name'] if timed else 'none'}",
        *[f"figure    {figures / each['name']}.svg" for each in document["figures"]],
    ]


def main(arguments: list[str] | None = None, place: str = "") -> int:
    """`place`: "2 of 4", of a claim among those that are drawn beside it."""
    options = parse(arguments)
    try:
        for job in jobs_of(options, place):
            job()
    except EvidenceError as error:
        if options.traceback:
            raise
        print(f"analysis: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
