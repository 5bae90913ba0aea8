"""Programs of other people: their launches' times as the machine's clock predicted them, beside the measured.

Predicted by experiments/record/predict.py, timed by time_programs.py beside it: results/predicted/<set>.csv
and results/<gpu>/programs.<set>.csv. SETS are of HeCBench, chosen by experiments/record/choose.py, predicted
and committed, then timed once; the fourth when faults that the third had shown were mended, the fifth when
micro-kernels had shown what the clock lacked. SAMPLES are of NVIDIA (cuda-samples), timed before there was a
clock: looking back. A prediction begins with the first block: what ncu shows of an empty kernel is added.
"""

import re
from pathlib import Path

import pandas

from analysis.core.files import read_csv
from analysis.core.statistics import rounded
from analysis.model.clock import PRICES
from analysis.model.errors import errors

KEY = ["program", "arguments", "launch", "kernel"]
SETS, SAMPLES = ("third", "fourth", "fifth"), ("samples",)
EMPTY = {"clock_unknown": "not at its end when its time was over", "grid": ""}
CLOCKED = ("gpu", *KEY, "grid", "clock_us", "clock_stall", "clock_unknown")
SHORT_US = 10  # a launch that takes less is short


def tables(results: Path, folder: str, of: str) -> tuple[Path, Path]:
    """Of a set: its predictions, and its times on a GPU."""
    return results / f"predicted/{of}.csv", results / folder / f"programs.{of}.csv"


def by_clock(results: Path, folder: str, of: str) -> dict | None:
    """That set on that GPU; None if it was not timed there."""
    ahead, timed = tables(results, folder, of)
    if not (ahead.exists() and timed.exists()):
        return None
    as_text = {"arguments": str}  # one number is one, too
    predicted = read_csv(ahead, CLOCKED).astype(as_text)
    own = predicted[predicted["gpu"] == folder].drop(columns="gpu")
    measured = read_csv(timed, (*KEY, "us")).astype(as_text)
    rows = own.merge(measured, how="right", on=KEY, validate="one_to_one").fillna(EMPTY)
    prices = read_csv(results / folder / PRICES, ("price", "value")).set_index("price")["value"]
    rows["clock"] = rows["clock_us"] + prices["profiled_launch_us"]
    known, unknown = rows[rows["clock"].notna()], rows[rows["clock"].isna()]
    return {
        "set": of,
        "folder": folder,
        "short_us": SHORT_US,
        "asked": len(rows),
        "timed_of": len(own),
        "all": errors_of(known) | {"nine_of_ten": nine_of_ten(known)},
        "but_one": but_one(known),
        "short_launches": errors_of(known[known["us"] < SHORT_US]),
        "long_launches": errors_of(known[known["us"] >= SHORT_US]),
        "unknown": unknown["clock_unknown"].value_counts().to_dict(),
        "programs": [of_program(*each) for each in rows.groupby("program", sort=False)],
    }


def errors_of(rows: pandas.DataFrame) -> dict:
    return rounded(errors(rows["clock"].to_numpy(), rows["us"].to_numpy()))


def nine_of_ten(rows: pandas.DataFrame) -> float:
    """The distance of predicted over measured time from 1 that they do not exceed."""
    return rounded(float((rows["clock"] / rows["us"] - 1).abs().quantile(0.9)))


def but_one(rows: pandas.DataFrame) -> dict:
    """The program that is furthest off, by how much at most, and the mean error of all others."""
    away = (rows["clock"] / rows["us"] - 1).abs()
    if away.empty:
        return {}
    worst = away.groupby(rows["program"]).mean().idxmax()
    is_of_worst = rows["program"] == worst
    return {
        "program": worst,
        "worst": rounded(float((rows["clock"] / rows["us"])[away[is_of_worst].idxmax()])),
        "others": errors_of(rows[~is_of_worst]),
    }


def of_program(name: str, own: pandas.DataFrame) -> dict:
    """error: the mean over its launches that have a number; the rest is of the longest."""
    longest = own.loc[own["us"].idxmax()]
    off = (own["clock"] / own["us"] - 1).abs().mean()
    return {
        "program": name,
        "launches": len(own),
        "known": int(own["clock"].notna().sum()),
        "error": None if pandas.isna(off) else rounded(float(off)),
        "kernel": re.search(r"\w+(?=[<(])", longest["kernel"])[0],
        "grid": longest["grid"],
        "measured": float(longest["us"]),
        "predicted": None if pandas.isna(longest["clock"]) else rounded(float(longest["clock"])),
        "stall": "" if pandas.isna(longest["clock_stall"]) else longest["clock_stall"],
    }
