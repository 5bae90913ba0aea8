"""figures/model.json and figures/model.svg, if the machine's prices are recorded.

results/<gpu>/model.rounds.csv says how the model came about, a line a form that was tried, failed ones too:
name, change, what was expected, the mean errors over the kernels of each GPU, outcome (met, missed, refuted;
what was refuted was not kept), and what the kernels showed that were off.
"""

from collections import Counter
from dataclasses import asdict
from functools import partial
from itertools import combinations
from pathlib import Path

from analysis.core import plotting
from analysis.core.files import claims_in, read_csv
from analysis.core.loading import REFERENCE_GPU, load
from analysis.core.statistics import rounded
from analysis.core.writing import write_json
from analysis.model import clock, drawing, everywhere, forms, prices, programs, times, validation
from analysis.model.causes import causes, own_kernels
from analysis.model.effects import effects
from analysis.model.excluded import outside
from analysis.model.mispredicted import misses
from analysis.model.times import PARTS, column
from analysis.model.view import View, view

NAME = "model"
ROUNDS = ("name", "change", "expected", "mean_h200", "mean_h100", "within_15_h200", "outcome", "learnt")
APART = 0.05  # times that differ by less have no rank


def write(results: Path, figures: Path) -> None:
    found, folder = view(results), results / REFERENCE_GPU
    differences = effects(found) if found else []
    content = {"cases": [], "causes": causes(found, differences, results)}
    if found:
        gpus = everywhere.of_gpus(results)
        clocks = clock.judged(results, gpus)
        shown = {each["short"]: each.pop("kernels") for each in gpus}
        evidence = [each for claim in claims_in(results) for each in load(results, claim)]
        of_gpu = partial(programs.summary, results)
        timed = [(each, of_gpu(each["folder"], of)) for each in gpus for of in programs.SETS]
        content |= describe(found) | {
            "effects": differences,
            "validation": {
                "wavefronts": validation.of_rule(folder / "wavefronts.csv"),
                "metrics": validation.of_metrics(folder / "metrics.csv", evidence),
            },
            "misses": misses(found, folder),
            "everywhere": gpus,
            "clock": clocks,
            "strangers": [
                {"short": gpu["short"], **found}
                for of in programs.BY_CLOCK
                for gpu in gpus
                if (found := programs.by_clock(results, gpu["folder"], of))
            ],
            "others": [{"short": gpu["short"], **summary} for gpu, summary in timed if summary],
            "rounds": read_csv(folder / "model.rounds.csv", ROUNDS).to_dict("records"),
            "step_cycles": rounded(prices.steps(prices.measured(results)[0])),
            "figure": {"name": NAME, "caption": drawing.CAPTION, "wide": False},
        }
        with plotting.house_style():
            plotting.save(drawing.figure(shown), figures / NAME)
    write_json(figures / f"{NAME}.json", content)


def describe(found: View) -> dict:
    """Errors, limiters and counts alone are all of one sample."""
    sample, kernels = found.sample, found.kernels
    claims = sorted({each.claim for each in kernels})
    by_claim = {claim: own for claim in claims if (own := own_kernels(found, claim))}
    ranks = {claim: ranked(found, own) for claim, own in by_claim.items()}
    return {
        "prices": rounded(asdict(found.prices)),
        "in_words": times.IN_WORDS,
        "errors": errors_of(found, sample),
        "sample": {
            "cases": sum(not outside(each) for each in kernels),
            "outside": dict(Counter(why for each in kernels if (why := outside(each)))),
            "kernels": len(sample),
            "others": len({each.code for each in kernels if outside(each)}),
        },
        "by_claim": {claim: errors_of(found, own) for claim, own in by_claim.items()},
        "limiters": limiters_of(found, sample),
        "forms": forms.compared([kernels[place] for place in sample], found.prices, found.machine),
        "ranks": {claim: each for claim, each in ranks.items() if each["pairs"]},
        "alone": forms.alone([kernels[place] for place in sample]),
        "cases": [case_of(found, place) for place in range(len(kernels))],
    }


def errors_of(found: View, places: list[int]) -> dict:
    us = column([found.kernels[place] for place in places], "us")
    return rounded(times.errors(found.predicted_us[places], us))


def limiters_of(found: View, places: list[int]) -> dict[str, int]:
    limits = Counter(found.limiters[place] for place in places)
    return {part: limits[part] for part in PARTS}


def ranked(found: View, places: list[int]) -> dict:
    """Would the model have ranked a claim's variants as the GPU does? Pairs of kernels whose times differ,
    and those that it has the other way round."""
    wrong = []
    for slow, fast in combinations(sorted(places, key=lambda place: -found.kernels[place].us), 2):
        one, other = found.kernels[slow], found.kernels[fast]
        if one.n == other.n and one.us >= other.us * (1 + APART):
            wrong.append(bool(found.predicted_us[slow] < found.predicted_us[fast]))
    return {"pairs": len(wrong), "wrong": sum(wrong)}


def case_of(found: View, place: int) -> dict:
    kernel = found.kernels[place]
    return {
        **{name: getattr(kernel, name) for name in ("claim", "case", "n")},
        "predicted_us": rounded(float(found.predicted_us[place])),
        "measured_us": round(kernel.us, 2),
        "limiter": found.limiters[place],
        "parts": {part: rounded(found.part(part, place)) for part in PARTS},
        "outside": outside(kernel),
    }
