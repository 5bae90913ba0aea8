"""figures/model.json and figures/model.svg: what the machine's clock predicts beside what GPUs measured."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from analysis.core import plotting
from analysis.core.files import claims_in, read_csv
from analysis.core.loading import REFERENCE_GPU, load
from analysis.core.statistics import rounded
from analysis.core.writing import write_json
from analysis.model import clock, drawing, forms, programs, validation
from analysis.model.causes import causes
from analysis.model.distinct import distinct
from analysis.model.effects import effects
from analysis.model.errors import errors
from analysis.model.kernels import IN_WORDS, PARTS, Kernel, recorded
from analysis.model.mispredicted import misses

NAME = "model"
APART = 0.05  # times that differ by less have no rank
GOAL_N = 1 << 26  # elements of a long vector


def write(results: Path, figures: Path) -> None:
    kernels, folder = recorded(results, REFERENCE_GPU), results / REFERENCE_GPU
    differences = effects(kernels)
    content = {"cases": [], "causes": causes(kernels, differences, results)}
    if kernels:
        gpus = [found for path in sorted_by_first(results) if (found := of_gpu(results, path))]
        evidence = [each for claim in claims_in(results) for each in load(results, claim)]
        prices = prices_of(folder)
        content |= describe(kernels, prices["launch_us"]) | {
            "effects": differences,
            "validation": {
                "wavefronts": validation.of_rule(folder / "wavefronts.csv"),
                "metrics": validation.of_metrics(folder / "metrics.csv", evidence),
            },
            "misses": misses(distinct(kernels), folder),
            "everywhere": [
                {key: each[key] for key in ("folder", "name", "short", "errors")} for each in gpus
            ],
            "clock": [{"short": each["short"], **each["clock"]} for each in gpus if each["clock"]],
            "strangers": programs_of(results, gpus, programs.SETS),
            "samples": programs_of(results, gpus, programs.SAMPLES),
            "prices": prices,
            "figure": {"name": NAME, "caption": drawing.CAPTION, "wide": False},
        }
        with plotting.house_style():
            plotting.save(drawing.figure({each["short"]: each["sample"] for each in gpus}), figures / NAME)
    write_json(figures / f"{NAME}.json", content)


def programs_of(results: Path, gpus: list[dict], sets: Sequence[str]) -> list[dict]:
    """Of other people, by set, then by GPU."""
    found = [(gpu["short"], programs.by_clock(results, gpu["folder"], of)) for of in sets for gpu in gpus]
    return [{"short": short, **each} for short, each in found if each]


def sorted_by_first(results: Path) -> list[Path]:
    """The folders of GPUs with prices, the first one's first."""
    folders = sorted(path.parent for path in results.glob(f"*/{clock.PRICES}"))
    return sorted(folders, key=lambda path: path.name != REFERENCE_GPU)


def prices_of(folder: Path) -> dict[str, float]:
    table = read_csv(folder / clock.PRICES, ("price", "value"))
    return dict(zip(table["price"], map(float, table["value"]), strict=True))


def of_gpu(results: Path, folder: Path) -> dict | None:
    """What a GPU measured beside what was predicted for it; `sample`: every kernel once."""
    sample = distinct(recorded(results, folder.name))
    if not sample:
        return None
    timed = (each.timed for claim in claims_in(results) for each in load(results, claim))
    name = next(each.machine["name"] for each in timed if each and each.folder == folder.name)
    return {
        "folder": folder.name,
        "name": name,
        "short": name.removeprefix("NVIDIA ").split(" ")[0],
        "errors": {
            "long": errors_of([each for each in sample if each.n >= GOAL_N]),
            "all": errors_of(sample),
        },
        "clock": clock.judged(folder),
        "sample": sample,
    }


def describe(kernels: Sequence[Kernel], launch_us: float) -> dict:
    """Errors, limiters and counts alone are all of one sample."""
    sample = distinct(kernels)
    claims = dict.fromkeys(each.claim for each in kernels)
    by_claim = {claim: distinct(each for each in kernels if each.claim == claim) for claim in claims}
    ranks = {claim: ranked(own) for claim, own in by_claim.items()}
    limits = Counter(each.limiter for each in sample)
    return {
        "in_words": IN_WORDS,
        "errors": errors_of(sample),
        "sample": {"cases": len(kernels), "kernels": len(sample)},
        "by_claim": {claim: errors_of(own) for claim, own in by_claim.items()},
        "limiters": {part: limits[part] for part in PARTS},
        "forms": forms.compared(sample, launch_us),
        "ranks": {claim: each for claim, each in ranks.items() if each["pairs"]},
        "alone": forms.alone(sample),
        "cases": [case_of(each) for each in kernels],
    }


def errors_of(kernels: Sequence[Kernel]) -> dict:
    return rounded(errors(forms.clock(kernels), forms.measured(kernels)))


def ranked(kernels: Sequence[Kernel]) -> dict:
    """Would the clock have ranked a claim's variants as the GPU does? Pairs of kernels whose times differ,
    and those that it has the other way round."""
    wrong = []
    for slow, fast in combinations(sorted(kernels, key=lambda each: -each.us), 2):
        if slow.n == fast.n and slow.us >= fast.us * (1 + APART):
            wrong.append(slow.predicted_us < fast.predicted_us)
    return {"pairs": len(wrong), "wrong": sum(wrong)}


def case_of(kernel: Kernel) -> dict:
    return {
        **{name: getattr(kernel, name) for name in ("claim", "case", "n", "limiter")},
        "predicted_us": rounded(kernel.predicted_us),
        "measured_us": round(kernel.us, 2),
        "parts": {part: rounded(us) for part, us in kernel.parts.items()},
        "blocks": kernel.counts.get("blocks"),
    }
