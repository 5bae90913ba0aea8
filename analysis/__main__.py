"""python -m analysis: results to figures, README tables and the report. See --help."""

import argparse
import multiprocessing
import sys
from functools import partial
from pathlib import Path

from analysis.agreement import document
from analysis.common import local, paper, readme
from analysis.common.errors import EvidenceError
from analysis.common.files import claims_in
from analysis.common.loading import load
from analysis.common.render import render
from analysis.common.verdict import speed_in_words
from analysis.log import document as log
from analysis.model import document as model
from analysis.overview import document as overview
from analysis.page import document as page
from analysis.paper import document as paper_figures


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
        "--build", type=Path, default=Path("build"), help="times of this machine (%(default)s)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="claims at a time (%(default)s)")
    parser.add_argument("--verdict", action="store_true", help="print each verdict, and where its figure is")
    parser.add_argument("--traceback", action="store_true", help="of an error, the whole traceback")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--readme", action="store_true", help="write findings and verdicts into README.md instead"
    )
    instead.add_argument("--agreement", action="store_true", help="compare counts and counters instead")
    instead.add_argument(
        "--local",
        action="store_true",
        help="judge the claims by the times of this machine, <results>/local, into <build>/local instead",
    )
    instead.add_argument(
        "--here",
        action="store_true",
        help="typeset what this machine measured, <build>/local/report.pdf, instead",
    )
    instead.add_argument("--model", action="store_true", help="predict the time of every kernel instead")
    instead.add_argument("--log", action="store_true", help="describe the rounds in log.csv instead")
    instead.add_argument(
        "--overview", action="store_true", help="draw the staircase, list the findings instead"
    )
    instead.add_argument("--paper", action="store_true", help="typeset paper and supplement instead")
    instead.add_argument(
        "--paper-figures", action="store_true", help="draw what the paper alone shows instead"
    )
    instead.add_argument("--page", action="store_true", help="write paper/page.html instead")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> None:
    if options.readme:
        readme.rewrite(Path("README.md"), options.figures)
    elif options.agreement:
        document.write(options.results, options.figures)
    elif options.model:
        model.write(options.results, options.figures)
    elif options.log:
        log.write(options.results, options.figures)
    elif options.overview:
        overview.write(options.results, options.figures)
    elif options.paper:
        paper.write(options.results, options.figures)
    elif options.paper_figures:
        paper_figures.write(options.results, options.figures)
    elif options.here:
        local.write(options.results, options.build)
    elif options.page:
        page.write(options.results, options.figures, Path("paper/page.html"))
    elif options.local:
        for claim in options.claims:
            local.draw(claim, options.results, options.build / "local")
    else:
        draw_all(options.claims or claims_in(options.results), options)


def draw_all(claims: list[str], options: argparse.Namespace) -> None:
    """Claims side by side, in processes that are forked from this one: the libraries are loaded once."""
    numbered = [(claim, f"{k} of {len(claims)}") for k, claim in enumerate(claims, 1)]
    if min(options.jobs, len(claims)) <= 1:
        for each in numbered:
            draw(options, each)
        return
    with multiprocessing.get_context("fork").Pool(min(options.jobs, len(claims))) as pool:
        for _ in pool.imap_unordered(partial(draw, options), numbered):
            pass  # the first error ends the others


def draw(options: argparse.Namespace, numbered: tuple[str, str]) -> None:
    claim, place = numbered
    print(f"draw      {claim} ({place})", flush=True)
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


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    try:
        run(options)
    except EvidenceError as error:
        if options.traceback:
            raise
        print(f"analysis: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
