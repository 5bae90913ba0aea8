"""Recording times and counters with mock GPU tools: sums, missing metrics and failures."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.core import recorded
from analysis.test.made_up import case
from experiments.record import counters, recording

ROOT = Path(__file__).resolve().parents[2]
GPU = {"kind": "gpu", "name": "GPU"}
CASE, COLD, COPY = "scan/a/n:64", "scan/a/cache:cold/n:64", "copy/b/cache:cold/n:64"
PYTHON = "/usr/bin/env python3"  # sys.executable may have a space in its path

BINARY = f"""#!{PYTHON}
import json, os, sys
assert os.path.dirname(sys.argv[0]) in os.environ["LD_LIBRARY_PATH"], "libraries beside it are not found"
options = dict(each.lstrip("-").partition("=")[::2] for each in sys.argv[1:])
cold = [] if "ENTANGLED" in os.environ else ["{COLD}", "{COPY}"]
names = {{"counts": ["{CASE}"], "traffic": cold}}.get(options.get("profile"), ["{COLD}"])
if "list" in options:
    print(*names, sep="\\n")
    sys.exit()
rows = [
    {{"name": name, "run_name": name, "threads": 1, "family_index": i, "repetition_index": 0,
      "element_bytes": 4.0, "real_time": 1.5, "time_unit": "us"}}
    for i, name in enumerate(names)
]
context = {{"schema": 1, "claim": {{"id": "demo", "fails_if": "a rule"}}, "provenance": {{}}, "skipped": []}}
context["machine"] = {{"kind": "gpu", "name": "GPU", "repetitions": options.get("benchmark_repetitions")}}
with open(options["out"] + "/demo.json", "w") as file:
    json.dump({{"context": context, "benchmarks": rows}}, file)
"""
BUILT = {"machine_code": "digest", "architecture": "90", "compiler": "nvcc 1"}
NVIDIA_SMI = """#!/bin/sh
case "$*" in *query-gpu=name*) echo "Test GPU";; *) echo 1;; esac
"""
# Prints LAUNCHES, rows of (range, block, grid, {metric: value}), in the format of ncu.
NCU = f"""#!{PYTHON}
import csv, json, os, re, subprocess, sys
if "--version" in sys.argv:
    sys.exit(print("Version 1.2.3 (build 4)"))
log = sys.argv[sys.argv.index("--log-file") + 1]
metrics = sys.argv[sys.argv.index("--metrics") + 1].split(",")
mode = next(each for each in sys.argv if each.startswith("--profile=")).partition("=")[2]
if sys.argv[sys.argv.index("--cache-control") + 1] == "all":
    mode += ", caches empty"
rows = json.loads(os.environ["LAUNCHES"])[mode]
if metrics[0].startswith("regex:"):
    named = {{name for *_, values in rows for name in values if re.fullmatch(metrics[0][6:], name)}}
    metrics = [*sorted(named), *metrics[1:]]
with open(log, "w") as file:
    if os.environ.get("NCU_SAYS"):
        sys.exit(file.write(os.environ["NCU_SAYS"]) and 1)
    file.write("==PROF== Connected\\n")
    where = "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg"
    table = csv.writer(file, quoting=csv.QUOTE_ALL)
    table.writerow(["ID", where, "Block Size", "Grid Size", *metrics])
    table.writerow([""] * (4 + len(metrics)))
    for number, (name, block, grid, values) in enumerate(rows):
        inside = f'12  "<default domain>:{{name}}:none:none:none:none:none:none" '
        table.writerow([number, inside, block, grid, *(values.get(each, "0") for each in metrics)])
