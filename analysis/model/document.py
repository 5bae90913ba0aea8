"""figures/model.json and, if the machine's prices are recorded, figures/model.svg."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path

from analysis.common import plotting, words
from analysis.common.evidence import Results
from analysis.common.files import claims_in
from analysis.common.loading import REFERENCE_GPU, load
from analysis.common.writing import as_json, write_text
from analysis.model import (
    bands,
    drawing,
    everywhere,
    fitted,
    one_pass,
    others,
    prices,
    ranks,
    rounds,
    spine,
    times,
    validation,
)
from analysis.model.causes import causes, of_bytes, own_kernels
from analysis.model.distinct import firsts
from analysis.model.effects import EFFECTS, described
from analysis.model.misses import misses
from analysis.model.outside import outside
from analysis.model.prices import NOT_RECORDED, measured
from analysis.model.times import PARTS, Columns
from analysis.model.view import View, view

NAME, SPINE, ONE_PASS, FAST = "model", "block_sums", "single_pass", "copy_speed"
NO_KERNELS = "No kernel has both counters and times of one GPU: make record and make counters measure them."


def write(results: Path, figures: Path) -> None:
    """Nothing is drawn without prices; an earlier figure is removed then. A file with the same content is
    left as it is: every claim's document depends on it.
    """
    found = view(results)
    content = describe(found) if found else {"cases": [], "causes": {}, "text": NO_KERNELS}
    content |= {"validation": validated(results), "spine": host_spine(results)}
    if found and found.prices:
        content["misses"] = misses(found, results / REFERENCE_GPU)
        gpus = everywhere.of_gpus(results)
        shown = [each.pop("kernels") for each in gpus]
        content["everywhere"] = gpus
        content["others"] = [
            {"short": each["short"], **timed}
            for each in gpus
            for of in others.SETS
            if (timed := others.summary(results, each["folder"], of))
        ]
        content["rounds"] = rounds.table(results / REFERENCE_GPU)
    for claim in claims_in(results):
        content["causes"].setdefault(claim, of_bytes(load(results, claim)[0]))
    if said := spine.sentences(timed_of(results, SPINE)):
        content["causes"].setdefault(SPINE, []).extend(said)
    if ONE_PASS in content["causes"]:
        content["causes"][ONE_PASS].extend(one_pass.sentences(timed_of(results, FAST)))
    content["causes"] = {claim: said for claim, said in content["causes"].items() if said}
    if found and found.prices:
        content |= {
            "step_cycles": [fitted.rounded(each) for each in prices.steps(measured(results)[1].timed)],
        }
        with plotting.house_style():
            plotting.save(drawing.figure([each["name"] for each in gpus], shown), figures / NAME)
        content |= {"figure": {"name": NAME, "caption": drawing.CAPTION, "wide": False}}
    else:
        (figures / f"{NAME}.svg").unlink(missing_ok=True)
    path, text = figures / f"{NAME}.json", as_json(content)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        write_text(path, text)


def timed_of(results: Path, claim: str) -> Results | None:
    return load(results, claim)[0].timed if claim in claims_in(results) else None


def host_spine(results: Path) -> dict | None:
    timed = timed_of(results, SPINE)
    found = spine.taken_apart(timed) if timed else None
    if not found:
        return None
    in_words = {part: words.integer(us) for part, us in found.items() if part not in ("n", "rest")}
    return fitted.rounded(found) | {"in_words": in_words}


def describe(found: View) -> dict:
    """All that the report prints. `text`: why there are no prices; empty if there are. Errors, limiters and
    counts alone are all of one sample."""
    sample = found.sample
    kernels = [found.kernels[place] for place in sample]
    return {
        "by": found.by,
        "text": "" if found.prices else NOT_RECORDED,
        "prices": fitted.rounded(asdict(found.prices)) if found.prices else None,
        "parts": list(PARTS),
        "in_words": times.IN_WORDS,
        "errors": errors_of(found, sample) if found.prices else None,
        "sample": {
            "cases": sum(not outside(each) for each in found.kernels),
            "outside": dict(Counter(why for each in found.kernels if (why := outside(each)))),
            "kernels": len(sample),
            "others": len(set(each.code for each in found.kernels if outside(each))),
        },
        "by_claim": by_claim(found),
        "limiters": limiters_of(found, sample),
        "forms": found.forms,
        "ranks": ranks.of_claims(found),
        "bands": bands.of(found),
        "fitted": found.fit | {"limiters": limiters_of(found, firsts(found.kernels, of_fit(found)))},
        "alone": fitted.alone(kernels),
        "cases": [case_of(found, place) for place in range(len(found.kernels))],
        "effects": [each for effect in EFFECTS if (each := described(effect, found))],
        "causes": causes(found),
    }


def errors_of(found: View, places: list[int]) -> dict:
    us = Columns([found.kernels[place] for place in places]).us
    return fitted.rounded(times.errors(found.best_us[places], us))


def by_claim(found: View) -> dict[str, dict]:
    """Of each claim all its kernels, also those that it shares with others."""
    claims = sorted({each.claim for each in found.kernels if not outside(each)})
    return {claim: errors_of(found, own_kernels(found, claim)) for claim in claims}


def of_fit(found: View) -> list[int]:
    chosen = {(each.claim, each.case) for each in fitted.of_tiles(found.kernels)}
    return [place for place, each in enumerate(found.kernels) if (each.claim, each.case) in chosen]


def limiters_of(found: View, places: list[int]) -> dict[str, int]:
    limits = Counter(found.limiters[place] for place in places)
    return {part: limits[part] for part in PARTS}


def case_of(found: View, place: int) -> dict:
    kernel = found.kernels[place]
    predicted = None if found.predicted_us is None else fitted.rounded(float(found.predicted_us[place]))
    return {
        "claim": kernel.claim,
        "case": kernel.case,
        "n": kernel.n,
        "predicted_us": predicted,
        "fitted_us": fitted.rounded(float(found.fitted_us[place])),
        "measured_us": round(kernel.us, 2),
        "limiter": found.limiters[place],
        "parts": {part: fitted.rounded(found.part(part, place)) for part in PARTS},
        "outside": outside(kernel),
    }


def validated(results: Path) -> dict:
    """The rule for wavefronts and the metrics, held out; empty without their recordings."""
    folder, found = results / REFERENCE_GPU, {}
    if (folder / "wavefronts.csv").exists():
        found["wavefronts"] = validation.of_rule(folder / "wavefronts.csv")
    if (folder / "metrics.csv").exists():
        evidence = [each for claim in claims_in(results) for each in load(results, claim)]
        found["metrics"] = validation.of_metrics(folder / "metrics.csv", evidence)
    return found
