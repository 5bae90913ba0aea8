"""The bench of small programs under a mock compute-sanitizer: every kind of verdict, and failures."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PYTHON = "/usr/bin/env python3"  # sys.executable may have a space in its path

BINARY = f"""#!{PYTHON}
import sys, time
name = sys.argv[1]
if name == "--list":
    print("name,kind,expected\\nright,lock,clean\\nwrong,lock,race\\nslow,lock,race\\nstuck,deadlock,deadlock")
elif name == "stuck":
    print("skipped: stuck would hang a GPU")
elif name == "slow":
    time.sleep(60)
"""
SANITIZER = f"""#!{PYTHON}
import os, subprocess, sys
tool = sys.argv[sys.argv.index("--tool") + 1]
binary = next(i for i, each in enumerate(sys.argv) if each.endswith("/hazards"))
subprocess.call(sys.argv[binary:])
if "SILENT" in os.environ:
    sys.exit("========= Error: no device")
count = {{"racecheck": 12, "synccheck": 1}}.get(tool, 0) if sys.argv[-1] == "wrong" else 0
if tool == "racecheck":
    print(f"========= RACECHECK SUMMARY: {{count}} hazards displayed (1 error, {{count}} warnings)")
else:
    print(f"========= ERROR SUMMARY: {{count}} error{{'s' * (count != 1)}}")
"""
NVIDIA_SMI = """#!/bin/sh
echo "Test GPU"
"""


@pytest.fixture
def machine(tmp_path) -> Path:
    """A folder with a binary, and mocks of nvidia-smi and compute-sanitizer in tools/."""
    tools = {"nvidia-smi": NVIDIA_SMI, "compute-sanitizer": SANITIZER}
    for path, text in {"hazards": BINARY, **{f"tools/{tool}": text for tool, text in tools.items()}}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
        (tmp_path / path).chmod(0o755)
    return tmp_path


def run(machine: Path, **environment: str) -> tuple[int, str, Path]:
    """Run the script. Returns its exit status, its output, and the table's path."""
    command = [
        sys.executable,
        "-m",
        "simt.test.hazards.record",
        "--binary",
        machine / "hazards",
        "--seconds",
        "6",
    ]
    environment = os.environ | {"PATH": f"{machine}/tools:{os.environ['PATH']}"} | environment
    command += ["--binary", machine / "hazards", "--out", machine / "results"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr, machine / "results/test-gpu/hazards.csv"


@pytest.mark.full
def test_every_verdict(machine):
    status, output, table = run(machine)
    assert status == 0, output
    assert table.read_text().splitlines() == [
        "name,kind,expected,memcheck,racecheck,initcheck,synccheck",
        "right,lock,clean,clean,clean,clean,clean",
        "wrong,lock,race,clean,reported: 12,clean,reported: 1",
        "slow,lock,race,timeout,timeout,timeout,timeout",
        "stuck,deadlock,deadlock,skipped,skipped,skipped,skipped",
    ]
    assert [path.name for path in table.parent.iterdir()] == ["hazards.csv"]


@pytest.mark.full
def test_a_tool_without_a_summary_is_an_error(machine):
    status, output, table = run(machine, SILENT="1")
    assert status == 1
    assert "right, racecheck: ========= Error: no device" in output
    assert "hazards: a tool gave no summary of: right, wrong" in output
    assert "right,lock,clean,failed,failed,failed,failed" in table.read_text()


def test_no_compute_sanitizer(machine):
    (machine / "tools/compute-sanitizer").unlink()
    status, output, table = run(machine, PATH=f"{machine}/tools:/usr/bin:/bin")
    if "no compute-sanitizer here" not in output:
        pytest.skip("a toolkit is installed in /usr/local/cuda")
    assert status == 1 and not table.exists()
