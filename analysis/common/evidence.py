"""Evidence: results/<machine>/<claim>.json and the tables beside it, as pandas frames.

One row per repetition; the factors in a case's name become columns:
"scan/blelloch/index:padded/tile:1024/n:65536" has operation "scan", algorithm "blelloch", index
"padded", tile 1024 and n 65536.
"""

import functools
import json
from dataclasses import dataclass
from pathlib import Path

import numpy
import pandas

from analysis.common.errors import EvidenceError
from analysis.common.noise_floor import EXPERIMENT, Floor, floors
from analysis.common.rows import expanded
from analysis.common.statistics import Median, median

SCHEMA = 1
SIMT = "simt"
REFERENCE_GPU = "nvidia-h200"
LOCAL = "local"  # results/local: the times of this machine, which are never committed
CLAIM_FIELDS = ("id", "order", "title", "claim", "source", "prediction", "method", "fails_if")
COUNTERS = ".counters.json"  # of a GPU's hardware counters: results/<gpu>/<claim>.counters.json


@dataclass(frozen=True)
class Results:
    """One claim's results on one machine."""

    path: Path
    claim: dict
    machine: dict
    provenance: dict
    skipped: list
    rows: pandas.DataFrame
    steps: pandas.DataFrame | None
    trace: pandas.DataFrame | None
    shared: pandas.DataFrame | None  # words that a step wrote to shared memory; value: 32 bits, as an integer
    metrics: dict  # of hardware counters: the metric that measures each quantity

    @property
    def folder(self) -> str:
        return self.path.parent.name

    def where(self, **factors) -> pandas.DataFrame:
        """The rows whose factors have these levels."""
        return self.rows.iloc[self.places(factors)]

    def levels(self, factor: str, **factors) -> list:
        """The levels a factor takes in those rows, in order of appearance."""
        key = factor, frozenset(factors.items())
        if key not in self.levels_of:
            self.levels_of[key] = self.find_levels(factor, factors)
        return list(self.levels_of[key])

    def find_levels(self, factor: str, factors: dict) -> list:
        if factor not in self.rows:
            return []
        levels = self.rows[factor].iloc[self.places(factors)].dropna().unique().tolist()
        return [int(level) if isinstance(level, float) else level for level in levels]

    def count(self, quantity: str, **factors) -> int | float | None:
        """A counter of the one case with these factors; None if there is no such case or counter."""
        places = self.places(factors)
        if places.size == 0 or quantity not in self.rows:
            return None
        value = self.rows[quantity].iloc[places[0]]
        if pandas.isna(value):
            return None
        self.check_one_case(places, factors)
        return int(value) if float(value).is_integer() else float(value)

    def time(self, **factors) -> Median | None:
        """Median time of the one case with these factors, in microseconds; None if it was not timed."""
        key = frozenset(factors.items())
        if key not in self.medians:
            self.medians[key] = self.median_of(factors)
        return self.medians[key]

    def median_of(self, factors: dict) -> Median | None:
        places = self.places(factors)
        if places.size == 0:
            return None
        self.check_one_case(places, factors)
        return median(self.rows["real_time"].iloc[places])

    def check_one_case(self, places: numpy.ndarray, factors: dict) -> None:
        if len(set(self.rows["name"].iloc[places])) > 1:
            raise names_more_than_one(self, factors)

    def places(self, factors: dict) -> numpy.ndarray:
        """Where in `rows` the rows with these factors are."""
        masks = [self.mask(factor, level) for factor, level in factors.items()]
        return numpy.flatnonzero(numpy.logical_and.reduce(masks)) if masks else numpy.arange(len(self.rows))

    def mask(self, factor: str, level) -> numpy.ndarray:
        """Which rows have this level. An analysis asks for few of them, thousands of times."""
        if (factor, level) not in self.masks:
            self.masks[factor, level] = mask(self.rows, factor, level)
        return self.masks[factor, level]

    @functools.cached_property
    def masks(self) -> dict[tuple, numpy.ndarray]:
        return {}

    @functools.cached_property
    def levels_of(self) -> dict[tuple, list]:
        return {}

    @functools.cached_property
    def medians(self) -> dict[frozenset, Median | None]:
        return {}


