"""The recorded kernels of which the clock predicts the time: both times, what was busy, and what they do.

Predicted times are those of results/<gpu>/clock.again.csv (simt/clock/predict.py); counts are the SIMT
machine's, of the longest vector that it has counted, in proportion to the length that a GPU timed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pandas

from analysis.core.evidence import Evidence, Results
from analysis.core.files import claims_in
from analysis.core.loading import load
from analysis.model.clock import AGAIN, BUSY, STALLS, rows_of

LONG = 1 << 24  # elements; the time of a shorter vector is mostly that of a launch
SECTOR = 32  # bytes
WAITING = "waiting"
PARTS = (*BUSY, WAITING)
IN_WORDS = {
    "issue": "instruction issue",
    "pipe": "passes of the memory pipe",
    "bytes": "bytes",
    "starts": "starting blocks",
    WAITING: "waiting",
}
# Of its peak: nothing that is less busy limits a kernel. Source: Nsight Compute, section GPU Speed Of Light,
# rule on latency.
OF_PEAK = 0.6
COUNTS = {  # sums of the SIMT machine's counts
    "ops": ("ops",),
    "instructions": ("warp_instructions",),
    "wavefronts": ("shared_load_wavefronts", "shared_store_wavefronts", "shared_atomic_wavefronts"),
}


@dataclass(frozen=True, eq=False)
class Kernel:
    """All launches of one case. Microseconds, measured: cold, the median. code: the kernel of each launch;
    without counts the case. counts: COUNTS, bytes and blocks."""

    claim: str
    case: str
    n: int
    us: float
    predicted_us: float
    code: tuple[str, ...]
    counts: Mapping[str, float] = field(default_factory=dict)
    busy: Mapping[str, float] = field(default_factory=dict)  # BUSY: shares of the time
    stalls: Mapping[str, float] = field(default_factory=dict)  # STALLS: shares of the time of all warps

    @property
    def ratio(self) -> float:
        return self.predicted_us / self.us

    @property
    def limiter(self) -> str:
        """What is busiest, or WAITING: nothing is at OF_PEAK."""
        most = max(self.busy, key=self.busy.get)
        return most if self.busy[most] >= OF_PEAK else WAITING

    @property
    def parts(self) -> dict[str, float]:
        """Microseconds of the predicted time: those of each of BUSY, and the rest beside the busiest."""
        found = {name: share * self.predicted_us for name, share in self.busy.items()}
        return found | {WAITING: self.predicted_us - max(found.values())}

    def count(self, name: str) -> float:
        return self.counts.get(name, float("nan"))

    @property
    def name(self) -> str:
        """As it is recorded."""
        return f"{self.case}/cache:cold/n:{self.n}"

    def where(self) -> tuple[str, str, int]:
        return self.claim, self.case, self.n


def recorded(results: Path, folder: str) -> list[Kernel]:
    """Those of a GPU on their longest vector, if that is LONG, by claim, then case."""
    rows = rows_of(results / folder, AGAIN)
    found = []
    for claim in claims_in(results):
        own = rows[(rows["claim"] == claim) & rows["us"].notna()]
        evidence = next((each for each in load(results, claim) if is_of(each, folder)), None)
        if evidence and not own.empty:
            found += of_claim(evidence, own)
    return found


def is_of(evidence: Evidence, folder: str) -> bool:
    return bool(evidence.timed) and evidence.timed.folder == folder


def of_claim(evidence: Evidence, rows: pandas.DataFrame) -> list[Kernel]:
    timed = evidence.timed
    medians, longest = timed.rows.groupby("name")["time_us"].median(), {}
    for row in rows.to_dict("records"):
        if row["case"] in medians:
            case, n = timed.stems[row["case"]], timed.factors[row["case"]]["n"]
            if n >= max(LONG, longest.get(case, (0,))[0]):
                longest[case] = n, row
    counted = counted_of(evidence.counted) if evidence.counted else {}
    found = []
    for case, (n, row) in sorted(longest.items()):
        code, counts = counted.get(case, ((case,), {}))
        found.append(
            Kernel(
                claim=evidence.claim["id"],
                case=case,
                n=n,
                us=float(medians[row["case"]]),
                predicted_us=float(row["us"]),
                code=code,
                counts={name: each * n for name, each in counts.items()},
                busy={name: row[name] for name in BUSY},
                stalls={name: row[name] for name in STALLS},
            )
        )
    return found


def counted_of(counted: Results) -> dict[str, tuple[tuple[str, ...], dict[str, float]]]:
    """By case, of its longest vector that was counted: the kernels it launches, and its counts an element."""
    found = {}
    launches = {} if counted.launches is None else dict(iter(counted.launches.groupby("case", sort=False)))
    for name in sorted(launches, key=lambda name: counted.factors[name]["n"]):
        own, n = launches[name], counted.factors[name]["n"]
        (place,) = set(counted.places({"name": name}))
        row = counted.rows.iloc[place]
        sums = {key: sum(row.get(each, 0) for each in names) for key, names in COUNTS.items()}
        sums["bytes"] = SECTOR * (own["sectors_read"] + own["sectors_written"]).sum()
        sums["blocks"] = own["blocks"].sum()
        code = tuple(kernel.replace(" ", "") for kernel in own["kernel"])
        found[counted.stems[name]] = code, {key: float(each) / n for key, each in sums.items()}
    return found
