"""What tests the SIMT machine's checks: mutants of the kernels, and a bench of small faulty programs."""

from pathlib import Path

import pandas

from analysis.common import words
from analysis.common.files import SIMT, read_csv, recordings
from analysis.common.tables import Table

KILLED, EQUIVALENT, SURVIVED = "killed", "equivalent", "survived"
# What the SIMT machine runs, and whose reading of volatile it takes.
READINGS = {"optimised": "ptx", "unoptimised": "ptx_unoptimised", "volatile_weak": "cpp"}
ARGUMENTS = Path(__file__).parents[2] / "tests/simt/suites.csv"
CHECKERS = ("memcheck", "racecheck", "initcheck", "synccheck")
ROOMS = 3  # parts of a path that name a kernel's folder


def mutants(results: Path) -> dict | None:
    """The tally of mutants in results/simt/mutants.csv, by kind and by folder; None if there are none."""
    path = results / SIMT / "mutants.csv"
    if not path.exists():
        return None
    found = read_csv(path, ("file", "kind", "verdict"))
    found["folder"] = ["/".join(Path(file).parent.parts[:ROOMS]) for file in found["file"]]
    verdicts = {name: int((found["verdict"] == name).sum()) for name in (KILLED, EQUIVALENT)}
    survived = len(found) - sum(verdicts.values())
    said = verdicts | {SURVIVED: survived, "mutants": len(found)}
    return {key: words.integer(value) for key, value in said.items()} | {
        "tables": [
            by("kind", "kind of mutation", found),
            by("folder", "kernels in", found),
            equivalents(found),
        ]
    }


def by(column: str, title: str, found: pandas.DataFrame) -> dict:
    """Killed, equivalent and survived, by the values of a column."""
    rows = []
    for value, group in found.groupby(column, sort=True):
        killed, equivalent = ((group["verdict"] == name).sum() for name in (KILLED, EQUIVALENT))
        counts = (len(group), killed, equivalent, len(group) - killed - equivalent)
        rows.append([value if "/" in value else value.replace("_", " "), *map(words.integer, counts)])
    columns = [title, "mutants", KILLED, EQUIVALENT, SURVIVED]
    return vars(Table(f"Mutants, by {title.removesuffix(' in')}.", columns, rows))


def equivalents(found: pandas.DataFrame) -> dict:
    """Each reason why mutants change nothing, and how many it explains."""
    same = found[found["verdict"] == EQUIVALENT]
    rows = [
        [f"`{file.removeprefix('kernels/')}`", reason + (f" ({number} mutants)" if number > 1 else "")]
        for (file, reason), number in same.groupby(["file", "reason"], sort=True).size().items()
    ]
    caption = "Mutants that are equivalent to the kernel, and why."
    return vars(Table(caption, ["kernel", "why nothing changes"], rows, wide=True, text_columns=2))


def hazards(results: Path) -> dict | None:
    """The bench under a GPU's checkers and on the SIMT machine, by expected finding; None if no GPU has run
    it."""
    gpu, found = verdicts(results, "hazards.csv")
    if gpu is None:
        return None
    caption = (
        "The bench: of the programs with one fault each, or none, how many a checker reports; in brackets "
        "those that it did not run to the end. The last two are of the SIMT machine."
    )
    table = reports(found, ["expected"], caption)
    return {"machine": gpu, "programs": words.integer(len(found)), "table": table}


def suites(results: Path, arguments: Path = ARGUMENTS) -> dict | None:
    """Published suites of faulty programs, by suite and label; None if the SIMT machine has not run them."""
    gpu, found = verdicts(results, "suites.csv")
    if found is None or not set(READINGS) <= set(found):
        return None
    caption = (
        "Published suites: of the programs with a label, how many a checker reports; in brackets those "
        "that it did not run to the end. The last three are of the SIMT machine."
    )
    argued = read_csv(arguments, ("program", "label", "volatile", "verdict", "reason"))
    keys = ["label", "volatile", "verdict", "reason"]
    rows = []
    for (label, volatile, verdict, reason), group in argued.groupby(keys, sort=False):
        kinds = " and ".join(kind.replace("_", " ") for kind in verdict.split())
        rows.append([f"labelled {label}, in {volatile} {kinds}: {len(group)}", reason])
    why = "Programs whose verdict is not their label, with volatile as in PTX or in C++, and why it holds."
    return {
        "machine": gpu,
        "found": {kind: tally(group) for kind, group in found.groupby("kind")},
        "table": reports(found, ["kind", "expected"], caption),
        "arguments": vars(Table(why, ["programs", "argument"], rows, wide=True, text_columns=2)),
    }


def tally(programs: pandas.DataFrame) -> dict:
    """Of faulty programs those in which the fault of the label is found, of correct ones those accused; the
    races among the faults, and how many of these NVIDIA's racecheck reports, if a GPU has run it."""
    faulty = programs[programs["expected"] != "clean"]
    correct = programs[programs["expected"] == "clean"]
    said = {"faulty": len(faulty), "correct": len(correct)}
    for reading, column in READINGS.items():
        named = [
            set(label.split()) <= set(cell.replace("missing_acquire", "race").split())
            for label, cell in zip(faulty["expected"], faulty[reading], strict=True)
        ]
        said |= {f"{column}_found": sum(named), f"{column}_accused": (correct[reading] != "clean").sum()}
    if "racecheck" in programs:
        races = programs[programs["expected"].str.contains("race")]
        said |= {"races": len(races), "racecheck": races["racecheck"].str.startswith("reported").sum()}
    return {key: words.integer(value) for key, value in said.items()}


def verdicts(results: Path, name: str) -> tuple[str | None, pandas.DataFrame | None]:
    """The GPU that has run the programs, if any, and the verdicts of its checkers and the SIMT machine."""
    gpus = [path for path in recordings(results, name) if path.parent.name != SIMT][:1]
    paths = [*gpus, *filter(Path.exists, [results / SIMT / name])]
    if not paths:
        return None, None
    found, *others = (read_csv(path, ("name", "kind", "expected")).set_index("name") for path in paths)
    for other in others:
        found = found.join(other.drop(columns=["kind", "expected"]))
    return gpus[0].parent.name if gpus else None, found.fillna("skipped")


def reports(found: pandas.DataFrame, by: list[str], caption: str) -> dict:
    """How many programs each checker reports, by the values of columns."""
    tools = [tool for tool in (*CHECKERS, *READINGS) if tool in found]
    rows = []
    for values, group in found.groupby(by, sort=False):
        cells = [said(group[tool]) for tool in tools]
        rows.append([*(value.replace("_", " ") for value in values), words.integer(len(group)), *cells])
    names = ["suite" if name == "kind" else name.replace("_", " ") for name in (*by, "programs", *tools)]
    return vars(Table(caption, names, rows, wide=True, text_columns=len(by)))


def said(cells: pandas.Series) -> str:
    """Programs that a checker reports; in brackets those that it did not run to the end."""
    other = int(cells.isin(("timeout", "skipped", "failed")).sum())
    reported = len(cells) - other - int((cells == "clean").sum())
    return words.integer(reported) + (f" ({words.integer(other)})" if other else "")
