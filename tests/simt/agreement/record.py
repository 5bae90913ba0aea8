"""Read the GPU's hardware counters for every launch of this folder's programs, into counters.<gpu>.jsonl.

record.py --binaries FOLDER [--out FOLDER] [--runs N] [--logs FOLDER]

FOLDER holds the programs, built as BUILD says. Needs NVIDIA's ncu (Nsight Compute), with the permission to
read counters. The first line of the file is its provenance; one line a launch follows: program, index of
the launch, kernel, grid, block, and the quantities by the names of simt/sass/counts.h. Each program runs N
times under ncu: "runs". A quantity that was not the same each time is listed in "varies", with the least
and the greatest that was seen: it depends on timing, in programs that poll, and where lanes that have
parted meet by chance. What the GPU's own count by opcode adds up to is in "by_opcode", where that is another
number.

--logs keeps ncu's tables. A program whose tables are there already is not run again.
"""

import argparse
import csv
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BUILD = "nvcc -std=c++17 -O3 -arch=sm_90 -lineinfo -cudart shared -I<repository>"
SASS, WAVEFRONTS = "smsp__sass_inst_executed_op", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op"
WARP_OPCODES = "sass__inst_executed_per_opcode_with_modifier_all"
LANE_OPCODES = "sass__thread_inst_executed_true_per_opcode_with_modifier_all"

# Quantity: the metrics that add up to it.
METRICS = {
    "warp_instructions": "smsp__inst_executed.sum",
    "thread_instructions": "smsp__thread_inst_executed.sum",
    "thread_instructions_pred_on": "smsp__thread_inst_executed_pred_on.sum",
    "branches": "smsp__sass_branch_targets.sum",
    "divergent_branches": "smsp__sass_branch_targets_threads_divergent.sum",
    "shared_load_requests": f"{SASS}_shared_ld.sum",
    "shared_store_requests": f"{SASS}_shared_st.sum",
    "shared_atomic_requests": f"{SASS}_shared_atom.sum",
    "shared_load_wavefronts": f"{WAVEFRONTS}_ld.sum",
    "shared_store_wavefronts": f"{WAVEFRONTS}_st.sum",
    "shared_atomic_wavefronts": f"{WAVEFRONTS}_atom.sum",
    "bank_conflicts": "memory_l1_wavefronts_shared - memory_l1_wavefronts_shared_ideal",
    "global_load_requests": f"{SASS}_global_ld.sum",
    "global_store_requests": f"{SASS}_global_st.sum",
    "global_load_sectors": f"{SECTORS}_ld.sum",
    "global_store_sectors": f"{SECTORS}_st.sum",
    "local_load_requests": f"{SASS}_local_ld.sum",
    "local_store_requests": f"{SASS}_local_st.sum",
    "atomic_requests": f"{SASS}_shared_atom.sum + {SASS}_global_atom.sum + {SASS}_global_red.sum",
    "atomic_sectors": "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum"
    " + smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum",
    "bulk_bytes_loaded": "l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum",
    "bulk_bytes_stored": "l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_st.sum",
}
# Quantity: the opcodes whose warp instructions add up to it.
OPCODES = {
    "barrier_instructions": {"BAR"},
    "shuffles": {"SHFL"},
    "votes": {"VOTE", "VOTEU"},
    "warp_reductions": {"REDUX"},
}


def metrics_of(formula: str) -> list[str]:
    return re.findall(r"[a-z]\w*(?:\.\w+)?", formula)


def number(text: str) -> int:
    """ncu prints 1,234 and, with instances, 1,234 (...)."""
    return round(float(text.split("(")[0].replace(",", "")))


def value_of(formula: str, launch: dict[str, str]) -> int:
    total, sign = 0, 1
    for word in formula.split():
        if word in "+-":
            sign = 1 if word == "+" else -1
        else:
            total += sign * number(launch[word])
    return total


def opcodes(launch: dict[str, str]) -> dict[str, int]:
    """Warp instructions of one launch, by opcode with its modifiers; ncu prints 9 (LDS: 8; LDS.64: 1)."""
    instances = launch[WARP_OPCODES].partition("(")[2].rstrip(")")
    pairs = (instance.rpartition(":") for instance in instances.split(";") if ":" in instance)
    return {opcode.strip(): number(count) for opcode, _, count in pairs}


def quantities(launch: dict[str, str]) -> dict[str, int]:
    by_opcode = opcodes(launch)
    found = {name: value_of(formula, launch) for name, formula in METRICS.items()}
    for name, bases in OPCODES.items():
        found[name] = sum(n for opcode, n in by_opcode.items() if opcode.split(".")[0] in bases)
    return found


