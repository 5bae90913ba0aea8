"""How far the clock is from times that a GPU has recorded, beside today's model: error by claim.

    python -m simt.clock.judge [--gpu nvidia-h200] [--short] [--every N] [--jobs N] [--out FILE] CLAIM ..

Every case of a claim that the model predicts runs once on the SIMT machine with the clock, at the length of a
quick timing, and is taken as many times longer as the recorded one (simt-run --longer). Cold times, medians.

--short: instead the cases of at most MOST_N elements that were recorded at the length that runs here, all
their launches; each after the first, and a memset, costs what one more empty kernel was measured to. Today's
model has none of these.
"""

import argparse
import csv
import itertools
import json
import math
import statistics
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from analysis.core.recorded import read

ROOT = Path(__file__).parents[2]
MACHINE, EXPERIMENTS = ROOT / "build/simt-run", ROOT / "build/gpu/experiments"
REFERENCE = "nvidia-h200"  # the GPU whose cases the model's document has
QUICK_N = 1 << 20  # elements
MOST_N = 1 << 16
MEMSETS = ("scan/look_back/",)  # cases that clear their flags first


@dataclass
class Case:
    claim: str
    case: str
    measured_us: float
    model_us: float
    clock_us: float = 0
    apart: float = 0  # between the halves of the sample, of the time
    first_stall: str = ""


def cases_of(gpu: str, claim: str) -> list[Case]:
    """What the model predicts of the claim's kernels, and what was measured."""
    if gpu == REFERENCE:
        rows = json.loads((ROOT / "figures/model.json").read_text())["cases"]
        rows = [row for row in rows if not row["outside"]]
        measured = {row["case"]: row["measured_us"] for row in rows if row["claim"] == claim}
    else:
        rows = list(csv.DictReader((ROOT / "results" / gpu / "predicted.csv").open()))
        rows = [row for row in rows if not row["outside"]]
        measured = times_of(ROOT / "results" / gpu / f"{claim}.jsonl")
    mine = [row for row in rows if row["claim"] == claim and row["case"] in measured]
    return [Case(claim, row["case"], measured[row["case"]], float(row["predicted_us"])) for row in mine]


def short_cases_of(gpu: str, claim: str) -> list[Case]:
    """Those whose own length runs here; `case` with the length."""
    listing = [MACHINE, EXPERIMENTS / claim, "--timed", "--list"]
    listed = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.split()
    own = {name for name in listed if int(name.rpartition(":")[2]) <= MOST_N and "cub" not in name}
    found = []
    for name, us in recorded(ROOT / "results" / gpu / f"{claim}.jsonl").items():
        case = name.replace("/cache:cold", "")
        if "/cache:cold" in name and case in own and not case.startswith("copy/"):
            found.append(Case(claim, case, us, math.nan))
    return found


def recorded(path: Path) -> dict[str, float]:
    """Medians by name."""
    return {name: statistics.median(times) for name, times in read(path).times().items()}


def times_of(path: Path) -> dict[str, float]:
    """Cold medians by case, of the longest vector."""
    times: dict[str, tuple[int, float]] = {}
    for name, us in recorded(path).items():
        case, _, n = name.partition("/cache:cold/n:")
        if n and int(n) >= times.get(case, (0, 0))[0]:
            times[case] = int(n), us
    return {case: us for case, (_, us) in times.items()}


def next_launch_us(gpu: str) -> float:
    """Of one more empty kernel behind others."""
    times = recorded(ROOT / "results" / gpu / "rates.jsonl")
    return (
        times["charge/launch/kernels:17/cache:cold/n:1"] - times["charge/launch/kernels:1/cache:cold/n:1"]
    ) / 16


def launches_of(case: Case, gpu: str, pattern: str, *options: str) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.json"
        program = [EXPERIMENTS / case.claim, "--timed", f"--benchmark_filter={pattern}"]
        command = [MACHINE, "--counts-only", "--clock", gpu, *options, "--json", counts, *program]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not counts.exists():
            raise SystemExit(f"{case.claim}, {case.case}: {done.stderr.strip()}")
        return json.loads(counts.read_text())["launches"]


def clocked(case: Case, gpu: str) -> Case:
    """One launch, of a vector of 2^26 elements."""
    longer = str((1 << 26) // QUICK_N)
    clock = launches_of(case, gpu, f"^{case.case}/n:", "--longer", longer, "--launches", "1")[0]["clock"]
    case.clock_us = clock["us"]
    if clock["halves_us"]:
        case.apart = abs(clock["halves_us"][0] - clock["halves_us"][1]) / clock["us"]
    case.first_stall = max(clock["stalls"], key=clock["stalls"].get)
    return case


def short_clocked(case: Case, gpu: str) -> Case:
    """All launches of a case, which runs again to be counted: the first period of them."""
    launches = launches_of(case, gpu, f"^{case.case}$")
    shapes = [(launch["kernel"], launch["grid"], launch["block"]) for launch in launches]
    period = next(k for k in range(1, len(shapes) + 1) if shapes[k:] == shapes[: len(shapes) - k])
    clocks = [launch["clock"] for launch in launches[:period]]
    starts = len(clocks) - 1 + case.case.startswith(MEMSETS)
    case.clock_us = clocks[0]["launch_us"] + starts * next_launch_us(gpu)
    case.clock_us += sum(each["us"] - each["launch_us"] for each in clocks)
    return case


def shown(cases: list[Case]) -> str:
    def of(name: str) -> str:
        away = [abs(getattr(case, name) / case.measured_us - 1) for case in cases]
        within = sum(each <= 0.15 for each in away) / len(away)
        return f"{100 * statistics.mean(away):5.1f}% mean, {100 * within:3.0f}% within 15%"

    ratio = statistics.median(case.clock_us / case.measured_us for case in cases)
    model = "none" if math.isnan(cases[0].model_us) else of("model_us")
    return f"{len(cases):3} cases  clock {of('clock_us')} (median ratio {ratio:.3f})  model {model}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("claims", nargs="+")
    parser.add_argument("--gpu", default=REFERENCE)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="only every Nth case")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, help="a CSV of all cases")
    options = parser.parse_args()
    for claim in options.claims:
        if not (EXPERIMENTS / claim).exists():
            parser.error(f"{EXPERIMENTS / claim} is missing: build the target experiment_{claim}")
    every: list[Case] = []
    for claim in options.claims:
        with ThreadPoolExecutor(options.jobs) as pool:
            find, run = (short_cases_of, short_clocked) if options.short else (cases_of, clocked)
            cases = find(options.gpu, claim)[:: options.every]
            cases = list(pool.map(run, cases, itertools.repeat(options.gpu)))
        every += cases
        print(f"{claim:12} {shown(cases)}", flush=True)
    if options.out:
        with options.out.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(asdict(every[0])), lineterminator="\n")
            writer.writeheader()
            writer.writerows(asdict(case) for case in every)


if __name__ == "__main__":
    main()
