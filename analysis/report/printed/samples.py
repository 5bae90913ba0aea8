"""Programs of others on the SIMT machine: what was found in them, and whether a GPU counts the same."""

from pathlib import Path

import pandas

from analysis.core import words
from analysis.core.files import SIMT, read_csv, recordings

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
MACHINES = {"numba": "Numba's simulator", "simt": "SIMT machine"}


def contents(results: Path) -> dict | None:
    """What the supplement's tables hold; None if no sample was run."""
    path = results / SIMT / "samples.csv"
    if not path.exists():
        return None
    found = read_csv(path, ("program", "kernels", "launches", "passed"))
    faults, compared = findings(results), comparison(results)
    at_fault = faults.groupby("program")["wrong"].agg(lambda wrong: (wrong == SAMPLE).all())
    numbers = {"programs": found["program"].str.split().str[0].nunique(), "runs": len(found)}
    numbers |= {"verified": (found["passed"] == "yes").sum()}
    numbers |= {"faulty": len(at_fault), "at_fault": at_fault.sum()}
    numbers |= {"equal": compared["equal"].sum(), "compared": len(compared)}
    return {name: words.integer(number) for name, number in numbers.items()} | {
        "gpu": ", ".join(path.parent.name for path in recordings(results, "samples.counters.csv")),
        "rows": [row_of(row, faults, compared) for row in found.itertuples()],
        "judged": judged(faults),
        "differences": differences(compared),
        "planted": planted(results),
        "speed": speed(results),
    }


def findings(results: Path) -> pandas.DataFrame:
    """A row for each line at fault of a program: what was found there, who is wrong, and why."""
    columns = ["program", "file", "line", "found", "in", "wrong", "why"]
    path = results / SIMT / "samples.findings.csv"
    table = read_csv(path, columns) if path.exists() else pandas.DataFrame(columns=columns)
    return table.fillna(words.NOTHING)


def places(rows: pandas.DataFrame) -> list[tuple[str, list[str], str]]:
    """Each file with its lines, and what was found there."""
    lines = rows.drop_duplicates(["file", "line", "found"]).groupby(["file", "found"])["line"]
    return [(file, list(map(str, found)), what) for (file, what), found in lines]


def judged(faults: pandas.DataFrame) -> list[list]:
    """A row for each file and kind of fault in it: its lines, what was found, who is wrong, and why."""
    groups = faults.groupby(["wrong", "why"], sort=False)
    return [[*place, wrong, why] for (wrong, why), group in groups for place in places(group)]


def comparison(results: Path) -> pandas.DataFrame:
    """One row for each quantity of a launch that both machines have counted: `simt`, `gpu`, `equal`."""
    tables = [results / SIMT / "samples.launches.csv", *recordings(results, "samples.counters.csv")[:1]]
    if len(tables) < 2 or not tables[0].exists():
        return pandas.DataFrame(columns=[*SHAPE, "quantity", "simt", "gpu", "equal"])
    both = [read_csv(path, (*SHAPE, "barriers")) for path in tables]
    names = [name for name in QUANTITIES if all(name in table for table in both)]
    simt, gpu = (table[SHAPE + names].melt(SHAPE, names, "quantity") for table in both)
    found = simt.merge(gpu, on=[*SHAPE, "quantity"]).dropna()
    found = found.rename(columns={"value_x": "simt", "value_y": "gpu"})
    return found.assign(equal=found["simt"] == found["gpu"])


def row_of(program, faults: pandas.DataFrame, compared: pandas.DataFrame) -> dict:
    """What was found, launches, whether the program verified its results, and counts equal to the GPU's."""
    own = compared[compared["program"] == program.program]
    return {
        "program": program.program,
        "found": places(faults[faults["program"] == program.program]),
        "kernels": words.integer(program.kernels),
        "launches": words.integer(program.launches),
        "passed": program.passed,
        "shapes": len(own[SHAPE].drop_duplicates()),
        "equal": int(own["equal"].sum()),
        "compared": len(own),
    }


def differences(compared: pandas.DataFrame) -> list[dict]:
    """Each kernel that the two machines count differently, with both numbers of each quantity."""
    found = []
    for kernel, group in compared[~compared["equal"].astype(bool)].groupby("kernel", sort=False):
        rows = group[["quantity", "simt", "gpu"]].values.tolist()
        counts = [[QUANTITIES[name], *map(words.integer, both)] for name, *both in rows]
        found.append({"kernel": kernel, "counts": counts})
    return found


def planted(results: Path) -> dict | None:
    """How many of the faults that were planted into the samples are found, by kind; None if none were."""
    path = results / SIMT / "planted.csv"
    if not path.exists():
        return None
    found = read_csv(path, ("program", "fault", "found"))
    found["found"] = found["found"] == "yes"
    groups = found.groupby("fault")
    by = groups.agg(programs=("program", "nunique"), planted=("found", "size"), hit=("found", "sum"))
    rows = by.map(words.integer).reset_index().values.tolist()
    tally = {"faults": len(found), "found": found["found"].sum()}
    return {name: words.integer(count) for name, count in tally.items()} | {"rows": rows}


def speed(results: Path) -> list[dict] | None:
    """Of each kernel: nanoseconds of one core for each element on Numba's simulator and on the SIMT machine,
    and how many times faster that is; None if it was not timed."""
    path = results / SIMT / "bench.csv"
    if not path.exists():
        return None
    found = read_csv(path, ("kernel", "machine", "ns_per_element"))
    table = found.pivot(index="kernel", columns="machine", values="ns_per_element")
    kernels = []
    for kernel, of in table.loc[found["kernel"].unique()].iterrows():
        name = {"hillis_steele": "Hillis-Steele"}.get(kernel, kernel.replace("_", " "))
        ns = {said: float(of[machine]) for machine, said in MACHINES.items()}
        said = {way: words.rounded(each) for way, each in ns.items()}
        faster = words.rounded(of["numba"] / of["simt"])
        kernels.append({"kernel": name, "ns": ns, "said": said, "faster": faster})
    return kernels
