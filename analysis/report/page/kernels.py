"""The kernels of the page: what each counts, by what it is limited and how long it takes.

`points` are the block kernels, for the story and for the race; `unseen` others, for the reader to predict.
"""

from pathlib import Path

from analysis.core.evidence import Evidence, Results
from analysis.core.files import read_json
from analysis.core.loading import load
from analysis.core.looks import ON_PAGE
from analysis.core.recorded import SUFFIX

CLAIMS = ("work", "padding", "depth", "shuffle", "divergence")
UNSEEN = ("two_per_thread", "inclusive_exclusive", "recursion", "single_pass")
COUNTS = {  # sums of the SIMT machine's counts
    "ops": ("operations", ("ops",)),
    "warp_ops": ("operations by warp", ("warp_ops",)),
    "requests": ("shared-memory requests", ("shared_load_requests", "shared_store_requests")),
    "wavefronts": ("shared-memory wavefronts", ("shared_load_wavefronts", "shared_store_wavefronts")),
    "conflicts": ("bank conflicts", ("bank_conflicts",)),
    "barriers": ("barriers", ("barriers",)),
    "warps": ("active warps, summed over steps", ("active_warps",)),
    "sectors": ("sectors of global memory", ("global_load_sectors", "global_store_sectors")),
    "instructions": ("warp instructions", ("warp_instructions",)),
}
OTHERS = {"blocks": "blocks", "clock": "time by the clock in ps"}
QUANTITIES = {key: label for key, (label, _) in COUNTS.items()} | OTHERS


def kernels_of(results: Path, figures: Path) -> dict:
    """By part: points, unseen, and what is said of their quantities and charges."""
    model = read_json(figures / "model.json", {})
    cases = {(each["claim"], each["case"]): each for each in model.get("cases", [])}
    evidence = {claim: found for claim in CLAIMS if (found := evidence_of(results, claim))}
    charges = model.get("in_words", {})
    points = [point for claim, found in evidence.items() for point in points_of(claim, found, cases, charges)]
    known = {key for point in points for key in point["counts"]}
    first = next(iter(evidence.values()), None)
    return {
        "machine": first.timed.machine["name"] if first else "",
        "quantities": {key: label for key, label in QUANTITIES.items() if key in known},
        "charges": charges,
        "points": points,
        "unseen": unseen(results, model),
    }


def evidence_of(results: Path, claim: str) -> Evidence | None:
    """The first machine's, if it has counts and times."""
    found = load(results, claim)[0] if list(results.glob(f"*/{claim}{SUFFIX}")) else None
    return found if found and found.timed and found.counted else None


def points_of(claim: str, evidence: Evidence, cases: dict, charges: dict) -> list[dict]:
    """A point for each case: its cold time and its counts for each element of the vector."""
    timed = evidence.timed
    found = []
    for name, rows in timed.rows.groupby("name", sort=False):
        row = rows.iloc[0]
        if row["algorithm"] not in ON_PAGE or row["cache"] != "cold":
            continue
        stem = timed.stems[name]
        counts = per_element(evidence.counted, stem)
        if counts is None:
            continue
        counts["blocks"] = 1 / int(row["tile"])
        if model := cases.get((claim, stem), {}):
            counts["clock"] = 1e6 * model["predicted_us"] / row["n"]
        look, limit = ON_PAGE[row["algorithm"]], charges.get(model.get("limiter"), "")
        about = {"case": stem, "claim": claim, "label": look.label, "colour": look.color}
        about |= {"tile": int(row["tile"]), "index": row["index"], "n": int(row["n"])}
        about |= {"time": round(timed.time(name=name).value, 2), "limit": limit}
        found.append(about | {"charges": model.get("parts", {}), "counts": rounded(counts)})
    return found


def unseen(results: Path, model: dict) -> list[dict]:
    """Counts, charges and times of kernels that the page has not shown."""
    found = []
    for claim in UNSEEN if model.get("cases") else ():
        evidence = evidence_of(results, claim)
        for each in model["cases"]:
            if each["claim"] == claim and evidence:
                counts = per_element(evidence.counted, each["case"]) or {}
                counts["blocks"] = float(f"{1024 * each['blocks'] / each['n']:.2g}") / 1024
                kept = ("claim", "case", "n", "limiter", "measured_us", "predicted_us")
                own = {"charges": each["parts"], "counts": rounded(counts)}
                found.append({name: each[name] for name in kept} | own)
    return found


def per_element(results: Results, stem: str) -> dict | None:
    """The counts of the case's longest vector, over its length."""
    rows = results.rows[results.rows["name"].map(results.stems) == stem]
    if rows.empty:
        return None
    row = rows.sort_values("n").iloc[-1]
    totals = {key: sum(row.get(name, float("nan")) for name in names) for key, (_, names) in COUNTS.items()}
    return {key: total / row["n"] for key, total in totals.items() if total == total}


def rounded(counts: dict) -> dict:
    return {key: float(f"{value:.6g}") for key, value in counts.items()}
