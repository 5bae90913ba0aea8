"""The model on two GPUs as tables: its prices, and its errors beside those of simpler predictions."""

from dataclasses import asdict

from analysis.common import words
from analysis.common.tables import Table
from analysis.gpus.foretold import CHANGED
from analysis.model.times import Prices

PRICES = {  # unit, and what one of it is multiplied by
    "instruction": ("a warp instruction", "cycles", 1),
    "wavefront": ("a wavefront", "cycles", 1),
    "step": ("a step to the next barrier", "cycles", 1),
    "block_copy": ("a block that copies, alone", "cycles", 1),
    "barrier": ("a barrier, passes of the pipe", "cycles", 1),
    "barrier_warp": ("the same by warp", "cycles", 1),
    "block_us": ("starting a block", "ns", 1e3),
    "launch_us": ("an empty kernel", "µs", 1),
    "next_launch_us": ("one more, queued behind", "µs", 1),
    "copy_us": ("a byte copied", "ps", 1e6),
    "read_us": ("a byte read", "ps", 1e6),
}
OF_THE_SM = ("instruction", "wavefront", "step", "block_copy", "block_us")


def prices(first: Prices, further: Prices, names: tuple[str, str]) -> Table:
    one, other = asdict(first), asdict(further)
    rows = [
        [
            f"{name}, {unit}",
            words.significant(factor * one[key]),
            words.significant(factor * other[key]),
            words.decimal(other[key] / one[key]),
        ]
        for key, (name, unit, factor) in PRICES.items()
    ]
    return Table("What each GPU charges, measured by `rates` alone.", ["for", *names, "ratio"], rows)


def ratios(first: Prices, further: Prices) -> dict[str, float]:
    """By what the prices differ: those of a multiprocessor at the most, and those of a byte."""
    one, other = asdict(first), asdict(further)
    found = {key: other[key] / one[key] for key in PRICES}
    return {
        "of_the_sm": max(max(found[key], 1 / found[key]) for key in OF_THE_SM),
        "copy": found["copy_us"],
        "read": found["read_us"],
    }


def errors(found: dict[str, dict], before: bool, names: tuple[str, str]) -> Table:
    first, further = names
    when = "before anything else was timed there" if before else "with the prices recorded there"
    some = f"of these, where the time differs by more than {words.share(CHANGED)}"
    said = {
        "first": f"{first}: by the SIMT machine's counts and its own prices",
        "today": f"{further}: the same",
        "predicted": f"{further}: predicted {when}, by the model of then",
        "same_time": f"{further}: the time of the {first} in place of a prediction",
        "scaled": f"{further}: that time, times the predicted change",
        "predicted_changed": f"{some}: predicted",
        "same_time_changed": f"{some}: the time of the {first}",
    }
    rows = [
        [
            name,
            words.integer(found[key]["cases"]),
            f"{found[key]['mean']:.1%}",
            words.share(found[key]["within_15"]),
            words.share(found[key]["within_20"]),
            words.decimal(found[key]["worst"]),
        ]
        for key, name in said.items()
        if key in found
    ]
    columns = ["times", "kernels", "mean error", "within 15%", "within 20%", "worst ratio"]
    return Table("How far a kernel's time is off, by what stands for it.", columns, rows, wide=True)
