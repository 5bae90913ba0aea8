"""shuffle_or_shared: shuffles are 10 to 20 times as fast as an exchange through shared memory."""

from itertools import product
from typing import NamedTuple

from analysis.core import charts, plotting, sweep, words
from analysis.core.claim import Evidence, Look, Median, Results, Table, Verdict, closed_forms, judge, told
from analysis.core.verdict import grouped, places

SHARE = 0.10
CLAIMED = (10, 20)  # times as fast
STEPS = 5  # of a warp

OPERATIONS = {"reduce": "reduction", "scan": "scan"}
TYPES = {"int32": "int", "float": "float", "double": "double"}
BARRIERS = {"syncwarp": "barrier of the warp", "syncthreads": "barrier of the block"}
NAMES = {
    "shuffle": "shuffles",
    "syncwarp": "__syncwarp",
    "syncthreads": "__syncthreads",
    "redux": "__reduce_add_sync",
}
ALONE, FULL, LONG = ("warp", "latency"), ("warp", "throughput"), ("block", "memory")
REGIMES = {
    ALONE: "1 warp an SM",
    ("warp", "few"): "8 warps an SM",
    FULL: "64 warps an SM",
    ("block", "latency"): "1 block an SM",
    ("block", "throughput"): "2 blocks an SM",
    LONG: "long vector, tiles",
}
COLORS = {"syncwarp": plotting.BLUE, "syncthreads": plotting.ORANGE}
MARKERS = {"int32": "o", "float": "s", "double": "^"}
REDUX = Look("int, __reduce_add_sync, barrier of the warp", plotting.GREEN, "D", "none", filled=False)


class Place(NamedTuple):
    """Where the claim is tried."""

    scope: str
    regime: str
    operation: str
    type: str

    def time(self, timed: Results | None, exchange: str) -> Median | None:
        return timed.time(algorithm=exchange, **self._asdict(), cache="cold") if timed else None


PLACES = [Place(*regime, *of) for regime in REGIMES for of in product(OPERATIONS, TYPES)]


def gains(timed: Results | None, slow: str, fast: str = "shuffle") -> dict[Place, float]:
    """By place, how many times as fast one exchange is as another."""
    pairs = {place: (place.time(timed, slow), place.time(timed, fast)) for place in PLACES}
    return {place: one.value / other.value for place, (one, other) in pairs.items() if one and other}


def of_regime(regime: tuple[str, str], found: dict[Place, float]) -> list[float]:
    return [gain for place, gain in found.items() if place[:2] == regime]


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted)
    follows, found = {}, {barrier: gains(evidence.timed, barrier) for barrier in BARRIERS}
    for barrier, place in ((each, place) for each in BARRIERS for place in found[each]):
        n = sweep.longest(evidence.timed, **place._asdict())
        group = f"{REGIMES[place[:2]]} against the {BARRIERS[barrier]}"
        kind = f"the {OPERATIONS[place.operation]} of {TYPES[place.type]}"
        follows[group, kind] = evidence.floor.reaches(found[barrier][place], 1 / SHARE, n)
    regimes = {"alone": ALONE, "full": FULL, "long": LONG}
    every = list(product(regimes.items(), BARRIERS))
    spans = {f"{name}_{barrier}": of_regime(of, found[barrier]) for (name, of), barrier in every}
    finding = told("shuffle_or_shared", **spans)
    return judge(right, follows, wrong or finding, grouped(follows, of_kinds))


def of_kinds(found: dict[str, bool]) -> str:
    return "in every case" if all(found.values()) else f"in {places(found)}"


def cause(evidence: Evidence) -> str:
    """What a step takes, in ns, and what an instruction for all steps gains."""
    timed, place = evidence.timed, Place(*ALONE, "reduce", "float")
    rounds = max(timed.levels("rounds", **place._asdict()), default=1) if timed else 1
    steps = {each: place.time(timed, each) for each in ("shuffle", *BARRIERS)}
    ns = {each: 1e3 * found.value / (STEPS * rounds) for each, found in steps.items() if found}
    redux = gains(timed, "shuffle", "redux")
    return told("shuffle_or_shared: cause", **ns, alone=of_regime(ALONE, redux), full=of_regime(FULL, redux))