def sums_by_opcode(launch: dict[str, str], counters: dict[str, int]) -> dict[str, int]:
    """What the GPU counts by opcode, in a pass of its own, where that differs from its counters."""
    off = counters["thread_instructions"] - counters["thread_instructions_pred_on"]
    found = {
        "warp_instructions": number(launch[WARP_OPCODES]),
        "thread_instructions": off + number(launch[LANE_OPCODES]),
        "thread_instructions_pred_on": number(launch[LANE_OPCODES]),
    }
    return {name: total for name, total in found.items() if total != counters[name]}


def profile(binary: Path, log: Path) -> None:
    """Run a program under ncu, its table into log."""
    metrics = [*metrics_of(" + ".join(METRICS.values())), WARP_OPCODES, LANE_OPCODES]
    command = [
        *(profiler(), "--csv", "--page", "raw", "--print-units", "base"),
        *("--print-metric-instances", "details", "--clock-control", "none", "--cache-control", "none"),
        *("--metrics", ",".join(dict.fromkeys(metrics)), "--log-file", log, binary),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or "ok" not in done.stdout.split():
        said = f"{done.stdout.strip()} {done.stderr.strip()}"
        raise SystemExit(f"record.py: {binary.name} failed under ncu: {said}")


def read_log(log: Path) -> list[dict[str, str]]:
    """One row a launch."""
    with log.open(encoding="utf-8", errors="replace") as lines:
        table = csv.DictReader(line for line in lines if not line.startswith("=="))
        return [row for row in table if row["ID"]]


def merge(program: str, index: int, runs: list[dict[str, str]]) -> dict:
    """The line of one launch, from all runs."""
    values = [quantities(run) for run in runs]
    row = {"program": program, "launch": index, "kernel": runs[0]["Kernel Name"]}
    row |= {key: re.sub(r"[( )]", "", runs[0][f"{key.title()} Size"]) for key in ("grid", "block")}
    varies = {}
    for name in values[0]:
        seen = sorted({value[name] for value in values})
        row[name] = seen[0]
        if len(seen) > 1:
            varies[name] = [seen[0], seen[-1]]
    by_opcode = sums_by_opcode(runs[0], values[0])
    return row | {"runs": len(runs), "varies": varies, "by_opcode": by_opcode}


def measure(binary: Path, runs: int, logs: Path) -> list[dict]:
    if not list(logs.glob(f"{binary.name}.*.csv")):
        for run in range(runs):
            profile(binary, logs / f"{binary.name}.{run}.csv")
    tables = [read_log(log) for log in sorted(logs.glob(f"{binary.name}.*.csv"))]
    by_launch = enumerate(zip(*tables, strict=True))
    return [merge(binary.name, index, list(launches)) for index, launches in by_launch]


def profiler() -> str:
    named = shutil.which(os.environ.get("NCU", "ncu"))
    return named or shutil.which("ncu", path="/usr/local/cuda/bin") or "ncu"


def said(*command: str, pattern: str = r"(.*\S)") -> str:
    """What a program says, in so far as it matches."""
    path = shutil.which(command[0]) or shutil.which(command[0], path="/usr/local/cuda/bin")
    if path is None:
        return "unknown"
    text = subprocess.run([path, *command[1:]], capture_output=True, text=True, check=False).stdout
    found = re.search(pattern, text)
    return found[1] if found else "unknown"


def provenance() -> dict:
    return {
        "gpu": said("nvidia-smi", "--query-gpu=name", "--format=csv,noheader"),
        "driver": said("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"),
        "compiler": "nvcc " + said("nvcc", "--version", pattern=r"\bV(\d\S+)"),
        "flags": BUILD,
        "profiler": "ncu " + said(profiler(), "--version", pattern=r"Version (\S+)"),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "metrics": METRICS | {name: " + ".join(sorted(bases)) for name, bases in OPCODES.items()},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--binaries", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, metavar="FOLDER")
    parser.add_argument("--runs", type=int, default=3, metavar="N")
    parser.add_argument("--logs", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    binaries = sorted(path for path in arguments.binaries.iterdir() if os.access(path, os.X_OK))
    header = provenance()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(3) as pool:
        logs = arguments.logs or Path(scratch)
        logs.mkdir(parents=True, exist_ok=True)
        found = pool.map(lambda binary: measure(binary.resolve(), arguments.runs, logs), binaries)
        lines = [json.dumps(row) for launches in found for row in launches]
    name = "counters." + header["gpu"].lower().replace(" ", "-") + ".jsonl"
    (arguments.out / name).write_text("\n".join([json.dumps(header), *lines]) + "\n", encoding="utf-8")
    print(f"{name}: {len(binaries)} programs, {len(lines)} launches")
    return 0


if __name__ == "__main__":
    sys.exit(main())
