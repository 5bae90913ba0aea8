"""Scans of every tile of a vector by itself: counts of a tile, times by tile size, their panels and table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from analysis.core import charts, plotting, sweep, words
from analysis.core.evidence import Evidence, Results
from analysis.core.plotting import Look
from analysis.core.sweep import Table

MAPS = ("plain", "padded")
COUNTED = {"barriers": "barriers", "ops": "operations", "warp_ops": "warp ops"}


@dataclass(frozen=True)
class TileScans:
    """The scans of a claim, by name. base: the one that runs in every tile, up to the longest vector.

    factors: those of a scan, from its name.
    """

    looks: Mapping[str, Look]
    base: str
    factors: Callable[[str], dict] = lambda scan: {"algorithm": scan}

    def tiles(self, results: Results | None) -> list[int]:
        return sorted(results.levels("tile", **self.factors(self.base))) if results else []

    def length(self, results: Results | None) -> int:
        return sweep.longest(results, **self.factors(self.base))

    def times(self, timed: Results | None, scan: str, index: str = "plain") -> sweep.Curve:
        """By tile, of the longest vector."""
        return sweep.times(timed, "tile", **self.factors(scan), index=index, n=self.length(timed))

    def count(self, counted: Results | None, quantity: str, scan: str, tile: int, index: str = "plain"):
        """A count per tile."""
        return sweep.per_tile(counted, quantity, tile, **self.factors(scan), index=index)

    def figure(self, evidence: Evidence, height: float, widths: Sequence[float], draw: Callable, **legend):
        """A panel of counts at the left, and one of times for each index map."""
        timed = evidence.timed
        figure, (left, *panels) = plotting.new_figure(plotting.WIDE, height, ncols=3, width_ratios=widths)
        draw(left, evidence.counted)
        references = tile_references(timed, self.tiles(timed), n=self.length(timed))
        for axes, index in zip(panels, MAPS, strict=True):
            curves = {look: self.times(timed, scan, index) for scan, look in reversed(self.looks.items())}
            sweep.lines(axes, curves)
            charts.reference_curves(axes, references)
            tiles = sorted({tile for curve in curves.values() for tile in curve})
            sweep.finish(axes, "", f"Time, {index}", "tile size, elements", tiles, every=2)
        for axes in panels:
            axes.set_ylim(0, max(each.get_ylim()[1] for each in panels))
        charts.name_curves(panels[-1], references)
        panels[0].set_ylabel(f"{words.power(self.length(timed))} floats, µs (cold)")
        plotting.legend_on_top(figure, self.looks.values(), **legend)
        return figure

    def table(self, evidence: Evidence, caption: str, name: str, counts: Mapping[str, Callable]) -> Table:
        """A row for each scan of each tile: `counts`, functions of both, and the time with each index map."""

        def time(index: str) -> Callable[[str, int], str]:
            curves = {scan: self.times(evidence.timed, scan, index) for scan in self.looks}
            return lambda scan, tile: words.interval(curves[scan].get(tile))

        cells = {column: lambda *key, of=of: words.integer(of(*key)) for column, of in counts.items()}
        cells |= {f"{index}, cold,\nµs [95% CI]": time(index) for index in MAPS}
        tiles = self.tiles(evidence.timed or evidence.counted)
        keys = [(scan, tile) for tile in tiles for scan in self.looks]
        return sweep.table(caption, [name, "tile"], keys, cells, self.looks)


def tile_references(timed: Results, tiles: Sequence[int], **factors) -> dict[str, sweep.Curve]:
    """CUB's block scan, if it was timed in every tile; the copy and CUB's scan, which have no tile."""
    block = sweep.times(timed, "tile", tiles, algorithm="cub_block", **factors)
    found = {"cub_block": block} if len(block) == len(tiles) else {}
    device = {each: timed.time(algorithm=each, cache="cold", **factors) for each in sweep.REFERENCES}
    return found | {each: dict.fromkeys(tiles, time) for each, time in device.items() if time}
