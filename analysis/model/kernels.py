"""What the recorded kernels do: the GPU's own counts, scaled from the counted to the timed length."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas

from analysis.common.evidence import Evidence, Results
from analysis.common.files import claims_in
from analysis.common.loading import load
from analysis.model.shapes import LIMITS, Limits, Shape, is_modelled, resources, shape_of, without_counting

LONG = 1 << 24  # elements; the time of a shorter vector is mostly that of a launch
SECTOR = 32
NEEDED = ("warp_instructions", "shared_load_wavefronts", "global_load_sectors")


@dataclass(frozen=True)
class Kernel:
    """All launches of one case. `us`: measured, cold, the median."""

    claim: str
    case: str
    n: int
    us: float
    ops: float  # as the SIMT machine counts them; not a number if it does not
    instructions: float
    wavefronts: float
    bytes_read: float
    bytes_written: float
    launches: int
    blocks: float
    turns: float  # blocks in one place of a multiprocessor, one after the other: blocks / resident
    steps: float  # barriers, likewise
    resident: float
    registers: int  # of a thread
    copy_us: float | None  # of the same bytes, by the copy that was timed beside it
    code: tuple[str, ...]  # of each launch: see distinct.py

    @property
    def bytes(self) -> float:
        return self.bytes_read + self.bytes_written


def recorded(results: Path) -> list[Kernel]:
    """Those of the first GPU, by claim, then case."""
    return [
        kernel for claim in claims_in(results) for kernel in of_evidence(load(results, claim)[0], results)
    ]


def of_evidence(evidence: Evidence, results: Path) -> list[Kernel]:
    """The kernels of a claim that are counted and timed on long vectors, and whose shape is known."""
    counted, timed, counters = evidence.counted, evidence.timed, evidence.counters
    if not (counted and timed and counters) or counted.steps is None or not set(NEEDED) <= set(counters.rows):
        return []
    limits = LIMITS.get(timed.machine.get("compute_capability"))
    known = resources(results / timed.folder / "resources.csv")
    if limits is None or not known:
        return []
    found, launches_by_case, copy = [], launches_of(counted.steps), copy_of(timed)
    for case, row, time_rows in pairs(counters, timed):
        launches = launches_by_case.get(row["name"])
        if launches is not None and all(map(is_modelled, launches["kernel"])):
            shapes = [shape_of(name, known) for name in launches["kernel"]]
            found.append(kernel_of(evidence, case, row, time_rows, launches, shapes, limits, copy))
    return found


def stem_of(name: str) -> str:
    """The case without cache state and length."""
    return name.rsplit("/n:", 1)[0].replace("/cache:cold", "").replace("/cache:warm", "")


def pairs(counters: Results, timed: Results) -> Iterator[tuple[str, pandas.Series, pandas.DataFrame]]:
    """Each case with the counters of its longest counted and the times of its longest timed vector."""
    full = counters.rows.dropna(subset=["warp_instructions"])
    full = full.assign(case=full["name"].map(stem_of)).sort_values("n", kind="stable")
    cold = timed.where(cache="cold")
    cold = cold.assign(case=cold["name"].map(stem_of))
    longest = {case: rows[rows["n"] == rows["n"].max()] for case, rows in cold.groupby("case", sort=True)}
    for case, row in (
        full.groupby("case", sort=True).tail(1).set_index("case", drop=False).sort_index().iterrows()
    ):
        if case in longest and longest[case]["n"].iloc[0] >= LONG:
            yield case, row, longest[case]


def launches_of(steps: pandas.DataFrame) -> dict[str, pandas.DataFrame]:
    """Of each case one row a launch: its kernel, barriers and sectors, as the SIMT machine counted them."""
    if "kernel" not in steps:
        return {}
    sums = {each: "sum" for each in ("barriers", "global_load_sectors", "global_store_sectors")}
    launches = steps.groupby(["case", "launch"], sort=True).agg({"kernel": "first"} | sums)
    return dict(iter(launches.groupby(level="case", sort=False)))


def kernel_of(
    evidence: Evidence,
    case: str,
    row: pandas.Series,
    time_rows: pandas.DataFrame,
    launches: pandas.DataFrame,
    shapes: list[Shape],
    limits: Limits,
    copy: float | None,
) -> Kernel:
    """copy: microseconds a byte of the fastest copy, if one was timed."""
    n, counted = int(time_rows["n"].iloc[0]), int(row["n"])
    scale = n / counted
    blocks = turns = steps = 0.0
    for shape, barriers, long in zip(shapes, launches["barriers"], are_long(launches), strict=True):
        if long:
            own, resident = n / shape.elements, shape.resident(limits)
            blocks += own
            turns += own / resident
            steps += own / resident * barriers / (counted / shape.elements)
    read, written = traffic(evidence.counters, case, n) or (
        SECTOR * scale * row[f"global_{way}_sectors"] for way in ("load", "store")
    )
    return Kernel(
        claim=evidence.claim["id"],
        case=case,
        n=n,
        us=float(time_rows["time_us"].median()),
        ops=ops_of(evidence.counted, row["name"]) * scale,
        instructions=float(row["warp_instructions"]) * scale,
        wavefronts=float(row["shared_load_wavefronts"] + row["shared_store_wavefronts"]) * scale,
        bytes_read=float(read),
        bytes_written=float(written),
        launches=len(launches),
        blocks=blocks,
        turns=turns,
        steps=steps,
        resident=blocks / turns,
        registers=max(shape.registers for shape in shapes),
        copy_us=None if copy is None else float((read + written) * copy),
        code=tuple(map(without_counting, launches["kernel"])),
    )


def ops_of(counted: Results, name: str) -> float:
    """Not a number where the machine code does not show them: operators of integers."""
    rows = counted.rows[counted.rows["name"] == name]
    return float(rows["ops"].iloc[0]) if "ops" in rows else math.nan


def are_long(launches: pandas.DataFrame) -> list[bool]:
    """Whether a launch works on the vector itself: it moves at least a quarter as much as the largest."""
    moved = launches["global_load_sectors"] + launches["global_store_sectors"]
    return list(moved * 4 >= moved.max())


def traffic(counters: Results, case: str, n: int) -> tuple[float, float] | None:
    """Bytes read from and written to memory by the timed case itself, if they were counted."""
    rows = counters.rows[counters.rows["name"] == f"{case}/cache:cold/n:{n}"]
    if rows.empty or "global_bytes_read" not in rows or rows["global_bytes_read"].isna().any():
        return None
    return float(rows["global_bytes_read"].iloc[0]), float(rows["global_bytes_written"].iloc[0])


def copy_of(timed: Results) -> float | None:
    """Microseconds a byte of the fastest copy that was timed beside the kernels."""
    rows = timed.where(algorithm="device_to_device", cache="cold")
    rows = rows[rows["n"] >= LONG]
    if rows.empty:
        return None
    medians = rows.groupby("name").agg({"time_us": "median", "bytes": "first", "n": "first"})
    # In some claims `bytes` is a factor, the size of an element, instead of what the copy moves.
    of_copy = medians["bytes"].where(medians["bytes"] > medians["n"], 2 * medians["n"] * medians["bytes"])
    return (medians["time_us"] / of_copy).min()
