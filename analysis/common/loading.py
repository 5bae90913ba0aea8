"""Load the evidence for a claim: times, counts, counters and the noise floor of each GPU."""

import functools
from pathlib import Path

from analysis.common.errors import EvidenceError
from analysis.common.evidence import Evidence, Results
from analysis.common.files import (
    CLAIM_FIELDS,
    COUNTERS,
    SCHEMA,
    check_counters,
    claim_of,
    read_json,
    read_rows,
    read_table,
    recordings,
    remedy,
)
from analysis.common.noise_floor import EXPERIMENT, Floor, floors

REFERENCE_GPU = "nvidia-h200"
TABLES = {  # of a case's steps, beside its counts: <claim>.<name>.csv, and the columns each has at the least
    "steps": ("case", "launch", "step", "ops"),
    "trace": ("case", "step", "warp", "request", "kind", "lane", "word"),
    "shared": ("case", "step", "array", "word", "value"),
}


def load(results: Path, claim: str) -> list[Evidence]:
    """The evidence for a claim, once for each GPU, the reference GPU first; without a GPU, once."""
    machines = [read(path) for path in recordings(results, f"{claim}.json")]
    counters = {path.parent.name: read(path) for path in recordings(results, f"{claim}{COUNTERS}")}
    if not machines and not counters:
        raise EvidenceError(f"{results}/*/{claim}.json: no results for this claim; run make")
    counted = next((each for each in machines if each.machine["kind"] == "simt"), None)
    timed = {each.folder: each for each in machines if each.machine["kind"] == "gpu"}
    found = []
    for gpu in sorted({*timed, *counters}, key=lambda gpu: (gpu not in timed, gpu != REFERENCE_GPU, gpu)):
        times = timed.get(gpu)
        about = (counted or times or counters[gpu]).claim
        found.append(Evidence(about, counted, times, counters.get(gpu), floor_of_gpu(results / gpu)))
    return found or [Evidence(counted.claim, counted, None)]


def floor_of_gpu(folder: Path) -> Floor:
    """The noise floor of the GPU whose results are in this folder; none if it was not recorded."""
    path = folder / f"{EXPERIMENT}.json"
    return read_floor(path, version(path)) if path.exists() else Floor()


@functools.cache
def read_floor(path: Path, _version: tuple) -> Floor:
    return floors(read(path))


def read(path: Path) -> Results:
    """One results file and the tables beside it, checked: times, counts or counters. Its frames are not to be
    changed: until a file is written anew, all share them."""
    files = [path, *(path.with_suffix(f".{name}.csv") for name in TABLES)]
    return read_once(path, tuple(version(each) for each in files))


def version(path: Path) -> tuple | None:
    """Another one whenever the file is written anew; None if there is no file."""
    if not path.exists():
        return None
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


@functools.lru_cache(maxsize=256)
def read_once(path: Path, _versions: tuple) -> Results:
    document = read_json(path)
    context = document.get("context")
    if not isinstance(context, dict) or context.get("schema") != SCHEMA:
        raise EvidenceError(f"{path}: not results of schema {SCHEMA}; {remedy(path)}")
    claim, machine = context.get("claim", {}), context.get("machine", {})
    lacking = [field for field in CLAIM_FIELDS if field not in claim]
    if lacking or claim["id"] != claim_of(path):
        wrong = f"its claim lacks {', '.join(lacking)}" if lacking else f"it is about '{claim['id']}'"
        raise EvidenceError(f"{path}: {wrong}; {remedy(path)}")
    if machine.get("kind") not in ("simt", "gpu") or "name" not in machine:
        raise EvidenceError(f"{path}: its machine has no kind (simt or gpu) or no name; {remedy(path)}")
    hardware, metrics = path.name.endswith(COUNTERS), context.get("metrics")
    if hardware and (machine["kind"] != "gpu" or not isinstance(metrics, dict) or not metrics):
        raise EvidenceError(f"{path}: counters that are not a GPU's or name no metrics; {remedy(path)}")
    rows = read_rows(path, document.get("benchmarks"), timed=machine["kind"] == "gpu" and not hardware)
    if hardware:
        check_counters(path, rows, metrics)
    return Results(
        path=path,
        claim=claim,
        machine=machine,
        provenance=context.get("provenance", {}),
        skipped=context.get("skipped", []),
        rows=rows,
        metrics=metrics or {},
        **{name: read_table(path.with_suffix(f".{name}.csv"), columns) for name, columns in TABLES.items()},
    )
