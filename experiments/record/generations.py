"""Count these claims in the code of the other architectures, into build/generations/sm_<n>/<claim>.jsonl.

Each claim is compiled for all of them at once, and for sm_90. Where nvcc fails or the machine stops,
<claim>.why says why in place of the counts. analysis/report/generations.py makes a table of all.
"""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path

from analysis.core.steps import INTERRUPTED
from experiments.record.count import count, counting, run_stale
from simt.try_cuda.build import architectures

FOLDER = "build/generations"
PROGRAMS = f"{FOLDER}/experiments"
OTHERS = [str(number) for number in architectures() if number != 90]


def build(*targets: str, **how) -> int:
    where = {"BUILD": FOLDER, "ARCHITECTURES": ";".join([*OTHERS, "90"])}
    return subprocess.run(
        [".setup/build.sh", *targets], env=os.environ | where, check=False, **how
    ).returncode


def build_what_compiles(names: list[str]) -> None:
    """What nvcc says of a claim that it does not compile is left in place of the program."""
    some_fail = build("-k", "0", *(f"counted_{claim}" for claim in names))
    for program in (Path(PROGRAMS, claim) for claim in names):
        log = program.with_suffix(".log")
        log.unlink(missing_ok=True)
        if some_fail:
            with log.open("w") as file:
                failed = build(f"experiment_{program.name}", stdout=file, stderr=file)
            (program if failed else log).unlink(missing_ok=True)


def count_or_say_why(claim: str, out: str, **how) -> int:
    for former in Path(out).glob(f"{claim}.*"):
        former.unlink()
    Path(out).mkdir(parents=True, exist_ok=True)
    log, of_compiler = Path(out, f"{claim}.log"), Path(PROGRAMS, f"{claim}.log")
    if of_compiler.exists():
        log.write_bytes(of_compiler.read_bytes())
    with log.open("a", encoding="utf-8") as file:
        failed = of_compiler.exists() or count(claim, out, log=file, **how)
    if failed:
        log.replace(log.with_suffix(".why"))
    log.unlink(missing_ok=True)
    return 0


def main(names: list[str]) -> int:
    build_what_compiles(names)
    how = {"programs": PROGRAMS, "run": count_or_say_why}
    return run_stale(
        [
            counting(name, f"{FOLDER}/sm_{n}", says=f" in the code of sm_{n}", architecture=n, **how)
            for n, name in product(OTHERS, names)
        ]
    )


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
