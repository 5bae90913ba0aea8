"""The banks that one warp accesses in each step of Blelloch's scan, from the SIMT machine's trace."""

from collections.abc import Mapping

import pandas

from analysis.common import plotting, words
from analysis.common.lanes import lane_map

WORDS = [(plotting.PALER, 0.84), (plotting.SKY, 0.42), (plotting.RED, 0.84)]  # words in the bank: 0, 1, 2


def banks_by_step(trace: pandas.DataFrame, index: str, tile: int) -> list[tuple[str, list[int]]]:
    """For each step of Blelloch's scan of a tile: its stride, and the most words of any request in each bank.

    Only of steps that apply the operator. Banks are numbered from that of the tile's first element.
    """
    chosen = trace[(trace["algorithm"] == "blelloch") & (trace["index"] == index) & (trace["warp"] == 0)]
    first = chosen[chosen["kind"] != "op"]["word"].min()  # where the tile begins
    found, down = [], False
    for _, step in chosen.groupby("step"):
        lanes = step[step["kind"] == "op"]["lane"]
        if lanes.empty:
            down = down or bool(found)
            continue
        requests = step[step["kind"] != "op"].drop_duplicates(["kind", "request", "word"])
        banks = requests.assign(bank=(requests["word"] - first) % 32).groupby(["kind", "request", "bank"])
        most = banks.size().groupby("bank").max().to_dict()
        stride = tile // 2 // len(set(lanes))
        name = f"{'down' if down else 'up'} {stride}"
        found.append((name, [min(most.get(bank, 0), 2) for bank in range(32)]))
    return found


def draw(trace: pandas.DataFrame, maps: Mapping[str, str], tile: int):
    """A panel for each index map, by its label."""
    figure, axes = plotting.new_figure(plotting.WIDE, 2.6, ncols=len(maps), sharey=True)
    for (index, label), panel in zip(maps.items(), axes, strict=True):
        steps = banks_by_step(trace, index, tile)
        lane_map(panel, [banks for _, banks in steps], WORDS, [name for name, _ in steps])
        clashes = sum(count > 1 for _, banks in steps for count in banks)
        panel.set_title(f"{label}: {words.plural(clashes, 'bank')} with two words")
        panel.set_xlabel("bank")
    axes[0].set_ylabel("stride")
    return figure
