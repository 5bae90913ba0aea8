"""Programs of other people: their launches' predicted times, which were recorded first, beside the measured.

Predicted by experiments/record/predict.py, timed by time_programs.py beside it, in two SETS. What limits a
launch is read from the GPU by Nsight Compute's rule: of issue (the schedulers and the pipes that
compute), banks (the pipe to shared and global memory) and bytes (memory) what has the most percent of its
peak, if that is 60 or more; else the launch waits. A program's limiter is that of its longest launch.

The first set was predicted by another norm, the largest charge in time, and is judged by that; it suggested
that a prediction be read by the very rule that reads the GPU, from the machine's counts and the predicted
time. Its percents of peak were counted after it was timed, from the same programs and with the same predicted
times: what the rule gives there is looking back, and judges nothing. The second set was chosen and predicted
by that rule before any of it was timed.

The sets of BY_CLOCK are of HeCBench, chosen by experiments/record/choose.py, and predicted by the machine's
clock; third and fourth by the model as well. Both predictions begin with the first block: what ncu shows of
an empty kernel is added. The fourth was chosen and predicted when faults that the third had shown were
mended.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import pandas

from analysis.core.files import read_csv
from analysis.core.statistics import rounded
from analysis.model.clock import PRICES
from analysis.model.times import IN_WORDS, errors

KEY = ["program", "arguments", "launch", "kernel"]
WAITS = ("latency", "blocks")
# What is measured of a launch, in percent of its peak, by what it would limit.
UNITS = {"issue": ("issue", "alu", "fma", "fp64", "xu"), "banks": ("pipe",), "bytes": ("dram",)}
OF_PEAK = 60  # percent. Source: Nsight Compute, section GPU Speed Of Light, rule on latency
PREDICTED = ("gpu", *KEY, "longer", "predicted_us", "limiter", "outside", "busiest")
MEASURED = (*KEY, "us", *(each for units in UNITS.values() for each in units))
# Predictions are in results/predicted/<set>.csv, times in results/<gpu>/programs.<set>.csv.
SETS = {"first": "charge", "second": "by_peak"}  # and the rule of each
BY_CLOCK = ("third", "fourth")
CLOCKED = ("gpu", *KEY, "grid", "clock_us", "clock_stall", "clock_unknown")
SHORT_US = 10  # a launch that takes less is short


def tables(results: Path, folder: str, of: str) -> tuple[Path, Path]:
    """Of a set: its predictions, and its times on a GPU."""
    return results / f"predicted/{of}.csv", results / folder / f"programs.{of}.csv"


def launches(results: Path, folder: str, of: str) -> pandas.DataFrame | None:
    """One row a launch of the set that differs; None if nothing is timed on that GPU. limiter: predicted by
    the rule of the set; by_peak: by that of the second; busiest: measured."""
    ahead, timed = tables(results, folder, of)
    if not (ahead.exists() and timed.exists()):
        return None
    predicted = read_csv(ahead, PREDICTED)
    own = predicted[predicted["gpu"] == folder].rename(columns={"busiest": "by_peak"})
    own["charge"] = own["limiter"].map({words: name for name, words in IN_WORDS.items()})
    own["limiter"] = own[SETS[of]]
    own = own[[*KEY, "predicted_us", "limiter", "charge", "by_peak"]]
    rows = own.merge(read_csv(timed, MEASURED), on=KEY, validate="one_to_one")
    rows["busiest"] = [busiest(row) for row in rows.to_dict("records")]
    rows["ratio"] = rows["predicted_us"] / rows["us"]
    return rows


def busiest(share: Mapping[str, float]) -> str:
    """One of UNITS, or latency: nothing is at OF_PEAK. share: percent of its peak by unit."""
    most = {name: max(share[each] for each in units if each in share) for name, units in UNITS.items()}
    found = max(most, key=most.get)
    return found if most[found] >= OF_PEAK else "latency"


def agree(one: str, other: str) -> bool:
    return one == other or (one in WAITS and other in WAITS)


def of_program(name: str, own: pandas.DataFrame) -> dict:
    """error: the mean over its launches in reach, of the longest of which is what follows."""
    known = own[own["ratio"].notna()]
    found = {"program": name, "launches": len(own), "known": len(known)}
    if known.empty:
        return found
    longest = known.loc[known["us"].idxmax()]
    rules = {"right": "limiter", "right_by_charge": "charge", "right_by_peak": "by_peak"}
    return found | {
        "error": float((known["ratio"] - 1).abs().mean()),
        "kernel": re.search(r"\w+(?=[<(])", longest["kernel"])[0],
        "predicted": float(longest["predicted_us"]),
        "measured": float(longest["us"]),
        "limiter": longest["limiter"],
        "busiest": longest["busiest"],
        **{name: agree(longest[rule], longest["busiest"]) for name, rule in rules.items()},
    }


def summary(results: Path, folder: str, of: str) -> dict | None:
    """Of that set on that GPU; None if nothing is timed there, or nothing is in reach."""
    rows = launches(results, folder, of)
    programs = [] if rows is None else [of_program(*each) for each in rows.groupby("program", sort=False)]
    known = [each for each in programs if each["known"]]
    if not known:
        return None
    return {
        "set": of,
        "programs": rounded(programs),
        "launches": len(rows),
        "known": int(rows["ratio"].notna().sum()),
        "mean": rounded(sum(each["error"] for each in known) / len(known)),
        **{name: sum(each[name] for each in known) for name in ("right", "right_by_charge", "right_by_peak")},
        "worst": rounded(float(rows.loc[(rows["ratio"] - 1).abs().idxmax(), "ratio"])),
        "too_short": int((rows["ratio"] < 1).sum()),
    }


def by_clock(results: Path, folder: str, of: str) -> dict | None:
    """That set on that GPU: errors of the clock, and of clock and model where both have a number."""
    ahead, timed = tables(results, folder, of)
    if not (ahead.exists() and timed.exists()):
        return None
    as_text = {"arguments": str}  # one number is one, too
    predicted = read_csv(ahead, CLOCKED).astype(as_text)
    own = predicted[predicted["gpu"] == folder].drop(columns="gpu")
    rows = own.merge(read_csv(timed, (*KEY, "us")).astype(as_text), on=KEY, validate="one_to_one")
    prices = read_csv(results / folder / PRICES, ("price", "value")).set_index("price")["value"]
    start = prices["profiled_launch_us"]
    rows["clock"] = rows["clock_us"] + start
    by_model = rows["predicted_us"] if "predicted_us" in rows else pandas.Series(float("nan"), rows.index)
    rows["model"] = by_model - prices["launch_us"] + start
    known = rows[rows["clock"].notna()]
    both = known[known["model"].notna()]
    unknown = rows[rows["clock"].isna()]
    return {
        "set": of,
        "folder": folder,
        "short_us": SHORT_US,
        "asked": len(rows),
        "timed_of": len(own),
        "all": errors_of(known, "clock") | {"nine_of_ten": nine_of_ten(known)},
        "short_launches": errors_of(known[known["us"] < SHORT_US], "clock"),
        "long_launches": errors_of(known[known["us"] >= SHORT_US], "clock"),
        "both": errors_of(both, "clock"),
        "model": errors_of(both, "model"),
        "unknown": unknown["clock_unknown"].value_counts().to_dict(),
        "programs": [one_by_clock(*each) for each in rows.groupby("program", sort=False)],
    }


def errors_of(rows: pandas.DataFrame, by: str) -> dict:
    return rounded(errors(rows[by].to_numpy(), rows["us"].to_numpy()))


def nine_of_ten(rows: pandas.DataFrame) -> float:
    """The distance of predicted over measured time from 1 that they do not exceed."""
    return rounded(float((rows["clock"] / rows["us"] - 1).abs().quantile(0.9)))


def one_by_clock(name: str, own: pandas.DataFrame) -> dict:
    """error: the mean over its launches that have a number; the rest is of the longest."""
    longest = own.loc[own["us"].idxmax()]

    def mean(by: str) -> float | None:
        off = (own[by] / own["us"] - 1).abs().mean()
        return None if pandas.isna(off) else rounded(float(off))

    return {
        "program": name,
        "launches": len(own),
        "known": int(own["clock"].notna().sum()),
        "error": mean("clock"),
        "model": mean("model"),
        "kernel": re.search(r"\w+(?=[<(])", longest["kernel"])[0],
        "grid": longest["grid"],
        "measured": float(longest["us"]),
        "predicted": None if pandas.isna(longest["clock"]) else rounded(float(longest["clock"])),
        "stall": "" if pandas.isna(longest["clock_stall"]) else longest["clock_stall"],
    }
