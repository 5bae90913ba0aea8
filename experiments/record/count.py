"""Count claims on the SIMT machine: python -m experiments.record.count [--quick | --generations] [CLAIM ..]

Counts go into results/simt: of a claim whose program, or the machine, is another one than when it was
counted, and of one that is named in any case. What this machine's GPU runs, GPU_ARCH, is counted too, into
results/local/sm_<n>, if it is other code than sm_90's. --quick counts small sizes, into build/quick.
--generations counts in the code of all other architectures, into build/generations/sm_<n>/<claim>.jsonl;
where nvcc fails or the machine stops, <claim>.why says why.
"""

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from analysis.core import claims
from analysis.core.recorded import FormError
from analysis.core.steps import Step, side_by_side
from experiments.record.convert import convert
from simt.try_cuda.build import architectures

MACHINE = ("build/simt-run", "build/libcudart.so.13")
COUNTED_BY = (*MACHINE, "experiments/record/co*.py", "analysis/core/recorded.py")
COUNTS, TRACES = "results/simt", "results/simt/page.traces.jsonl.gz"
CLOCKED, PRICES = "results/simt/page.clock.json", "results/nvidia-h200/clock.csv"
BUILT, GENERATIONS = "build/gpu", "build/generations"  # there programs are of all other architectures at once
OTHERS = [str(number) for number in architectures() if number != 90]
STEPWISE = ("steps", "trace", "shared")  # tables that nobody reads line by line, which are compressed
COMPRESS = ("gzip", "-9n")  # without name and date: the same table gives the same bytes


def count(claim: str, out: str, *options: str, built=BUILT, architecture="", log=None) -> int:
    """What the program writes becomes a recording, one line a case, and tables beside it. Returns 0, or a
    status when it has been said what is wrong."""
    began, made = time.monotonic(), Path("build/counted", architecture, claim)
    program = f"{built}/experiments/{claim}"
    shutil.rmtree(made, ignore_errors=True)
    machine = [MACHINE[0], *(["--arch", architecture] if architecture else []), "--counts-only"]
    done = subprocess.run([*machine, program, f"--out={made}", *options], check=False, stdout=log, stderr=log)
    if done.returncode:
        return done.returncode
    if tables := [path for name in STEPWISE for path in made.glob(f"*.{name}.csv")]:
        subprocess.run([*COMPRESS, *tables], check=True)
    # Digests of machine code are of sm_90 and of this machine's GPU, in build/gpu alone.
    code = Path(f"{program}.machine_code") if built == BUILT else None
    try:
        convert(made / f"{claim}.json", Path(out), code)
    except FormError as error:
        print(f"count: {error}", file=log or sys.stderr)
        return 1
    if out == COUNTS:  # for the report of this machine
        put(f"build/times/{claim}.json", json.dumps({"seconds": round(time.monotonic() - began, 1)}).encode())
    return 0


def say(line: str) -> None:
    """In one piece: another count prints beside us."""
    print(f"{line}\n", end="", flush=True)


def put(path: str, content: bytes) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    part = Path(f"{path}.new.part")
    part.write_bytes(content)
    part.replace(path)


def count_or_say_why(claim: str, out: str, built=BUILT, **how) -> int:
    """A kernel that cannot be counted in the code of another architecture stops nothing else."""
    for former in Path(out).glob(f"{claim}.*"):
        former.unlink()
    log, of_compiler = Path(out, f"{claim}.log"), Path(built, f"experiments/{claim}.log")
    put(str(log), of_compiler.read_bytes() if of_compiler.exists() else b"")
    with log.open("a", encoding="utf-8") as file:
        failed = of_compiler.exists() or count(claim, out, built=built, log=file, **how)
    if failed:
        log.replace(log.with_suffix(".why"))
        say(f"count     {claim}: failed, {log.with_suffix('.why')} says why")
    log.unlink(missing_ok=True)
    return 0


