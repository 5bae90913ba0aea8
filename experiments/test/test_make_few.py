"""Runs of few claims in a copy of the project: at small sizes, and with another GPU."""

import json

import pytest

from analysis.core import recorded
from experiments.test.project import FEW, Project, copy_project

pytestmark = [
    pytest.mark.full,
    pytest.mark.xdist_group("make_few"),  # one process runs all of them, in this order
]


@pytest.fixture(scope="module")
def few(tmp_path_factory) -> Project:
    project = copy_project(tmp_path_factory.mktemp("project"), FEW)
    project.make()
    return project


def test_at_small_sizes_it_writes_to_a_folder_of_its_own(few):
    before = few.files()
    assert ": build/quick" in few.make("quick")
    for claim in FEW:
        assert recorded.read(few.folder / f"build/quick/results/simt/{claim}.jsonl").cases
        assert json.loads((few.folder / f"build/quick/figures/{claim}.json").read_text())["verdict"]
    assert few.files() == before


def test_with_another_gpu_the_code_that_it_runs_is_counted(few):
    """As with a GPU of sm_86 that has timed one claim: a recording of ours stands for its own."""
    claim, before = FEW[0], few.files()
    context, *cases = before[f"results/nvidia-h200/{claim}.jsonl"].decode().splitlines()
    about = json.loads(context)
    about["machine"] |= {"name": "GeForce RTX 3090", "compute_capability": "8.6"}
    here = few.folder / f"results/local/{claim}.jsonl"
    here.parent.mkdir(exist_ok=True)
    here.write_text("\n".join([json.dumps(about), *cases, ""]), encoding="utf-8")
    assert f"count     {claim} as this GPU runs it, sm_86" in few.make("figures", "GPU_ARCH=86")
    counted = recorded.read(here.parent / "sm_86" / f"{claim}.jsonl")
    code = json.loads((few.folder / f"build/gpu/experiments/{claim}.machine_code").read_text())
    assert code["architecture"] == "86"
    assert code["machine_code"] != code["counted"]
    assert counted.context.provenance["machine_code"] == code["machine_code"]
    assert counted.context.provenance["flags"].endswith("-arch=sm_86")
    few.make("GPU_ARCH=86", "BUILD=true", "RECORD=true")
    drawn = json.loads((few.folder / f"build/local/{claim}.json").read_text())
    assert drawn["machines"]["counted"]["provenance"]["machine_code"] == code["machine_code"]
    after = few.files()
    assert {name: after[name] for name in before} == before, "what is committed has the counts of sm_90"
