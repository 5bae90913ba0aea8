"""Programs of others on the SIMT machine: what was found in them, and whether a GPU counts the same."""

from pathlib import Path

import pandas

from analysis.common import words
from analysis.common.files import SIMT, read_csv, recordings
from analysis.common.tables import COUNTERS, Table

SHAPE = ["program", "kernel", "grid", "block"]
QUANTITIES = {
    "warp_instructions": "warp instructions",
    "thread_instructions": "thread instructions",
    "shared_load_requests": "shared loads",
    "shared_store_requests": "shared stores",
    "shared_load_wavefronts": "wavefronts of shared loads",
    "shared_store_wavefronts": "wavefronts of shared stores",
    "bank_conflicts": "bank conflicts",
    "global_load_sectors": "sectors of global loads",
    "global_store_sectors": "sectors of global stores",
    "branches": "branches",
    "divergent_branches": "divergent branches",
    "barriers": "barriers",
}
SAMPLE = "the sample"
# Why a kernel's counts differ.
CAUSES = {
    "reduceSinglePassMultiBlockCG": "blocks read the grid's barrier until all have come, more or less often",
    "multi_warp_cg_reduce": "warps read their tile's barrier until all have come, more or less often",
}


def contents(results: Path) -> dict | None:
    """The tables; None if no sample was run."""
    path = results / SIMT / "samples.csv"
    if not path.exists():
        return None
    found = read_csv(path, ("program", "kernels", "launches", "passed"))
    faults = findings(results)
    at_fault = faults.groupby("program")["wrong"].agg(lambda wrong: (wrong == SAMPLE).all())
    compared = comparison(results)
    return {
        "programs": words.integer(found["program"].str.split().str[0].nunique()),
        "runs": words.integer(len(found)),
        "verified": words.integer((found["passed"] == "yes").sum()),
        "refused": words.integer((found["passed"] == "refused").sum()),
        "faulty": words.integer(len(at_fault)),
        "at_fault": words.integer(at_fault.sum()),
        "equal": words.integer(compared["equal"].sum()),
        "compared": words.integer(len(compared)),
        "gpu": ", ".join(path.parent.name for path in recordings(results, "samples.counters.csv")),
        "tables": [by_program(found, faults, compared), *judged(faults), *differences(compared)],
        "planted": planted(results),
        "speed": speed(results),
    }


def findings(results: Path) -> pandas.DataFrame:
    """A row for each line at fault of a program: what was found there, who is wrong, and why."""
    columns = ["program", "file", "line", "found", "in", "wrong", "why"]
    path = results / SIMT / "samples.findings.csv"
    return (
        read_csv(path, columns).fillna(words.NOTHING) if path.exists() else pandas.DataFrame(columns=columns)
    )


def places(rows: pandas.DataFrame) -> list[str]:
    """Each file with its lines, and what was found there."""
    found = []
    for (file, what), group in rows.drop_duplicates(["file", "line", "found"]).groupby(["file", "found"]):
        lines = words.listing(group["line"].astype(str))
        found.append(f"{file}, {'line' if len(group) == 1 else 'lines'} {lines}: {what}")
    return found


def judged(faults: pandas.DataFrame) -> list[dict]:
    """A row for each file and kind of fault in it: who is wrong, and why; or no table."""
    rows = [
        [f"`{place.partition(':')[0].replace(',', '`,', 1)}", place.partition(": ")[2], f"{wrong}: {why}"]
        for (wrong, why), group in faults.groupby(["wrong", "why"], sort=False)
        for place in places(group)
    ]
    if not rows:
        return []
    caption = (
        "What the machine found in these programs, whether the program or the machine is wrong, and why."
    )
    return [
        vars(
            Table(
                caption,
                ["place", "found", "wrong, and why"],
                rows,
                wide=True,
                text_columns=3,
                source=COUNTERS,
            )
        )
    ]


