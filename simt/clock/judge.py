"""How far the clock's predictions are from the recorded times of a GPU, beside the model: error by claim.

    python -m simt.clock.judge [--gpu nvidia-h200] [--worst N] [CLAIM ..]

Reads results/<gpu>/clock.predicted.csv, which python -m simt.clock.predict wrote, and the recordings: cold
medians. `with a number` is the share of the recorded cases that the clock predicts.
"""

import argparse
import csv
import json
import math
import statistics
from dataclasses import dataclass

from analysis.core.recorded import read

from .predict import ROOT, predicted

REFERENCE = "nvidia-h200"  # the GPU whose cases the model's document has
WITHIN = 0.15


@dataclass
class Case:
    claim: str
    name: str
    measured_us: float
    clock_us: float  # NaN: no number
    model_us: float  # NaN: no number


def model_of(gpu: str) -> dict[tuple[str, str], float]:
    """By claim and case without its length."""
    if gpu == REFERENCE:
        rows = json.loads((ROOT / "figures/model.json").read_text(encoding="utf-8"))["cases"]
    elif (path := ROOT / "results" / gpu / "predicted.csv").exists():
        rows = list(csv.DictReader(path.open(encoding="utf-8")))
    else:
        rows = []
    return {(row["claim"], row["case"]): float(row["predicted_us"]) for row in rows if not row["outside"]}


def cases_of(gpu: str, claims: list[str]) -> list[Case]:
    """Those that were recorded after they were predicted."""
    found, model = [], model_of(gpu)
    medians: dict[str, dict[str, float]] = {}
    for row in predicted(gpu):
        path = ROOT / "results" / gpu / f"{row.claim}.jsonl"
        if not path.exists() or (claims and row.claim not in claims):
            continue
        if row.claim not in medians:
            times = read(path).times()
            medians[row.claim] = {name: statistics.median(each) for name, each in times.items()}
        if measured := medians[row.claim].get(row.case):
            modelled = model.get((row.claim, row.case.partition("/cache:cold")[0]), math.nan)
            longest = row.case.endswith(f"n:{1 << 26}")  # the length that the model predicts
            found.append(Case(row.claim, row.case, measured, float(row.us or math.nan),
                              modelled if longest else math.nan))  # fmt: skip
    return found


def shown(cases: list[Case]) -> str:
    """Mean error and share within 15%, of the clock and of the model where it has a number."""

    def of(name: str, among: list[Case]) -> str:
        away = [abs(getattr(case, name) / case.measured_us - 1) for case in among]
        away = [each for each in away if not math.isnan(each)]
        if not away:
            return "none"
        within = sum(each <= WITHIN for each in away) / len(away)
        return f"{100 * statistics.mean(away):5.1f}% mean, {100 * within:3.0f}% within 15%"

    known = [case for case in cases if not math.isnan(case.clock_us)]
    ratio = statistics.median([case.clock_us / case.measured_us for case in known] or [math.nan])
    return (f"{len(cases):3} cases, {100 * len(known) / len(cases):3.0f}% with a number  clock "
            f"{of('clock_us', cases)} (median ratio {ratio:.3f})  model {of('model_us', cases)}")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("claims", nargs="*")
    parser.add_argument("--gpu", default=REFERENCE)
    parser.add_argument("--worst", type=int, default=0, help="name so many cases that are farthest off")
    options = parser.parse_args()
    cases = cases_of(options.gpu, options.claims)
    if not cases:
        parser.error(f"nothing of these is both predicted and recorded for {options.gpu}")
    for claim in dict.fromkeys(case.claim for case in cases):
        print(f"{claim:20} {shown([case for case in cases if case.claim == claim])}")
    print(f"{'all':20} {shown(cases)}")
    known = [case for case in cases if not math.isnan(case.clock_us)]
    for case in sorted(known, key=lambda each: -abs(math.log(each.clock_us / each.measured_us)))[
        : options.worst
    ]:
        print(f"{case.clock_us / case.measured_us:6.2f} {case.measured_us:9.2f} us  {case.claim} {case.name}")


if __name__ == "__main__":
    main()
