"""How far the times that the machine's clock predicted are from those recorded afterwards.

results/<gpu>/clock.predicted.csv has a row a case: claim, case with its length, how many times longer it
was taken than it ran, microseconds or why there are none, and the first reason for which its warps wait.
Times are cold medians. clock.again.csv is of the same form, predicted when the times were known, with
prices measured since: looking back, it judges nothing.

    python -m analysis.model.clock --gpu nvidia-h200 [--again] [--worst N] [CLAIM ..]

prints the errors by claim, and the N cases that are farthest off.
"""

import argparse
import math
from dataclasses import dataclass
from pathlib import Path

import numpy
import pandas

from analysis.core.files import read_csv
from analysis.core.recorded import read
from analysis.core.statistics import rounded
from analysis.model.errors import errors

RESULTS = Path(__file__).resolve().parents[2] / "results"
TABLE, AGAIN = "clock.predicted.csv", "clock.again.csv"
PRICES = "clock.csv"
PROFILED = "stalls.csv"  # what ncu says of warps (experiments/record/counters.py --stalls)
# Additions of floats to one word, beside those of integers.
FLOATS = "sum/element/type:float/counters:1/"
INTEGERS = "sum/element_hidden/type:int32/counters:1/"
COLUMNS = ("claim", "case", "longer", "us", "apart", "first_stall", "unknown")
# Columns of AGAIN. Shares of the time, see simt/clock/timing.h:
BUSY = ("issue", "pipe", "bytes", "starts")
STALLS = (  # and of that of all warps: the names of simt/clock/stalls.h
    "selected",
    "not_selected",
    "wait",
    "long_scoreboard",
    "short_scoreboard",
    "barrier",
    "mio_throttle",
    "lg_throttle",
    "math_pipe_throttle",
    "branch_resolving",
    "membar",
    "sleeping",
    "no_instruction",
)


@dataclass(frozen=True)
class Case:
    claim: str
    name: str
    predicted_us: float  # NaN: no number
    measured_us: float
    stall: str = ""  # the first reason for which its warps wait, as predicted

    @property
    def ratio(self) -> float:
        return self.predicted_us / self.measured_us


def rows_of(folder: Path, table: str) -> pandas.DataFrame:
    """Those of a GPU; a share that is 0 is left out there."""
    if not (folder / table).exists():
        return pandas.DataFrame(columns=[*COLUMNS, *BUSY, *STALLS])
    rows = read_csv(folder / table, COLUMNS)
    shares = [name for name in (*BUSY, *STALLS) if name in rows]
    return rows.fillna({"first_stall": ""} | dict.fromkeys(shares, 0.0))


def cases_of(folder: Path, table: str = TABLE) -> list[Case]:
    """Those of a GPU that were recorded."""
    found = []
    for claim, own in rows_of(folder, table).groupby("claim", sort=False):
        path = folder / f"{claim}.jsonl"
        times = read(path).times() if path.exists() else {}
        for name, us, stall in zip(own["case"], own["us"], own["first_stall"], strict=True):
            if name in times:
                found.append(Case(claim, name, float(us), float(numpy.median(times[name])), stall))
    return found


def errors_of(cases: list[Case]) -> dict:
    """`asked`: all of them; the errors are of those that have a number."""
    known = [each for each in cases if not math.isnan(each.predicted_us)]
    measured, predicted = (
        numpy.array([getattr(each, of) for each in known]) for of in ("measured_us", "predicted_us")
    )
    return {"asked": len(cases)} | rounded(errors(predicted, measured))


def by_claim(cases: list[Case]) -> dict[str, dict]:
    claims = dict.fromkeys(each.claim for each in cases)
    return {claim: errors_of([each for each in cases if each.claim == claim]) for claim in claims}


def stalls_of(folder: Path, cases: list[Case]) -> dict | None:
    """In how many cases the first reason is the profiler's; None if it was not asked."""
    if not (folder / PROFILED).exists():
        return None
    rows = read_csv(folder / PROFILED, ("claim", "case")).set_index(["claim", "case"])
    first = rows.idxmax(axis="columns")
    asked = [each for each in cases if each.stall and (each.claim, each.name) in first.index]
    same = sum(first[each.claim, each.name] == each.stall for each in asked)
    return {"cases": len(asked), "same": same} if asked else None


def floats_to_integers(cases: list[Case]) -> float | None:
    """Measured time of additions to one word by every lane, of floats relative to integers."""
    times = {each.name: each.measured_us for each in cases if each.claim == "atomics"}
    floats, integers = (
        [us for name, us in times.items() if name.startswith(of)] for of in (FLOATS, INTEGERS)
    )
    return rounded(max(floats) / max(integers)) if floats and integers else None


def judged(folder: Path) -> dict | None:
    """A GPU's: of the cases that were predicted first, and `again` of those of AGAIN; None without any."""
    cases, again = cases_of(folder), cases_of(folder, AGAIN)
    if not cases:
        return None
    return errors_of(cases) | {
        "by_claim": by_claim(cases),
        "floats_to_integers": floats_to_integers(cases),
        "stalls": stalls_of(folder, cases),
        "again": errors_of(again) | {"by_claim": by_claim(again), "stalls": stalls_of(folder, again)},
    }


def shown(of: str, found: dict) -> str:
    error = (
        f"{100 * found['mean']:5.1f}% mean, {100 * found['within_15']:3.0f}% within 15%"
        if found["cases"]
        else "none"
    )
    return f"{of:20} {found['asked']:4} cases, {found['cases']:4} with a number: {error}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("claims", nargs="*")
    parser.add_argument("--gpu", default="nvidia-h200")
    parser.add_argument("--worst", type=int, default=0, help="name so many cases that are farthest off")
    parser.add_argument("--again", action="store_true", help=f"those of {AGAIN}")
    options = parser.parse_args()
    table = AGAIN if options.again else TABLE
    cases = [
        each
        for each in cases_of(RESULTS / options.gpu, table)
        if not options.claims or each.claim in options.claims
    ]
    if not cases:
        parser.error(f"nothing of these is both predicted and recorded for {options.gpu}")
    for claim in dict.fromkeys(each.claim for each in cases):
        print(shown(claim, errors_of([each for each in cases if each.claim == claim])))
    print(shown("all", errors_of(cases)))
    known = [each for each in cases if not math.isnan(each.predicted_us)]
    for each in sorted(known, key=lambda each: -abs(math.log(each.ratio)))[: options.worst]:
        print(f"{each.ratio:6.2f} of {each.measured_us:9.2f} us  {each.claim} {each.name}")


if __name__ == "__main__":
    main()
