"""Count claims on the SIMT machine, into results/simt: python -m experiments.record.count [CLAIM | --quick]

A claim is counted if its program, or the machine, is another one than when it was counted; if it is named,
in any case. --quick counts small sizes, into build/quick. What this machine's GPU runs, GPU_ARCH, is counted
too, into results/local/sm_<n>, if it is other code than sm_90's.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from analysis.core import claims
from analysis.core.recorded import SUFFIX, FormError
from analysis.core.steps import INTERRUPTED, Step, side_by_side
from experiments.record.convert import convert
from simt.try_cuda.build import architectures

MACHINE = ("build/simt-run", "build/libcudart.so.13")
COUNTED_BY = (*MACHINE, "experiments/record/co*.py", "analysis/core/recorded.py")
COUNTS, PROGRAMS, TRACES = "results/simt", "build/gpu/experiments", "results/simt/page.traces.jsonl.gz"
STEPWISE = ("steps", "trace", "shared")  # tables that nobody reads line by line, which are compressed
COMPRESS = ("gzip", "-9n")  # without name and date: the same table gives the same bytes


def count(
    claim: str, out: str, *options: str, programs: str = PROGRAMS, architecture: str = "", log=None
) -> int:
    """What the program writes becomes a recording, one line a case, and tables beside it. Returns 0, or a
    status when it has been said what is wrong."""
    began, program, made = time.monotonic(), f"{programs}/{claim}", Path("build/counted", architecture, claim)
    shutil.rmtree(made, ignore_errors=True)
    machine = [MACHINE[0], *(["--arch", architecture] if architecture else []), "--counts-only"]
    done = subprocess.run([*machine, program, f"--out={made}", *options], check=False, stdout=log, stderr=log)
    if done.returncode:
        return done.returncode
    if tables := [path for name in STEPWISE for path in made.glob(f"*.{name}.csv")]:
        subprocess.run([*COMPRESS, *tables], check=True)
    # Digests of machine code are of sm_90 and of this machine's GPU, in build/gpu alone.
    code = Path(f"{program}.machine_code") if programs == PROGRAMS else None
    try:
        convert(made / f"{claim}.json", Path(out), code)
    except FormError as error:
        print(f"count: {error}", file=log or sys.stderr)
        return 1
    if out == COUNTS:  # for the report of this machine
        put(f"build/times/{claim}.json", json.dumps({"seconds": round(time.monotonic() - began, 1)}).encode())
    return 0


def put(path: str, content: bytes) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    part = Path(f"{path}.new.part")
    part.write_bytes(content)
    part.replace(path)


def counting(
    claim: str, out: str, *options: str, says: str = "", programs: str = PROGRAMS, run=count, **how
) -> Step:
    def announce_and_run(place: str) -> int:
        print(f"count     {claim}{says} ({place})", flush=True)
        return run(claim, out, *options, programs=programs, **how)

    program = f"{programs}/{claim}"
    return Step(announce_and_run, (program, f"{program}.*", *COUNTED_BY), (f"{out}/{claim}.*",))


def count_here(claim: str, out: str, **how) -> int:
    """The report of this machine must be built even if a kernel cannot be counted in the code of its GPU."""
    if count(claim, out, **how):
        Path(out, claim + SUFFIX).unlink(missing_ok=True)
        print(f"count     {claim}: failed, see above: the report of this machine has the counts of sm_90")
    return 0


def trace(place: str) -> int:
    print(f"trace     block scans and reductions, for the page ({place})", flush=True)
    traced = subprocess.run(
        [MACHINE[0], "--counts-only", "build/gpu/traces"], check=True, stdout=subprocess.PIPE
    )
    put(TRACES, subprocess.run(COMPRESS, check=True, input=traced.stdout, stdout=subprocess.PIPE).stdout)
    return 0


def all_steps() -> list[Step]:
    steps, gpu = [counting(claim, COUNTS) for claim in claims.names()], os.environ.get("GPU_ARCH", "")
    if gpu in map(str, set(architectures()) - {90}):
        how = {"says": f" as this GPU runs it, sm_{gpu}", "run": count_here, "architecture": gpu}
        steps += [counting(claim, f"results/local/sm_{gpu}", **how) for claim in claims.names()]
    return [*steps, Step(trace, ("build/gpu/traces", *COUNTED_BY), (TRACES,))]


def run_stale(steps: list[Step]) -> int:
    """Two at a time: what one does on a single core runs beside the other."""
    return side_by_side([step for step in steps if step.is_stale()], 2)


def main(arguments: list[str]) -> int:
    for claim in claims.names():
        if not Path(claims.file_of(claim, "analysis.py")).exists():
            folder = claims.file_of(claim, "")
            sys.exit(f"{folder} has no analysis.py: every claim needs one (make new NAME=... writes it)")
    if "--quick" in arguments:
        return run_stale([counting(name, "build/quick/results/simt", "--quick") for name in claims.names()])
    if arguments:
        return side_by_side([counting(name, COUNTS) for name in arguments], 1)
    return run_stale(all_steps())


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
