"""@claim@: Sklansky does more operations than Brent-Kung."""

from matplotlib.figure import Figure

from analysis.core import looks, plotting
from analysis.core.agreement import closed_forms
from analysis.core.evidence import Evidence
from analysis.core.verdict import NO_CLAIM, Verdict, judge

CAPTION = "Operations of the whole vector, counted."

ALGORITHMS = looks.of("brent_kung", "sklansky")


def operations(evidence: Evidence) -> dict[str, int]:
    """Counted operations by algorithm."""
    return {each: evidence.counted.count("ops", algorithm=each) for each in ALGORITHMS}


def verdict(evidence: Evidence) -> Verdict:
    if evidence.counted is None:
        return judge(None, NO_CLAIM, "The operations were not counted.")
    right, wrong = closed_forms(evidence.counted)
    brent_kung, sklansky = operations(evidence).values()
    ratio = sklansky / brent_kung
    finding = f"Sklansky does {ratio:.2f} times the operations of Brent-Kung."
    return judge(right and ratio > 1, NO_CLAIM, wrong or finding)


def figure(evidence: Evidence) -> Figure:
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.2)
    if evidence.counted:
        labels = [look.label for look in ALGORITHMS.values()]
        axes.barh(labels, operations(evidence).values(), color=[look.color for look in ALGORITHMS.values()])
        axes.set_xlabel("operations")
    plotting.sources(figure, evidence)
    return figure
