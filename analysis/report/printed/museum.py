"""What the supplement prints of the museum of races, simt/test/museum/exhibits.csv."""

from pathlib import Path

from analysis.core.files import read_csv
from analysis.core.words import integer

EXHIBITS = Path(__file__).parents[3] / "simt/test/museum/exhibits.csv"
PRINTED = ("name", "project", "number", "year", "fault", "reported", "line", "racecheck")
BUILDS = ["found", "unoptimised"]  # what the machine reports, of the program and of its build with -G
MISSED = "missed"


def contents(exhibits: Path = EXHIBITS) -> dict:
    """Numbers, and a row an exhibit: its name, the project and how it is called, the number there, the year,
    what went wrong, what the machine reports and at which lines, and what NVIDIA's racecheck does, if a GPU
    has recorded it; and why some are missed."""
    table = read_csv(exhibits, {*PRINTED, *BUILDS, "note"} - {"reported"}).fillna("").astype(str)
    whole, everywhere = table["found"] != MISSED, table[BUILDS].ne(MISSED).any(axis=1)
    years, called = table["year"].astype(int), names_of(table["project"].unique())
    table["reported"] = [reported(row) for row in table.itertuples()]
    return {
        "exhibits": len(table),
        "projects": table["project"].nunique(),
        "from": str(years.min()),
        "to": str(years.max()),
        "found": int(whole.sum()),
        "unoptimised_alone": int((everywhere & ~whole).sum()),
        "missed": int((~everywhere).sum()),
        "racecheck": racecheck(table["racecheck"]),
        "rows": [
            [name, project, called[project], number, *rest]
            for name, project, number, *rest in zip(*(table[each] for each in PRINTED), strict=True)
        ],
        "notes": [[row.name, row.note] for row in table.itertuples() if row.note],
    }


def names_of(projects) -> dict[str, str]:
    """Of each project its name, without its owner if no other one is called so."""
    bare = {project: project.split("/")[1] for project in projects}
    return {
        project: project if list(bare.values()).count(name) > 1 else name for project, name in bare.items()
    }


def racecheck(cells) -> str | None:
    """How many it reports; None if no GPU has recorded it."""
    return integer(int(cells.str.startswith("reported").sum())) if cells.any() else None


def reported(row) -> str:
    """What the machine reports of the program, or of the build with -G if that alone shows the fault."""
    alone = row.found == MISSED != row.unoptimised
    seen = (row.unoptimised if alone else row.found).split()
    return ", ".join(kind.replace("_", " ") for kind in seen) + (" (-G)" if alone else "")
