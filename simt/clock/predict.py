"""Predict by the clock, before a GPU times them, how long the cases of claims take, with a cold cache.

    python -m simt.clock.predict --gpu nvidia-h200 [--jobs N] [--cases REGEX] [--again] CLAIM ..

Every case runs once on the SIMT machine; one of over MOST_N elements at the length of a quick timing, and
is taken as many times longer (simt-run --longer). If its grid does not grow with the vector, or is too
small for that, its time follows from those of two shorter ones, of up to LONGEST elements; without two it
runs as it is recorded, for LIMIT_S seconds at most. Each launch of a case after the first costs what one
more empty kernel was measured to, and a memset what that was. Writes results/<gpu>/clock.predicted.csv, a
row a case; other claims' rows stay. python -m analysis.model.clock compares with what was recorded
afterwards.
"""

import argparse
import csv
import json
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from math import prod
from pathlib import Path

from analysis.core.recorded import read
from analysis.model.clock import AGAIN, PRICES, TABLE

ROOT = Path(__file__).parents[2]
MACHINE, EXPERIMENTS = ROOT / "build/simt-run", ROOT / "build/gpu/experiments"
MOST_N = 1 << 20  # elements of a case that runs as it is recorded
SOON = 1 << 22  # of one that runs without the clock in seconds
LONGEST = 1 << 24  # of two from whose times a longer one's follows
TOO_SMALL = "its grid is too small to be taken as longer"  # what the machine says of a launch
LIMIT_S, STOPPED = 60, 124  # seconds of a case, and the machine's status when they are over
SMALL = 1024  # bytes of a memset that costs less than one more launch


@dataclass
class Prediction:
    claim: str
    case: str  # as it is recorded, with its number of elements
    longer: float | str = ""  # the recorded number of elements by that which ran
    us: float | str = ""
    apart: float | str = ""  # between the halves of the sample of the longest launch, of its time
    first_stall: str = ""
    unknown: str = ""  # why there is no time


def predicted(gpu: str, table: str = TABLE) -> list[Prediction]:
    """Those in the tree."""
    path = ROOT / "results" / gpu / table
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [Prediction(**row) for row in csv.DictReader(file)]


def elements(case: str) -> int:
    return int(case.rpartition("n:")[2])