binary = next(i for i, each in enumerate(sys.argv) if each.endswith("/demo"))
sys.exit(subprocess.call(sys.argv[binary:]))
"""
LOADS = "smsp__sass_inst_executed_op_shared_ld.sum"
WARP_OPCODES = "sass__inst_executed_per_opcode_with_modifier_all"
THREAD_OPCODES = "sass__thread_inst_executed_true_per_opcode_with_modifier_all"
READ, WRITTEN = "dram__bytes_read.sum", "dram__bytes_write.sum"


@pytest.fixture
def machine(tmp_path) -> Path:
    """A folder with a binary, and mocks of nvidia-smi and ncu in tools/."""
    for path, text in {
        "binaries/demo": BINARY,
        "binaries/demo.machine_code": json.dumps(BUILT),
        "tools/nvidia-smi": NVIDIA_SMI,
        "tools/ncu": NCU,
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
        (tmp_path / path).chmod(0o755)
    return tmp_path


def run(
    machine: Path,
    script: str,
    launches: dict | None = None,
    says: str = "",
    ncu: str = "",
    options: list[str] = (),
) -> tuple:
    """Run a recording script. Returns its exit status, output and results."""
    environment = os.environ | {
        "PATH": f"{machine}/tools:{os.environ['PATH']}",
        "NCU": ncu or f"{machine}/tools/ncu",
        "LAUNCHES": json.dumps(launches),
        "NCU_SAYS": says,
    }
    command = [
        sys.executable,
        "-m",
        f"experiments.record.{script}",
        "--binaries",
        machine / "binaries",
        "--git-commit",
        "c",
    ]
    done = subprocess.run(
        [*command, "--out", machine / "results", *options],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    suffix = recorded.COUNTERS if script == "counters" else recorded.SUFFIX
    path = machine / "results/test-gpu" / f"demo{suffix}"
    return done.returncode, done.stdout + done.stderr, recorded.read(path) if path.exists() else None


def launch(name: str, **values) -> tuple:
    return (name, "(64, 1, 1)", "(2, 1, 1)", values)


def two_runs(**of_counts) -> dict:
    """A counted case of two launches; a cold-cache case and a copy, each with its write-back."""
    return {
        "counts": [launch(CASE, **{LOADS: "1,200"}, **of_counts), launch(CASE, **{LOADS: "34"})],
        "traffic": [
            launch(COLD, **{READ: "256", WRITTEN: "200"}),
            launch(f"WRITE_BACK {COLD}", **{READ: "9,999", WRITTEN: "56"}),
            launch(f"WRITE_BACK {COPY}", **{READ: "9,999", WRITTEN: "256"}),
        ],
    }


def test_launches_of_a_case_add_up(machine):
    opcodes = {
        WARP_OPCODES: "99 (LDS: 8; BAR.SYNC.DEFER_BLOCKING: 12; LDS.64: 4; FADD: 6)",
        THREAD_OPCODES: "999 (LDS: 200; LDS.64: 66; BAR.SYNC.DEFER_BLOCKING: 384; STS.U8: 7)",
    }
    status, said, results = run(machine, "counters", two_runs(**opcodes))
    assert status == 0, said
    counted, cold = results.full()
    assert (counted["name"], counted["launches"], counted["shared_load_requests"]) == (CASE, 2, 1234)
    assert counted["barriers"] == 6  # 12 per warp, 2 warps per block
    assert counted["operator_instructions"] == 6
    assert counted["wide_shared_loads"] == 4  # 33 lanes, thus 2 warps, in each of 2 blocks
    assert counted["wide_shared_stores"] == 0
    assert (cold["name"], cold["launches"]) == (COLD, 1)
    assert (cold["global_bytes_read"], cold["global_bytes_written"]) == (256, 256)
    assert results.context.provenance["profiler"] == "ncu 1.2.3"
    assert results.context.metrics["shared_load_requests"] == LOADS


@pytest.mark.parametrize("path", sorted(counters.EXPERIMENTS.glob("*/*/metrics.csv")), ids=str)
def test_a_claim_may_ask_for_metrics_of_its_own(path):
    own = counters.own_metrics(path.parent.name)
    assert own and not set(own) & {*counters.COUNTS, *counters.TRAFFIC}
    assert all(counters.metrics_of(formula) for formula in own.values())
    assert not counters.own_metrics("noise")


def test_waits_are_shares_of_all_cycles_of_warps(machine):
    """Launches weigh by their issues; what is no reason, or writes a case's bytes back, does not count. In
    none of a launch's runs do caches hold what the one before has read."""
    barrier, wait, apart = (
        f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio"
        for reason in ("barrier", "wait", "barrier_not_issued")
    )
    issues = "smsp__issue_active.sum"
    launches = [
        launch(COLD, **{barrier: "1.5", wait: "0.5", apart: "9", issues: "1,000"}),
        launch(COLD, **{barrier: "0", wait: "1", issues: "2,000"}),
        launch(f"WRITE_BACK {COLD}", **{barrier: "7", issues: "1,000"}),
    ]
    table = machine / "results/test-gpu/stalls.csv"
    table.parent.mkdir(parents=True)
    table.write_text("claim,case,sleeping\nother,scan/b,1\ndemo,scan/old,1\n")
    status, said, _ = run(
        machine, "counters", {"traffic, caches empty": launches}, options=["--stalls", "demo"]
    )
    assert status == 0, said
    assert table.read_text().splitlines() == [
        "claim,case,sleeping,barrier,wait",
        "other,scan/b,1,0,0",
        f"demo,{COLD},0,0.375,0.625",
    ]


