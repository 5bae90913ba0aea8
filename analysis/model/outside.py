"""Kernels whose time has a part that the model does not know, and why: shown, but not among its errors."""

from analysis.model.kernels import Kernel

WAITS = "its blocks wait for the sums of earlier blocks"
HOST = "the host scans the block sums"
RULES = (("look_back", WAITS), ("spine:host", HOST))


def outside(kernel: Kernel) -> str:
    """Why, or "" if the model should know all of the time."""
    return next((why for part, why in RULES if part in kernel.case), "")
