"""Why the counts can be trusted: cells that no choice has seen, small programs, hazards, repetition."""

import json
import re
from collections import Counter
from datetime import datetime
from pathlib import Path
from statistics import median

import pandas

from analysis.core.agreement import BULK, BY_ORDER, compared, tally
from analysis.core.claims import stated
from analysis.core.files import SIMT, claims_in, read_csv
from analysis.core.loading import REFERENCE_GPU
from analysis.core.recorded import SUFFIX, Context, context_of, read, rule_of
from analysis.report.agreement import metrics
from analysis.report.agreement.document import compare, compare_forms
from analysis.report.printed.recorded_on import repeatability

SMALL = Path("simt/test/agreement/counters.nvidia-h200.jsonl")  # which a test compares launch by launch
ALWAYS = ("barriers", "launches")
BLOCK_SCANS = ("work", "padding", "shuffle", "divergence")
GPUS = (REFERENCE_GPU, "nvidia-h100")
RATES = "rates"  # the claim about prices
DAY_OFF = 20 * 3600  # seconds between two recordings
COPIES, SHORT = "copy_speed", 1 << 20  # the claim that times copies, and elements of a short one
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
    "bulk bytes": tuple(BULK),
    "barriers, launches": ALWAYS,
}


def numbers(recorded) -> dict:
    rows = [json.loads(line) for line in SMALL.read_text().splitlines()[1:]]
    return {
        "agreement": agreement(recorded.results),
        "noise": noise(recorded),
        "bench": bench(recorded.results),
        "small": {"programs": len({row["program"] for row in rows}), "launches": len(rows)},
        "repeat": repeat(recorded.results),
        "repeat_further": repeat_further(recorded.results, GPUS[1]),
        "rules": [rules(recorded.results, gpu) for gpu in GPUS],
    }


def agreement(results: Path) -> dict:
    """On the first GPU: cells by quantity, and by whether they took part in the choice of metrics; cells that
    depend on the order of blocks; closed forms beside them."""
    first, stated = compare(results)[0], compare_forms(results)
    every, studied = first.cells, metrics.study(results / first.folder / "metrics.csv")
    cells = compared(every).assign(equal=lambda table: table["cause"] == "")
    causes = Counter(compared(stated).query("cause != ''")["cause"]).most_common()
    return {
        "rows": by_quantity(every, stated),
        "all_cases": cases_of(every),
        "share": cells["equal"].mean(),
        "without": cells["equal"][~cells["quantity"].isin(ALWAYS)].mean(),
        "polling": cases_of(every[every["cause"] == BY_ORDER]),
        "forms": tally(stated) | {"causes": dict(causes)},
    } | by_use(cells, studied)


def cases_of(cells: pandas.DataFrame) -> int:
    return len(cells[["claim", "case"]].drop_duplicates())


def by_quantity(every: pandas.DataFrame, stated: pandas.DataFrame) -> list[list]:
    """Cells compared with the GPU, the equal ones and those that depend on order; closed forms, and the equal
    ones. Quantities of one kind share a row."""
    names = {quantity: name for name, each in ROWS.items() for quantity in each}
    groups = [table["quantity"].map(names).fillna(OF_SOURCE) for table in (every, stated)]
    rows = []
    for name in (*ROWS, OF_SOURCE):
        found, forms = (tally(table[of == name]) for table, of in zip((every, stated), groups, strict=True))
        kept = [found["cells"], found["equal"], found["by_order"], forms["cells"], forms["equal"]]
        rows.append([name, *kept])
    return [row for row in rows if any(row[1:])]


def by_use(cells: pandas.DataFrame, study: pandas.DataFrame) -> dict:
    """Cases, and cells that took part in the choice of metrics and that did not, with the equal ones of each.

    Some cases were studied for their bulk copies alone: their other cells are held out.
    """
    pair = ["case", "quantity"]
    whole = cells["case"].isin(study["case"][~study["quantity"].isin(BULK)])
    bulk = cells["case"].isin(study["case"]) & ~whole
    chosen = whole | pandas.MultiIndex.from_frame(cells[pair]).isin(pandas.MultiIndex.from_frame(study[pair]))
    parts = {"whole": whole, "bulk": bulk, "none": ~whole & ~bulk, "all": whole | ~whole}
    uses = {}
    for name, of in parts.items():
        equal = [cells["equal"][of & own] for own in (chosen, ~chosen)]
        uses[name] = [cases_of(cells[of]), *(number for each in equal for number in (len(each), each.sum()))]
    return {"uses": uses, "held_share": cells["equal"][~chosen].mean()}