def test_cases_that_no_profiler_may_see_are_counted_alone(machine, monkeypatch):
    monkeypatch.setenv("ENTANGLED", "1")
    status, said, results = run(machine, "counters", {"counts": two_runs()["counts"]})
    assert status == 0, said
    assert [row["name"] for row in results.cases] == [CASE]
    assert "no global_bytes" not in said  # they were not requested


def test_a_row_holds_what_differs_from_row_to_row(machine):
    """Constant fields of Google Benchmark are dropped."""
    _, _, results = run(machine, "times")
    assert results.cases == [case(COLD, element_bytes=4, times_us=[1.5])]


def test_a_metric_that_the_gpu_lacks_is_said_and_left_out(machine):
    status, said, results = run(machine, "counters", two_runs(**{"smsp__inst_executed.sum": "n/a"}))
    assert status == 0, said
    lines = [line for line in said.splitlines() if "lacks" in line]
    assert len(lines) == 1 and "no warp_instructions" in lines[0]
    assert "warp_instructions" not in results.full()[0]
    assert results.cases[0]["shared_load_requests"] == 1234


def test_a_launch_outside_every_case_is_an_error(machine):
    launches = two_runs()
    launches["counts"].append(launch("scan/other/n:1"))
    status, said, results = run(machine, "counters", launches)
    assert (status, results) == (1, None)
    assert "launches outside every case, in the range scan/other/n:1" in said


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            {"says": "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission"},
            "run it as root, or see",
        ),
        ({"says": "==ERROR== Out of luck"}, "ncu failed (exit status 1): ==ERROR== Out of luck"),
    ],
)
def test_what_prevents_reading_counters_is_one_line(machine, settings, expected):
    assert run(machine, "counters", two_runs())[0] == 0
    status, said, results = run(machine, "counters", two_runs(), **settings)
    assert status == 1
    complaints = [line for line in said.splitlines() if line.startswith("counters: ")]
    assert len(complaints) == 1 and expected in complaints[0]
    assert results is not None, "the earlier results stay"
    assert not list(machine.glob("results/.*")), "nothing half-written stays"


def test_no_profiler_is_one_line(machine, monkeypatch):
    (machine / "tools/ncu").unlink()
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    status, said, results = run(machine, "counters", ncu=str(machine / "tools/ncu"))
    assert (status, results) == (1, None)
    assert said.startswith("counters: no ncu here: install Nsight Compute") and len(said.splitlines()) == 1


def test_times_carry_the_state_of_the_gpu(machine):
    status, said, results = run(machine, "times")
    assert status == 0, said
    assert results.context.machine["state_before"]["sm_clock_mhz"] == "1"
    assert results.context.provenance["git_commit"] == "c"


def test_a_recording_carries_the_digest_of_its_kernels(machine):
    _, _, results = run(machine, "times")
    assert results.context.provenance["machine_code"] == "digest"
    (machine / "binaries/demo.machine_code").unlink()
    status, said, results = run(machine, "times")
    assert status == 1 and "make gpu writes it" in said
    assert results.context.provenance["machine_code"] == "digest", "the earlier results stay"


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("NVIDIA H200", "nvidia-h200"),
        ("NVIDIA H100 80GB HBM3", "nvidia-h100"),
        ("NVIDIA H100 PCIe", "nvidia-h100-pcie"),
        ("NVIDIA A100-SXM4-80GB", "nvidia-a100-sxm4-80gb"),
    ],
)
def test_a_folder_is_named_after_the_gpu(name, folder):
    assert recording.slug(name) == folder


