"""Read the GPU's hardware counters for every launch of this folder's programs, into counters.<gpu>.jsonl.

record.py --binaries FOLDER [--out FOLDER] [--runs N] [--logs FOLDER]

FOLDER holds the families of programs, built as BUILD says. Needs NVIDIA's ncu (Nsight Compute), with the
permission to read counters. The first line of the file is its provenance; one line a launch follows: program,
index of the launch, kernel, grid, block, and the quantities by the names of simt/count/counts.h. Each program
runs N times under ncu: "runs". A quantity that was not the same each time is listed in "varies", with the
least and the greatest that was seen: it depends on timing, in programs that poll, and where lanes that have
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
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from experiments.record import counters
from experiments.record.counters import THREAD_OPCODES, WARP_OPCODES, metrics_of, number, value_of
from experiments.record.recording import ask_gpu, slug

BUILD = "nvcc -std=c++17 -O3 -arch=sm_90 -lineinfo -cudart shared -I<repository>"
SASS, WAVEFRONTS = "smsp__sass_inst_executed_op", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op"

# Quantity: the metrics that add up to it; those of the claims, and more.
METRICS = {name: formula for name, formula in counters.COUNTS.items() if name != "ops"} | {
    "shared_atomic_requests": f"{SASS}_shared_atom.sum",
    "shared_atomic_wavefronts": f"{WAVEFRONTS}_atom.sum",
    "matrix_load_requests": f"{SASS}_ldsm.sum",
    "matrix_load_wavefronts": f"{WAVEFRONTS}_ldsm.sum",
    "matrix_store_requests": f"{SASS}_shared_stsm.sum",
    "matrix_store_wavefronts": f"{WAVEFRONTS}_stsm.sum",
    "global_load_requests": f"{SASS}_global_ld.sum",
    "global_store_requests": f"{SASS}_global_st.sum",
    "local_load_requests": f"{SASS}_local_ld.sum",
    "local_store_requests": f"{SASS}_local_st.sum",
    "atomic_requests": f"{SASS}_shared_atom.sum + {SASS}_global_atom.sum + {SASS}_global_red.sum",
    "atomic_sectors": "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum"
    " + smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum",
}
# Quantity: the opcodes whose warp instructions add up to it.
OPCODES = {
    "barrier_instructions": {"BAR"},
    "tensor_instructions": {"HMMA", "IMMA", "BMMA", "DMMA"},
    "shuffles": {"SHFL"},
    "votes": {"VOTE", "VOTEU"},
    "warp_reductions": {"REDUX"},
}


def quantities(launch: dict[str, str]) -> dict[str, int]:
    by_opcode = counters.opcodes(WARP_OPCODES, launch)
    values = {name: value_of(formula, launch) for name, formula in METRICS.items()}
    for name, bases in OPCODES.items():
        values[name] = sum(n for opcode, n in by_opcode.items() if opcode.split(".")[0] in bases)
    return values


def sums_by_opcode(launch: dict[str, str], counted: dict[str, int]) -> dict[str, int]:
    """What the GPU counts by opcode, in a pass of its own, where that differs from its counters."""
    off = counted["thread_instructions"] - counted["thread_instructions_pred_on"]
    totals = {
        "warp_instructions": number(launch[WARP_OPCODES]),
        "thread_instructions": off + number(launch[THREAD_OPCODES]),
        "thread_instructions_pred_on": number(launch[THREAD_OPCODES]),
    }
    return {name: total for name, total in totals.items() if total != counted[name]}


def programs_of(binary: Path) -> list[str]:
    """Of a family the programs; a program that stands alone takes no argument, and says "ok"."""
    listed = subprocess.run([binary, "--list"], capture_output=True, text=True, check=True).stdout.split()
    return [binary.name] if listed == ["ok"] else listed


def profile(family: Path, program: str, log: Path) -> None:
    """Run a program under ncu, its table into log."""
    metrics = [*metrics_of(" + ".join(METRICS.values())), WARP_OPCODES, THREAD_OPCODES]
    command = [
        *(counters.profiler(), "--csv", "--page", "raw", "--print-units", "base"),
        *("--print-metric-instances", "details", "--clock-control", "none", "--cache-control", "none"),
        *("--metrics", ",".join(dict.fromkeys(metrics)), "--log-file", log, family, program),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or "ok" not in done.stdout.split():
        messages = f"{done.stdout.strip()} {done.stderr.strip()}"
        raise SystemExit(f"record.py: {program} failed under ncu: {messages}")


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


def measure(family: Path, program: str, runs: int, logs: Path) -> list[dict]:
    if not list(logs.glob(f"{program}.*.csv")):
        for run in range(runs):
            profile(family, program, logs / f"{program}.{run}.csv")
    tables = [read_log(log) for log in sorted(logs.glob(f"{program}.*.csv"))]
    by_launch = enumerate(zip(*tables, strict=True))
    return [merge(program, index, list(launches)) for index, launches in by_launch]


def provenance() -> dict:
    compiler = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=True).stdout
    return {
        "gpu": ask_gpu("name"),
        "driver": ask_gpu("driver_version"),
        "compiler": "nvcc " + compiler.rpartition(" V")[2].split()[0],
        "flags": BUILD,
        "profiler": counters.version(),
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
    families = sorted(path.resolve() for path in arguments.binaries.iterdir() if os.access(path, os.X_OK))
    programs = {program: family for family in families for program in programs_of(family)}
    header = provenance()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(3) as pool:
        logs = arguments.logs or Path(scratch)
        logs.mkdir(parents=True, exist_ok=True)
        measured = pool.map(
            lambda name: measure(programs[name], name, arguments.runs, logs), sorted(programs)
        )
        lines = [json.dumps(row) for launches in measured for row in launches]
    name = f"counters.{slug(header['gpu'])}.jsonl"
    (arguments.out / name).write_text("\n".join([json.dumps(header), *lines]) + "\n", encoding="utf-8")
    print(f"{name}: {len(programs)} programs, {len(lines)} launches")
    return 0


if __name__ == "__main__":
    sys.exit(main())
