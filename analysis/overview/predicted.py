"""What predicts the time, in a finding: counts alone and the model of time, all over the same kernels."""

from collections.abc import Mapping

from analysis.common import words

COUNTS = {"instructions": "warp instructions", "wavefronts": "wavefronts", "bytes": "bytes"}


def errors(model: Mapping) -> list[str]:
    """From figures/model.json; nothing without it."""
    if not model.get("sample"):
        return []
    sample, measured = model["sample"], model.get("errors")
    known = measured or model["fitted"]["errors"]
    over = "" if measured else f" over {words.plural(known['cases'], 'kernel')}"
    costs = words.listing(model["in_words"].values())
    left_out = f"without {words.integer(sample['others'])} that wait for earlier blocks or the host"
    return [
        f"Over {words.plural(sample['kernels'], 'kernel')} ({left_out}) a time in proportion to "
        f"{of_counts(model['alone'])}. A time made of five costs, of which the largest prevails ({costs}), "
        f"is off by {words.share(known['mean'])}{over}. {how(model)}."
    ]


def of_counts(alone: Mapping) -> str:
    """Each count at its own best price: operations, and the best."""
    off = {name: words.share(each["mean_error"]) for name, each in alone.items()}
    best = min(alone, key=lambda name: alone[name]["mean_error"])
    cases = [each.get("cases", 0) for each in alone.values()]
    known = f" ({alone['ops']['cases']} of them show theirs)" if min(cases) < max(cases) else ""
    said = f"the operations{known} is off by {off['ops']} on average"
    if best == "ops":
        return said
    return f"{said}, and one in proportion to {COUNTS[best]}, the best single count, by {off[best]}"


def how(model: Mapping) -> str:
    if not model.get("errors"):
        held = words.span(model["fitted"]["held_out_mean"].values(), words.share)
        return f"Six numbers are fitted to them ({held} where a claim's kernels are left out of the fit)"
    judged = words.share(model["choice"]["judged"]["mean"])
    return (
        "Prices are measured apart; one number, how sharply the largest prevails, is chosen on half of "
        f"the kernels ({judged} on the other half)"
    )
