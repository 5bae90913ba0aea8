"""Hold recorded times against the targets of an experiment: targets.py [--results FOLDER]

experiments/<claim>.targets.csv states them beforehand, a row a target: what it is about; the case that is to
be fast; the cases it is held against, between bars, of which the fastest counts; the least ratio of their
median time to ours, and the ratio aimed at, or nothing. Exit status 1 if a target is missed or not measured.

Needs nothing but Python's own library: it also runs where the times are taken.
"""

import argparse
import csv
import json
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

from recording import RecordError

ROOT = Path(__file__).resolve().parents[1]
COLUMNS = ["work", "ours", "against", "at_least", "aim"]
NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Target:
    work: str
    ours: str
    against: tuple[str, ...]
    at_least: float
    aim: float | None

    def ratio(self, medians: dict[str, float]) -> float | None:
        """How many times as long the fastest of the others takes; None if one of them was not measured."""
        if any(case not in medians for case in (self.ours, *self.against)):
            return None
        return min(medians[case] for case in self.against) / medians[self.ours]

    def outcome(self, ratio: float | None) -> str:
        if ratio is None:
            return NOT_MEASURED
        if ratio < self.at_least:
            return "missed"
        return "aim reached" if self.aim is not None and ratio >= self.aim else "met"


def read_targets(path: Path) -> list[Target]:
    with path.open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    if not table or list(table[0]) != COLUMNS:
        raise RecordError(f"{path}: its columns are not {', '.join(COLUMNS)}")
    return [target_of(path, row) for row in table]


def target_of(path: Path, row: dict[str, str]) -> Target:
    try:
        against = tuple(case.strip() for case in row["against"].split("|"))
        aim = float(row["aim"]) if row["aim"] else None
        return Target(row["work"], row["ours"], against, float(row["at_least"]), aim)
    except (ValueError, AttributeError):
        raise RecordError(f"{path}: '{row['work']}': a ratio is not a number") from None


def medians_of(path: Path) -> dict[str, float]:
    """Median time of each case of a recording, in its own unit."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["benchmarks"]
        times: dict[str, list[float]] = {}
        for row in rows:
            if row.get("run_type", "iteration") == "iteration" and not row.get("error_occurred"):
                times.setdefault(row["name"], []).append(float(row["real_time"]))
    except (OSError, ValueError, KeyError) as error:
        raise RecordError(f"{path}: no recording can be read from it ({error}); record it anew") from error
    return {case: statistics.median(values) for case, values in times.items()}


def table(targets: list[Target], medians: dict[str, float]) -> list[str]:
    """A line a target, below each other."""
    width = max(len(target.work) for target in targets)
    lines = [f"{'target':{width}}  at least     aim   ratio"]
    for target in targets:
        ratio = target.ratio(medians)
        aim = "" if target.aim is None else f"{target.aim:.2f}"
        said = "" if ratio is None else f"{ratio:.3f}"
        lines.append(
            f"{target.work:{width}}  {target.at_least:8.2f}  {aim:>6}  {said:>6}  {target.outcome(ratio)}"
        )
    return lines


def judge(folder: Path, experiments: Path = ROOT / "experiments") -> tuple[list[str], bool]:
    """The tables of all claims with targets that `folder` has a recording of; whether every row is met."""
    lines, met = [], True
    for path in sorted(experiments.glob("*.targets.csv")):
        recording = folder / f"{path.name.split('.')[0]}.json"
        if not recording.exists():
            continue
        targets, medians = read_targets(path), medians_of(recording)
        lines += [f"{recording.stem}: targets", *table(targets, medians)]
        met &= all(
            target.outcome(target.ratio(medians)) not in ("missed", NOT_MEASURED) for target in targets
        )
    return lines, met


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--results", type=Path, default=ROOT / "results" / "nvidia-h200", help="a GPU's folder"
    )
    try:
        lines, met = judge(parser.parse_args().results)
    except RecordError as error:
        print(f"targets: {error}", file=sys.stderr)
        return 2
    if not lines:
        print("targets: nothing recorded that has targets", file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
