"""Programs of other people: their launches' predicted times, which were recorded first, beside the measured.

results/predicted/*.csv is of scripts/predict.py, results/<gpu>/programs.csv of scripts/time_programs.py. What
limits a launch is read from the GPU as Nsight Compute reads it: what is busiest, of the schedulers and the
pipes that compute (issue), of the pipe to shared and global memory (banks) and of memory (bytes), if it
is at 60% of its peak or more; if nothing is, the launch waits. A program's limiter is that of its longest
launch.
"""

import re
from pathlib import Path

import pandas

from analysis.common.files import read_csv
from analysis.model.fitted import rounded
from analysis.model.times import IN_WORDS

KEY = ["program", "arguments", "launch", "kernel"]
BUSY = {"issue": ("issue", "alu", "fma", "fp64", "xu"), "banks": ("pipe",), "bytes": ("dram",)}
OF_PEAK = 60  # percent. Source: Nsight Compute, section GPU Speed Of Light, rule on latency
WAITS = ("latency", "blocks")
PREDICTED = ("gpu", *KEY, "longer", "predicted_us", "limiter", "outside")


def launches(results: Path, folder: str) -> pandas.DataFrame | None:
    """One row a launch that differs; None if nothing is timed on that GPU."""
    timed, found = results / folder / "programs.csv", sorted((results / "predicted").glob("*.csv"))
    if not found or not timed.exists():
        return None
    predicted = pandas.concat([read_csv(path, PREDICTED) for path in found])
    measured = read_csv(timed, (*KEY, "us", *(each for group in BUSY.values() for each in group)))
    rows = predicted[predicted["gpu"] == folder].merge(measured, on=KEY, validate="one_to_one")
    names = {words: name for name, words in IN_WORDS.items()}
    rows["limiter"] = rows["limiter"].map(names)
    rows["busiest"] = [busiest(row) for _, row in rows.iterrows()]
    rows["right"] = [
        one == other or (one in WAITS and other in WAITS)
        for one, other in zip(rows["limiter"], rows["busiest"], strict=True)
    ]
    rows["ratio"] = rows["predicted_us"] / rows["us"]
    return rows


def busiest(row: pandas.Series) -> str:
    share = {name: max(row[each] for each in group) for name, group in BUSY.items()}
    most = max(share, key=share.get)
    return most if share[most] >= OF_PEAK else "latency"


def of_program(name: str, own: pandas.DataFrame) -> dict:
    """error: the mean over its launches in reach, of the longest of which is what follows."""
    known = own[own["ratio"].notna()]
    found = {"program": name, "launches": len(own), "known": len(known)}
    if known.empty:
        return found
    longest = known.loc[known["us"].idxmax()]
    return found | {
        "error": float((known["ratio"] - 1).abs().mean()),
        "kernel": re.search(r"\w+(?=[<(])", longest["kernel"])[0],
        "predicted": float(longest["predicted_us"]),
        "measured": float(longest["us"]),
        "limiter": longest["limiter"],
        "busiest": longest["busiest"],
        "right": bool(longest["right"]),
    }


def summary(results: Path, folder: str) -> dict | None:
    """Of that GPU; None if nothing is timed there, or nothing is in reach."""
    rows = launches(results, folder)
    programs = [] if rows is None else [of_program(*each) for each in rows.groupby("program", sort=False)]
    known = [each for each in programs if each["known"]]
    if not known:
        return None
    return {
        "programs": rounded(programs),
        "launches": len(rows),
        "known": int(rows["ratio"].notna().sum()),
        "mean": rounded(sum(each["error"] for each in known) / len(known)),
        "right": sum(each["right"] for each in known),
    }
