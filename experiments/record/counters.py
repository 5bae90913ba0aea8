"""Read the GPU's hardware counters for every claim, into results/<gpu>/<claim>.counters.jsonl.

Needs the GPU binaries (make gpu) and NVIDIA's ncu (Nsight Compute), with the permission to read counters.
Each case runs once, in an NVTX range with its name, by which its launches are identified. A binary runs
twice: `counts`, the same cases that the SIMT machine counts; `traffic`, the bytes that the timed cases, cold,
move to and from memory. Nothing is timed: a profiled run is slow. With CLAIM.. these alone are read.

--study CLAIM.. reads every candidate metric of each quantity, in several runs of the claims' cases, into
results/<gpu>/metrics.csv. --stalls CLAIM.. reads what the warps of their timed cases, cold, wait for, into
results/<gpu>/stalls.csv.
"""

import argparse
import csv
import itertools
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from analysis.core.recorded import COUNTERS
from experiments.record import recording
from experiments.record.recording import RecordError

EXPERIMENTS = Path(__file__).resolve().parents[1]
SASS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared"
WARP_OPCODES = "sass__inst_executed_per_opcode_with_modifier_all"
THREAD_OPCODES = "sass__thread_inst_executed_true_per_opcode_with_modifier_all"  # where the predicate is on

