"""figures/gpus.json and, for every further GPU, figures/gpus.<gpu>.svg: further GPUs beside the first."""

from dataclasses import asdict
from pathlib import Path

from analysis.common import plotting, words
from analysis.common.evidence import Evidence
from analysis.common.files import claims_in
from analysis.common.loading import load
from analysis.common.report import Section, agreement_of, sections
from analysis.common.writing import write_json
from analysis.gpus import drawing, shares, tables, verdicts
from analysis.gpus.foretold import CHANGED, Foretold, foretold
from analysis.model import ahead
from analysis.model.fitted import rounded
from analysis.model.prices import prices_of
from analysis.model.view import View, view

NAME, ALIKE = "gpus", 0.02  # prices that differ by less are the same
CAPTION = (
    "Left: times of the kernels on the {further}, predicted {when}, against those measured; every kernel "
    "once, on a long vector, cold. The colour is the charge that limits it; line: equal; band: 15% to either "
    "side. Right: speed of our scan of ints relative to a copy, on both GPUs."
)


def write(results: Path, figures: Path) -> None:
    found, claims, drawn = view(results), sections(figures), set()
    with plotting.house_style():
        made = [compared(found, claims, results, folder) for folder in further_gpus(claims)]
        others = [each for each in made if each]
        for other in others:
            if figure := other.pop("drawn"):
                plotting.save(figure, figures / other["figure"]["name"])
                drawn.add(other["figure"]["name"])
    for path in figures.glob(f"{NAME}.*.svg"):
        if path.stem not in drawn:
            path.unlink()
    others = [other | agreeing(figures, other["folder"]) for other in others]
    write_json(figures / f"{NAME}.json", {"gpus": others})


def further_gpus(claims: list[Section]) -> list[str]:
    folders = (verdicts.folder_of(each) for section in claims for each in section.documents[1:])
    return sorted({folder for folder in folders if folder})


def compared(found: View | None, claims: list[Section], results: Path, folder: str) -> dict | None:
    """A further GPU beside the first; None if no claim was timed on both."""
    pairs = verdicts.pairs_of(claims, folder)
    if not pairs:
        return None
    names = names_of(pairs)
    other_answers, elsewhere = verdicts.differing(pairs), verdicts.elsewhere(pairs)
    causes = {
        claim: verdicts.cause_of(claim, *both)
        for claim in (*other_answers, *elsewhere)
        if (both := evidence_of(results, claim, folder))
    }
    timed = timed_of(results, folder)
    by_share = shares.numbers(*timed) if all(timed) else None
    return {
        "folder": folder,
        "names": list(names),
        "seconds": seconds([other for _, other in pairs]),
        "verdicts": {
            "claims": len(pairs),
            "same": len(pairs) - len(other_answers),
            "differing": other_answers,
            "elsewhere": elsewhere,
            "causes": causes,
        },
        "shares": by_share and rounded(by_share),
        "tables": [
            asdict(each)
            for each in (verdicts.table(pairs, causes, names), by_share and shares.table(by_share, names))
            if each
        ],
    } | of_model(found and foretold(found, results, folder), found, timed, pairs, results, folder)


def names_of(pairs: list[tuple[dict, dict]]) -> tuple[str, str]:
    one, other = (each["machines"]["timed"]["machine"]["name"] for each in pairs[0])
    return one, other


def of_model(
    times: Foretold | None, found: View | None, timed: list, pairs: list, results: Path, folder: str
) -> dict:
    """The model's errors and prices there; without a prediction none, and no figure."""
    names = names_of(pairs)
    if times is None:
        return {"model": None, "drawn": None}
    further, errors = prices_of(ahead.rates_of(results, folder)), times.errors()
    when = "before anything but their prices was timed there" if times.before else "with its prices"
    return {
        "model": {
            "before": times.before,
            "errors": rounded(errors),
            "changed": CHANGED,
            "prices": rounded(tables.ratios(found.prices, further)),
            "code_is_same": same_code(pairs),
            "in_words": in_words(times, errors, tables.ratios(found.prices, further)),
            "tables": [
                asdict(tables.errors(errors, times.before, names)),
                asdict(tables.prices(found.prices, further, names)),
            ],
        },
        "figure": {
            "name": f"{NAME}.{folder}",
            "caption": CAPTION.format(further=names[1], when=when),
            "wide": True,
        },
        "drawn": drawing.figure(times, *timed, names),
    }


def in_words(times: Foretold, errors: dict, prices: dict) -> dict:
    """As the text prints them; what it says depends on `..is_..` and `alike`."""
    some = {
        key: {"mean": f"{each['mean']:.1%}"}
        | {name: words.share(each[name]) for name in ("within_15", "within_20")}
        for key, each in errors.items()
    }
    return some | {
        "kernels": words.integer(len(times.measured)),
        "changed": words.integer(int(times.changed.sum())),
        "unchanged": words.integer(int((~times.changed).sum())),
        "limit": words.share(CHANGED),
        "same_time_is_nearer": errors["same_time"]["mean"] < errors["predicted"]["mean"],
        "alike": prices["of_the_sm"] - 1 <= ALIKE,
        "of_the_sm": f"{prices['of_the_sm'] - 1:.1%}",
        "copy": words.decimal(prices["copy"]),
        "read": words.decimal(prices["read"]),
    }


def same_code(pairs: list[tuple[dict, dict]]) -> bool:
    """Whether both GPUs ran the same machine code, by its digests."""
    digests = (
        {each["machines"]["timed"]["provenance"].get("machine_code") for each in pair} for pair in pairs
    )
    return all(len(each) == 1 for each in digests)


def seconds(documents: list[dict]) -> str:
    """What recording the times took; empty if one does not say."""
    found = [each["machines"]["timed"]["provenance"].get("wall_seconds") for each in documents]
    return "" if None in found else words.decimal(sum(found), 1)


def evidence_of(results: Path, claim: str, folder: str) -> tuple[Evidence, Evidence] | None:
    """That of both GPUs; None if a document is of a recording that is there no more."""
    found = load(results, claim)
    other = next((each for each in found if each.timed and each.timed.folder == folder), None)
    return (found[0], other) if other and found[0].timed else None


def timed_of(results: Path, folder: str) -> list:
    """The times of shares.CLAIM on both GPUs; None where they are lacking."""
    found = load(results, shares.CLAIM) if shares.CLAIM in claims_in(results) else []
    by_folder = {each.timed.folder: each.timed for each in found if each.timed}
    first = found[0].timed if found else None
    return [first, by_folder.get(folder)]


def agreeing(figures: Path, folder: str) -> dict:
    """How many counts equal that GPU's counters; none without them."""
    own = next((each for each in agreement_of(figures) if each["folder"] == folder), None)
    return {"counters": own and {key: words.integer(value) for key, value in own["tally"].items()}}
