"""Results are of the device code as it stands; where one is not, it is named, with what to run."""

import importlib.util
import json
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = ("scripts/device_code_hash.py", "kernels", "experiments")


def stale(root: Path) -> list[str]:
    """A line for each file of results whose digest is not that of experiments/<claim>.cu, in this project."""
    spec = importlib.util.spec_from_file_location("device_code_hash", root / CODE[0])
    device_code_hash = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(device_code_hash)
    found = []
    for path in sorted((root / "results").rglob("*.json")):
        source = root / "experiments" / f"{path.name.split('.')[0]}.cu"
        name = path.relative_to(root)
        if not source.exists():
            found.append(f"{name}: there is no such experiment; delete it")
            continue
        recorded = json.loads(path.read_text())["context"]["provenance"].get("device_code")
        if recorded != device_code_hash.digest(source):
            found.append(f"{name}: of other device code than {source.relative_to(root)}; {remedy(name)}")
    return found


def remedy(name: Path) -> str:
    if "simt" in name.parts:
        return "run make all"
    if name.name.endswith(".counters.json"):
        return "run make counters on that GPU"
    if "repeat" in name.parts:
        return "run scripts/record.py --repeat on that GPU"
    return "run make record on that GPU"


def test_all_results_are_of_the_code_as_it_stands():
    found = stale(ROOT)
    assert not found, "\n".join(["stale results:", *found])


@pytest.fixture
def copy(tmp_path) -> Path:
    """The code and one fresh result of each kind, with the right digests."""
    for part in CODE:
        source, target = ROOT / part, tmp_path / part
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    spec = importlib.util.spec_from_file_location("copied_hash", tmp_path / CODE[0])
    device_code_hash = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(device_code_hash)
    digest = device_code_hash.digest(tmp_path / "experiments/work.cu")
    content = json.dumps({"context": {"provenance": {"device_code": digest}}})
    for name in ("simt/work.json", "gpu/work.json", "gpu/work.counters.json", "gpu/repeat/work.json"):
        path = tmp_path / "results" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path


STALE = {
    "results/simt/work.json": "run make all",
    "results/gpu/work.json": "run make record on that GPU",
    "results/gpu/work.counters.json": "run make counters on that GPU",
    "results/gpu/repeat/work.json": "run scripts/record.py --repeat on that GPU",
}


@pytest.mark.parametrize("name", STALE)
def test_a_doctored_digest_is_noticed(copy, name):
    assert stale(copy) == []
    (copy / name).write_text(json.dumps({"context": {"provenance": {"device_code": "other"}}}))
    assert stale(copy) == [f"{name}: of other device code than experiments/work.cu; {STALE[name]}"]


def test_a_result_without_a_digest_is_noticed(copy):
    (copy / "results/gpu/work.json").write_text(json.dumps({"context": {"provenance": {}}}))
    assert len(stale(copy)) == 1


def test_changed_code_makes_all_of_its_results_stale(copy):
    kernel = copy / "kernels/block/scan_blelloch.cuh"
    before = kernel.read_text()
    kernel.write_text(f"{before}\n// A comment is no code.\n")
    assert stale(copy) == []
    kernel.write_text(f"{before}\nstruct Another {{}};\n")
    assert {line.split(":")[0] for line in stale(copy)} == set(STALE)


def test_results_of_no_experiment_are_noticed(copy):
    (copy / "experiments/work.cu").unlink()
    assert all(line.endswith("there is no such experiment; delete it") for line in stale(copy))
    assert len(stale(copy)) == len(STALE)
