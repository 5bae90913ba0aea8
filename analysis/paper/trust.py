"""Why the counts can be trusted: cells that no choice has seen, the bench of hazards, mutants, repetition."""

import re
from collections import Counter
from pathlib import Path

import pandas

from analysis.agreement.cells import BULK, QUANTITIES
from analysis.common import words
from analysis.common.repeat import repeatability

BENCH = Path("tests/simt/hazards")
ALWAYS = ("barriers", "launches")
BLOCK_SCANS = ("work", "padding", "shuffle", "divergence")
LEAST = "scan/brent_kung"  # the only kernel whose load requests differ
SHARED_ROWS = dict.fromkeys(BULK, "bulk bytes") | dict.fromkeys(ALWAYS, "barriers, launches")
PROGRAM = re.compile(r'\{\s*"\w+",\s*Expected::(\w+)')
KINDS = {
    "barrier": "barrier",
    "syncwarp": "`__syncwarp`",
    "fence": "fence",
    "proxy_fence": "proxy fence",
    "comparison": "comparison",
}


def numbers(recorded) -> dict:
    return (
        agreement(recorded.results, recorded.figures / "agreement.csv")
        | {"noise": noise(recorded)}
        | bench()
        | mutants(recorded.results / "simt/mutants.csv")
    )


def agreement(results: Path, table: Path) -> dict:
    """Cells by quantity, by cause, and by whether they took part in the choice of metrics."""
    if not table.exists():
        return {"agreement": None}
    cells = pandas.read_csv(table, keep_default_na=False)
    gpu = cells["gpu"].iloc[0]
    cells = cells[cells["gpu"] == gpu].assign(equal=lambda each: each["cause"] == "")
    path = results / gpu / "metrics.csv"
    study = pandas.read_csv(path) if path.exists() else pandas.DataFrame(columns=["case", "quantity"])
    stated = cells[~cells["equal"] & (cells["predicted"] != "")]
    return {
        "agreement": {
            "rows": by_quantity(cells),
            "causes": {name: words.integer(count) for name, count in causes_of(cells).items()},
            "twice": words.integer(cases_of(cells) - cells["case"].nunique()),
            "all_cases": words.integer(cases_of(cells)),
            "claims": words.integer(cells["claim"].nunique()),
            "stated_differ": words.integer(len(stated)),
        }
        | by_use(cells, study)
        | alike(cells)
    }


def causes_of(cells: pandas.DataFrame) -> dict[str, int]:
    """Cells that differ by cause, the most frequent first."""
    return dict(Counter(cells["cause"][~cells["equal"]]).most_common())


def cases_of(cells: pandas.DataFrame) -> int:
    return len(cells[["claim", "case"]].drop_duplicates())


def by_quantity(cells: pandas.DataFrame) -> list[list[str]]:
    """Those of bulk copies share a row, and so do barriers and launches."""
    rows = []
    names = cells["quantity"].map(QUANTITIES | SHARED_ROWS)
    for name in dict.fromkeys((QUANTITIES | SHARED_ROWS).values()):
        of = cells[names == name]
        said = [f"{words.integer(count)} {cause}" for cause, count in causes_of(of).items()]
        rows.append([name, *counts(of), ", ".join(said) or words.NOTHING])
    return rows


def counts(cells: pandas.DataFrame) -> list[str]:
    """Cells, and the equal ones."""
    return [words.integer(len(cells)), words.integer(cells["equal"].sum())]


def by_use(cells: pandas.DataFrame, study: pandas.DataFrame) -> dict:
    """Cases, and cells that took part in the choice of metrics and that did not, with the equal ones of each.

    Some cases were studied for their bulk copies alone: their other cells are held out.
    """
    whole = cells["case"].isin(study["case"][~study["quantity"].isin(BULK)])
    bulk = cells["case"].isin(study["case"]) & ~whole
    pair = ["case", "quantity"]
    chosen = whole | pandas.MultiIndex.from_frame(cells[pair]).isin(pandas.MultiIndex.from_frame(study[pair]))
    parts = {"whole": whole, "bulk": bulk, "none": ~whole & ~bulk, "all": whole | ~whole}
    uses = {
        name: [words.integer(cases_of(cells[of])), *counts(cells[of & chosen]), *counts(cells[of & ~chosen])]
        for name, of in parts.items()
    }
    return {"uses": uses, "held_share": f"{cells['equal'][~chosen].mean():.1%}"}


def alike(cells: pandas.DataFrame) -> dict:
    """Load requests of the kernel in which they differ, and cells that cannot differ."""
    loads = cells[(cells["quantity"] == "shared_load_requests") & (cells["kernel"] == LEAST)]
    always = cells["quantity"].isin(ALWAYS)
    return {
        "loads": counts(loads),
        "always": words.integer(always.sum()),
        "without": f"{cells['equal'][~always].mean():.1%}",
    }


def noise(recorded) -> dict:
    """The floor by length, and how well the medians of block scans repeat in a second recording."""
    floor = recorded.of(BLOCK_SCANS[0]).floor
    (n,) = {n for claim in BLOCK_SCANS for n in recorded.of(claim).timed.levels("n")}
    again = [repeatability(recorded.results, claim=claim) for claim in BLOCK_SCANS]
    again = [each for each in again if each]
    return {
        "floors": words.listing(
            [f"{ratio - 1:.1%} at {words.power(m)}" for m, ratio in sorted(floor.by_length.items()) if m != n]
        ),
        "n": words.power(n),
        "floor": f"{floor.at(n) - 1:.1%}",
        "nine_of_ten": f"{max((each['nine_of_ten'] for each in again), default=1) - 1:.1%}",
        "most": f"{max((each['most'] for each in again), default=1) - 1:.1%}",
    }


def bench() -> dict:
    """Correct and faulty programs of the bench, and kinds of faults."""
    found = Counter(kind for path in BENCH.glob("*.cu") for kind in PROGRAM.findall(path.read_text()))
    clean = found.pop("clean", 0)
    return {
        "bench": {
            "clean": words.integer(clean),
            "faulty": words.integer(found.total()),
            "kinds": words.integer(len(found)),
        }
    }


def mutants(path: Path) -> dict:
    """Mutants by what was taken out or changed: killed by a test, or equivalent."""
    if not path.exists():
        return {"mutants": None}
    table = pandas.read_csv(path)
    rows = [
        [name, *(words.integer((of["verdict"] == verdict).sum()) for verdict in ("killed", "equivalent"))]
        for kind, name in KINDS.items()
        if len(of := table[table["kind"] == kind])
    ]
    tally = Counter(table["verdict"])
    alive = len(table) - tally["killed"] - tally["equivalent"]
    return {
        "mutants": {
            "rows": rows,
            "all": words.integer(len(table)),
            "killed": words.integer(tally["killed"]),
            "equivalent": words.integer(tally["equivalent"]),
            "alive": words.integer(alive) if alive else "none",
        }
    }
