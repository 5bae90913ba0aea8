"""@claim@: an example to start from. Replace its verdict and figure with those of your own claim."""

from analysis.common import plotting
from analysis.common.evidence import Evidence
from analysis.common.plotting import Look
from analysis.common.verdict import FAILS, HOLDS, NOT_MEASURED, Verdict

RULE = (
    "Holds if both counts equal their closed forms and Brent-Kung's is the smaller one; otherwise it fails."
)
CAPTION = "Operations of the whole vector, counted."

ALGORITHMS = {
    "brent_kung": Look("Brent-Kung", plotting.GREEN, "D"),
    "sklansky": Look("Sklansky", plotting.ORANGE, "^"),
}


def operations(evidence: Evidence, quantity: str = "ops") -> dict[str, int]:
    """Counted operations by algorithm; those predicted with quantity="predicted_ops"."""
    return {each: evidence.counted.count(quantity, algorithm=each) for each in ALGORITHMS}


def verdict(evidence: Evidence) -> Verdict:
    if evidence.counted is None:
        return Verdict(NOT_MEASURED, "The operations were not counted.")
    counted = operations(evidence)
    if counted != operations(evidence, "predicted_ops"):
        return Verdict(FAILS, "A count differs from its closed form.")
    fewer = counted["brent_kung"] < counted["sklansky"]
    said = f"Brent-Kung does {counted['brent_kung']:,} operations, Sklansky {counted['sklansky']:,}."
    return Verdict(HOLDS if fewer else FAILS, said)


def figure(evidence: Evidence):
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.2)
    if evidence.counted is None:
        plotting.empty(axes, "operations: not counted")
    else:
        labels = [look.label for look in ALGORITHMS.values()]
        axes.barh(labels, operations(evidence).values(), color=[look.color for look in ALGORITHMS.values()])
        axes.set_xlabel("operations")
    plotting.sources(figure, evidence)
    return figure


def numbers(evidence: Evidence) -> dict:
    return {"ops": operations(evidence)} if evidence.counted else {}


def text(numbers: dict) -> list[str]:
    if not numbers:
        return []
    ratio = numbers["ops"]["sklansky"] / numbers["ops"]["brent_kung"]
    return [f"Sklansky does {ratio:.2f} times the operations of Brent-Kung."]
