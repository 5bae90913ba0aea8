"""What the supplement prints of the model of time, from figures/model.json."""

from pathlib import Path

from analysis.common import words
from analysis.common.files import read_json
from analysis.common.tables import COUNTERS, Table


def contents(figures: Path) -> dict | None:
    """Its figure, how far it is off by claim and where most, and why; None without it."""
    path = figures / "model.json"
    found = read_json(path) if path.exists() else {}
    if not found.get("by_claim"):
        return None
    choice = found.get("choice")
    return {
        "text": found["text"],
        "by": found["by"],
        "figure": found.get("figure"),
        "cases": words.integer(found["sample"]["cases"]),
        "kernels": words.integer(found["sample"]["kernels"]),
        "others": words.integer(found["sample"]["others"]),
        "limiters": limiters(found),
        "choice": choice and {side: f"{choice[side]['mean']:.1%}" for side in ("chosen", "judged")},
        "table": errors(found),
        "misses": misses(found["misses"]) if "misses" in found else None,
    }


def limiters(found: dict) -> str:
    """instruction issue (78), bytes (12): the part that takes longest, and of how many kernels."""
    counts = sorted(found["limiters"].items(), key=lambda each: -each[1])
    return words.listing([f"{found['in_words'][part]} ({count})" for part, count in counts if count])


def errors(found: dict) -> dict:
    rows = [
        [
            claim,
            words.integer(each["cases"]),
            words.share(each["mean"]),
            words.share(each["within_15"]),
            words.NOTHING if each["worst"] is None else words.decimal(each["worst"]),
        ]
        for claim, each in found["by_claim"].items()
    ]
    columns = ["Claim", "Kernels", "Mean error", "Within 15%", "Worst ratio"]
    return vars(Table("Predicted over measured time, by claim; claims share kernels.", columns, rows))


def misses(found: dict) -> dict | None:
    """The kernels whose predicted time is far off, by what their warps wait for, and the cause."""
    rows = [
        [
            each["predicted"],
            words.integer(each["kernels"]),
            words.span(each["ratios"], words.decimal),
            evidence(each),
            each["cause"],
        ]
        for each in found["groups"]
    ]
    if not rows:
        return None
    caption = (
        f"Kernels whose predicted time is more than {words.share(found['within'])} off. Waits: the share of "
        f"the cycles of all warps; in brackets that of the {found['predicted_well']} kernels predicted well."
    )
    columns = ["predicted", "kernels", "over measured", "evidence", "cause"]
    return vars(Table(caption, columns, rows, wide=True, text_columns=5, source=COUNTERS))


def evidence(group: dict) -> str:
    if "share" in group:
        return f"{group['waits']}: {words.share(group['share'])} ({words.share(group['usual'])})"
    if "alone" in group:
        return f"the largest charge alone: {words.span(group['alone'], words.decimal)} of the time"
    return f"waits {group['waits']}"
