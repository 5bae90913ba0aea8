"""@claim@: the bank conflicts of a kernel."""

from matplotlib.figure import Figure

from analysis.core import plotting
from analysis.core.evidence import Evidence
from analysis.core.verdict import NO_CLAIM, Verdict, judge

CAPTION = "Wavefronts of shared memory, counted."

QUANTITIES = {
    "shared_load_wavefronts": "loads",
    "shared_store_wavefronts": "stores",
    "bank_conflicts": "of these, conflicts",
}


def verdict(evidence: Evidence) -> Verdict:
    if evidence.counted is None:
        return judge(None, NO_CLAIM, "The conflicts were not counted.")
    conflicts = evidence.counted.count("bank_conflicts")
    return judge(conflicts == 0, NO_CLAIM, f"It has {conflicts:,} bank conflicts.")


def figure(evidence: Evidence) -> Figure:
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.2)
    if evidence.counted:
        axes.barh(list(QUANTITIES.values()), [evidence.counted.count(each) for each in QUANTITIES])
        axes.set_xlabel("wavefronts")
    plotting.sources(figure, evidence)
    return figure
