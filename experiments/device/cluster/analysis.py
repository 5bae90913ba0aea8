"""cluster: sums of blocks through distributed shared memory."""

from dataclasses import replace
from itertools import product

from analysis.core import plotting, sweep, words
from analysis.core.claim import Evidence, Look, Results, Table, Verdict, closed_forms, judge, told

EXCHANGES = {
    "in_cluster": Look("in the cluster", plotting.GREEN, "o"),
    "by_look_back": Look("by look-back", plotting.BLUE, "^", "--", filled=False),
    "between_launches": Look("between launches", plotting.ORANGE, "s", ":", filled=False),
}
OWN, *OTHERS = EXCHANGES
TILES, SHOWN = (2, 4, 8, 16), 16
CLUSTERS = (8, 16)
WHOLE = {
    "by_look_back": Look("look-back by blocks", plotting.BLUE, "^", "--", filled=False),
    "8": Look("by clusters of 8", plotting.PURPLE, "v"),
    "16": Look("by clusters of 16", plotting.GREEN, "o"),
    "cub_device": replace(plotting.REFERENCES["cub_device"], label="CUB"),
}


def segments(timed: Results | None, exchange: str, tiles: int) -> sweep.Curve:
    return sweep.times(timed, "n", operation="segments", algorithm=exchange, tiles=tiles)


def whole(timed: Results | None, form: str) -> sweep.Curve:
    """form: an algorithm, or the blocks of a cluster."""
    own = {"algorithm": "in_clusters", "cluster": int(form)} if form.isdigit() else {"algorithm": form}
    return sweep.times(timed, "n", operation="whole", **own)


def faster_of_segments(evidence: Evidence) -> dict[tuple[int, int], bool]:
    """By length and tiles of a segment: whether the cluster is faster than both other exchanges."""
    found = {}
    for tiles in TILES:
        own, *others = (segments(evidence.timed, each, tiles) for each in EXCHANGES)
        for n in own:
            if all(n in other for other in others):
                found[n, tiles] = all(evidence.floor.faster(own[n], other[n], n) for other in others)
    return found


def faster_of_whole(evidence: Evidence) -> dict[int, bool]:
    """By length: whether look-back by clusters of some size is faster than by blocks."""
    base = whole(evidence.timed, "by_look_back")
    curves = [whole(evidence.timed, str(size)) for size in CLUSTERS]
    shared = [n for n in base if all(n in curve for curve in curves)]
    return {n: any(evidence.floor.faster(curve[n], base[n], n) for curve in curves) for n in shared}


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted)
    follows = {
        **{
            f"segments of {tiles} tiles, {words.power(n)}": yes
            for (n, tiles), yes in faster_of_segments(evidence).items()
        },
        **{f"the whole of {words.power(n)}": yes for n, yes in faster_of_whole(evidence).items()},
    }
    return judge(right, follows, wrong or found_in_words(evidence))


def found_in_words(evidence: Evidence) -> str:
    timed = evidence.timed
    ratios = {
        other: [
            ratio
            for tiles in TILES
            for ratio in sweep.ratios(segments(timed, OWN, tiles), segments(timed, other, tiles)).values()
        ]
        for other in OTHERS
    }
    base = whole(timed, "by_look_back")
    of_whole = [ratio for size in CLUSTERS for ratio in sweep.ratios(whole(timed, str(size)), base).values()]
    read = [bytes_read(evidence.counted, exchange) for exchange in (OWN, "between_launches")]
    more = read[1] / read[0] if all(read) else None
    return told("cluster", more=more, whole=of_whole, **ratios)


def bytes_read(counted: Results | None, exchange: str) -> float | None:
    return counted and counted.count("global_bytes_read", algorithm=exchange, tiles=SHOWN)


@plotting.of_times
def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 3.3, ncols=2)
    copy = sweep.times(evidence.timed, "n", algorithm="device_to_device")
    curves = {
        look: sweep.ratios(segments(evidence.timed, each, SHOWN), copy) for each, look in EXCHANGES.items()
    }
    sweep.lines(left, curves)
    sweep.finish(left, "time / copy", f"Segments of {SHOWN} tiles", "floats, n")
    sweep.lines(
        right, {look: sweep.ratios(whole(evidence.timed, each), copy) for each, look in WHOLE.items()}
    )
    sweep.finish(right, "time / copy", "The whole vector", "floats, n")
    for axes in (left, right):
        axes.set_ylim(bottom=0)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.23), ncols=2, columnspacing=1, borderpad=0)
    return figure


def tables(evidence: Evidence) -> list[Table]:
    keys = list(product(TILES, EXCHANGES))
    lengths = sorted(segments(evidence.timed, OWN, SHOWN))
    cells = {
        words.power(n): lambda tiles, exchange, n=n: words.microseconds(
            segments(evidence.timed, exchange, tiles).get(n)
        )
        for n in lengths
    }
    return (
        [sweep.table(told("cluster: table"), ("tiles", "exchange"), keys, cells, EXCHANGES)]
        if lengths
        else []
    )
