"""Synthetic results: what the experiments write, made into recordings. The values of each claim are in
tests/analysis/claims.
"""

import gzip
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from analysis.common import recorded
from analysis.common.claims import FIELDS
from analysis.common.evidence import Evidence
from analysis.common.loading import load, table_of

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from convert import from_benchmark  # noqa: E402

N = 1 << 26
COUNTED = 1 << 16
H200 = {"compute_capability": "9.0", "sm_count": 132, "sm_clock_mhz": 1980}
SPREAD = (0.99, 1.0, 1.0, 1.0, 1.0, 1.01)  # six repetitions, relative to their median


def counted_row(name: str, predicted: dict | None = None, **counters) -> dict:
    stated = {f"predicted_{quantity}": value for quantity, value in (predicted or {}).items()}
    return {"name": name, "repetition_index": 0, "real_time": 0.0, "time_unit": "us"} | counters | stated


class Found(float):
    """A time with its case's findings attached."""

    def __new__(cls, time: float, **findings: float):
        found = super().__new__(cls, time)
        found.findings = findings
        return found


def timed_rows(times: dict[str, float]) -> list[dict]:
    return [
        {"name": name, "repetition_index": index, "real_time": time * factor, "time_unit": "us"}
        | getattr(time, "findings", {})
        for name, time in times.items()
        for index, factor in enumerate(SPREAD)
    ]


def document(
    claim: str, rows: list[dict], gpu: str | None = None, order: int = 10, code: str = "same"
) -> dict:
    about = {"id": claim} | {field: f"{field} of {claim}" for field in FIELDS} | {"order": order}
    machine = {"kind": "gpu", "name": gpu} if gpu else {"kind": "simt", "name": "SIMT machine"}
    machine |= H200 if gpu else {"warp": 32, "banks": 32, "sector_bytes": 32}
    provenance = {"machine_code": code} | ({"wall_seconds": 1.5, "date": "2000-01-01"} if gpu else {})
    context = {"schema": 1, "claim": about, "machine": machine, "provenance": provenance, "skipped": []}
    factors = {row["name"]: factors_of(row["name"]) for row in rows}
    return {"context": context | {"factors": factors}, "benchmarks": rows}


def case(name: str, **quantities) -> dict:
    """A case of a recording."""
    return {recorded.NAME: name, recorded.FACTORS: factors_of(name)} | quantities


def factors_of(name: str) -> dict:
    """Those of a case that a test writes as scan/blelloch/index:plain/n:64."""
    operation, algorithm, *levels = name.split("/")
    pairs = (level.split(":") for level in levels)
    found = {factor: int(level) if level.isdigit() else level for factor, level in pairs}
    return {"operation": operation, "algorithm": algorithm} | found


BY_STEP = "ops_by_step"  # key of a counted row: the ops column of its steps.csv


def write(results: Path, machine: str, content: dict, suffix: str = recorded.SUFFIX) -> Path:
    """The recording, and beside the results the experiment that states its claim."""
    claim, rows = content["context"]["claim"], content["benchmarks"]
    path = results / machine / f"{claim['id']}{suffix}"
    path.parent.mkdir(parents=True, exist_ok=True)
    bare = [{key: said for key, said in row.items() if key != BY_STEP and said is not None} for row in rows]
    path.write_text(recorded.text_of(from_benchmark(content | {"benchmarks": bare})))
    write_steps(path, rows)
    state(results.parent / "experiments", claim)
    return path


def state(experiments: Path, claim: dict) -> None:
    """An experiment that states this claim, and does nothing."""
    folder = experiments / "made_up" / claim["id"]
    folder.mkdir(parents=True, exist_ok=True)
    members = [f".order = {claim['order']},", *(f'.{field} = "{claim[field]}",' for field in FIELDS[1:])]
    lines = ["const harness::Claim CLAIM = {", *members, "};", ""]
    (folder / f"{claim['id']}.cu").write_text("\n".join(lines))


def write_steps(path: Path, rows: list[dict]) -> None:
    """Each step has ceil(ops / 32) active warps."""
    steps = [
        f"{row['name']},0,{step},{ops},{-(-ops // 32)}"
        for row in rows
        for step, ops in enumerate(row.get(BY_STEP, ()))
    ]
    if steps:
        lines = ["case,launch,step,ops,active_warps", *steps]
        write_table(path, "steps", "\n".join(lines) + "\n")


def write_table(path: Path, name: str, text: str) -> Path:
    """A table beside a recording."""
    table = table_of(path, name)
    table.write_bytes(gzip.compress(text.encode(), mtime=0))
    return table


def evidence(results: Path, claim: str, counted: list[dict] | None, times: dict | None) -> Evidence:
    """Write counts and times and load() them; None omits that machine."""
    if counted is not None:
        write(results, "simt", document(claim, counted))
    if times is not None:
        write(results, "nvidia-h200", document(claim, timed_rows(times), gpu="NVIDIA H200"))
    return load(results, claim)[0]


def changed(times: dict, **by_part: float) -> dict:
    """The times with every case that matches a part set to its value; findings are unchanged."""
    for part, value in by_part.items():
        known = {name: getattr(times[name], "findings", {}) for name in matching(times, part)}
        times = times | {name: Found(value, **found) for name, found in known.items()}
    return times


def with_findings(times: dict, part: str, **changes: float) -> dict:
    """The times with findings changed in every case that matches the part."""
    return times | {
        name: Found(times[name], **times[name].findings | changes) for name in matching(times, part)
    }


def with_counter(rows: list[dict], part: str, quantity: str, value: float) -> list[dict]:
    """The counts with `quantity` set in every case whose name contains all words of `part`."""
    names = matching([row["name"] for row in rows], part)
    return [row | {quantity: value} if row["name"] in names else row for row in rows]


def matching(names: Iterable[str], part: str) -> list[str]:
    """The names that contain all words of a part such as "spine:host__n:1024"; there must be one."""
    found = [name for name in names if all(word in name for word in part.split("__"))]
    assert found, f"no case matches {part}"
    return found


def tile_scan_times(tiles: Iterable[int], algorithms: Iterable[str], of: Callable[[str], float]) -> dict:
    """Times of scans for every tile, plain and padded, and of their baselines."""
    times = {}
    for cache in ("cold", "warm"):
        tail = f"/cache:{cache}/n:{N}"
        for tile in tiles:
            for algorithm in algorithms:
                for index in ("plain", "padded"):
                    times[f"scan/{algorithm}/index:{index}/tile:{tile}{tail}"] = of(algorithm)
            times[f"scan/cub_block/tile:{tile}{tail}"] = 20.0
        times |= references(tail, "scan")
    return times


def references(tail: str, *operations: str) -> dict:
    found = {f"copy/device_to_device{tail}": 10.0}
    for operation in operations:
        found |= {f"{operation}/cub_device{tail}": 15.0}
    return found
