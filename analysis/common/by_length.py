"""Panels over the length of the vector, n, and words for the lengths at which a claim holds."""

from collections.abc import Sequence

from matplotlib.axes import Axes

from analysis.common import plotting, words


def finish(axes: Axes, label: str, title: str, of: str = "elements") -> None:
    """The axes of a panel: n on a logarithmic scale, `label` on the y axis."""
    axes.set_xscale("log", base=2)
    axes.set_xlabel(f"{of}, n")
    axes.set_ylabel(label)
    axes.set_title(title)
    axes.grid()


def free_band(axes: Axes, slack: float) -> None:
    """The band of ratios that count as 1: `slack` to either side."""
    axes.axhspan(1 - slack, 1 + slack, color=plotting.PALE, linewidth=0)
    axes.axhline(1, color=plotting.BLACK, linewidth=0.6)


def at(lengths: Sequence[int]) -> str:
    """at n = 2¹¹, 2¹² and 2¹⁴."""
    return f"at n = {words.listing([words.power(n) for n in lengths])}"


def from_on(lengths: Sequence[int], every: Sequence[int]) -> str:
    """from n = 2¹² on, if there is no gap up to the longest; else nothing."""
    tail = [n for n in every if n >= lengths[0]]
    return f"from n = {words.power(lengths[0])} on" if lengths == tail else ""