# Quantity: the metrics that add up to it. --study chose those that are exact and the same in every run.
COUNTS = {
    "ops": "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"
    " + smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
    "shared_load_requests": "smsp__sass_inst_executed_op_shared_ld.sum",
    "shared_store_requests": "smsp__sass_inst_executed_op_shared_st.sum",
    "shared_load_wavefronts": f"{SASS}_op_ld.sum",
    "shared_store_wavefronts": f"{SASS}_op_st.sum",
    "bank_conflicts": "memory_l1_wavefronts_shared - memory_l1_wavefronts_shared_ideal",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "bulk_bytes_loaded": "l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum",
    "bulk_bytes_stored": "l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_st.sum",
    "warp_instructions": "smsp__inst_executed.sum",
    "thread_instructions": "smsp__thread_inst_executed.sum",
    "thread_instructions_pred_on": "smsp__thread_inst_executed_pred_on.sum",
    "branches": "smsp__sass_branch_targets.sum",
    "divergent_branches": "smsp__sass_branch_targets_threads_divergent.sum",
}
TRAFFIC = {
    "global_bytes_read": "dram__bytes_read.sum",
    "global_bytes_written": "dram__bytes_write.sum",
}
# Other metrics whose names suggest the quantity.
CANDIDATES = {
    "ops": ["smsp__sass_thread_inst_executed_op_fp32_pred_on.sum"],
    "shared_load_requests": ["smsp__inst_executed_op_shared_ld.sum"],
    "shared_store_requests": ["smsp__inst_executed_op_shared_st.sum"],
    "shared_load_wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    "shared_store_wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    "bank_conflicts": [
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"
        " + l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    ],
    "global_load_sectors": ["lts__t_sectors_op_read.sum"],
    "global_store_sectors": ["lts__t_sectors_op_write.sum"],
    "bulk_bytes_loaded": ["l1tex__m_xbar2l1tex_read_bytes_pipe_tma.sum"],
    "bulk_bytes_stored": ["l1tex__m_l1tex2xbar_write_bytes_pipe_tma.sum"],
}
WRITE_BACK = "WRITE_BACK "  # begins the range in which a cold case's last bytes go from the cache to memory
RANGE = re.compile(r'"<default domain>:(.*?)(?::none){6} *"')
STUDY_RUNS = 3
# Of the warps that are resident while one instruction is issued, those that wait for a reason.
STALLED, PER_ISSUE, ISSUES = (
    "smsp__average_warps_issue_stalled_",
    "_per_issue_active.ratio",
    "smsp__issue_active.sum",
)
STALL = re.compile(f"{STALLED}(\\w+)(?<!_not_issued){re.escape(PER_ISSUE)}")


def profiler() -> str:
    named = shutil.which(os.environ.get("NCU", "ncu"))
    found = named or shutil.which("ncu", path="/usr/local/cuda/bin")
    if not found:
        raise RecordError(
            "no ncu here: install Nsight Compute, https://developer.nvidia.com/nsight-compute"
            " (times do not need it)"
        )
    return found


def metrics_of(formula: str) -> list[str]:
    return re.findall(r"[a-z]\w*(?:\.\w+)?", formula)


def value_of(formula: str, launch: dict[str, str]) -> int | None:
    """The formula's value for one launch, a row of ncu's table; None if this GPU lacks one of its metrics."""
    total, sign = 0, 1
    for word in formula.split():
        if word in "+-":
            sign = 1 if word == "+" else -1
        elif (value := number(launch.get(word, ""))) is None:
            return None
        else:
            total += sign * value
    return total


def number(text: str) -> int | None:
    """ncu prints 1,234 and, with instances, 1,234 (...), and n/a for an unknown metric."""
    try:
        return round(float(text.split("(")[0].replace(",", "")))
    except ValueError:
        return None


def opcodes(metric: str, launch: dict[str, str]) -> dict[str, int]:
    """Instructions of one launch, by opcode with its modifiers; ncu prints 9 (LDS: 8; LDS.64: 1)."""
    instances = launch.get(metric, "").partition("(")[2].rstrip(")")
    pairs = (instance.rpartition(":") for instance in instances.split(";") if ":" in instance)
    return {opcode.strip(): number(count) for opcode, _, count in pairs}


def from_opcodes(launch: dict[str, str], element_bytes: int) -> dict[str, int]:
    """The quantities of one launch that only its instructions give; none if this GPU does not list them.

    barriers: passed by blocks. operator_instructions: executed by warps. wide_shared_loads and -stores: warp
    accesses wider than an element. ncu counts them by thread: the result is the fewest warps that as many
    threads of each block fill.
    """
    by_warp, by_thread = opcodes(WARP_OPCODES, launch), opcodes(THREAD_OPCODES, launch)
    if not by_warp or not by_thread:
        return {}
    blocks, threads = (
        math.prod(map(int, re.findall(r"\d+", launch[size]))) for size in ("Grid Size", "Block Size")
    )

    def wide(name: str) -> int:
        widths = {str(8 * size) for size in (8, 16) if size > element_bytes}
        lanes = sum(
            count
            for opcode, count in by_thread.items()
            if opcode.split(".")[0] == name and widths & set(opcode.split("."))
        )
        return blocks * math.ceil(lanes / blocks / 32)

    def executed(*names: str) -> int:
        return sum(count for opcode, count in by_warp.items() if opcode.split(".")[0] in names)

    return {
        "barriers": executed("BAR") // math.ceil(threads / 32),
        "operator_instructions": executed("FADD", "DADD"),
        "wide_shared_loads": wide("LDS"),
        "wide_shared_stores": wide("STS"),
    }


def profile(
    binary: Path,
    options: list[str],
    metrics: Iterable[str],
    arguments: argparse.Namespace,
    scratch: Path,
    caches: str = "none",
) -> list[dict[str, str]]:
    """Run a binary under ncu. Returns one row per launch, with its "case". caches: which ncu empties before
    each of a launch's runs, "all" or "none"."""
    log = scratch / "ncu.csv"
    command = [
        *(
            profiler(),
            "--csv",
            "--page",
            "raw",
            "--print-units",
            "base",
            "--print-metric-instances",
            "details",
        ),
        *("--nvtx", "--profile-from-start", "off", "--clock-control", "none", "--cache-control", caches),
        *("--metrics", ",".join(dict.fromkeys(metrics)), "--log-file", log, binary, f"--out={scratch}"),
        *options,
    ]
    environment = recording.environment_for(arguments.binaries)
    status = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    complaints = " ".join(line for line in text.splitlines() if line.startswith("==ERROR=="))
    if "ERR_NVGPUCTRPERM" in text:
        raise RecordError(
            "the driver lets only root read the GPU's counters: run it as root, or see"
            " https://developer.nvidia.com/ERR_NVGPUCTRPERM"
        )
    if status != 0 or complaints:
        raise RecordError(
            f"{binary.name}: ncu failed (exit status {status}): {complaints or 'no reason given'}"
        )

    table = csv.DictReader(line for line in text.splitlines() if not line.startswith("=="))
    launches = [row for row in table if row["ID"]]  # the first row holds the units
    for launch in launches:
        column = next(name for name in launch if name.startswith("thread Domain:Push/Pop_Range"))
        launch["case"] = RANGE.search(launch[column])[1]
    return launches


def by_case(launches: list[dict[str, str]]) -> dict[str, list[dict[str, str]]]:
    """Launches of each case, with those that write its last bytes back."""
    found: dict[str, list[dict[str, str]]] = {}
    for launch in launches:
        found.setdefault(launch["case"].removeprefix(WRITE_BACK), []).append(launch)
    return found


def total(formula: str, launches: list[dict[str, str]]) -> int | None:
    values = [value_of(formula, launch) for launch in launches]
    return None if None in values else sum(values)


def own_metrics(claim: str) -> dict[str, str]:
    """What a claim asks of the profiler besides: its metrics.csv, if it has one."""
    path = next(EXPERIMENTS.glob(f"*/{claim}/metrics.csv"), None)
    if path is None:
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {row["quantity"]: row["metric"] for row in csv.DictReader(file)}


def counts_of(row: dict, launches: list[dict[str, str]], formulas: dict[str, str]) -> dict:
    """The quantities of one case: those that the SIMT machine counts too, and its claim's own."""
    found = {"launches": len(launches)}
    found |= {quantity: total(formula, launches) for quantity, formula in formulas.items()}
    for launch in launches:
        for quantity, value in from_opcodes(launch, row["element_bytes"]).items():
            found[quantity] = found.get(quantity, 0) + value
    return found


def traffic_of(_: dict, launches: list[dict[str, str]], formulas: dict[str, str]) -> dict:
    """The bytes that one case moves to and from memory, without the reads that flush the cache afterwards."""
    own = [launch for launch in launches if not launch["case"].startswith(WRITE_BACK)]
    return {
        "launches": len(own),
        "global_bytes_read": total(formulas["global_bytes_read"], own),
        "global_bytes_written": total(formulas["global_bytes_written"], launches),
    }


# Each run of a binary: what it reads, what it reads besides, and how that adds up.
MODES = {
    "counts": (COUNTS, [WARP_OPCODES, THREAD_OPCODES], counts_of),
    "traffic": (TRAFFIC, [], traffic_of),
}


def has_cases(binary: Path, mode: str) -> bool:
    environment = recording.environment_for(binary.parent)
    command = [binary, f"--profile={mode}", "--list"]
    listed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        raise RecordError(f"{binary.name}: {listed.stderr.strip()}")
    return bool(listed.stdout.strip())


def measure(claim: str, arguments: argparse.Namespace, scratch: Path) -> dict:
    """Both runs of a claim's binary, as one file of results."""
    started = time.monotonic()
    binary = arguments.binaries.resolve() / claim
    document, rows, wanted, own = {}, [], {}, own_metrics(claim)
    for mode, (formulas, besides, read) in MODES.items():
        if not has_cases(binary, mode):  # kernels that wait for one another cannot run one at a time
            continue
        if mode == "counts":
            formulas = formulas | own
        wanted |= formulas
        metrics = [*metrics_of(" + ".join(formulas.values())), *besides]
        launches = by_case(profile(binary, [f"--profile={mode}"], metrics, arguments, scratch))
        document = recording.read_results(scratch / f"{claim}.json")
        for row in document["benchmarks"]:
            row |= {"family_index": len(rows)} | read(row, launches.pop(row["name"], []), formulas)
            if row["launches"]:  # a copy is no kernel: ncu does not see it
                rows.append({key: value for key, value in row.items() if value is not None})
        if launches:
            raise RecordError(f"{claim}: launches outside every case, in the range {next(iter(launches))}")
    context = document["context"] | {"metrics": COUNTS | own | TRAFFIC | {"barriers": f"{WARP_OPCODES}: BAR"}}
    context["machine"]["driver"] = recording.ask_gpu("driver_version")
    context["provenance"] |= {
        "profiler": version(),
        "wall_seconds": round(time.monotonic() - started, 1),
    }
    say_missing(claim, rows, wanted)
    return {"context": context, "benchmarks": rows}


def say_missing(claim: str, rows: list[dict], wanted: dict[str, str]) -> None:
    """Name the quantities that this GPU has no metric for."""
    for quantity, formula in wanted.items():
        if not any(quantity in row for row in rows):
            print(f"counters  {claim}: no {quantity}: this GPU or ncu lacks {formula}", file=sys.stderr)


def version() -> str:
    said = subprocess.run([profiler(), "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"Version (\S+)", said)
    return f"ncu {found[1] if found else 'of unknown version'}"


def study(arguments: argparse.Namespace, target: Path) -> None:
    """Every candidate metric for the cases of some claims, STUDY_RUNS times."""
    formulas = [
        (quantity, each) for quantity in CANDIDATES for each in (COUNTS[quantity], *CANDIDATES[quantity])
    ]
    metrics = [metric for _, formula in formulas for metric in metrics_of(formula)]
    rows: dict[tuple, dict] = {}
    for claim, run in itertools.product(arguments.study, range(STUDY_RUNS)):
        print(f"study     {claim}, run {run + 1} of {STUDY_RUNS}", flush=True)
        binary = arguments.binaries.resolve() / claim
        with tempfile.TemporaryDirectory(prefix="recording-") as scratch:
            launches = profile(binary, ["--profile=counts"], metrics, arguments, Path(scratch))
        for case, own in by_case(launches).items():
            for quantity, formula in formulas:
                about = {"quantity": quantity, "metric": formula, "chosen": int(formula == COUNTS[quantity])}
                row = rows.setdefault((quantity, formula, case), about | {"case": case})
                row[f"run_{run}"] = total(formula, own)
    recording.write_table(target / "metrics.csv", list(rows.values()))


def stalls_of(launches: list[dict[str, str]]) -> dict[str, float]:
    """The share of each reason in the cycles of all warps of a case."""
    cycles: dict[str, float] = {}
    for launch in launches:
        for metric, text in launch.items():
            if reason := STALL.fullmatch(metric):
                waited = float(text.replace(",", "") or 0) * (number(launch[ISSUES]) or 0)
                cycles[reason[1]] = cycles.get(reason[1], 0) + waited
    in_all = sum(cycles.values())
    return {reason: round(value / in_all, 4) for reason, value in sorted(cycles.items()) if in_all}


def stalls(arguments: argparse.Namespace, target: Path) -> None:
    """What the warps wait for in the timed cases of some claims; the other claims' rows stay."""
    path, rows = target / "stalls.csv", []
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["claim"] not in arguments.stalls]
    for claim in arguments.stalls:
        print(f"stalls    {claim}", flush=True)
        metrics = [f"regex:{STALLED}.*{PER_ISSUE}", ISSUES]
        with tempfile.TemporaryDirectory(prefix="recording-") as scratch:
            binary = arguments.binaries.resolve() / claim
            # Some ten runs a launch: but for the first one they would find in L2 what it has left there.
            launches = profile(binary, ["--profile=traffic"], metrics, arguments, Path(scratch), "all")
        own = [launch for launch in launches if not launch["case"].startswith(WRITE_BACK)]
        rows += [{"claim": claim, "case": case} | stalls_of(each) for case, each in by_case(own).items()]
    recording.write_table(path, rows)


def record(arguments: argparse.Namespace) -> None:
    claims = recording.chosen(arguments)  # reports missing binaries before a missing GPU
    target = arguments.out / recording.slug(recording.ask_gpu("name"))
    profiler()
    if arguments.study:
        study(arguments, target)
        return
    if arguments.stalls:
        stalls(arguments, target)
        return
    reading = recording.Recording(
        "counters", arguments, target, COUNTERS, lambda claim, scratch: measure(claim, arguments, scratch)
    )
    reading.all_or_nothing(claims)


def main() -> int:
    parser = recording.options(__doc__)
    parser.add_argument("claims", nargs="*", metavar="CLAIM", help="only these claims; default: all")
    parser.add_argument("--study", metavar="CLAIM", nargs="+", help="compare metrics, into <gpu>/metrics.csv")
    parser.add_argument("--stalls", metavar="CLAIM", nargs="+", help="what warps wait for, into stalls.csv")
    arguments = parser.parse_args()
    return recording.run("counters", lambda: record(arguments))


if __name__ == "__main__":
    sys.exit(main())
