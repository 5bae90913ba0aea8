"""What tests the SIMT machine's checks: mutants of the kernels, and a bench of small faulty programs."""

from pathlib import Path

import pandas

from analysis.core import words
from analysis.core.files import SIMT, read_csv, recordings

VERDICTS = ("killed", "equivalent", "survived")
# What the SIMT machine runs, and whose reading of volatile it takes.
READINGS = {"optimised": "ptx", "unoptimised": "ptx_unoptimised", "volatile_weak": "cpp"}
ARGUMENTS = Path(__file__).parents[3] / "simt/test/suites.csv"
CHECKERS = ("memcheck", "racecheck", "initcheck", "synccheck")
ROOMS = 3  # parts of a path that name a kernel's folder


def mutants(results: Path) -> dict | None:
    """The tally of mutants in results/simt/mutants.csv, by kind and by folder, and why some are equivalent;
    None if there are none."""
    path = results / SIMT / "mutants.csv"
    if not path.exists():
        return None
    found = read_csv(path, ("file", "kind", "verdict"))
    found["kind"] = found["kind"].str.replace("_", " ")
    found["folder"] = ["/".join(Path(file).parent.parts[:ROOMS]) for file in found["file"]]
    found["verdict"] = found["verdict"].where(found["verdict"].isin(VERDICTS), "survived")
    same = found[found["verdict"] == "equivalent"].groupby(["file", "reason"]).size()
    said = {"reasons": [[file.removeprefix("kernels/"), why, int(n)] for (file, why), n in same.items()]}
    for by in ("kind", "folder"):
        table = pandas.crosstab(found[by], found["verdict"], margins=True, margins_name="mutants")
        table = table.reindex(columns=["mutants", *VERDICTS], fill_value=0).map(words.integer)
        said |= table.loc["mutants"].to_dict() | {by: table.drop("mutants").reset_index().values.tolist()}
    return said


def hazards(results: Path) -> dict | None:
    """The bench under a GPU's checkers and on the SIMT machine, by expected finding; None if no GPU has run
    it."""
    gpu, found = verdicts(results, "hazards.csv")
    return gpu and {"programs": words.integer(len(found))} | reports(found, ["expected"])


def suites(results: Path, arguments: Path = ARGUMENTS) -> dict | None:
    """Published suites of faulty programs, by suite and label; None if the SIMT machine has not run them."""
    gpu, found = verdicts(results, "suites.csv")
    if found is None or not set(READINGS) <= set(found):
        return None
    argued = read_csv(arguments, ("program", "label", "volatile", "verdict", "reason"))
    argued["verdict"] = argued["verdict"].str.replace(" ", " and ").str.replace("_", " ")
    keys = ["label", "volatile", "verdict", "reason"]
    return {
        "machine": gpu,
        "found": {kind: tally(group) for kind, group in found.groupby("kind")},
        "arguments": argued.groupby(keys, sort=False).size().reset_index().values.tolist(),
    } | reports(found, ["kind", "expected"])


def tally(programs: pandas.DataFrame) -> dict:
    """Of faulty programs those in which the fault of the label is found, of correct ones those accused; the
    races among the faults, and how many of these NVIDIA's racecheck reports, if a GPU has run it."""
    faulty = programs[programs["expected"] != "clean"]
    correct = programs[programs["expected"] == "clean"]
    said = {"faulty": len(faulty), "correct": len(correct)}
    for reading, column in READINGS.items():
        cells = faulty[reading].str.replace("missing_acquire", "race")
        pairs = zip(faulty["expected"], cells, strict=True)
        named = [set(label.split()) <= set(cell.split()) for label, cell in pairs]
        said |= {f"{column}_found": sum(named), f"{column}_accused": (correct[reading] != "clean").sum()}
    if "racecheck" in programs:
        races = programs[programs["expected"].str.contains("race")]
        said |= {"races": len(races), "racecheck": races["racecheck"].str.startswith("reported").sum()}
    return {key: words.integer(value) for key, value in said.items()}


def verdicts(results: Path, name: str) -> tuple[str | None, pandas.DataFrame | None]:
    """The GPU that has run the programs, if any, and the verdicts of its checkers and the SIMT machine,
    also of programs that one of them alone has run."""
    gpus = [path for path in recordings(results, name) if path.parent.name != SIMT][:1]
    paths = [*gpus, *filter(Path.exists, [results / SIMT / name])]
    if not paths:
        return None, None
    keys = ["name", "kind", "expected"]
    found, *others = (read_csv(path, keys).set_index(keys) for path in paths)
    for other in others:
        found = found.join(other, how="outer").loc[found.index.union(other.index, sort=False)]
    found = found.reset_index("kind").reset_index("expected")
    return gpus[0].parent.name if gpus else None, found.fillna("skipped")


def reports(found: pandas.DataFrame, by: list[str]) -> dict:
    """How many programs each checker reports, by the values of columns."""
    tools = [tool for tool in (*CHECKERS, *READINGS) if tool in found]
    rows = []
    for values, group in found.groupby(by, sort=False):
        names = [value.replace("_", " ") for value in values]
        rows.append([*names, words.integer(len(group)), *(said(group[tool]) for tool in tools)])
    return {"tools": [tool.replace("_", " ") for tool in tools], "rows": rows}


def said(cells: pandas.Series) -> str:
    """Programs that a checker reports; in brackets those that it did not run to the end."""
    other = int(cells.isin(("timeout", "skipped", "failed")).sum())
    reported = len(cells) - other - int((cells == "clean").sum())
    return words.integer(reported) + (f" ({words.integer(other)})" if other else "")
