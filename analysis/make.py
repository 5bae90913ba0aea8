"""Draw and write what is out of date: python -m analysis.make GOAL..

A goal is figures, quick, or a document in WRITTEN. One that is a claim is drawn in any case, and judged. What
stands on what is said here. Patterns may be wide: what is made anew with the same bytes changes nothing.
"""

import glob
import importlib
import os
import signal
import sys
from functools import partial
from pathlib import Path

from analysis.core import claims
from analysis.core.steps import Step, side_by_side

CLAIMS = claims.names()
FAMILIES = sorted({claims.file_of(claim, "").split("/")[1] for claim in CLAIMS})
RECORDED = [folder for folder in glob.glob("results/*/") if folder != "results/local/"]
LOCAL = [*RECORDED, "results/local/", "results/local/*/"]
TIMED_HERE = [Path(path).stem for path in glob.glob("results/local/*.jsonl")]
QUICK = ["build/quick/results/simt/"]

# By what every document is made: neither tests nor what writes recordings and new claims.
CODE = [f"analysis/{room}*.py" for room in ("", "core/", "model/", "report/", "report/*/")]
CODE += [*(f"experiments/{family}/*.py" for family in FAMILIES), "paper/sentences.md", "paper/*.csv"]
CODE += [".setup/requirements.txt"]
EVIDENCE = [*CODE, "experiments/*/*/*.*", *(f"{folder}**" for folder in RECORDED)]
DRAWN = [*EVIDENCE, *(f"figures/{name}.*" for name in (*CLAIMS, "model", "agreement"))]
WHOLE = [*EVIDENCE, "figures/*.*", "simt/test/suites.csv"]
KERNELS = ["kernels/textbook/block/*.cuh", "kernels/fast/detail/*.cuh"]
TEXTS = ["paper/*.typ", "paper/*.md", "paper/*.bib", "paper/paper/*", "paper/supplement/*"]
OTHERS = ["simt/test/museum/exhibits.csv", "simt/test/fuzz/compiler/*"]


def make(arguments: list[str], place: str) -> int:
    """python -m analysis with these arguments. Imported if needed: its libraries take a second."""
    status = importlib.import_module("analysis.__main__").main(arguments, place)
    if status and "--local" in arguments:
        # The report of this machine must be built even if a GPU has too little memory for some cases.
        Path(f"build/local/{arguments[0]}.json").unlink(missing_ok=True)
        print(f"draw      {arguments[0]}: failed, see above: the report of this machine lacks it", flush=True)
        return 0
    return status


def written(document: str, inputs: list[str], *outputs: str) -> Step:
    return Step(partial(make, [f"--{document}"]), (*inputs,), outputs)


def drawn(claim: str, results: list[str], figures: str, *options: str) -> Step:
    """The noise floor is part of every verdict, and what limits a kernel, by the model, is quoted."""
    evidence = [f"{folder}{name}.*" for folder in results for name in (claim, "noise")]
    inputs = (*CODE, f"experiments/*/{claim}/*", *evidence, f"{figures}/model.json")
    outputs = (f"{figures}/{claim}.*", f"build/{figures}/{claim}.*")
    return Step(partial(make, [claim, *options]), inputs, outputs)


FIGURES = [  # stages, each after the one before
    [
        written("model", EVIDENCE, "figures/model.*"),
        written("agreement", EVIDENCE, "figures/agreement.*", "build/figures/agreement.*"),
        written("log", EVIDENCE, "figures/log.*"),
    ],
    [drawn(claim, RECORDED, "figures") for claim in CLAIMS],
    [
        written("overview", [*DRAWN, "paper/findings.md"], "figures/staircase.*", "figures/findings.*"),
        written("gpus", DRAWN, "figures/gpus.*"),
        written("paper-figures", [*DRAWN, "simt/test/agreement/*.jsonl"], "figures/paper.*"),
    ],
    # Neither figures/ nor README.md change by the times of this machine.
    [drawn(claim, LOCAL, "build/local", "--local") for claim in CLAIMS if claim in TIMED_HERE],
]
OF_QUICK = ("--results=build/quick/results", "--figures=build/quick/figures")
QUICKLY = [drawn(claim, QUICK, "build/quick/figures", *OF_QUICK) for claim in CLAIMS]
HERE = [*CODE, *TEXTS, "results/simt/*.csv", "build/local/*.json", "build/times/*"]
COUNTS = [*CODE, "experiments/*/*/*.*", "results/simt/*.jsonl", "build/generations/sm_*/*"]
WRITTEN = {
    "paper": written("paper", [*WHOLE, *TEXTS, *KERNELS, *OTHERS], "build/paper.pdf", "build/supplement.pdf"),
    "page": written("page", [*WHOLE, *KERNELS, "paper/page/**"], "build/page.html"),
    "readme": written("readme", [*WHOLE, "paper/readme.md"], "README.md"),
    "here": written("here", HERE, "build/local/report.pdf"),
    "generations": written("generations", COUNTS, "results/simt/generations.csv"),
}


def main(goals: list[str]) -> int:
    anew = [drawn(goal, RECORDED, "figures", "--verdict") for goal in goals if goal in CLAIMS]
    stages = [*(FIGURES if "figures" in goals else []), QUICKLY if "quick" in goals else []]
    for stage in (anew, *stages, [WRITTEN[goal] for goal in goals if goal in WRITTEN]):
        if steps := [step for step in stage if step in anew or step.is_stale()]:
            importlib.import_module("analysis.__main__")  # once, for the processes that are forked
            if status := side_by_side(steps, os.cpu_count()):
                return status
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C needs no traceback
    sys.exit(main(sys.argv[1:]))
