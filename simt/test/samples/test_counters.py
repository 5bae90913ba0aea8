"""Reading a GPU's counters for whole programs, with mocks of nvidia-smi and ncu."""

import csv
import os
import subprocess
import sys

import pytest

from experiments.test.project import ROOT

PYTHON = "/usr/bin/env python3"
NVIDIA_SMI = """#!/bin/sh
case "$*" in *query-gpu=name*) echo "Test GPU";; *) echo 1;; esac
"""
# Of every program three launches: two of one kernel and shape, whose counts differ, and another shape.
NCU = f"""#!{PYTHON}
import csv, os, sys
if "--version" in sys.argv:
    sys.exit(print("Version 1.2.3 (build 4)"))
log = sys.argv[sys.argv.index("--log-file") + 1]
metrics = sys.argv[sys.argv.index("--metrics") + 1].split(",")
with open(log, "w") as file:
    file.write(os.environ.get("NCU_SAYS") or "==PROF== Connected\\n")
    if os.environ.get("NCU_SAYS") or "--kernel-id" in sys.argv and "IGNORES_ID" in os.environ:
        sys.exit()
    table = csv.writer(file, quoting=csv.QUOTE_ALL)
    table.writerow(["ID", "Kernel Name", "Block Size", "Grid Size", *metrics])
    table.writerow([""] * (4 + len(metrics)))
    for number, (grid, value) in enumerate([("(2, 1, 1)", "1,000"), ("(2, 1, 1)", "7"), ("(4, 1, 1)", "20")]):
        opcodes = {{"sass__inst_executed_per_opcode_with_modifier_all": "8 (BAR.SYNC: 8)",
                   "sass__thread_inst_executed_true_per_opcode_with_modifier_all": "256 (BAR.SYNC: 256)",
                   "memory_l1_wavefronts_shared_ideal": "0",
                   "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "n/a"}}
        table.writerow([number, "sum", "(64, 1, 1)", grid, *(opcodes.get(each, value) for each in metrics)])
"""


@pytest.fixture
def record(tmp_path):
    """record(options, variables of the mocks): status, output and rows of the recording of `vectorAdd`."""
    for name, text in {"nvidia-smi": NVIDIA_SMI, "ncu": NCU}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)

    def run(**variables: str) -> tuple[int, str, list[dict]]:
        out = tmp_path / "samples.counters.csv"
        environment = (
            os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "NCU": f"{tmp_path}/ncu"} | variables
        )
        command = [
            sys.executable,
            "-m",
            "simt.test.samples.counters",
            "--binaries",
            tmp_path,
            "--out",
            out,
        ]
        done = subprocess.run(
            [*command, "--only", "^vectorAdd$"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        rows = list(csv.DictReader(out.open())) if out.exists() else []
        return done.returncode, done.stdout + done.stderr, rows

    return run


def test_the_first_launch_of_each_kernel_and_shape_is_a_row(record):
    status, output, rows = record()
    assert status == 0, output
    assert [(row["grid"], row["block"]) for row in rows] == [("2x1x1", "64x1x1"), ("4x1x1", "64x1x1")]
    assert rows[0]["kernel"] == "sum"
    assert rows[0]["shared_load_wavefronts"] == rows[0]["bank_conflicts"] == "1000"
    assert rows[0]["global_load_sectors"] == ""  # no such metric on this GPU
    assert rows[0]["barriers"] == "4"  # two warps a block
    assert (rows[0]["gpu"], rows[0]["profiler"]) == ("Test GPU", "ncu 1.2.3")


def test_an_ncu_that_selects_nothing_profiles_the_first_launches(record):
    status, output, rows = record(IGNORES_ID="1")
    assert status == 0, output
    assert len(rows) == 2


@pytest.mark.parametrize(
    "says, why",
    [
        ("==ERROR== ERR_NVGPUCTRPERM - no permission\n", "the driver lets only root read the GPU's counters"),
        ("==ERROR== The application returned an error code (9).\n", "vectorAdd: ==ERROR== The application"),
    ],
)
def test_what_ncu_says_is_one_line(record, says, why):
    status, output, rows = record(NCU_SAYS=says)
    assert status == 1
    assert why in output
    assert not rows
