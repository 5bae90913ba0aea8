"""figures/model.svg: predicted against measured times on each GPU, with limiters by colour."""

import numpy

from analysis.common import plotting
from analysis.common.plotting import Look
from analysis.model.times import IN_WORDS, PARTS

LOOKS = {
    "issue": Look(IN_WORDS["issue"], plotting.BLUE, "o", "none", filled=False),
    "banks": Look(IN_WORDS["banks"], plotting.RED, "s", "none", filled=False),
    "bytes": Look(IN_WORDS["bytes"], plotting.GREEN, "^", "none", filled=False),
    "latency": Look(IN_WORDS["latency"], plotting.ORANGE, "D", "none", filled=False),
    "blocks": Look(IN_WORDS["blocks"], plotting.PURPLE, "v", "none", filled=False),
}
CAPTION = (
    "Predicted against measured time of every kernel on a long vector, cold, each once; the colour is the "
    "charge that limits it. Line: equal; band: 15% to either side. Counts are the SIMT machine's; of a "
    "GPU the prediction knows its prices, measured apart by kernels that know nothing of scans."
)
BAND = 0.15


def figure(gpus: list[str], shown: list[dict]):
    """A panel for each GPU: `shown` has limiters, predicted and measured microseconds."""
    figure, panels = plotting.new_figure(plotting.NARROW, 2.3 if len(gpus) > 1 else 3.3, ncols=len(gpus))
    times = numpy.concatenate([each["measured"] for each in shown])
    ends = numpy.array([0.8 * times.min(), 1.25 * times.max()])
    for axes, gpu, each in zip(panels, gpus, shown, strict=True):
        draw(axes, gpu, each, ends)
    panels[0].set_ylabel("predicted, µs")
    panels[-1].legend(loc="lower right", handlelength=0.8, borderpad=0.2, fontsize=5)
    plotting.foot(figure, "Counts: SIMT machine. Prices and times: the GPU's.")
    return figure


def draw(axes, gpu: str, shown: dict, ends: numpy.ndarray) -> None:
    axes.fill_between(ends, ends * (1 - BAND), ends * (1 + BAND), color=plotting.PALE, linewidth=0)
    axes.plot(ends, ends, color=plotting.BLACK, linewidth=0.6)
    names = numpy.array(shown["limiters"])
    for part in (part for part in PARTS if part in names):
        own = names == part
        axes.plot(
            shown["measured"][own],
            shown["predicted"][own],
            markersize=2.5,
            markeredgewidth=0.6,
            **style(LOOKS[part]),
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(ends)
    axes.set_ylim(ends)
    axes.set_xlabel(f"measured, µs: {gpu.removeprefix('NVIDIA ').split(' ')[0]}")
    axes.grid()
    axes.set_axisbelow(True)


def style(look: Look) -> dict:
    return {key: value for key, value in look.style().items() if key != "markersize"} | {"label": look.label}
