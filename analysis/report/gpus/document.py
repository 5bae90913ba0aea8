"""figures/gpus.json and, for every further GPU, figures/gpus.<gpu>.svg: further GPUs beside the first."""

from pathlib import Path

import pandas

from analysis.core import plotting, words
from analysis.core.evidence import Evidence, Results
from analysis.core.files import claims_in, read_csv
from analysis.core.loading import REFERENCE_GPU, load
from analysis.core.prose import told
from analysis.core.statistics import rounded
from analysis.core.writing import write_json
from analysis.model import clock
from analysis.report.gpus import drawing, verdicts
from analysis.report.gpus.foretold import CHANGED, foretold
from analysis.report.sections import Section, agreement_of, sections
from experiments.fast.copy_speed.analysis import CLAIM, TYPES

NAME, ALIKE = "gpus", 0.02  # prices that differ by less are the same
MEMORY = {"read": "dram_read_bytes_per_ns", "written": "dram_write_bytes_per_ns"}


def write(results: Path, figures: Path) -> None:
    claims = sections(figures)
    folders = {verdicts.folder_of(each) for section in claims for each in section.documents[1:]} - {""}
    with plotting.house_style():
        made = [compared(claims, results, folder) for folder in sorted(folders)]
    others = [each for each in made if each]
    drawn = {each["figure"]["name"]: each.pop("drawn") for each in others if "drawn" in each}
    plotting.save_all(drawn, figures, f"{NAME}.*.svg")
    tallies = {each["folder"]: each["tally"] for each in agreement_of(figures)}
    for other in others:
        tally = tallies.get(other["folder"])
        other["counters"] = tally and {key: words.integer(value) for key, value in tally.items()}
    write_json(figures / f"{NAME}.json", {"gpus": others})


def compared(claims: list[Section], results: Path, folder: str) -> dict | None:
    """A further GPU beside the first; None if no claim was timed on both. Without a prediction `model` is
    None, and there is no figure."""
    pairs = verdicts.pairs_of(claims, folder)
    if not pairs:
        return None
    names = [each["machines"]["timed"]["machine"]["name"] for each in pairs[0]]
    recorded = [[each["machines"]["timed"]["provenance"] for each in pair] for pair in pairs]
    seconds = [other.get("wall_seconds") for _, other in recorded]
    answers = verdicts.compared(pairs)
    timed = [each and each.timed for each in evidence_of(results, folder, CLAIM)]
    both = {of: evidence_of(results, folder, of) for of in (*answers["differing"], *answers["elsewhere"])}
    causes = {claim: verdicts.cause_of(claim, *each) for claim, each in both.items() if None not in each}
    made = {
        "folder": folder,
        "names": names,
        "seconds": "" if None in seconds else words.decimal(sum(seconds), 1),
        "verdicts": answers | {"causes": causes},
        "shares": shares_of(*timed) if all(timed) else None,
        "model": None,
    }
    times = foretold(results, folder)
    if not times:
        return made
    errors, prices, ahead = times.errors(), prices_of(results, folder), clock.cases_of(results / folder)
    caption = told("gpus: caption", further=names[1])
    same_code = all(one.get("machine_code") == other.get("machine_code") for one, other in recorded)
    return made | {
        "model": {
            "errors": errors,
            "before": clock.errors_of(ahead) if ahead else None,
            "changed": CHANGED,
            "prices": prices[~prices["alike"]].to_dict("records"),
            "alike": {"prices": len(prices), "same": int(prices["alike"].sum())},
            "byte": {way: rounded(1 / ratio_of(prices, price)) for way, price in MEMORY.items()},
            "code_is_same": same_code,
            "in_words": in_words(errors, prices, times.changed),
        },
        "figure": {"name": f"{NAME}.{folder}", "caption": caption, "wide": True},
        "drawn": drawing.figure(times, timed, names),
    }


def prices_of(results: Path, folder: str) -> pandas.DataFrame:
    """Those that both GPUs have, of `first` and `further`; alike: they differ by at most ALIKE."""
    one, other = (
        read_csv(results / each / clock.PRICES, ("price", "value", "unit")).fillna({"unit": ""})
        for each in (REFERENCE_GPU, folder)
    )
    both = one.rename(columns={"value": "first"}).merge(
        other[["price", "value"]].rename(columns={"value": "further"}), on="price"
    )
    both["ratio"] = both["further"] / both["first"]
    both["alike"] = (both["ratio"] - 1).abs() <= ALIKE
    return both[["price", "unit", "first", "further", "ratio", "alike"]]


def ratio_of(prices: pandas.DataFrame, price: str) -> float:
    return float(prices.set_index("price")["ratio"][price])


def in_words(errors: dict, prices: pandas.DataFrame, changed) -> dict:
    """As the text prints them; what it says depends on `same_time_is_nearer`."""
    some = {}
    for key, each in errors.items():
        shares = {name: words.share(each[name]) for name in ("within_15", "within_20")}
        some[key] = {"mean": f"{each['mean']:.1%}"} | shares
    tally = {"kernels": len(changed), "changed": changed.sum(), "unchanged": (~changed).sum()}
    return some | {
        **{name: words.integer(count) for name, count in tally.items()},
        "limit": words.share(CHANGED),
        "same_time_is_nearer": errors["same_time"]["mean"] < errors["predicted"]["mean"],
        **{way: words.decimal(1 / ratio_of(prices, price)) for way, price in MEMORY.items()},
    }


def evidence_of(results: Path, folder: str, claim: str) -> list[Evidence | None]:
    """That of both GPUs; None where a claim was not timed."""
    found = load(results, claim) if claim in claims_in(results) else []
    timed = {each.timed.folder: each for each in found if each.timed}
    return [next((each for each in found[:1] if each.timed), None), timed.get(folder)]


def shares_of(one: Results, other: Results) -> dict:
    """The scan's share of the copy on both: of ints by length, and of every type at the longest length that
    both have timed."""
    found = {kind: [drawing.share(each, kind) for each in (one, other)] for kind in TYPES}
    both = {kind: sorted(set(first) & set(further)) for kind, (first, further) in found.items()}
    shares = {kind: {n: [of[n] for of in found[kind]] for n in both[kind]} for kind in TYPES if both[kind]}
    longest = {kind: {"n": max(of), "shares": of[max(of)]} for kind, of in shares.items()}
    by_length = {str(n): of for n, of in shares.get(drawing.KIND, {}).items()}
    return {"by_length": by_length, "longest": longest}
