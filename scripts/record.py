"""Measure all claims on the GPU of this machine, into results/<gpu>/.

Needs the GPU binaries (make gpu), the driver's nvidia-smi, and only Python's standard library: binaries built
elsewhere can be copied to a machine without build tools (--binaries DIR; a libbenchmark beside them is used).
Results appear only after every binary has succeeded; until then, and after Ctrl-C, the earlier ones stay.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import recording
import targets
from recording import RecordError


def measure(claim: str, arguments: argparse.Namespace, scratch: Path) -> dict:
    """Run one binary and add to its results what only this script knows."""
    before = recording.gpu_state()
    command = [arguments.binaries.resolve() / claim, f"--out={scratch}"]
    environment = recording.environment_for(arguments.binaries)
    status = subprocess.run(command, env=environment, check=False).returncode
    if status != 0:
        raise RecordError(f"{claim} failed (exit status {status}); the earlier results are unchanged")
    after = recording.gpu_state()

    document = recording.read_results(scratch / f"{claim}.json")
    machine = document["context"]["machine"]
    machine["driver"] = recording.ask_gpu("driver_version")
    machine["state_before"], machine["state_after"] = before, after
    return document


def record(arguments: argparse.Namespace) -> None:
    recording.claims_in(arguments.binaries)  # reports missing binaries before a missing GPU
    target = arguments.out / recording.slug(recording.ask_gpu("name"))
    if arguments.repeat:
        target = target / "repeat"
    recording.record_claims(
        arguments, target, ".json", lambda claim, scratch: measure(claim, arguments, scratch)
    )
    lines, _ = targets.judge(target)
    print("\n".join(lines), end="\n" if lines else "")


def main() -> int:
    parser = recording.options(__doc__)
    parser.add_argument(
        "--repeat", action="store_true", help="into <gpu>/repeat/, to compare with the first recording"
    )
    arguments = parser.parse_args()
    return recording.run(lambda: record(arguments))


if __name__ == "__main__":
    sys.exit(main())
