"""What the recorded kernels do, by the SIMT machine's counts, at the length at which a GPU timed them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pandas

from analysis.common.evidence import Evidence, Results
from analysis.common.files import claims_in
from analysis.common.loading import load
from analysis.model.work import LIMITS, SECTOR, Work, are_long, work_of

LONG = 1 << 24  # elements; the time of a shorter vector is mostly that of a launch
SAME = (  # what both machine and GPU count
    "warp_instructions",
    "shared_load_wavefronts",
    "shared_store_wavefronts",
    "global_load_sectors",
    "global_store_sectors",
)
TIMED_ALONE = ("rates",)  # whose kernels are those that the prices are made of


@dataclass(frozen=True, eq=False)
class Kernel:
    """All launches of one case. `us`: measured, cold, the median. `work`: of the launches that work on the
    vector itself; the others cost no more than their start."""

    claim: str
    case: str
    n: int
    counted_n: int
    us: float
    ops: float  # as the SIMT machine counts them; not a number if it does not
    launches: int
    work: tuple[Work, ...]
    copy_us: float | None  # of the same bytes, by the copy that was timed beside it
    code: tuple[str, ...]  # of each launch: see distinct.py

    def sum(self, name: str) -> float:
        return sum(each.blocks * each.sum(name) for each in self.work)

    @property
    def instructions(self) -> float:
        return self.sum("warp_instructions")

    @property
    def wavefronts(self) -> float:
        return sum(each.blocks * float(each.wavefronts.sum()) for each in self.work)

    @property
    def bytes_read(self) -> float:
        return sum(each.blocks * each.bytes_read for each in self.work)

    @property
    def bytes_written(self) -> float:
        return sum(each.blocks * each.bytes_written for each in self.work)

    @property
    def bytes(self) -> float:
        return self.bytes_read + self.bytes_written

    @property
    def blocks(self) -> float:
        return sum(each.blocks for each in self.work)

    @property
    def turns(self) -> float:
        """Blocks in one place of a multiprocessor, one after the other: blocks / resident."""
        return sum(each.blocks / each.resident(LIMITS["9.0"]) for each in self.work)

    @property
    def steps(self) -> float:
        """Barriers, likewise."""
        return sum(each.blocks / each.resident(LIMITS["9.0"]) * each.sum("barriers") for each in self.work)

    @property
    def resident(self) -> float:
        return self.blocks / self.turns

    @property
    def registers(self) -> int:
        return max(each.registers for each in self.work)


def recorded(results: Path) -> list[Kernel]:
    """Those of the first GPU, by claim, then case."""
    return [kernel for claim in claims_in(results) for kernel in of_evidence(load(results, claim)[0])]


def of_evidence(evidence: Evidence) -> list[Kernel]:
    """The kernels of a claim that are counted by step, and timed on long vectors."""
    counted, timed = evidence.counted, evidence.timed
    if not (counted and timed) or evidence.claim["id"] in TIMED_ALONE:
        return []
    if timed.machine.get("compute_capability") not in LIMITS or counted.steps is None:
        return []
    if counted.launches is None or counted.launches.empty:
        return []
    launches, copy = by_length(counted), copy_of(timed)
    steps = dict(iter(counted.steps.groupby(["case", "launch"], sort=False)))
    found = []
    for case, rows in timed_cases(timed):
        of_case = [each.to_dict("records") for each in launches.get(case, [])[-2:]]
        if of_case and all((row["case"], row["launch"]) in steps for row in of_case[-1]):
            lengths = [[work_of(row, steps[row["case"], row["launch"]]) for row in each] for each in of_case]
            found.append(kernel_of(evidence, case, of_case[-1][0]["case"], rows, lengths, copy))
    return found


def by_length(counted: Results) -> dict[str, list[pandas.DataFrame]]:
    """The launches of each case at every length that was counted, the longest last."""
    found, of_case = {}, dict(iter(counted.launches.groupby("case", sort=False)))
    for name in sorted(of_case, key=lambda name: counted.factors[name]["n"]):
        found.setdefault(counted.stems[name], []).append(of_case[name])
    return found


def timed_cases(timed: Results) -> Iterator[tuple[str, pandas.DataFrame]]:
    """Each case with the cold times of its longest vector, if that is long."""
    cold = timed.where(cache="cold")
    for case, rows in cold.groupby(cold["name"].map(timed.stems), sort=True):
        if rows["n"].max() >= LONG:
            yield case, rows[rows["n"] == rows["n"].max()]


def kernel_of(
    evidence: Evidence,
    case: str,
    counted_name: str,
    time_rows: pandas.DataFrame,
    lengths: list[list[Work]],
    copy: float | None,
) -> Kernel:
    """lengths: its launches at the longest vector counted, last, and at the one before; copy: microseconds a
    byte of the fastest copy, if one was timed."""
    n, counted_n = int(time_rows["n"].iloc[0]), evidence.counted.factors[counted_name]["n"]
    works, scale, ops = lengths[-1], n / counted_n, evidence.counted.count("ops", name=counted_name)
    shorter = {work.kernel: work for work in lengths[0]} if len(lengths) > 1 else {}
    long = [work for work, is_long in zip(works, are_long(works), strict=True) if is_long]
    made = Kernel(
        claim=evidence.claim["id"],
        case=case,
        n=n,
        counted_n=counted_n,
        us=float(time_rows["time_us"].median()),
        ops=math.nan if ops is None else ops * scale,
        launches=len(works),
        work=tuple(work.longer(scale, shorter.get(work.kernel)) for work in long),
        copy_us=None,
        code=tuple(work.kernel.replace(" ", "") for work in works),
    )
    return made if copy is None else replace(made, copy_us=made.bytes * copy)


def by_counters(kernel: Kernel, evidence: Evidence) -> Kernel | None:
    """The same as the GPU counted it; None if it did not. Warp instructions, wavefronts and sectors are the
    machine's, times the ratio of both counts of the longest vector that both counted. Bytes are those between
    GPU and memory if the timed length itself was counted; else of all sectors, each as often as it is
    touched."""
    both = rows_of_both(kernel.case, evidence)
    if both is None:
        return None
    ratio = {name: ratio_of(*(row[name] for row in both)) for name in SAME}
    sectors = ("global_load_sectors", "global_store_sectors")
    moved = traffic(evidence.counters, kernel.case, kernel.n)
    moved = moved or tuple(SECTOR * ratio[way] * kernel.sum(way) for way in sectors)
    read, written = map(ratio_of, moved, (kernel.bytes_read, kernel.bytes_written))
    works = []
    for work in kernel.work:
        counts = {name: each * ratio.get(name, 1.0) for name, each in work.counts.items()}
        scaled = {"bytes_read": work.bytes_read * read, "bytes_written": work.bytes_written * written}
        works.append(replace(work, counts=counts, **scaled))
    return replace(kernel, work=tuple(works))


def rows_of_both(case: str, evidence: Evidence) -> tuple[pandas.Series, pandas.Series] | None:
    """The row of counters and that of counts of the longest vector that both have of a case."""
    counters, counted = evidence.counters, evidence.counted
    if counters is None or not set(SAME) <= set(counters.rows):
        return None
    rows = counters.rows[counters.rows["name"].map(counters.stems) == case].dropna(subset=list(SAME))
    own = counted.rows[counted.rows["name"].map(counted.stems) == case]
    lengths = set(rows["n"]) & set(own["n"])
    if not lengths:
        return None
    return tuple(each[each["n"] == max(lengths)].iloc[0] for each in (rows, own))


def ratio_of(one: float, other: float) -> float:
    return float(one / other) if other else 1.0


def traffic(counters: Results, case: str, n: int) -> tuple[float, float] | None:
    """Bytes read from and written to memory by the timed case itself, if they were counted."""
    name = f"{case}/cache:cold/n:{n}"
    read, written = (counters.count(f"global_bytes_{way}", name=name) for way in ("read", "written"))
    return None if read is None else (read, written)


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
