"""Why the counts can be trusted: cells that no choice has seen, small programs, hazards, mutants,
repetition."""

import json
import re
from collections import Counter
from pathlib import Path

import pandas

from analysis.agreement.cells import BULK, BY_ORDER, compared, tally
from analysis.agreement.document import compare, compare_forms
from analysis.common import words
from analysis.common.repeat import repeatability

BENCH = Path("tests/simt/hazards")
SMALL = Path("tests/simt/agreement/counters.nvidia-h200.jsonl")
ALWAYS = ("barriers", "launches")
BLOCK_SCANS = ("work", "padding", "shuffle", "divergence")
OF_SOURCE = "others"  # closed forms of what no counter of the GPU measures
ROWS = {
    "warp instructions": ("warp_instructions",),
    "thread instructions": ("thread_instructions", "thread_instructions_pred_on"),
    "branches": ("branches", "divergent_branches"),
    "operations": ("ops",),
    "shared requests": ("shared_load_requests", "shared_store_requests"),
    "wavefronts": ("shared_load_wavefronts", "shared_store_wavefronts"),
    "bank conflicts": ("bank_conflicts",),
    "global sectors": ("global_load_sectors", "global_store_sectors"),
    "bulk bytes": tuple(sorted(BULK)),
    "barriers, launches": ALWAYS,
}
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
        agreement(recorded.results)
        | {"noise": noise(recorded)}
        | bench()
        | small_programs()
        | mutants(recorded.results / "simt/mutants.csv")
    )


def agreement(results: Path) -> dict:
    """On the first GPU: cells by quantity, and by whether they took part in the choice of metrics; cells that
    depend on the order of blocks; closed forms beside them."""
    found = compare(results)
    if not found:
        return {"agreement": None}
    every, stated = found[0].cells, compare_forms(results)
    cells = compared(every)
    cells = cells.assign(equal=cells["cause"] == "")
    path = results / found[0].folder / "metrics.csv"
    study = pandas.read_csv(path) if path.exists() else pandas.DataFrame(columns=["case", "quantity"])
    always = cells["quantity"].isin(ALWAYS)
    return {
        "agreement": {
            "rows": by_quantity(every, stated),
            "causes": causes_of(cells),
            "twice": words.integer(cases_of(every) - every["case"].nunique()),
            "all_cases": words.integer(cases_of(every)),
            "claims": words.integer(every["claim"].nunique()),
            "share": f"{cells['equal'].mean():.2%}",
            "always": words.integer(always.sum()),
            "without": f"{cells['equal'][~always].mean():.2%}",
            "warps": counts(cells[cells["quantity"] == "warp_instructions"]),
            "polling": words.integer(cases_of(every[every["cause"] == BY_ORDER])),
            "forms": {name: words.integer(count) for name, count in tally(stated).items()}
            | {"causes": causes_of(compared(stated))},
        }
        | by_use(cells, study)
    }


def causes_of(cells: pandas.DataFrame) -> dict[str, str]:
    """Cells that differ by cause, the most frequent first."""
    found = Counter(cells["cause"][cells["cause"] != ""]).most_common()
    return {name: words.integer(count) for name, count in found}


def cases_of(cells: pandas.DataFrame) -> int:
    return len(cells[["claim", "case"]].drop_duplicates())


def by_quantity(every: pandas.DataFrame, stated: pandas.DataFrame) -> list[list[str]]:
    """Cells compared with the GPU, the equal ones and those that depend on order; closed forms, and the equal
    ones. Quantities of one kind share a row."""
    rows = []
    names = {quantity: name for name, each in ROWS.items() for quantity in each}
    of_form = stated["quantity"].map(lambda quantity: names.get(quantity, OF_SOURCE))
    of_cell = every["quantity"].map(names)
    for name in (*ROWS, OF_SOURCE):
        found, forms = tally(every[of_cell == name]), tally(stated[of_form == name])
        if found["cells"] + found["by_order"] + forms["cells"]:
            kept = [found["cells"], found["equal"], found["by_order"], forms["cells"], forms["equal"]]
            rows.append([name, *(words.integer(number or None) for number in kept)])
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
        "short": f"{max(floor.by_length.values()) - 1:.1%}",
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


def small_programs() -> dict:
    """Programs whose counters a test compares launch by launch, and their launches."""
    rows = [json.loads(line) for line in SMALL.read_text().splitlines()[1:]] if SMALL.exists() else []
    names = {row["program"] for row in rows}
    return {"small": {"programs": words.integer(len(names)), "launches": words.integer(len(rows))}}


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
