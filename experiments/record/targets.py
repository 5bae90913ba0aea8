"""Compare recorded times with the targets of an experiment: targets.py [--results FOLDER]

targets.csv of a claim states the targets in advance; analysis/core/targets.py defines its columns.
Exit status 1 if a target is missed or not measured. Needs only Python's standard library, so it also runs
where the times are measured.
"""

import argparse
import statistics
import sys
from pathlib import Path

from analysis.core import recorded
from analysis.core.errors import EvidenceError
from analysis.core.targets import EXPERIMENTS, MISSED, NOT_MEASURED, Target, read_targets
from experiments.record.recording import ROOT, RecordError


def medians_of(path: Path) -> dict[str, float]:
    """Median time of each case of a recording, in microseconds."""
    try:
        times = recorded.read(path).times()
    except EvidenceError as error:
        raise RecordError(f"{error}; record it again") from error
    return {case: statistics.median(values) for case, values in times.items()}


def table(targets: list[Target], medians: dict[str, float]) -> list[str]:
    """The targets as a table, one line per target."""
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


def judge(folder: Path, experiments: Path = EXPERIMENTS) -> tuple[list[str], bool]:
    """The tables of all claims with targets that `folder` has a recording of; whether every row is met."""
    lines, met = [], True
    for path in sorted(experiments.glob("*/*/targets.csv")):
        recording = folder / f"{path.parent.name}{recorded.SUFFIX}"
        if not recording.exists():
            continue
        try:
            targets, medians = read_targets(recording.stem, experiments), medians_of(recording)
        except EvidenceError as error:
            raise RecordError(str(error)) from error
        lines += [f"{recording.stem}: targets", *table(targets, medians)]
        met &= all(target.outcome(target.ratio(medians)) not in (MISSED, NOT_MEASURED) for target in targets)
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
