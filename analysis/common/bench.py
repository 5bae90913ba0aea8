"""What tests the SIMT machine's checks: mutants of the kernels, and a bench of small faulty programs."""

from pathlib import Path

import pandas

from analysis.common import words
from analysis.common.files import SIMT, read_csv, recordings
from analysis.common.tables import Table

KILLED, EQUIVALENT, SURVIVED = "killed", "equivalent", "survived"
BUILDS = ("optimised", "unoptimised")  # programs that the SIMT machine runs
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
    paths = recordings(results, "hazards.csv")
    if not paths:
        return None
    path, own = paths[0], results / SIMT / "hazards.csv"
    found = read_csv(path, ("name", "kind", "expected"))
    tools = [tool for tool in CHECKERS if tool in found]
    if own.exists():
        here = read_csv(own, ("name", *BUILDS)).set_index("name")
        for build in BUILDS:
            cells = found["name"].map(here[build]).fillna("skipped")
            found[build] = cells.where(cells.isin(("clean", "skipped")), "reported")
        tools += BUILDS
    rows = []
    for expected, group in found.groupby("expected", sort=False):
        cells = [said(group[tool]) for tool in tools]
        rows.append([expected.replace("_", " "), words.integer(len(group)), *cells])
    caption = (
        "The bench: of the programs with one fault each, or none, how many a checker reports; in brackets "
        "those that it did not run to the end. The last two are of the SIMT machine."
    )
    columns = ["expected", "programs", *tools]
    return {
        "machine": path.parent.name,
        "programs": words.integer(len(found)),
        "table": vars(Table(caption, columns, rows, wide=True)),
    }


def said(cells: pandas.Series) -> str:
    """Programs that a checker reports; in brackets those that it did not run to the end."""
    reported = int(cells.str.startswith("reported").sum())
    other = int(cells.isin(("timeout", "skipped", "failed")).sum())
    return words.integer(reported) + (f" ({words.integer(other)})" if other else "")
