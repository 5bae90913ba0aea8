"""List the recordings made with other kernels than the GPU binaries have, and kernels that are timed but not
counted: stale.py [--binaries FOLDER]

A recording carries a digest of its kernels' machine code, and so does every binary that make gpu builds. They
can be compared if compiler and architecture are the same; recordings that cannot be compared are listed as
skipped. Each kernel of a GPU binary must be among those that the SIMT machine has counted for its claim, but
for those that not_counted.csv in the claim's folder excuses. Recordings made when their claim's rule had
other words are named as well. Exit status 1 if a recording was made with other kernels, or belongs to no
experiment; or if a kernel is timed and not counted, or excused though it is counted.
"""

import argparse
import contextlib
import csv
import json
import sys
from pathlib import Path

from analysis.core import claims
from analysis.core.errors import EvidenceError
from analysis.core.recorded import COUNTERS, SUFFIX, Context, context_of, rule_of
from experiments.record.recording import ROOT

# Kernels of the harness in every GPU binary, and why no claim counts them.
NOT_COUNTED = {"compiled_kernel": "asked for its architecture, never launched"}
EXCUSES = "not_counted.csv"  # in a claim's folder: kernel,why
REDONE = ("simt", "local")  # make all counts and measures what has changed anew


def remedy(name: Path) -> str:
    if name.name.endswith(COUNTERS):
        return "run make counters on that GPU"
    if "repeat" in name.parts:
        return "run python -m experiments.record.times --repeat on that GPU"
    return "run make record on that GPU"


def compiled_alike(context: Context, built: dict) -> bool:
    """Whether compiler and architecture of a recording are those of a binary."""
    compiler = context.provenance.get("compiler", "").split(",")[0]
    architecture = context.machine.get("compute_capability", "").replace(".", "")
    return (compiler, architecture) == (built["compiler"], built["architecture"])


def judge(path: Path, binaries: Path) -> tuple[str, str]:
    """The verdict, one of fresh, stale and skipped, and why."""
    claim, context = path.name.split(".")[0], context_of(path)
    if context is None:
        return "stale", "not a recording; restore the committed file"
    digest = binaries / f"{claim}.machine_code"
    if not digest.exists():
        return "stale", "there is no such experiment; delete it"
    built = json.loads(digest.read_text(encoding="utf-8"))
    if not compiled_alike(context, built):
        build = f"sm_{built['architecture']} by {built['compiler']}"
        return "skipped", f"the binaries are of {build}, the recording is not"
    if context.provenance.get("machine_code") != built["machine_code"]:
        return "stale", f"made with other kernels than {claim}.cu has; {remedy(path)}"
    return "fresh", ""


def reworded(paths: list[Path]) -> list[Path]:
    """The recordings of claims whose rule has been stated in other words since."""
    found = []
    for path in paths:
        with contextlib.suppress(EvidenceError):
            context = context_of(path)
            rule = claims.stated(path.name.split(".")[0], path)["fails_if"]
            if context and context.rule != rule_of(rule):
                found.append(path)
    return found


def excused(claim: str) -> set[str]:
    """The kernels of a claim's binary that it does not count."""
    path = ROOT / claims.file_of(claim, EXCUSES)
    if not path.exists():
        return set()
    with path.open(newline="", encoding="utf-8") as file:
        return {row["kernel"] for row in csv.DictReader(file)}


def uncounted(binaries: Path, results: Path) -> list[str]:
    """Kernels that are timed and not counted, or excused without need, a line each."""
    found = []
    for digest in sorted(binaries.glob("*.machine_code")):
        claim = digest.name.split(".")[0]
        counted_path = results / "simt" / f"{claim}{SUFFIX}"
        if (recorded := context_of(counted_path)) is None:
            continue
        timed = set(json.loads(digest.read_text(encoding="utf-8")).get("kernels", []))
        counted = set(recorded.machine.get("kernels", "").split())
        own = excused(claim)
        missing = timed - counted - own - set(NOT_COUNTED)
        found += [f"uncounted {claim}: {name} is timed and not counted" for name in sorted(missing)]
        needless = {name for name in own if name in counted or name not in timed}
        found += [f"uncounted {claim}: {name} needs no excuse in {EXCUSES}" for name in sorted(needless)]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument(
        "--binaries", type=Path, default=ROOT / "build/gpu/experiments", help="folder of the GPU binaries"
    )
    parser.add_argument("--results", type=Path, default=ROOT / "results", help="folder of the recordings")
    arguments = parser.parse_args()
    if not any(arguments.binaries.glob("*.machine_code")):
        print(f"stale: no binaries in {arguments.binaries}: make gpu builds them", file=sys.stderr)
        return 1
    found = {"fresh": 0, "stale": 0, "skipped": 0}
    paths = sorted(arguments.results.rglob(f"*{SUFFIX}"))
    paths = [path for path in paths if path.relative_to(arguments.results).parts[0] not in REDONE]
    for path in paths:
        verdict, why = judge(path, arguments.binaries)
        found[verdict] += 1
        if why:
            print(f"{verdict:9} {path.relative_to(arguments.results.parent)}: {why}")
    if others := reworded(paths):
        named = ", ".join(sorted({path.name.split(".")[0] for path in others}))
        print(f"reworded  {len(others)} recordings, made when the rule had other words: {named}")
    print(f"stale     {found['stale']} of {sum(found.values())} recordings, {found['skipped']} not compared")
    wrong = uncounted(arguments.binaries, arguments.results)
    for line in wrong:
        print(line)
    return 1 if found["stale"] or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
