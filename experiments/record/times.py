"""Measure the claims on the GPU of this machine, into results/<gpu>/.

Needs the GPU binaries (make gpu), the driver's nvidia-smi, and only Python's standard library: binaries built
elsewhere can be copied to a machine without build tools (--binaries DIR; a libbenchmark beside them is used).
Results appear only after every binary has succeeded; until then, and after Ctrl-C, the earlier ones stay.

--local measures quickly, for this machine's own report: into results/local/, which is never committed. There
a claim appears as soon as it is measured, and is measured again only with other kernels or on another GPU.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from analysis.core.recorded import SUFFIX, context_of
from experiments.record import recording, targets
from experiments.record.recording import RecordError

QUICK = "--benchmark_repetitions=3"


def measure(claim: str, arguments: argparse.Namespace, scratch: Path) -> dict:
    """Run one binary and add to its results what only this script knows."""
    before = recording.gpu_state()
    repetitions = [QUICK] if arguments.local else []
    command = [arguments.binaries.resolve() / claim, f"--out={scratch}", *repetitions]
    environment = recording.environment_for(arguments.binaries)
    status = subprocess.run(command, env=environment, check=False).returncode
    if status != 0:
        raise RecordError(f"{claim} failed (exit status {status}); the earlier results are unchanged")
    after = recording.gpu_state()

    document = recording.read_results(scratch / f"{claim}.json")
    machine = document["context"]["machine"]
    machine["driver"] = recording.ask_gpu("driver_version")
    machine["state_before"], machine["state_after"] = before, after
    if arguments.local:
        machine["uuid"] = recording.ask_gpu("uuid")
    return document


def record(arguments: argparse.Namespace) -> None:
    claims = recording.chosen(arguments)  # reports missing binaries before a missing GPU
    if arguments.local:
        record_locally(arguments, claims)
        return
    target = arguments.out / recording.slug(recording.ask_gpu("name"))
    if arguments.repeat:
        target = target / "repeat"
    recording_into(target, arguments).all_or_nothing(claims)
    lines, _ = targets.judge(target)
    print("\n".join(lines), end="\n" if lines else "")


def record_locally(arguments: argparse.Namespace, claims: list[str]) -> None:
    """The claims that lack times of this GPU and of these kernels; times of another GPU are dropped."""
    target, gpu = arguments.out / "local", recording.ask_gpu("uuid")
    for path in target.glob(f"*{SUFFIX}"):
        context = context_of(path)
        if context is None or context.machine.get("uuid") != gpu:
            path.unlink()
    missing = [claim for claim in claims if not is_current(target / f"{claim}{SUFFIX}", arguments.binaries)]
    if missing:
        recording_into(target, arguments).one_by_one(missing)


def is_current(path: Path, binaries: Path) -> bool:
    """Whether a claim was measured with the kernels in its binary."""
    context = context_of(path)
    return context is not None and context.provenance.get("machine_code") == recording.machine_code(
        binaries, path.stem
    )


def recording_into(target: Path, arguments: argparse.Namespace) -> recording.Recording:
    return recording.Recording(
        "record", arguments, target, SUFFIX, lambda claim, scratch: measure(claim, arguments, scratch)
    )


def main() -> int:
    parser = recording.options(__doc__)
    parser.add_argument("claims", nargs="*", metavar="CLAIM", help="only these claims; default: all")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--repeat", action="store_true", help="into <gpu>/repeat/, to compare with the first recording"
    )
    where.add_argument(
        "--local", action="store_true", help="quickly, into local/, what this machine has not measured yet"
    )
    arguments = parser.parse_args()
    return recording.run("record", lambda: record(arguments))


if __name__ == "__main__":
    sys.exit(main())
