"""noise: two measurements of the same kernel agree."""

from dataclasses import replace

from analysis.core import looks, plotting, sweep, words
from analysis.core.claim import Evidence, Look, Results, Table, Verdict, judge, told
from analysis.core.noise_floor import Pair, floor_of, pairs_of
from analysis.core.statistics import LEVEL
from analysis.core.verdict import lengths_in_words

LOOKS = {
    "device_to_device": Look("copy", plotting.GREY, "D", size=3.6),
    "cub_device": Look("CUB device", plotting.BLACK, "v"),
    **looks.of("hillis_steele", "blelloch", "three_phase"),
}
QUANTITIES = (
    "ops",
    "warp_ops",
    "barriers",
    "launches",
    "shared_load_requests",
    "shared_store_requests",
    "shared_load_wavefronts",
    "shared_store_wavefronts",
    "global_load_sectors",
    "global_store_sectors",
)


def by_length(pairs: list[Pair]) -> dict[int, list[Pair]]:
    return {n: [pair for pair in pairs if pair.n == n] for n in sorted({pair.n for pair in pairs})}


def overlapping(pairs: list[Pair]) -> int:
    return sum(pair.overlaps for pair in pairs)


def counted_pairs(counted: Results | None) -> dict[tuple[str, int], bool]:
    """Whether all counts of both twins are equal, by algorithm and n."""
    if counted is None:
        return {}
    rows = counted.rows[counted.rows["twin"].notna()].sort_values("n", kind="stable")
    twins = rows.groupby(["algorithm", "n"], sort=False)[[each for each in QUANTITIES if each in rows]]
    return {(name, int(n)): len(of) == 2 and len(of.drop_duplicates()) == 1 for (name, n), of in twins}


def verdict(evidence: Evidence) -> Verdict:
    equal, pairs = counted_pairs(evidence.counted), pairs_of(evidence.timed)
    agree = {n: overlapping(each) >= LEVEL * len(each) for n, each in by_length(pairs).items()}
    floors = {f"n = {words.power(n)}": floor_of(each) for n, each in by_length(pairs).items()}
    finding = told("noise", overlapping=overlapping(pairs), pairs=len(pairs), floors=floors)
    unequal = [key for key, same in equal.items() if not same]
    if said := [f"{LOOKS[each].label} at n = {words.power(n)}" for each, n in unequal]:
        finding = told("noise: unequal", unequal=said)
    return judge(all(equal.values()) if equal else None, agree, finding, lengths_in_words(agree))


@plotting.of_times
def figure(evidence: Evidence):
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.5)
    pairs = pairs_of(evidence.timed)
    draw_pairs(axes, pairs)
    shown = [look for each, look in LOOKS.items() if any(pair.algorithm == each for pair in pairs)]
    plotting.legend_on_top(figure, [replace(look, line="none") for look in shown], columns=3)
    return figure


def draw_pairs(axes, pairs: list[Pair]) -> None:
    band = 100 * (floor_of(pairs) - 1)
    axes.axhspan(-band, band, color=plotting.PALE, linewidth=0)
    axes.axhline(0, color=plotting.BLACK, linewidth=0.6)
    for pair in pairs:
        look = LOOKS[pair.algorithm]
        at = (pair.a.value, 100 * (pair.b.value / pair.a.value - 1))
        face = look.color if pair.cache == "cold" else "white"
        axes.plot(*at, **look.style() | {"markerfacecolor": face, "linestyle": "none"}, zorder=3)
        if not pair.overlaps:
            axes.plot(*at, "o", markersize=9, markerfacecolor="none", color=plotting.PURPLE, zorder=4)
    most = 1.25 * max(band, *(100 * (pair.ratio - 1) for pair in pairs), 0.1)
    axes.set(ylim=(-most, most), xscale="log")
    axes.set(xlabel="median of twin a, µs", ylabel="twin b against twin a, %")
    axes.grid()


def numbers(evidence: Evidence) -> dict:
    """What the report's method section quotes."""
    pairs = pairs_of(evidence.timed)
    if not pairs:
        return {}
    floors = {str(n): floor_of(each) for n, each in by_length(pairs).items()}
    return {"pairs": len(pairs), "overlapping": overlapping(pairs), "floors": floors}


def tables(evidence: Evidence) -> list[Table]:
    pairs, counted = by_length(pairs_of(evidence.timed)), counted_pairs(evidence.counted)

    def of(found: list[bool]) -> str:
        return f"{sum(found)} of {len(found)}" if found else words.NOTHING

    def times(own: list[Pair]) -> str:
        return words.span([pair.a.value for pair in own], words.significant) if own else words.NOTHING

    cells = {
        "twins\ncounted\nequal": lambda n: of([same for (_, m), same in counted.items() if m == n]),
        "intervals\noverlap": lambda n: of([pair.overlaps for pair in pairs.get(n, ())]),
        "noise\nfloor": lambda n: words.apart(floor_of(pairs[n])) if n in pairs else words.NOTHING,
        "µs": lambda n: times(pairs.get(n, [])),
    }
    keys = [(n,) for n in sorted({*pairs, *(n for _, n in counted)})]
    return [sweep.table(told("noise: table"), ["n"], keys, cells)]
