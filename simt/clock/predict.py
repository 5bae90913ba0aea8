"""Predict by the clock, before a GPU times them, how long the cases of claims take, with a cold cache.

    python -m simt.clock.predict --gpu nvidia-h200 [--jobs N] [--cases REGEX] CLAIM ..

Every case runs once on the SIMT machine; one of over MOST_N elements at the length of a quick timing,
and is taken as many times longer (simt-run --longer). Each launch of a case after the first costs what one
more empty kernel was measured to. Writes results/<gpu>/clock.predicted.csv, a row a case; other claims' rows
stay. python -m analysis.model.clock compares with what was recorded afterwards.
"""

import argparse
import csv
import json
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from analysis.core.recorded import read
from analysis.model.clock import TABLE

ROOT = Path(__file__).parents[2]
MACHINE, EXPERIMENTS = ROOT / "build/simt-run", ROOT / "build/gpu/experiments"
MOST_N = 1 << 20  # elements of a case that runs as it is recorded
MEMSETS = ("scan/look_back/",)  # cases that clear their flags first, which costs as much as one more launch


@dataclass
class Prediction:
    claim: str
    case: str  # as it is recorded, with its number of elements
    longer: int | str = ""  # the recorded number of elements by that which ran
    us: float | str = ""
    apart: float | str = ""  # between the halves of the sample of the longest launch, of its time
    first_stall: str = ""
    unknown: str = ""  # why there is no time


def predicted(gpu: str) -> list[Prediction]:
    """Those in the tree."""
    path = ROOT / "results" / gpu / TABLE
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [Prediction(**row) for row in csv.DictReader(file)]


def elements(case: str) -> int:
    return int(case.rpartition("n:")[2])


def cases_of(claim: str) -> list[tuple[str, str]]:
    """Names of all cases, as they are recorded and as they run here: "" if none alike is short enough."""
    if not (EXPERIMENTS / claim).exists():
        raise SystemExit(f"predict: {EXPERIMENTS / claim} is missing: build the target experiment_{claim}")

    def listed(*options: str) -> list[str]:
        command = [MACHINE, EXPERIMENTS / claim, "--timed", *options, "--list"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    def to_run(case: str) -> str:
        if elements(case) <= MOST_N:
            return case
        alike = [each for each in quick if each.startswith(case[: case.rindex("n:") + 2])]
        return max(alike, key=elements, default="")

    quick = listed()
    return [(case, to_run(case)) for case in listed("--quick=false")]


def next_launch_us(gpu: str) -> float:
    """Of one more empty kernel behind others."""
    times = read(ROOT / "results" / gpu / "rates.jsonl").times()
    first, last = (min(times[f"charge/launch/kernels:{k}/cache:cold/n:1"]) for k in (1, 17))
    return (last - first) / 16


def launches_of(claim: str, case: str, longer: int, gpu: str) -> list[dict]:
    """Of one run of the case, which the program checks and runs several times."""
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.json"
        filtered = f"--benchmark_filter=^{re.escape(case)}$"
        program = [EXPERIMENTS / claim, "--timed", "--quick=" + ("true" if longer > 1 else "false")]
        program += [f"--out={folder}", filtered]
        command = [
            MACHINE,
            "--counts-only",
            "--clock",
            gpu,
            "--longer",
            str(longer),
            "--json",
            counts,
            *program,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not counts.exists():
            raise SystemExit(f"predict: {claim}, {case}: {done.stderr.strip()}")
        (row,) = json.loads((Path(folder) / f"{claim}.json").read_text(encoding="utf-8"))["benchmarks"]
        return json.loads(counts.read_text(encoding="utf-8"))["launches"][: int(row["launches"])]


def prediction(claim: str, names: tuple[str, str], gpu: str, next_us: float) -> Prediction | None:
    """None for a copy, which is no launch."""
    case, here = names
    found = Prediction(claim, case.replace("/n:", "/cache:cold/n:"))
    if not here:
        found.unknown = "no case alike is short enough"
        return found
    found.longer = elements(case) // elements(here)
    launches = launches_of(claim, here, found.longer, gpu)
    if not launches:
        return None
    clocks = [launch.get("clock", {"unknown": launch.get("refused", "not clocked")}) for launch in launches]
    found.unknown = next((each["unknown"] for each in clocks if each["unknown"]), "")
    if found.unknown:
        return found
    longest = max(clocks, key=lambda clock: clock["us"])
    found.us = clocks[0]["launch_us"] + (len(clocks) - 1 + here.startswith(MEMSETS)) * next_us
    found.us = round(found.us + sum(each["us"] - each["launch_us"] for each in clocks), 3)
    if longest["halves_us"]:
        found.apart = round(abs(longest["halves_us"][0] - longest["halves_us"][1]) / longest["us"], 4)
    found.first_stall = max(longest["stalls"], key=longest["stalls"].get)
    return found


def keep(gpu: str, claim: str, found: list[Prediction]) -> None:
    """Those of the claim; rows of other claims stay."""
    rows = [row for row in predicted(gpu) if row.claim != claim] + found
    with (ROOT / "results" / gpu / TABLE).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(Prediction.__annotations__), lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in sorted(rows, key=lambda row: row.claim))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("claims", nargs="+")
    parser.add_argument("--gpu", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cases", default="", help="those alone in whose names this is found")
    options = parser.parse_args()
    next_us = next_launch_us(options.gpu)
    for claim in options.claims:
        cases = [names for names in cases_of(claim) if re.search(options.cases, names[0])]
        with ThreadPoolExecutor(options.jobs) as pool:
            running = [pool.submit(prediction, claim, names, options.gpu, next_us) for names in cases]
            found = [each.result() for each in running]
        keep(options.gpu, claim, [each for each in found if each])
        print(f"{claim}: {len(cases)} cases", flush=True)


if __name__ == "__main__":
    main()
