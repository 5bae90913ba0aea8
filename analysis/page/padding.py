"""Counted bank conflicts of Blelloch's scan of one tile, to check those that the page computes."""

from pathlib import Path

from analysis import padding
from analysis.common.files import SIMT
from analysis.common.loading import read
from analysis.common.recorded import SUFFIX
from analysis.page.colours import MAPS


def counted_conflicts(results: Path) -> list[dict]:
    path = results / SIMT / f"padding{SUFFIX}"
    if not path.exists():
        return []
    counted = read(path)
    return [
        {"index": index, "bytes": size, "tile": tile, "conflicts": int(value)}
        for index in MAPS
        for size in padding.sizes(counted)
        for tile, value in padding.conflicts(counted, index, size).items()
    ]
