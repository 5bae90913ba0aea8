"""Programs of other people: their launches' predicted times, which were recorded first, beside the measured.

results/predicted/*.csv is of scripts/predict.py, results/<gpu>/programs.csv of scripts/time_programs.py. What
limits a launch is read from the GPU as Nsight Compute reads it: what is busiest, of the schedulers and the
pipes that compute (issue), of the pipe to shared and global memory (banks) and of memory (bytes), if it
is at 60% of its peak or more; if nothing is, the launch waits. A program's limiter is that of its longest
launch.
"""

from pathlib import Path

import pandas

from analysis.common.files import read_csv
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


def of_programs(rows: pandas.DataFrame) -> list[dict]:
    """One a program. error: the mean over its launches in reach; no launch in reach: None."""
    found = []
    for program, own in rows.groupby("program", sort=False):
        known = own[own["ratio"].notna()]
        longest = known.loc[known["us"].idxmax()] if len(known) else None
        found.append(
            {
                "program": program,
                "launches": len(own),
                "known": len(known),
                "error": None if longest is None else float((known["ratio"] - 1).abs().mean()),
                "kernel": None if longest is None else longest["kernel"],
                "predicted": None if longest is None else float(longest["predicted_us"]),
                "measured": None if longest is None else float(longest["us"]),
                "limiter": None if longest is None else longest["limiter"],
                "busiest": None if longest is None else longest["busiest"],
                "right": longest is not None and bool(longest["right"]),
            }
        )
    return found


def summary(results: Path, folder: str) -> dict | None:
    rows = launches(results, folder)
    if rows is None:
        return None
    programs = of_programs(rows)
    known = [each for each in programs if each["known"]]
    return {
        "programs": programs,
        "mean": sum(each["error"] for each in known) / len(known),
        "right": sum(each["right"] for each in known),
        "known": len(known),
        "longer": sorted(rows["longer"].unique()),
    }