def noise(recorded) -> dict:
    """The floor by length, and how well the medians of block scans repeat in a second recording."""
    floor = recorded.of(BLOCK_SCANS[0]).floor
    (n,) = {n for claim in BLOCK_SCANS for n in recorded.of(claim).timed.levels("n")}
    again = [repeatability(recorded.results, claim=claim) for claim in BLOCK_SCANS]
    return {
        "floors": [[ratio, m] for m, ratio in sorted(floor.by_length.items()) if m != n],
        "n": n,
        "short": max(floor.by_length.values()),
        "floor": floor.at(n),
    } | {key: max(each[key] for each in again if each) for key in ("nine_of_ten", "most")}


def repeat(results: Path) -> dict:
    """Of two recordings: the claims whose medians repeat worst, and how far apart the two were made, in
    seconds; `late`: of each claim with DAY_OFF or more between them."""
    folder = results / REFERENCE_GPU
    names = sorted(path.stem for path in (folder / "repeat").glob(f"*{SUFFIX}"))
    both = {
        name: [context_of(each / f"{name}{SUFFIX}") for each in (folder, folder / "repeat")] for name in names
    }
    dates = {name: [date_of(each) for each in pair] for name, pair in both.items()}
    apart = {name: abs((second - first).total_seconds()) for name, (first, second) in dates.items()}
    off = {name: repeatability(results, claim=name)["nine_of_ten"] for name in names}
    first, second, *_ = sorted(off, key=off.get, reverse=True)
    near = [seconds for seconds in apart.values() if seconds < DAY_OFF]
    reworded = [
        name for name, (_, second) in both.items() if second.rule != rule_of(stated(name)["fails_if"])
    ]
    return {
        "worst": [[name, off[name]] for name in (first, second)],
        "copies": short_copies(folder),
        "near": {"least": min(near), "most": max(near)},
        "late": [[name, seconds] for name, seconds in apart.items() if seconds >= DAY_OFF],
        "reworded": len(reworded),
    }


def short_copies(folder: Path) -> float:
    """Cold, on the stream, on another machine with such a GPU, days before: times relative to these, the
    median."""
    paths = [folder / where / f"{COPIES}{SUFFIX}" for where in (".", "earlier")]
    later, earlier = (read(path).times() for path in paths)
    short = [
        name
        for name in later
        if re.match(r"copy/.*submit:stream/cache:cold", name) and int(name.rpartition("n:")[2]) <= SHORT
    ]
    return median(median(earlier[name]) / median(later[name]) for name in short if name in earlier)


def repeat_further(results: Path, gpu: str) -> dict:
    """How far apart the two recordings of that GPU were made, in seconds, but for its prices; how well they
    agree."""
    apart = []
    for path in sorted((results / gpu / "repeat").glob(f"*{SUFFIX}")):
        if path.stem == RATES:
            continue
        first, second = (date_of(context_of(each)) for each in (results / gpu / path.name, path))
        apart.append(abs((second - first).total_seconds()))
    return {"claims": len(apart), "least": min(apart), "most": max(apart)} | {
        "nine_of_ten": repeatability(results, gpu)["nine_of_ten"]
    }


def date_of(context: Context) -> datetime:
    return datetime.fromisoformat(context.provenance["date"].replace("Z", "+00:00"))


def rules(results: Path, gpu: str) -> dict:
    """The claims timed on a GPU, and those of them whose rule was then what it is today, to the word."""
    contexts = [context_of(results / gpu / f"{claim}{SUFFIX}") for claim in claims_in(results)]
    timed = [each for each in contexts if each]
    today = [each for each in timed if each.rule == rule_of(stated(each.claim)["fails_if"])]
    return {"claims": len(timed), "today": len(today)}


def bench(results: Path) -> dict:
    """Correct and faulty programs of the bench, and kinds of faults."""
    expected = read_csv(results / SIMT / "hazards.csv", ("name", "expected"))["expected"]
    faulty = expected[expected != "clean"]
    return {"clean": len(expected) - len(faulty), "faulty": len(faulty), "kinds": faulty.nunique()}
