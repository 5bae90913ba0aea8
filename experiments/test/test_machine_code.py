"""The digest of machine code: only a changed instruction of a launched kernel changes it, not names or paths.

Needs nvcc but no GPU. Device code of three claims is compiled: launches and recursion reduce tiles; noise
includes the same headers but only scans tiles.
"""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from experiments.test.project import SOURCES

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = ("launches", "noise", "recursion")
pytestmark = [pytest.mark.xdist_group("machine code"), pytest.mark.full]
NVCC = os.environ.get("NVCC") or shutil.which("nvcc")


def digest(folder: Path, claim: str, *others: str) -> str:
    """Of sm_90; others: architectures that the claim is compiled for besides."""
    object_file, out = folder / f"{claim}.o", folder / f"{claim}.machine_code"
    compile_it = [
        NVCC,
        "-c",
        "-O3",
        "-std=c++17",
        *(f"-gencode=arch=compute_{each},code=sm_{each}" for each in ("90", *others)),
        f"-I{folder}",
        f'-DEXPERIMENT="{claim}"',
        folder / SOURCES[claim],
    ]
    subprocess.run([*compile_it, "-o", object_file], check=True)
    script = [
        sys.executable,
        "-m",
        "experiments.record.machine_code",
        "--architecture",
        "90",
        "--compiler",
        "nvcc",
    ]
    subprocess.run([*script, "--out", out, object_file], cwd=ROOT, check=True)
    return json.loads(out.read_text())["machine_code"]


def digests(folder: Path) -> dict[str, str]:
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(CLAIMS, pool.map(lambda claim: digest(folder, claim), CLAIMS), strict=True))


def copy(folder: Path) -> Path:
    for part in ("kernels", "experiments"):
        shutil.copytree(ROOT / part, folder / part)
    return folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text, f"{path} has no {old} any more: correct this test"
    path.write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def before(tmp_path_factory) -> dict[str, str]:
    if not NVCC:
        pytest.skip("no nvcc: digests of machine code are not compared")
    return digests(copy(tmp_path_factory.mktemp("before")))


def test_kernels_differ(before):
    assert len(set(before.values())) == len(CLAIMS)


def test_the_code_of_other_architectures_does_not_count(before, tmp_path):
    assert digest(copy(tmp_path), "launches", "80") == before["launches"]


def test_names_and_places_leave_every_digest_as_it_was(before, tmp_path):
    folder = copy(tmp_path)
    old, new = "kernels/textbook/device/reduce_tiles.cuh", "kernels/elsewhere/tiles.cuh"
    (folder / new).parent.mkdir()
    (folder / old).rename(folder / new)
    for path in [*folder.rglob("*.cu*"), *folder.rglob("*.h")]:
        path.write_text(path.read_text().replace(old, new))
    edit(folder / new, "base", "first_element_of_this_tile")
    edit(folder / new, "reduce_one_tile", "reduce_the_tile")
    edit(folder / "kernels/textbook/block/reduce_tree.cuh", "#pragma once", "// A comment.\n#pragma once")
    assert digests(folder) == before


def test_a_changed_constant_is_noticed_in_the_claims_that_launch_the_kernel(before, tmp_path):
    folder = copy(tmp_path)
    kernel = folder / "kernels/textbook/device/reduce_tiles.cuh"
    edit(kernel, "if (threadIdx.x == 0)", "if (threadIdx.x == 1)")
    changed = {claim for claim, found in digests(folder).items() if found != before[claim]}
    assert changed == {"launches", "recursion"}