def listed(claim: str, quick: str) -> list[str]:
    """Names of the claim's cases, as they run here."""
    if not (EXPERIMENTS / claim).exists():
        raise SystemExit(f"predict: {EXPERIMENTS / claim} is missing: build the target experiment_{claim}")
    command = [MACHINE, EXPERIMENTS / claim, "--timed", f"--quick={quick}", "--list"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def shorter(case: str, names: list[str], most: int) -> list[str]:
    """Cases that differ in their length alone, of at most so many elements, the shortest first."""
    alike = [name for name in names if name.startswith(case[: case.rindex("n:") + 2])]
    return sorted((name for name in alike if elements(name) <= min(most, elements(case))), key=elements)


@dataclass
class Behind:
    """What something costs behind others on the stream: us, of one more empty kernel, of a memset of at most
    SMALL bytes, and of a longer one. And the GPU's multiprocessors."""

    launch: float
    small_memset: float
    memset: float
    multiprocessors: int

    @classmethod
    def of(cls, gpu: str) -> "Behind":
        folder = ROOT / "results" / gpu
        times = read(folder / "rates.jsonl").times()
        first, last = (min(times[f"charge/launch/kernels:{k}/cache:cold/n:1"]) for k in (1, 17))
        with (folder / PRICES).open(encoding="utf-8", newline="") as file:
            prices = {row["price"]: float(row["value"]) for row in csv.DictReader(file)}
        memsets = prices["small_memset_us"], prices["memset_us"]
        return cls((last - first) / 16, *memsets, int(prices["multiprocessors"]))

    def memsets(self, sizes: list[int]) -> float:
        return sum(self.small_memset if size <= SMALL else self.memset for size in sizes)


def launches_of(claim: str, case: str, *clock: str) -> list[dict]:
    """Of the last run of the case, which the program checks and runs several times. clock: options of the
    machine."""
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.json"
        program = [EXPERIMENTS / claim, "--timed", f"--quick={'true' if '--longer' in clock else 'false'}"]
        program += [f"--out={folder}", f"--benchmark_filter=^{re.escape(case)}$"]
        command = [MACHINE, "--counts-only", "--limit", str(LIMIT_S), *clock, "--json", counts, *program]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        result = Path(folder) / f"{claim}.json"
        if done.returncode == STOPPED:
            return [{"grid": [1, 1, 1], "refused": f"not at its end after {LIMIT_S} s"}]
        if not (counts.exists() and result.exists()):
            raise SystemExit(f"predict: {claim}, {case}: {done.stderr.strip()}")
        (row,) = json.loads(result.read_text(encoding="utf-8"))["benchmarks"]
        launches = json.loads(counts.read_text(encoding="utf-8"))["launches"]
        return launches[-int(row["launches"]) :] if int(row["launches"]) else []


def timed(launches: list[dict], behind: Behind) -> Prediction:
    """A case whose launches these are."""
    found = Prediction("", "")
    clocks = [launch.get("clock", {"unknown": launch.get("refused", "not clocked")}) for launch in launches]
    found.unknown = next((each["unknown"] for each in clocks if each["unknown"]), "")
    if found.unknown:
        return found
    longest = max(clocks, key=lambda clock: clock["us"])
    found.us = clocks[0]["launch_us"] + (len(clocks) - 1) * behind.launch
    found.us += behind.memsets([size for launch in launches for size in launch.get("memsets", [])])
    found.us = round(found.us + sum(each["us"] - each["launch_us"] for each in clocks), 3)
    if longest["halves_us"]:
        found.apart = round(abs(longest["halves_us"][0] - longest["halves_us"][1]) / longest["us"], 4)
    found.first_stall = max(longest["stalls"], key=longest["stalls"].get)
    return found


def most_blocks(launches: list[dict]) -> int:
    return max(prod(launch["grid"]) for launch in launches)


def grows(claim: str, launches: list[dict], times: float, real: list[str], multiprocessors: int) -> bool:
    """Whether the grid of a vector so many times longer is as much larger. launches: of the quick case; real:
    the longest case that is soon run, if it is longer. Without one, a grid that is a multiple of the
    multiprocessors is taken as one that fills them, whatever the length."""
    if real:
        return most_blocks(launches_of(claim, real[-1])) > 0.9 * times * most_blocks(launches)
    return most_blocks(launches) % multiprocessors != 0


def by_two_lengths(claim: str, case: str, of: list[str], gpu: str, behind: Behind) -> Prediction:
    """The time of the longer of these two, and for what is missing as much an element as between it and the
    other one."""
    short, long = (timed(launches_of(claim, each, "--clock", gpu), behind) for each in of)
    if short.unknown or long.unknown:
        return long
    slope = (float(long.us) - float(short.us)) / (elements(of[1]) - elements(of[0]))
    long.longer = round(elements(case) / elements(of[1]), 3)
    long.us = round(float(long.us) + slope * (elements(case) - elements(of[1])), 3)
    return long


def prediction(
    claim: str, case: str, names: dict[str, list[str]], gpu: str, behind: Behind
) -> Prediction | None:
    """None for a copy, which is no launch. names: of all cases and of the quick ones."""
    found = Prediction("", "", unknown=TOO_SMALL)
    quick, real = shorter(case, names["true"], MOST_N), shorter(case, names["false"], LONGEST)
    if elements(case) > MOST_N and quick:
        longer = elements(case) // elements(quick[-1])
        launches = launches_of(claim, quick[-1], "--clock", gpu, "--longer", str(longer))
        if not launches:
            return None
        soon = [each for each in real if elements(quick[-1]) < elements(each) <= SOON]
        times = elements(soon[-1]) / elements(quick[-1]) if soon else longer
        if grows(claim, launches, times, soon, behind.multiprocessors):
            found = replace(timed(launches, behind), longer=longer)
    if found.unknown == TOO_SMALL and elements(case) > LONGEST and len(real) > 1:
        found = by_two_lengths(claim, case, real[-2:], gpu, behind)
    elif found.unknown == TOO_SMALL:
        launches = launches_of(claim, case, "--clock", gpu)
        if not launches:
            return None
        found = replace(timed(launches, behind), longer=1)
    return replace(found, claim=claim, case=case.replace("/n:", "/cache:cold/n:"))


def keep(gpu: str, claim: str, found: list[Prediction], table: str = TABLE) -> None:
    """Those of the claim; rows of other claims stay."""
    rows = [row for row in predicted(gpu, table) if row.claim != claim] + found
    with (ROOT / "results" / gpu / table).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(Prediction.__annotations__), lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in sorted(rows, key=lambda row: row.claim))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("claims", nargs="+")
    parser.add_argument("--gpu", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cases", default="", help="those alone in whose names this is found")
    parser.add_argument("--again", action="store_true", help=f"into {AGAIN}: the times are known already")
    options = parser.parse_args()
    behind = Behind.of(options.gpu)
    for claim in options.claims:
        names = {quick: listed(claim, quick) for quick in ("false", "true")}
        cases = [case for case in names["false"] if re.search(options.cases, case)]
        with ThreadPoolExecutor(options.jobs) as pool:
            running = [pool.submit(prediction, claim, case, names, options.gpu, behind) for case in cases]
            found = [each.result() for each in running]
        keep(options.gpu, claim, [each for each in found if each], AGAIN if options.again else TABLE)
        print(f"{claim}: {len(cases)} cases", flush=True)


if __name__ == "__main__":
    main()
