"""Load the evidence for a claim: times, counts, counters and the noise floor of each GPU."""

import functools
from pathlib import Path

from analysis.common import claims, recorded
from analysis.common.errors import EvidenceError
from analysis.common.evidence import Evidence, Results
from analysis.common.files import claim_of, read_table, recordings, remedy, rows_of, with_factors
from analysis.common.noise_floor import EXPERIMENT, Floor, floors
from analysis.common.recorded import COUNTERS, SUFFIX

REFERENCE_GPU = "nvidia-h200"
TABLES = {  # of a case's steps, beside its counts, and the columns each has at the least
    "steps": ("case", "launch", "step", "ops"),
    "launches": ("case", "launch", "kernel", "blocks", "threads"),  # its threads and blocks are no factors
    "trace": ("case", "step", "warp", "request", "kind", "lane", "word"),
    "shared": ("case", "step", "array", "word", "value"),
}
PLAIN = ("launches",)  # <claim>.<name>.csv; of the others the compressed table, <claim>.<name>.csv.gz


def load(results: Path, claim: str) -> list[Evidence]:
    """The evidence for a claim, once for each GPU, the reference GPU first; without a GPU, once."""
    if older := [path for name in ("", ".counters") for path in recordings(results, f"{claim}{name}.json")]:
        raise EvidenceError(f"{older[0]}: a recording of an earlier version; run make convert")
    machines = [read(path) for path in recordings(results, f"{claim}{SUFFIX}")]
    counters = {path.parent.name: read(path) for path in recordings(results, f"{claim}{COUNTERS}")}
    if not machines and not counters:
        raise EvidenceError(f"{results}/*/{claim}{SUFFIX}: no results for this claim; run make")
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
    path = folder / f"{EXPERIMENT}{SUFFIX}"
    return read(path).once(("floor",), lambda: floors(read(path))) if path.exists() else Floor()


def read(path: Path) -> Results:
    """One results file and the tables beside it, checked: times, counts or counters. Its frames are not to be
    changed: until a file is written anew, all share them."""
    source = claims.source_of(claim_of(path), path)
    files = [path, source, *(table_of(path, name) for name in TABLES)]
    return read_once(path, tuple(version(each) for each in files))


def table_of(path: Path, name: str) -> Path:
    return path.with_name(f"{claim_of(path)}.{name}.csv{'' if name in PLAIN else '.gz'}")


def version(path: Path) -> tuple | None:
    """Another one whenever the file is written anew; None if there is no file."""
    if not path.exists():
        return None
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


@functools.lru_cache(maxsize=256)
def read_once(path: Path, _versions: tuple) -> Results:
    try:
        recording = recorded.read(path)
    except recorded.FormError as error:
        raise EvidenceError(f"{error}; {remedy(path)}") from error
    context = recording.context
    if context.claim != claim_of(path):
        raise EvidenceError(f"{path}: line 1: it is about '{context.claim}'; {remedy(path)}")
    if path.name.endswith(COUNTERS) != bool(context.metrics):
        raise EvidenceError(f"{path}: line 1: counters name metrics, and nothing else does; {remedy(path)}")
    factors = {case[recorded.NAME]: case[recorded.FACTORS] for case in recording.cases}
    tables = {name: read_table(table_of(path, name), columns, factors) for name, columns in TABLES.items()}
    for name in {name for name, table in tables.items() if table is not None} - {"launches"}:
        tables[name] = with_factors(tables[name], "case", factors)
    about = {name: getattr(context, name) for name in ("machine", "provenance", "skipped", "metrics")}
    claim = claims.stated(context.claim, path)
    return Results(path=path, claim=claim, rows=rows_of(recording), factors=factors, **about, **tables)
