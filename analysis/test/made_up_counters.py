"""Synthetic hardware counters in the format of experiments/record/counters.py, derived from counts."""

from pathlib import Path

from analysis.core.agreement import QUANTITIES
from analysis.core.recorded import COUNTERS
from analysis.test.made_up import document, evidence, write

CASE = "scan/blelloch/index:plain/tile:1024/n:65536"


LANES = {
    "warp_instructions": 1000,
    "thread_instructions": 31500,
    "thread_instructions_pred_on": 17600,
    "branches": 50,
    "divergent_branches": 0,
}


def counted(name: str = CASE, **changes) -> dict:
    """A row of counts."""
    counts = LANES | {
        "ops": 130944,
        "shared_load_requests": 11264,
        "shared_store_requests": 9024,
        "shared_load_wavefronts": 50944,
        "shared_store_wavefronts": 38784,
        "bank_conflicts": 69440,
        "global_load_sectors": 8192,
        "global_store_sectors": 8192,
        "bulk_bytes_loaded": 4096,
        "bulk_bytes_stored": 4096,
        "barriers": 1408,
        "launches": 1,
    }
    row = {"name": name, "repetition_index": 0, "real_time": 0.0, "time_unit": "us"}
    return row | counts | {"predicted_ops": counts["ops"]} | changes


def counters(row: dict, **changes) -> dict:
    """Hardware counters that equal the counts; lane counters as if branches were predicated."""
    same = {quantity: row[quantity] for quantity in QUANTITIES if quantity in row}
    base = {"name": row["name"], "repetition_index": 0, "real_time": 0.0, "element_bytes": 4}
    return base | LANES | same | changes


def merged(row: dict, loads: int) -> dict:
    """Counts of a case in which the compiler merged that many pairs of loads by full warps; the closed forms
    are those of before."""
    saved = {"shared_load_requests": loads, "shared_load_wavefronts": 2 * loads, "bank_conflicts": 2 * loads}
    stated = {f"predicted_{quantity}": row[quantity] for quantity in saved}
    less = {quantity: row[quantity] - number for quantity, number in saved.items()}
    return row | stated | less | {"shared_loads_of_8_bytes": loads}


def traffic(name: str, read: float, written: float, element: int = 4) -> dict:
    """A row of a timed case: bytes read and written, as multiples of the vector's size."""
    n = int(name.rpartition(":")[2])
    moved = {
        "global_bytes_read": round(read * element * n),
        "global_bytes_written": round(written * element * n),
    }
    return {"name": name, "repetition_index": 0, "elements": n, "element_bytes": element} | moved


def counters_document(claim: str, rows: list[dict], gpu: str = "NVIDIA H200", **about) -> dict:
    content = document(claim, rows, gpu=gpu, **about)
    content["context"]["metrics"] = {quantity: f"metric_of_{quantity}" for quantity in QUANTITIES}
    content["context"]["provenance"]["profiler"] = "ncu 1.2.3"
    return content


def write_counters(results: Path, content: dict, machine: str = "nvidia-h200") -> Path:
    return write(results, machine, content, COUNTERS)


def with_counters(results: Path, counts: list[dict], hardware: list[dict], claim: str = "demo"):
    """The evidence of a claim with these counts and counters, without times."""
    write_counters(results, counters_document(claim, hardware))
    return evidence(results, claim, counts, None)
