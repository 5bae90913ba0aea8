"""Predict by the clock, before a GPU times them, how long the cases of claims take, with a cold cache.

    python -m simt.clock.predict --gpu nvidia-h200 [--jobs N] [--cases REGEX] [--again] [CLAIM ..]

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
from dataclasses import asdict, dataclass, field, replace
from math import prod
from pathlib import Path

from analysis.core import claims
from analysis.model.clock import AGAIN, BUSY, PRICES, STALLS, TABLE

ROOT = Path(__file__).parents[2]
MACHINE, EXPERIMENTS = ROOT / "build/simt-run", ROOT / "build/gpu/experiments"
MOST_N = 1 << 20  # elements of a case that runs as it is recorded
SOON = 1 << 22  # of one that runs without the clock in seconds
LONGEST = 1 << 24  # of two from whose times a longer one's follows
TOO_SMALL = "its grid is too small to be taken as longer"  # what the machine says of a launch
LIMIT_S, STOPPED = 200, 124  # seconds of a case, and the machine's status when they are over
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
    shares: dict = field(default_factory=dict)  # by name: BUSY of the time, STALLS of that of warps

    def row(self) -> dict:
        own = asdict(self)
        return {name: own.get(name, self.shares.get(name, "")) for name in COLUMNS}


OF_CASE = tuple(name for name in Prediction.__annotations__ if name != "shares")
COLUMNS = (*OF_CASE, *BUSY, *STALLS)


def predicted(gpu: str, table: str = TABLE) -> list[Prediction]:
    """Those in the tree."""
    path = ROOT / "results" / gpu / table
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Prediction(**{name: row[name] for name in OF_CASE}, shares=row) for row in csv.DictReader(file)
        ]


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
        path = ROOT / "results" / gpu / PRICES
        if not path.exists():
            known = ", ".join(sorted(each.parent.name for each in ROOT.glob(f"results/*/{PRICES}")))
            raise SystemExit(f"predict: {path.relative_to(ROOT)} is missing: prices are known of {known}")
        with path.open(encoding="utf-8", newline="") as file:
            prices = {row["price"]: float(row["value"]) for row in csv.DictReader(file)}
        behind = (prices[name] for name in ("next_launch_us", "small_memset_us", "memset_us"))
        return cls(*behind, int(prices["multiprocessors"]))

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
    found.shares = {name: round(share, 4) for name, share in shares_of(clocks).items() if share}
    found.first_stall = max(STALLS, key=lambda name: found.shares.get(name, 0))
    return found


def shares_of(clocks: list[dict]) -> dict[str, float]:
    """Over all launches: of what is busy each by its time, of stalls by that of all its warps."""
    us = [clock["us"] - clock["launch_us"] for clock in clocks]
    warps = [own * clock["warps"] for own, clock in zip(us, clocks, strict=True)]

    def mean(of: str, name: str, weights: list[float]) -> float:
        own = [weight * clock[of].get(name, 0) for weight, clock in zip(weights, clocks, strict=True)]
        return sum(own) / (sum(weights) or 1)

    return {name: mean("busy", name, us) for name in BUSY} | {
        name: mean("stalls", name, warps) for name in STALLS
    }


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
    return replace(found, claim=claim, case=cold(case))


def cold(case: str) -> str:
    """As it is recorded."""
    return case.replace("/n:", "/cache:cold/n:")


def keep(gpu: str, claim: str, found: list[Prediction], table: str = TABLE, of_some: bool = False) -> None:
    """Those of the claim, or of some of its cases; all other rows stay."""
    cases = {row.case for row in found}
    rows = [row for row in predicted(gpu, table) if row.claim != claim or (of_some and row.case not in cases)]
    rows += found
    with (ROOT / "results" / gpu / table).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(row.row() for row in sorted(rows, key=lambda row: row.claim))


def asked(names: list[str], gpu: str, again: bool) -> list[str]:
    """These claims; without any all that were not timed there: a prediction comes before the times. Again:
    those that the table has."""
    timed = {path.stem for path in (ROOT / "results" / gpu).glob("*.jsonl")}
    if again:
        return names or list(dict.fromkeys(row.claim for row in predicted(gpu, AGAIN)))
    if late := sorted(timed & set(names)):
        raise SystemExit(f"predict: {', '.join(late)}: timed there already; look back at it with --again")
    if not (left := names or sorted(set(claims.names()) - timed)):
        raise SystemExit("predict: all claims were timed on that GPU; look back at them with --again")
    return left


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "claims",
        nargs="*",
        metavar="CLAIM",
        help="without any: all that were not timed there, or those of the table",
    )
    parser.add_argument("--gpu", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cases", default="", help="those alone in whose names this is found")
    parser.add_argument(
        "--again",
        action="store_true",
        help=f"into {AGAIN}, the cases that are there: their times are known",
    )
    options = parser.parse_args()
    behind = Behind.of(options.gpu)
    known = {(row.claim, row.case) for row in predicted(options.gpu, AGAIN)}
    for claim in asked(options.claims, options.gpu, options.again):
        names = {quick: listed(claim, quick) for quick in ("false", "true")}
        cases = [case for case in names["false"] if re.search(options.cases, case)]
        if options.again and not options.cases:
            cases = [case for case in cases if (claim, cold(case)) in known] or cases
        with ThreadPoolExecutor(options.jobs) as pool:
            running = [pool.submit(prediction, claim, case, names, options.gpu, behind) for case in cases]
            found = [each.result() for each in running]
        table = AGAIN if options.again else TABLE
        keep(options.gpu, claim, [each for each in found if each], table, bool(options.cases))
        print(f"{claim}: {len(cases)} cases", flush=True)


if __name__ == "__main__":
    main()