def series(timed: Results, operation: str) -> dict[Look, dict[Place, float]]:
    """Time with an exchange in shared memory relative to another, by look and place."""
    found = {}
    for barrier, kind in product(BARRIERS, TYPES):
        look = Look(f"{TYPES[kind]}, {BARRIERS[barrier]}", COLORS[barrier], MARKERS[kind], "none")
        every = gains(timed, barrier).items()
        found[look] = {place: gain for place, gain in every if place[2:] == (operation, kind)}
    return found | ({REDUX: gains(timed, "syncwarp", "redux")} if operation == "reduce" else {})


@plotting.of_times
def figure(evidence: Evidence):
    figure, panels = plotting.new_figure(plotting.WIDE, 3.2, ncols=2, sharex=True)
    for axes, (operation, title) in zip(panels, OPERATIONS.items(), strict=True):
        axes.axvspan(*CLAIMED, color=plotting.PALE, linewidth=0)
        axes.axvline(1, color=plotting.BLACK, linewidth=0.6)
        curves = series(evidence.timed, operation)
        for number, (look, found) in enumerate(curves.items()):
            rows = [list(REGIMES).index(place[:2]) + 0.11 * (number - 3) for place in found]
            axes.plot(list(found.values()), rows, **look.style())
        charts.name_rows(axes, list(REGIMES.values()) if axes is panels[0] else [""] * len(REGIMES))
        axes.set_xscale("log", base=2)
        axes.set_xticks(ticks := [1, 2, 5, 10, 20], [f"{tick}" for tick in ticks])
        axes.minorticks_off()
        axes.set(title=title.capitalize(), xlabel="times as fast as by shared memory")
        axes.grid(axis="x")
        axes.set_axisbelow(True)
        axes.text(14, 5.3, "claimed", ha="center", va="center", fontsize=7)
    plotting.legend_on_top(figure, series(evidence.timed, "reduce"), columns=3)
    return figure


def tables(evidence: Evidence) -> list[Table]:
    counted, timed = evidence.counted, evidence.timed
    quantities = {"shuffles": "shuffles", "warp_reductions": "warp\nreductions", "barriers": "barriers"}
    quantities |= {"shared_store_requests": "stores", "shared_load_requests": "loads"}

    def count(scope: str, operation: str, kind: str, exchange: str, of: str) -> str:
        """Of one warp or one block, in one round."""
        case = Place(scope, "latency", operation, kind)._asdict() | {"algorithm": exchange}
        total = counted.count(of, **case) if counted else None
        if total is None:
            return words.NOTHING
        segments = sweep.longest(counted, **case) / (32 if scope == "warp" else 1024)
        return words.integer(total / segments / counted.levels("rounds", **case)[0])

    keys = list(product(("warp", "block"), OPERATIONS, ("int32", "double"), NAMES))
    cells = {name: lambda *key, of=of: count(*key, of) for of, name in quantities.items()}
    looks = {name: Look(said, plotting.BLACK) for name, said in (NAMES | TYPES | OPERATIONS).items()}
    columns = ["of a", "operation", "type", "exchange"]
    counts = sweep.table(told("shuffle_or_shared: counts"), columns, keys, cells, looks, text_columns=4)
    times = {
        said: lambda *place, of=of: words.interval(Place(*place).time(timed, of))
        for of, said in NAMES.items()
    }
    rounds = max(timed.levels("rounds")) if timed else None
    caption = told("shuffle_or_shared: times", rounds=rounds)
    columns = ["scope", "regime", "operation", "type"]
    found = [counts, sweep.table(caption, columns, PLACES, times, looks, text_columns=4)]
    return [table for table in found if table.rows]
