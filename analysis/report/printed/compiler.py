"""What the supplement prints of the random kernels: how many were run on a GPU, and in what ways the compiler
was wrong, simt/test/fuzz/compiler."""

from pathlib import Path

from analysis.core.files import SIMT, read_csv, recordings

PROGRAMS = Path(__file__).parents[3] / "simt/test/fuzz/compiler"


def contents(results: Path, programs: Path = PROGRAMS) -> dict | None:
    """Numbers, and a row a program: its name, what it computes, one wrong result and the right one, and the
    builds that are wrong; None if no GPU has run random kernels."""
    found = [path for path in recordings(results, "fuzz.csv") if path.parent.name != SIMT]
    if not found:
        return None
    tally = {path.parent.name: read_csv(path, ("outcome", "programs")).set_index("outcome") for path in found}
    answers = read_csv(programs / "answers.csv", ("program", "build", "gpu", "printed", "right"))
    wrong = answers[answers["printed"] != answers["right"]]
    by_gpu = {gpu: {kind: int(n) for kind, n in table["programs"].items()} for gpu, table in tally.items()}
    return {
        "programs": sum(sum(each.values()) for each in by_gpu.values()),
        "compiler": sum(each.get("compiler", 0) for each in by_gpu.values()),
        "open": sum(each.get("open", 0) for each in by_gpu.values()),
        "gpus": sorted(by_gpu),
        "rows": [
            [name, said_of(programs / f"{name}.cu"), *differing(rows), rows["build"].tolist()]
            for name, rows in wrong.groupby("program")
        ],
    }


def said_of(path: Path) -> str:
    """Its first line."""
    with path.open(encoding="utf-8") as file:
        return file.readline().removeprefix("// ").strip()


def differing(rows) -> tuple[str, str]:
    """The first word that is wrong, and the right one."""
    pairs = zip(rows["printed"].iloc[0].split(), rows["right"].iloc[0].split(), strict=True)
    return next((printed, right) for printed, right in pairs if printed != right)
