"""Several schedules of one program: simt-run --seed, --seeds, --budget."""

import json
import os
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest

from simt.test import programs

HAZARDS = programs.BINARIES.parent / "hazards_some"


def run(*arguments: object, stdin: object = subprocess.DEVNULL) -> subprocess.CompletedProcess:
    command = [programs.MACHINE, *map(str, arguments)]
    return subprocess.run(
        command, stdin=stdin, capture_output=True, text=True, check=False, timeout=programs.SECONDS
    )


@pytest.fixture
def script(tmp_path):
    """script(text): a program of that text, which sees its seed as $SIMT_SEED."""

    def write(text: str) -> Path:
        path = tmp_path / "program.sh"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    return write


def observed(path: Path) -> dict:
    return json.loads(path.read_text())


def test_another_schedule_shows_a_race_that_the_first_one_hides(tmp_path):
    alone = run("--json", tmp_path / "alone.json", HAZARDS, "if_first")
    assert (alone.returncode, alone.stderr) == (0, "")
    several = run("--seeds", 4, "--json", tmp_path / "several.json", HAZARDS, "if_first")
    assert several.returncode == 3
    assert several.stdout == alone.stdout  # that of the first run, once
    finding, summary, again = several.stderr.splitlines()
    assert "data race on global memory" in finding
    assert finding.endswith("(first with --seed 1)")
    assert summary == "SIMT machine: 4 of 4 schedules run, 1 found"
    assert again == f"SIMT machine: one of them again: simt-run --seed N {shlex.quote(str(HAZARDS))} if_first"
    content = observed(tmp_path / "several.json")
    assert content["seeds"] == [0, 1, 2, 3]
    assert content["launches"] == observed(tmp_path / "alone.json")["launches"]
    (finding,) = content["findings"]
    assert (finding["hazard"], finding["seed"]) == ("race", 1)
    assert run("--seed", 1, HAZARDS, "if_first").returncode == 3


@pytest.mark.parametrize("name", ["last_block", "lock_no_fences", "copies_newer_group", "if_first"])
def test_a_schedule_can_be_repeated(name, tmp_path):
    path = tmp_path / "found.json"
    runs = []
    for _ in range(2):
        done = run("--seeds", 2, "--seed", 2, "--json", path, HAZARDS, name)
        runs.append((done.returncode, done.stdout, done.stderr, observed(path)))
    assert runs[0] == runs[1]


@pytest.mark.parametrize("name", ["copies_newer_group", "host_reads_copy_too_early"])
def test_with_an_odd_seed_copies_are_late(name):
    assert run("--seed", 0, HAZARDS, name).stdout == f"{name}: the result is right\n"
    assert run("--seed", 1, HAZARDS, name).stdout.startswith(f"{name}: element 0 is ")
    assert run("--seed", 2, HAZARDS, name).stdout == f"{name}: the result is right\n"


def test_the_worst_exit_status_counts(script):
    done = run("--seeds", 3, script("exit $((SIMT_SEED == 1 ? 7 : 0))"))
    assert done.returncode == 7
    assert (
        "the result depends on the schedule: with --seed 1 the program returned 7, else it returned 0"
        in done.stderr
    )
    done = run("--seeds", 2, script("kill -SEGV $$"))
    assert done.returncode == -signal.SIGSEGV
    assert "depends on the schedule" not in done.stderr


def test_other_words_in_a_schedule_are_told(script):
    words = "echo 3.5 us, $SIMT_SEED $((SIMT_SEED == 3))x; [ $SIMT_SEED = 2 ] && echo bad || echo ok"
    done = run("--seeds", 4, script(words))
    assert done.returncode == 0 and done.stdout.endswith("ok\n")
    hint = 'what the program prints depends on the schedule: with --seed 1 "ok", with --seed 2 "bad"'
    assert done.stderr.count("what the program prints") == 1 and hint in done.stderr


def test_numbers_and_the_order_of_lines_are_no_other_words(script):
    numbers = "for k in 1 2; do echo $((SIMT_SEED * k % 3)) us; done; "
    numbers += "[ $SIMT_SEED = 2 ] && echo 1e-05 s || echo 0.01 s"
    order = "; [ $SIMT_SEED = 3 ] && printf 'a\\nb\\n' || printf 'b\\na\\n'"
    done = run("--seeds", 4, script(numbers + order))
    assert done.stdout.endswith("b\na\n") and "what the program prints" not in done.stderr


def test_what_is_read_is_read_again_if_it_is_a_file(script, tmp_path):
    text = tmp_path / "text"
    text.write_text("one\ntwo\n")
    path = script(f"read line; cat >> {tmp_path}/read; echo $line, $SIMT_SEED >> {tmp_path}/read")
    with text.open() as stdin:
        assert run("--seeds", 2, path, stdin=stdin).returncode == 0
    assert (tmp_path / "read").read_text() == "two\none, 0\ntwo\none, 1\n"


def test_no_schedule_begins_after_the_budget(script, tmp_path):
    path = script(f"echo $SIMT_SEED >> {tmp_path}/seeds; sleep 1")
    done = run("--seeds", 3, "--budget", 1, path, "a b")
    assert done.returncode == 0
    assert done.stderr == (
        "SIMT machine: 1 of 3 schedules run, 0 found\n"
        "SIMT machine: the budget of 1 s is used up; the rest: "
        f"simt-run --seed 1 --seeds 2 {path} 'a b'\n"
    )
    assert (tmp_path / "seeds").read_text() == "0\n"


def test_an_interrupt_ends_all(script, tmp_path):
    path = script(f"echo $SIMT_SEED >> {tmp_path}/seeds; exec sleep 60")
    process = subprocess.Popen(
        [programs.MACHINE, "--seeds", "3", path], stderr=subprocess.DEVNULL, start_new_session=True
    )
    while not (tmp_path / "seeds").exists():
        time.sleep(0.01)
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(10) == -signal.SIGINT
    assert (tmp_path / "seeds").read_text() == "0\n"


@pytest.mark.parametrize("option", ["--seeds", "--budget"])
def test_wrong_numbers_are_one_line(option):
    done = run(option, "x", HAZARDS)
    assert (done.returncode, done.stderr) == (2, f"simt-run: {option} takes a number, not 'x'\n")