def recorded_claims(machine: Path) -> list[str]:
    return sorted(path.stem for path in machine.glob("results/test-gpu/*.jsonl"))


def add_binary(machine: Path, claim: str) -> None:
    for suffix in ("", ".machine_code"):
        path = machine / f"binaries/{claim}{suffix}"
        path.write_text((machine / f"binaries/demo{suffix}").read_text().replace("demo", claim))
        path.chmod(0o755)


def measure_here(machine: Path) -> tuple[int, str]:
    status, said, _ = run(machine, "times", options=["--local"])
    return status, said


def test_this_machine_is_measured_quickly_and_apart(machine):
    assert measure_here(machine)[0] == 0
    results = recorded.read(machine / "results/local/demo.jsonl")
    assert results.context.machine["repetitions"] == "3"
    assert [path.name for path in (machine / "results").iterdir()] == ["local"]
    assert run(machine, "times")[2].context.machine["repetitions"] is None


def test_this_machine_is_measured_again_only_with_other_kernels_or_another_gpu(machine):
    assert "demo (1 of 1" in measure_here(machine)[1]
    assert measure_here(machine) == (0, "")
    (machine / "binaries/demo.machine_code").write_text(json.dumps(BUILT | {"machine_code": "other"}))
    assert "demo (1 of 1" in measure_here(machine)[1]
    assert measure_here(machine) == (0, "")
    (machine / "tools/nvidia-smi").write_text(NVIDIA_SMI.replace("echo 1", "echo 2"))
    (machine / "results/local/gone.jsonl").write_text("{}")
    assert "demo (1 of 1" in measure_here(machine)[1]
    assert not (machine / "results/local/gone.jsonl").exists(), "times of another GPU stay"


def test_a_claim_that_fails_stops_no_other(machine):
    add_binary(machine, "second")
    (machine / "binaries/demo").write_text("#!/bin/sh\nexit 3\n")
    status, said = measure_here(machine)
    assert status == 1
    complaints = [line for line in said.splitlines() if line.startswith("record: ")]
    assert "demo failed (exit status 3)" in complaints[0] and complaints[1] == "record: not measured: demo"
    assert [path.name for path in machine.glob("results/*/*")] == ["second.jsonl"]
    assert "demo (1 of 1" in measure_here(machine)[1]


def interrupted(machine: Path, *options: str) -> list[str]:
    """Stop a recording in its second claim. Returns the files of results that are left."""
    add_binary(machine, "second")
    (machine / "binaries/second").write_text("#!/bin/sh\necho second runs\nexec sleep 60\n")
    command = [sys.executable, "-m", "experiments.record.times", "--binaries", machine / "binaries"]
    process = subprocess.Popen(
        [*command, "--out", machine / "results", *options],
        cwd=ROOT,
        env=os.environ | {"PATH": f"{machine}/tools:{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while "second runs" not in process.stdout.readline():
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    assert "earlier results stay" in process.communicate()[0]
    assert process.returncode == 130
    return sorted(str(path.relative_to(machine)) for path in machine.glob("results/**/*") if path.is_file())


def test_interrupted_it_keeps_what_this_machine_measured(machine):
    assert interrupted(machine, "--local") == ["results/local/demo.jsonl"]


def test_interrupted_a_recording_to_commit_leaves_nothing(machine):
    assert interrupted(machine) == []


def test_the_time_left_follows_what_is_done(tmp_path):
    for claim, seconds in (("a", 10), ("b", 20), ("c", 30)):
        cases, provenance = [case("scan/a/n:1", times_us=[1])], {"wall_seconds": seconds}
        made = recorded.recording(claim, "rule", GPU, cases, provenance=provenance)
        (tmp_path / f"{claim}.jsonl").write_text(recorded.text_of(made))
    files = ["a.jsonl", "b.jsonl", "c.jsonl"]
    assert recording.time_left(files, 0, 0.0, tmp_path) == ", about 60 s left"
    assert recording.time_left(files, 1, 5.0, tmp_path) == ", about 25 s left"
    assert recording.time_left([*files, "new.jsonl"], 1, 5.0, tmp_path) == ""
