"""Times of all block kernels beside their counts: which count predicts the time?"""

from pathlib import Path

from analysis.common.evidence import Evidence, Results
from analysis.common.files import read_json
from analysis.common.loading import load
from analysis.common.recorded import SUFFIX
from analysis.page.colours import ALGORITHMS, colour_of, label_of

CLAIMS = ("work", "padding", "depth", "shuffle", "divergence")
COUNTS = {  # the SIMT machine's, or sums of them
    "ops": ("operations", ("ops",)),
    "warp_ops": ("operations by warp", ("warp_ops",)),
    "requests": ("shared-memory requests", ("shared_load_requests", "shared_store_requests")),
    "wavefronts": ("shared-memory wavefronts", ("shared_load_wavefronts", "shared_store_wavefronts")),
    "conflicts": ("bank conflicts", ("bank_conflicts",)),
    "barriers": ("barriers", ("barriers",)),
    "warps": ("active warps, summed over steps", ("active_warps",)),
    "sectors": ("sectors of global memory", ("global_load_sectors", "global_store_sectors")),
}
HARDWARE = {"instructions": ("warp instructions (the GPU's counter)", ("warp_instructions",))}
OTHERS = {"blocks": "blocks", "model": "time by the model in ps"}
FITTED = "time by the model in ps, fitted to these kernels"
QUANTITIES = {key: label for key, (label, _) in (COUNTS | HARDWARE).items()} | OTHERS


def race_of(results: Path, figures: Path) -> dict:
    """A point for each case: its cold time and its counts for each element of the vector."""
    model = model_of(figures)
    points = []
    for claim in CLAIMS:
        evidence = (
            next(iter(load(results, claim)), None) if list(results.glob(f"*/{claim}{SUFFIX}")) else None
        )
        if evidence and evidence.timed and evidence.counted:
            points += points_of(claim, evidence, model)
    known = {key for point in points for key in point["counts"]}
    labels = QUANTITIES | ({"model": FITTED} if any(each["fitted"] for each in model.values()) else {})
    quantities = {key: label for key, label in labels.items() if key in known}
    return {"quantities": quantities, "points": points}


def points_of(claim: str, evidence: Evidence, model: dict) -> list[dict]:
    timed = evidence.timed
    found = []
    for name, rows in timed.rows.groupby("name", sort=False):
        row = rows.iloc[0]
        if row["algorithm"] not in ALGORITHMS or row["cache"] != "cold":
            continue
        stem = name.split("/cache:")[0]
        counts = per_element(evidence.counted, stem, COUNTS)
        if counts is None:
            continue
        counts |= per_element(evidence.counters, stem, HARDWARE) or {}
        counts["blocks"] = 1 / int(row["tile"])
        predicted = model.get((claim, stem), {})
        if predicted:
            counts["model"] = 1e6 * predicted["us"] / row["n"]
        found.append(
            {
                "case": stem,
                "claim": claim,
                "label": label_of(row["algorithm"]),
                "colour": colour_of(row["algorithm"]),
                "tile": int(row["tile"]),
                "index": row["index"],
                "n": int(row["n"]),
                "time": round(timed.median_of({"name": name}).value, 2),
                "limit": predicted.get("limit", ""),
                "counts": {key: float(f"{value:.6g}") for key, value in counts.items()},
            }
        )
    return found


def per_element(results: Results | None, stem: str, quantities: dict) -> dict | None:
    """The counts of the case's longest vector, over its length."""
    if results is None:
        return None
    rows = results.rows[results.rows["name"].str.startswith(f"{stem}/n:")]
    if rows.empty:
        return None
    row = rows.sort_values("n").iloc[-1]
    found = {}
    for key, (_, names) in quantities.items():
        total = sum(row.get(name, float("nan")) for name in names)
        if total == total:
            found[key] = total / row["n"]
    return found


def model_of(figures: Path) -> dict:
    """By claim and case: what limits it, in words, and its time in microseconds, both by the model of time,
    figures/model.json; empty without it."""
    path = figures / "model.json"
    document = read_json(path) if path.exists() else {}
    in_words = document.get("in_words", {})
    return {
        (each["claim"], each["case"]): {
            "limit": in_words.get(each["limiter"], each["limiter"]),
            "us": each["predicted_us"] or each["fitted_us"],
            "fitted": not each["predicted_us"],
        }
        for each in document.get("cases", [])
    }
