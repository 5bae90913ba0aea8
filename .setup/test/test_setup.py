""".setup/setup.sh: silent if all is installed, prints one command if it lacks permission."""

import os
import shutil
import subprocess

from experiments.test.project import ROOT

SETUP_NEEDS = {"bash", "env", "dirname", "xargs", "echo", "g++", "as", "ld", "cmake", "ninja", "ccache"}
SETUP_NEEDS |= {"mpicxx", "mpirun"}
OFFLINE = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "http_proxy": "http://127.0.0.1:9/"}


def setup(**environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [ROOT / ".setup/setup.sh"], env=os.environ | environment, capture_output=True, text=True
    )


def commands(folder, without: set[str], **fakes: str) -> str:
    """A PATH with the commands that setup uses, some omitted, some replaced by shell scripts."""
    for name in SETUP_NEEDS - without:
        (folder / name).symlink_to(shutil.which(name))
    for name, script in fakes.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    return str(folder)


def test_nothing_is_fetched_where_all_is_there():
    answer = setup(**OFFLINE)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")


def test_without_root_it_names_the_one_command(tmp_path):
    fakes = {"id": "echo 1000", "sudo": "exit 1", "apt-get": "exit 1"}
    answer = setup(PATH=commands(tmp_path, {"cmake", "ninja", "ccache", "mpicxx", "mpirun"}, **fakes))
    assert answer.returncode != 0
    assert len(answer.stderr.splitlines()) == 1
    assert (
        "sudo apt-get update && sudo apt-get install --no-install-recommends cmake ninja-build"
        in answer.stderr
    )


def test_without_apt_it_names_the_packages(tmp_path):
    answer = setup(PATH=commands(tmp_path, {"cmake"}))
    assert answer.returncode != 0
    assert answer.stderr == "set-up    install these packages (Debian's names): cmake; then run make again\n"
