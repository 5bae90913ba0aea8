"""The times of launches on every GPU whose prices are recorded, as the last part of the report.

The libraries of the analysis take a second to load, so they are imported only once there is something to say.
"""

from collections.abc import Sequence

from . import TryError
from .build import ROOT
from .observed import Launch
from .report import groups, numbers_of, table

OF_A_MICROSECOND = 1e3


def report(launches: list[Launch], folders: Sequence[str], longer: float) -> str:
    """One row a GPU for launches that are alike. folders: of results/; empty: all GPUs."""
    from . import predictions as programs

    gpus = programs.gpus(ROOT / "results")
    if unknown := [folder for folder in folders if folder not in [gpu.folder for gpu in gpus]]:
        known = ", ".join(gpu.folder for gpu in gpus)
        raise TryError(f"--gpu {unknown[0]}: no prices of such a GPU in results/; there are: {known}")
    chosen = [gpu for gpu in gpus if not folders or gpu.folder in folders]
    errors = programs.bands(ROOT / "figures")
    rows = [["launch", "GPU", "time", "within", "limited by", "then by", "kernel"]]
    for group in groups([launch for launch in launches if not launch.refused]):
        launch = group[0]
        work = programs.work_in(launch.work).longer(longer, None)
        for gpu in chosen:
            found = programs.predicted(work, gpu, errors, stopped=not launch.is_whole)
            said = ["-", "", f"no prediction: {found.outside}", ""]
            if not found.outside:
                said = [in_words(found.us), f"{found.band:.0%}", found.limiter, found.then]
            rows.append([numbers_of(group), gpu.folder, *said, launch.kernel])
    if len(rows) == 1:
        return ""
    of = "" if longer == 1 else f", with {longer:g} times as many blocks"
    title = f"predicted with empty caches{of}; within: what 90% of the recorded kernels keep to"
    return "\n".join(["", title, *table(rows, {1, 4, 5, 6}, 200)])


def in_words(us: float) -> str:
    return f"{us / OF_A_MICROSECOND:,.3g} ms" if us >= OF_A_MICROSECOND else f"{us:.3g} µs"