def comparison(results: Path) -> pandas.DataFrame:
    """One row for each quantity of a launch that both machines have counted: `simt`, `gpu`, `equal`."""
    tables = [results / SIMT / "samples.launches.csv", *recordings(results, "samples.counters.csv")[:1]]
    if len(tables) < 2 or not tables[0].exists():
        return pandas.DataFrame(columns=[*SHAPE, "quantity", "simt", "gpu", "equal"])
    simt, gpu = (read_csv(path, (*SHAPE, "barriers")) for path in tables)
    both_have = [name for name in QUANTITIES if name in simt and name in gpu]
    simt, gpu = (
        table.melt(SHAPE, both_have, "quantity", path.parent.name)
        for table, path in zip((simt, gpu), tables, strict=True)
    )
    both = simt.merge(gpu, on=[*SHAPE, "quantity"], how="inner").dropna()
    both = both.rename(columns={tables[0].parent.name: "simt", tables[1].parent.name: "gpu"})
    return both.assign(equal=both["simt"] == both["gpu"])


def by_program(found: pandas.DataFrame, faults: pandas.DataFrame, compared: pandas.DataFrame) -> dict:
    """Launches, whether the program verified its results, counts equal to the GPU's, and findings."""
    rows = []
    for row in found.itertuples():
        own = compared[compared["program"] == row.program]
        rows.append(
            [
                row.program,
                "\n".join(places(faults[faults["program"] == row.program])),
                words.integer(row.kernels),
                words.integer(row.launches),
                row.passed,
                words.integer(len(own[SHAPE].drop_duplicates())) if len(own) else "–",
                f"{own['equal'].sum()} of {len(own)}" if len(own) else "–",
            ]
        )
    caption = (
        "Programs of others, unmodified but for sizes that their names state, on the SIMT machine: what it "
        "found, launches, whether the program found its own results right, and how many quantities of how "
        "many launches equal the GPU's counters. Compared: the first launch of each kernel and shape."
    )
    columns = ["program", "found", "kernels", "launches", "verified", "compared", "equal"]
    return vars(Table(caption, columns, rows, wide=True, text_columns=2, source=COUNTERS))


def differences(compared: pandas.DataFrame) -> list[dict]:
    """Each kernel that the two machines count differently, with both numbers and the cause; or no table."""
    rows = [
        [
            f"`{kernel}`",
            "; ".join(
                f"{QUANTITIES[row.quantity]} {words.integer(row.simt)} and {words.integer(row.gpu)}"
                for row in group.itertuples()
            ),
            CAUSES.get(kernel, "not explained"),
        ]
        for kernel, group in compared[~compared["equal"].astype(bool)].groupby("kernel", sort=False)
    ]
    if not rows:
        return []
    caption = (
        "Where the SIMT machine's counts of a sample differ from the GPU's: both, in this order, and why."
    )
    return [
        vars(Table(caption, ["kernel", "counts", "cause"], rows, wide=True, text_columns=3, source=COUNTERS))
    ]


def planted(results: Path) -> dict | None:
    """How many of the faults that were planted into the samples are found, by kind; None if none were."""
    path = results / SIMT / "planted.csv"
    if not path.exists():
        return None
    found = read_csv(path, ("program", "fault", "found"))
    rows = [
        [
            kind,
            words.integer(group["program"].nunique()),
            words.integer(len(group)),
            words.integer((group["found"] == "yes").sum()),
        ]
        for kind, group in found.groupby("fault", sort=True)
    ]
    caption = "Faults planted into the samples, one at a time: a barrier or fence taken out, a bound shifted."
    table = vars(Table(caption, ["fault", "programs", "planted", "found"], rows))
    all_found = words.integer((found["found"] == "yes").sum())
    return {"faults": words.integer(len(found)), "found": all_found, "table": table}


def speed(results: Path) -> list[dict] | None:
    """Of each kernel: nanoseconds of one core for each element on Numba's simulator and on the SIMT machine,
    and how many times faster that is; None if it was not timed."""
    path = results / SIMT / "bench.csv"
    if not path.exists():
        return None
    ways = {"numba": "Numba's simulator", "simt": "SIMT machine"}
    found = read_csv(path, ("kernel", "machine", "ns_per_element"))
    kernels = []
    for kernel, rows in found.groupby("kernel", sort=False):
        ns = {ways[row["machine"]]: float(row["ns_per_element"]) for _, row in rows.iterrows()}
        ns = {way: ns[way] for way in ways.values()}
        kernels.append(
            {
                "kernel": {"hillis_steele": "Hillis-Steele"}.get(kernel, kernel.replace("_", " ")),
                "ns": ns,
                "said": {way: words.rounded(each) for way, each in ns.items()},
                "faster": words.rounded(ns[ways["numba"]] / ns[ways["simt"]]),
            }
        )
    return kernels
