"""The kernels that the page steps through, cut from their sources."""

from pathlib import Path

from analysis.core.errors import EvidenceError
from analysis.core.looks import ON_PAGE

BLOCK = Path(__file__).parents[3] / "kernels/textbook/block"
KERNELS = (
    "scan_hillis_steele",
    "scan_blelloch",
    "scan_brent_kung",
    "scan_sklansky",
    "scan_kogge_stone",
    "scan_raking",
    "reduce_tree",
)


def listings() -> dict[str, str]:
    """By the kernel's name: its struct, as it is compiled."""
    labels = {name: ON_PAGE[name.split("_", 1)[1]].label for name in KERNELS}
    return {labels[name]: struct_in(BLOCK / f"{name}.cuh") for name in KERNELS}


def struct_in(path: Path) -> str:
    """The last struct of the file, with its template line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("struct ")]
    if not starts:
        raise EvidenceError(f"{path}: has no struct to show; correct analysis/report/page/listings.py")
    start = starts[-1] - (lines[starts[-1] - 1].startswith("template"))
    return "\n".join(lines[start : lines.index("};", starts[-1]) + 1])