@dataclass(frozen=True)
class Evidence:
    """All that a verdict may use: counts, and times, counters and noise of one GPU. Each may be missing."""

    claim: dict
    counted: Results | None
    timed: Results | None
    counters: Results | None = None
    floor: Floor = Floor()

    @property
    def gpu(self) -> Results | None:
        """The results that identify the GPU."""
        return self.timed or self.counters

    @property
    def stale_counters(self) -> bool:
        """The counters are of other kernels than the times: one of the two was recorded anew since."""
        digests = {each.provenance.get("machine_code") for each in (self.timed, self.counters) if each}
        return len(digests - {None}) > 1


def select(frame: pandas.DataFrame, factors: dict) -> pandas.DataFrame:
    masks = [mask(frame, factor, level) for factor, level in factors.items()]
    return frame[numpy.logical_and.reduce(masks)] if masks else frame


def mask(frame: pandas.DataFrame, factor: str, level) -> numpy.ndarray:
    if factor not in frame:
        return numpy.zeros(len(frame), dtype=bool)
    return (frame[factor] == level).to_numpy()


def claim_of(path: Path) -> str:
    """work for work.json and work.counters.json."""
    return path.name.split(".")[0]


def recordings(results: Path, name: str) -> list[Path]:
    """The files of this name that any machine has recorded, but for the times of this machine."""
    return [path for path in sorted(results.glob(f"*/{name}")) if path.parent.name != LOCAL]


def remedy(path: Path) -> str:
    """What to do about a damaged file. Counts and figures are made anew anywhere, recordings on their GPU."""
    if path.parent.name == SIMT:
        return f"delete {path.with_name(claim_of(path) + '.json')} and run make, which counts it anew"
    if "results" not in path.parent.parts or path.parent.name == LOCAL:
        return "delete it and run make again"
    command = "make counters" if path.name.endswith(COUNTERS) else "make record"
    return f"restore the committed file, or run {command} on that GPU"


def names_more_than_one(results: Results, factors: dict) -> EvidenceError:
    levels = ", ".join(f"{factor}={level!r}" for factor, level in factors.items())
    cases = f"{levels} names more than one case of {results.path}"
    return EvidenceError(f"analysis/{results.claim['id']}.py: {cases}; name every factor there")


def claims_in(results: Path) -> list[str]:
    """The claims that any machine has results for, by name."""
    return sorted({claim_of(path) for path in recordings(results, "*.json")})


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
    return read_floor(path, path.stat().st_mtime_ns) if path.exists() else Floor()


@functools.cache
def read_floor(path: Path, _written: int) -> Floor:
    return floors(read(path))


def read(path: Path) -> Results:
    """One results file and the tables beside it, checked: times, counts or counters."""
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
        steps=read_table(path.with_suffix(".steps.csv"), ("case", "launch", "step", "ops")),
        trace=read_table(
            path.with_suffix(".trace.csv"), ("case", "step", "warp", "request", "kind", "lane", "word")
        ),
        shared=read_table(path.with_suffix(".shared.csv"), ("case", "step", "array", "word", "value")),
        metrics=metrics or {},
    )


def check_counters(path: Path, rows: pandas.DataFrame, metrics: dict) -> None:
    """Each case must be unique and its counters whole numbers; a counter may be missing from a case."""
    if rows["name"].duplicated().any():
        raise EvidenceError(f"{path}: a case appears twice; {remedy(path)}")
    for quantity in rows.columns.intersection(list(metrics)):
        values = rows[quantity].dropna()
        if any(isinstance(value, bool | str) or value % 1 for value in values):
            raise EvidenceError(f"{path}: {quantity} is not a whole number everywhere; {remedy(path)}")


def read_json(path: Path) -> dict:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EvidenceError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise EvidenceError(f"{path}: not complete JSON ({error}); {remedy(path)}") from error
    if not isinstance(document, dict):
        raise EvidenceError(f"{path}: not a JSON object; {remedy(path)}")
    return document


