"""Results in the form that the experiments write, with values made up for the tests.

Each claim has a default that its rule calls "holds"; a test changes what it is about.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from analysis import block_sums, divergence, launches, noise, padding, work
from analysis.common.evidence import Evidence, load

N = 1 << 26
COUNTED = 1 << 16
SPREAD = (0.99, 1.0, 1.0, 1.0, 1.0, 1.01)  # of six repetitions around their median

OPS = {
    "hillis_steele": lambda n, log: n * log - (n - 1),
    "sklansky": lambda n, log: n // 2 * log,
    "blelloch": lambda n, log: 2 * (n - 1),
    "brent_kung": lambda n, log: 2 * n - 2 - log,
}


def counted_row(name: str, predicted: dict | None = None, **counters) -> dict:
    stated = {f"predicted_{quantity}": value for quantity, value in (predicted or {}).items()}
    return {"name": name, "repetition_index": 0, "real_time": 0.0, "time_unit": "us"} | counters | stated


def timed_rows(times: dict[str, float]) -> list[dict]:
    return [
        {"name": name, "repetition_index": index, "real_time": time * factor, "time_unit": "us"}
        for name, time in times.items()
        for index, factor in enumerate(SPREAD)
    ]


def document(
    claim: str, rows: list[dict], gpu: str | None = None, order: int = 10, code: str = "same"
) -> dict:
    fields = ("title", "claim", "source", "prediction", "method", "fails_if")
    about = {"id": claim, "order": order} | {field: f"{field} of {claim}" for field in fields}
    machine = {"kind": "gpu", "name": gpu} if gpu else {"kind": "simt", "name": "SIMT machine"}
    machine |= {} if gpu else {"warp": 32, "banks": 32, "sector_bytes": 32}
    provenance = {"device_code": code} | ({"wall_seconds": 1.5, "date": "2000-01-01"} if gpu else {})
    context = {"schema": 1, "claim": about, "machine": machine, "provenance": provenance, "skipped": []}
    return {"context": context, "benchmarks": rows}


def write(results: Path, machine: str, content: dict) -> Path:
    path = results / machine / f"{content['context']['claim']['id']}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return path


def evidence(results: Path, claim: str, counted: list[dict] | None, times: dict | None) -> Evidence:
    """What load() makes of these counts and times; None leaves that machine out."""
    if counted is not None:
        write(results, "simt", document(claim, counted))
    if times is not None:
        write(results, "nvidia-h200", document(claim, timed_rows(times), gpu="NVIDIA H200"))
    return load(results, claim)[0]


def changed(times: dict, **by_part: float) -> dict:
    """The times with every case that matches a part set to that value."""
    for part, value in by_part.items():
        times = times | dict.fromkeys(matching(times, part), value)
    return times


def matching(names: Iterable[str], part: str) -> list[str]:
    """The names that contain all words of a part such as "spine:host__n:1024"; at least one."""
    found = [name for name in names if all(word in name for word in part.split("__"))]
    assert found, f"no case matches {part}"
    return found


def references(tail: str, *operations: str) -> dict:
    found = {f"copy/device_to_device{tail}": 10.0}
    for operation in operations:
        found |= {f"{operation}/cub_device{tail}": 15.0}
    return found


WORK_TILES = (512, 1024)


def work_counts() -> list[dict]:
    cases = [(index, 1 << log, 1 << log) for index in ("plain",) for log in range(1, 12)]
    cases += [(index, tile, COUNTED) for index in work.MAPS for tile in WORK_TILES]
    rows = []
    for algorithm, ops in OPS.items():
        for index, tile, n in cases:
            total = ops(tile, tile.bit_length() - 1) * n // tile
            name = f"scan/{algorithm}/index:{index}/tile:{tile}/n:{n}"
            rows.append(counted_row(name, {"ops": total}, ops=total, warp_ops=total // 8, bank_conflicts=0))
    return rows


def work_times() -> dict:
    times = {}
    for cache in ("cold", "warm"):
        tail = f"/cache:{cache}/n:{N}"
        for tile in WORK_TILES:
            for algorithm in work.ALGORITHMS:
                for index in work.MAPS:
                    name = f"scan/{algorithm}/index:{index}/tile:{tile}{tail}"
                    times[name] = 200.0 if algorithm == "hillis_steele" else 100.0
            times[f"scan/cub_block/tile:{tile}{tail}"] = 20.0
        times |= references(tail, "scan")
    return times


def divergence_counts() -> list[dict]:
    rows = []
    for (operation, algorithm), _ in divergence.KERNELS.items():
        for index in divergence.MAPS:
            for threads in divergence.THREADS:
                warps = (100 if threads == "spaced" else 40) * COUNTED // divergence.TILE
                block = divergence.BLOCK[operation, algorithm]
                factors = f"threads:{threads}/index:{index}/block:{block}/tile:1024"
                name = f"{operation}/{algorithm}/{factors}/n:{COUNTED}"
                counters = {
                    "active_warps": warps,
                    "warp_ops": warps,
                    "active_lanes": 20.5,
                    "bank_conflicts": 0,
                }
                rows.append(counted_row(name, {"active_warps": warps}, **counters))
    return rows


def divergence_times() -> dict:
    times = {}
    for cache in ("cold", "warm"):
        tail = f"/cache:{cache}/n:{N}"
        for operation, algorithm in divergence.KERNELS:
            for index in divergence.MAPS:
                for threads in divergence.THREADS:
                    block = divergence.BLOCK[operation, algorithm]
                    factors = f"threads:{threads}/index:{index}/block:{block}/tile:1024"
                    times[f"{operation}/{algorithm}/{factors}{tail}"] = (
                        200.0 if threads == "spaced" else 100.0
                    )
        times |= references(tail, "scan", "reduce")
    return times


TILES = (512, 1024, 2048)


def padding_counts() -> list[dict]:
    rows = []
    for size in (4, 8):
        for tile in TILES:
            for index in padding.MAPS:
                conflicts = COUNTED if index == "plain" else 0
                name = f"scan/blelloch/index:{index}/bytes:{size}/tile:{tile}/n:{COUNTED}"
                rows.append(counted_row(name, {"bank_conflicts": conflicts}, bank_conflicts=conflicts))
    return rows


def padding_times() -> dict:
    times = {}
    for cache in ("cold", "warm"):
        for size in (4, 8):
            tail = f"/cache:{cache}/n:{N}"
            for tile in TILES:
                for index in padding.MAPS:
                    name = f"scan/blelloch/index:{index}/bytes:{size}/tile:{tile}{tail}"
                    times[name] = 200.0 if index == "plain" else 100.0
                times[f"scan/cub_block/bytes:{size}/tile:{tile}{tail}"] = 20.0
            times |= references(f"/bytes:{size}{tail}", "scan")
    return times


LENGTHS = [1 << log for log in range(10, 15)]


def block_sums_counts() -> list[dict]:
    rows = []
    for n in LENGTHS:
        for spine in block_sums.SPINES:
            copies = 2 if spine == "host" and n > block_sums.TILE else 0
            moved = copies // 2 * 4 * n // block_sums.TILE
            counters = {"launches": 2, "copies": copies, "bytes_to_host": moved, "bytes_to_device": moved}
            rows.append(
                counted_row(f"scan/three_phase/spine:{spine}/vector:device/n:{n}", counters, **counters)
            )
    return rows


def block_sums_times() -> dict:
    times = {}
    for cache in ("cold", "warm"):
        for n in LENGTHS:
            tail = f"/cache:{cache}/n:{n}"
            for vector in block_sums.VECTORS:
                for spine in block_sums.SPINES:
                    times[f"scan/three_phase/spine:{spine}/vector:{vector}{tail}"] = 100.0
            times |= references(f"/vector:device{tail}", "scan")
    return times


NOISE_LENGTHS = [1 << log for log in (12, 16, 20, 24, 26)]


def noise_counts() -> list[dict]:
    rows = []
    for n in NOISE_LENGTHS[:2]:
        for algorithm in ("hillis_steele", "blelloch", "three_phase"):
            for twin in ("a", "b"):
                name = f"scan/{algorithm}/twin:{twin}/n:{n}"
                rows.append(counted_row(name, {"ops": n}, ops=n, barriers=n // 64))
    return rows


def noise_times() -> dict:
    times = {}
    for n in NOISE_LENGTHS:
        for cache in ("cold", "warm"):
            for algorithm in noise.LOOKS:
                operation = "copy" if algorithm == "device_to_device" else "scan"
                for twin in ("a", "b"):
                    times[f"{operation}/{algorithm}/twin:{twin}/cache:{cache}/n:{n}"] = 100.0
    return times


KERNELS = (1, 2, 4, 8, 16)


def launches_counts() -> list[dict]:
    rows = []
    for k in KERNELS:
        for blocks in (1, 1024):
            counters = {"launches": k, "global_load_sectors": 0, "global_store_sectors": 0}
            name = f"launch/empty/kernels:{k}/blocks:{blocks}/queued:ahead/n:1"
            rows.append(counted_row(name, counters, **counters))
    return rows


def launches_times() -> dict:
    """One launch more costs 1 us; a level of 2^20 floats takes 100 us, one of 2^22 400 us."""
    times = {}
    for cache in ("cold", "warm"):
        for queued, blocks in launches.WAYS:
            for k in KERNELS:
                name = f"launch/empty/kernels:{k}/blocks:{blocks}/queued:{queued}/cache:{cache}/n:1"
                times[name] = 3.0 + k
        times[f"copy/device_to_device/cache:{cache}/n:1"] = 3.0
        for log in (10, 20, 22):
            times[f"reduce/tree/tile:1024/cache:{cache}/n:{1 << log}"] = max(
                4.0, 100.0 * (1 << log) / (1 << 20)
            )
            times[f"copy/device_to_device/cache:{cache}/n:{1 << log}"] = 10.0
    return times


COUNTS = {
    "work": work_counts,
    "divergence": divergence_counts,
    "padding": padding_counts,
    "block_sums": block_sums_counts,
    "noise": noise_counts,
    "launches": launches_counts,
}
TIMES = {
    "work": work_times,
    "divergence": divergence_times,
    "padding": padding_times,
    "block_sums": block_sums_times,
    "noise": noise_times,
    "launches": launches_times,
}
CLAIMS = list(COUNTS)