def counting(claim: str, out: str, *options: str, says="", built=BUILT, run=count, **how) -> Step:
    def announce_and_run(place: str) -> int:
        say(f"count     {claim}{says} ({place})")
        return run(claim, out, *options, built=built, **how)

    program = f"{built}/experiments/{claim}"
    return Step(announce_and_run, (program, f"{program}.*", *COUNTED_BY), (f"{out}/{claim}.*",))


def of_architecture(number: str, claim: str, folder: str, says: str, built=BUILT) -> Step:
    how = {"architecture": number, "built": built, "run": count_or_say_why}
    return counting(claim, f"{folder}/sm_{number}", says=f" {says} sm_{number}", **how)


def trace(place: str) -> int:
    say(f"trace     block scans and reductions, for the page ({place})")
    command = [MACHINE[0], "--counts-only", "build/gpu/traces"]
    traced = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    put(TRACES, subprocess.run(COMPRESS, check=True, input=traced.stdout, stdout=subprocess.PIPE).stdout)
    return 0


def clock(place: str) -> int:
    say(f"trace     one block by the clock, for the page ({place})")
    made, gpu = "build/one_tile.json", PRICES.split("/")[1]
    options = ("--counts-only", "--clock", gpu, "--trace", "1", "--json", made)
    subprocess.run([MACHINE[0], *options, "build/gpu/one_tile"], check=True)
    write = [sys.executable, "-m", "experiments.traces.clock", made, "--out", CLOCKED]
    return subprocess.run(write, check=False).returncode


def of_all(names: list[str]) -> list[Step]:
    here = {os.environ.get("GPU_ARCH")} & set(OTHERS)
    steps = [counting(name, COUNTS) for name in names]
    for number, name in itertools.product(here, names):
        steps.append(of_architecture(number, name, "results/local", "as this GPU runs it,"))
    steps.append(Step(trace, ("build/gpu/traces", *COUNTED_BY), (TRACES,)))
    by_clock = ("build/gpu/one_tile", *MACHINE, PRICES, "experiments/traces/clock.py")
    return [*steps, Step(clock, by_clock, (CLOCKED,))]


def of_generations(names: list[str]) -> list[Step]:
    """What nvcc says of a claim that it does not compile is left in place of the program."""
    environment = os.environ | {"BUILD_FOLDER": GENERATIONS, "BUILD_ARCHITECTURES": ";".join([*OTHERS, "90"])}

    def build(*targets: str, **how) -> int:
        return subprocess.run([".setup/build.sh", *targets], env=environment, check=False, **how).returncode

    some_fail = build("-k", "0", *(f"counted_{name}" for name in names))
    for program in (Path(GENERATIONS, "experiments", name) for name in names):
        log = program.with_suffix(".log")
        log.unlink(missing_ok=True)
        if some_fail:
            with log.open("w") as file:
                failed = build(f"experiment_{program.name}", stdout=file, stderr=file)
            (program if failed else log).unlink(missing_ok=True)
    where = (GENERATIONS, "in the code of", GENERATIONS)
    return [of_architecture(number, name, *where) for number, name in itertools.product(OTHERS, names)]


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C needs no traceback
    for claim in claims.names():
        if not Path(claims.file_of(claim, "analysis.py")).exists():
            folder = claims.file_of(claim, "")
            sys.exit(f"{folder} has no analysis.py: every claim needs one (make new NAME=... writes it)")
    names = [name for name in arguments if not name.startswith("--")]
    if names and arguments == names:
        return side_by_side([counting(name, COUNTS) for name in names], 1)
    if "--generations" in arguments:
        steps = of_generations(names or claims.names())
    elif "--quick" in arguments:
        steps = [counting(name, "build/quick/results/simt", "--quick") for name in claims.names()]
    else:
        steps = of_all(claims.names())
    # Two at a time: what one does on a single core runs beside the other.
    return side_by_side([step for step in steps if step.is_stale()], 2)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