def read_rows(path: Path, benchmarks: list | None, timed: bool) -> pandas.DataFrame:
    if not isinstance(benchmarks, list) or not benchmarks:
        raise EvidenceError(f"{path}: it has no benchmarks; {remedy(path)}")
    benchmarks = expanded(benchmarks)
    for row in benchmarks:
        if not isinstance(row, dict) or not isinstance(row.get("name"), str):
            raise EvidenceError(f"{path}: a benchmark has no name; {remedy(path)}")
        if row.get("error_occurred") or row.get("skipped"):
            raise EvidenceError(f"{path}: the case {row['name']} failed; {remedy(path)}")
        time = row.get("real_time")
        if timed and (row.get("time_unit") != "us" or not isinstance(time, int | float) or not time > 0):
            raise EvidenceError(f"{path}: the case {row['name']} has no time in us; {remedy(path)}")
    rows = pandas.DataFrame(benchmarks)
    if rows.duplicated([name for name in ("name", "repetition_index") if name in rows]).any():
        raise EvidenceError(f"{path}: a repetition appears twice; {remedy(path)}")
    return with_factors(path, rows, "name")


def read_table(path: Path, columns: tuple[str, ...]) -> pandas.DataFrame | None:
    """A table of cases, or None if there is no such file."""
    if not path.exists():
        return None
    table = read_csv(path, columns)
    if table.isna().any(axis=None):
        raise EvidenceError(f"{path}: a line is incomplete; {remedy(path)}")
    return with_factors(path, table, "case")


def read_csv(path: Path, columns: tuple[str, ...]) -> pandas.DataFrame:
    """A table that has these columns."""
    try:
        table = pandas.read_csv(path)
    except (ValueError, OSError) as error:
        raise EvidenceError(f"{path}: not a table ({error}); {remedy(path)}") from error
    if lacking := [column for column in columns if column not in table]:
        raise EvidenceError(f"{path}: it lacks {', '.join(lacking)}; {remedy(path)}")
    return table


def with_factors(path: Path, rows: pandas.DataFrame, column: str) -> pandas.DataFrame:
    factors = {name: parse_case(path, name) for name in rows[column].unique()}
    parsed = pandas.DataFrame([factors[name] for name in rows[column]], index=rows.index)
    taken = set(rows.columns) & set(parsed.columns)
    return pandas.concat([rows.drop(columns=list(taken)), parsed], axis=1)


def parse_case(path: Path, name: str) -> dict:
    """The factors in a case's name; whole numbers as int."""
    operation, *rest = str(name).split("/")
    if not rest or any(":" not in part for part in rest[1:]):
        raise EvidenceError(
            f"{path}: the case '{name}' is not operation/algorithm/factor:level/..; {remedy(path)}"
        )
    factors = {"operation": operation, "algorithm": rest[0]}
    for part in rest[1:]:
        factor, level = part.split(":", 1)
        factors[factor] = int(level) if level.isdigit() else level
    return factors


def predictions(results: Results) -> pandas.DataFrame:
    """Every closed form that the results state, with its count: name, quantity, predicted, counted."""
    stated = [column for column in results.rows if column.startswith("predicted_")]
    found = []
    for column in stated:
        quantity = column.removeprefix("predicted_")
        if quantity not in results.rows:
            raise EvidenceError(
                f"{results.path}: {column} is stated but {quantity} is not counted; mend predict() in "
                f"experiments/{results.claim['id']}.cu and run make again"
            )
        pairs = results.rows[["name", quantity, column]].dropna()
        found.append(pairs.set_axis(["name", "counted", "predicted"], axis=1).assign(quantity=quantity))
    columns = ["name", "quantity", "predicted", "counted"]
    return pandas.concat(found)[columns] if found else pandas.DataFrame(columns=columns)


def closed_forms(results: Results | None, *quantities: str) -> tuple[bool | None, str]:
    """Whether all counts equal their closed forms, of these quantities if any are given, and the first that
    does not, in words; None if nothing is stated."""
    if results is None:
        return None, ""
    stated = predictions(results)
    stated = stated[stated["quantity"].isin(quantities)] if quantities else stated
    wrong = stated[stated["predicted"] != stated["counted"]]
    if wrong.empty:
        return (None if stated.empty else True), ""
    row = wrong.iloc[0]
    name = row["quantity"].replace("_", " ")
    return False, f"`{row['name']}` counts {row['counted']:,.0f} {name}, not {row['predicted']:,.0f}."
