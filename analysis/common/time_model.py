"""What the supplement prints of the model of time, from figures/model.json."""

import re
from pathlib import Path

from analysis.common import words
from analysis.common.files import read_json
from analysis.common.tables import COUNTERS, Table

APART = 0.05  # times that differ by less have no rank: analysis/model/ranks.py


def contents(figures: Path) -> dict | None:
    """Its figure, how far it is off by claim and where most, and why; None without it."""
    path = figures / "model.json"
    found = read_json(path) if path.exists() else {}
    if not found.get("by_claim"):
        return None
    return {
        "text": found["text"],
        "by": found["by"],
        "figure": found.get("figure"),
        "cases": words.integer(found["sample"]["cases"]),
        "kernels": words.integer(found["sample"]["kernels"]),
        "others": words.integer(found["sample"]["others"]),
        "limiters": limiters(found),
        "forms": found.get("forms") and forms(found["forms"]),
        "everywhere": found.get("everywhere") and everywhere(found["everywhere"]),
        "programs": [programs(found, each) for each in found.get("others", [])],
        "counts": found.get("everywhere") and differences(found["everywhere"]),
        "rounds": found.get("rounds"),
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
            ranked(found.get("ranks", {}).get(claim)),
        ]
        for claim, each in found["by_claim"].items()
    ]
    columns = ["Claim", "Kernels", "Mean error", "Within 15%", "Worst ratio", "Ranked wrongly"]
    caption = (
        "Predicted over measured time, by claim; claims share kernels. Ranked wrongly: of the pairs of a "
        f"claim's kernels whose times differ by more than {words.share(APART)}, those that the model "
        "has the other way round."
    )
    return vars(Table(caption, columns, rows))


def ranked(found: dict | None) -> str:
    return f"{found['wrong']} of {words.integer(found['pairs'])}" if found else words.NOTHING


def forms(found: dict) -> dict:
    """Each form's mean error where a number could be chosen, and where not."""
    rows = [
        [each["name"], *(f"{each[side]['mean']:.1%}" for side in ("chosen", "judged"))]
        for each in found["forms"].values()
    ]
    by_p = words.listing([f"p = {p}: {mean:.1%}" for p, mean in found["mean_by_sharpness"].items()])
    caption = (
        "Mean error of forms of the model, on the kernels of every other claim, where the norm's p is "
        f"chosen, and on the others. By p on the first: {by_p}."
    )
    return vars(Table(caption, ["form", "chosen on", "judged on"], rows, wide=True))


def everywhere(found: list[dict]) -> dict:
    """On each GPU: errors by the machine's counts and by the GPU's own."""
    names = {
        "long": "by the machine's counts, 2²⁶ elements or more",
        "all": "by the machine's counts, 2²⁴ or more",
        "by_counters": "the same by the GPU's own counters",
    }
    rows = [
        [gpu["name"], said, words.integer(each["cases"]), f"{each['mean']:.1%}"]
        + [words.share(each[f"within_{percent}"]) for percent in (10, 15, 20)]
        for gpu in found
        for name, said in names.items()
        for each in (gpu["errors"][name],)
    ]
    columns = ["GPU", "predicted", "kernels", "mean error", "within 10%", "within 15%", "within 20%"]
    caption = "Predicted against measured time of every kernel, cold; what a GPU gives is its prices alone."
    return vars(Table(caption, columns, rows, wide=True, text_columns=2))


BREAK = "\u200b"  # no space, where a long name may be parted
PREDICTED_BY = {"first": "the largest charge in time", "second": "by the rule of what is measured"}


def programs(model: dict, found: dict) -> dict:
    """On one GPU: programs of other people, by the longest of their launches that is in reach."""
    in_words = model["in_words"]
    rows = [
        [
            each["program"],
            f"{each['known']} of {each['launches']}",
            words.share(each["error"]),
            re.sub(r"(?<=[a-z])(?=[A-Z])", BREAK, each["kernel"]),
            words.in_microseconds(each["predicted"]),
            words.in_microseconds(each["measured"]),
            in_words[each["limiter"]],
            in_words[each["busiest"]],
        ]
        for each in found["programs"]
        if each["known"]
    ]
    columns = ["program", "in reach", "mean error", "longest launch", "predicted, µs", "measured, µs"]
    caption = (
        f"NVIDIA's samples and examples on the {found['short']}, the {found['set']} set, timed once after "
        "its predictions were committed. In reach: launches that have a prediction. Limiter: "
        f"{PREDICTED_BY[found['set']]}. Limiter measured: what ncu shows busiest, at 60% of its peak or "
        "more; waiting, if nothing is."
    )
    columns += ["limiter", "limiter measured"]
    return vars(Table(caption, columns, rows, wide=True, source=COUNTERS))


def differences(found: list[dict]) -> dict:
    """Where the machine's counts and a GPU's differ, and why."""
    rows = [
        [gpu["name"], quantity, f"{each['within']} of {each['kernels']}"]
        + [words.span(each["ratios"], words.decimal), "; ".join(each["causes"]) or words.NOTHING]
        for gpu in found
        for quantity, each in gpu["differences"].items()
        if "within" in each
    ]
    columns = ["GPU", "count", "within 3%", "machine over GPU", "cause of the others"]
    caption = "What the model takes from the SIMT machine, beside the GPU's own counters, by kernel."
    return vars(Table(caption, columns, rows, wide=True, text_columns=5, source=COUNTERS))


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
