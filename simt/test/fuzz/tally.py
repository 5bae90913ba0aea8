"""Who was wrong, of what the fuzzer printed with a GPU: python -m simt.test.fuzz.tally LOG > fuzz.csv.

A row an outcome. agree: GPU and machine with Python, in every build; crash: in every build but those on which
the compiler crashed; compiler: both are wrong in the same builds; machine: it alone is; open: the GPU prints
otherwise than the machine.
"""

import csv
import re
import sys
from pathlib import Path

from .build import BATCH

DONE = re.compile(r"fuzz +(\d+) programs x .* and a GPU, .*\(seed (\S+)\)")
FAILS = re.compile(r"seed (\S+)-(\d+)\.\d+ fails in ([^;]*)(; the GPU prints the same)?$")
CRASHES = re.compile(r"seed (\S+)-(\d+)\.\d+: the compiler crashes")
ON_GPU = " on the GPU"


def outcome(builds: list[str], is_same: bool) -> str:
    there = {each.removesuffix(ON_GPU) for each in builds if each.endswith(ON_GPU)}
    here = {each for each in builds if not each.endswith(ON_GPU)}
    if is_same or here == there:
        return "compiler"
    return "open" if there else "machine"


def tally(lines: list[str]) -> dict[str, list[str] | int]:
    """The number of programs in whole batches, and by outcome the seeds of those that do not agree."""
    ended = {match[2]: int(match[1]) for line in lines if (match := DONE.match(line))}
    seeds: dict[str, list[str]] = {"crash": [], "compiler": [], "machine": [], "open": []}
    for line in lines:
        match = FAILS.match(line) or CRASHES.match(line)
        if not match or (int(match[2]) + 1) * BATCH > ended.get(match[1], 0):
            continue
        of = "crash" if match.re is CRASHES else outcome(match[3].split(", "), match[4] is not None)
        seeds[of].append(line.split()[1].rstrip(":"))
    failed = {seed for of, some in seeds.items() if of != "crash" for seed in some}
    crashed = [seed for seed in dict.fromkeys(seeds["crash"]) if seed not in failed]
    return {"programs": sum(ended.values()), **seeds, "crash": crashed}


def main() -> None:
    found = tally(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines())
    programs = found.pop("programs")
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(("outcome", "programs", "seeds"))
    table.writerow(("agree", programs - sum(map(len, found.values())), ""))
    for name, seeds in found.items():
        table.writerow((name, len(seeds), " ".join(seeds)))


if __name__ == "__main__":
    main()
