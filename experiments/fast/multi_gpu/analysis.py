"""multi_gpu: the scheme of block sums applies again one level up, to the GPUs of a host."""

from analysis.core import charts, plotting, sweep, words
from analysis.core.claim import Evidence, Look, Results, Table, Verdict, closed_forms, judge, told
from experiments.fast.multi_gpu import by_gpus
from experiments.fast.multi_gpu.by_gpus import (
    gathered,
    in_parts,
    numbers_of_gpus,
    one_gpu,
    parts_timed,
    weak_parts,
)

ESTIMATE = 2 / 3  # of one GPU's rate, each: 3n bytes in place of 2n
SHORT = 1 << 20  # floats of a part, of which the exchange takes a good part of the time
WAYS = {"flags": "by flags", "nccl": "by NCCL", "host": "through the host"}
CLOCKS = {"gpu": "GPUs' time", "host": "host's time"}
LEAST = 0.95  # of the estimate
MOST_ADDED = 8.0  # microseconds

COLORS = {2: plotting.BLUE, 4: plotting.ORANGE, 8: plotting.GREEN, 16: plotting.RED}
MARKERS = {2: "o", 4: "s", 8: "^", 16: "v"}


def verdict(evidence: Evidence) -> Verdict:
    timed, met, said = evidence.timed, {}, []
    right, wrong = closed_forms(evidence.counted)
    for gpus in numbers_of_gpus(timed):
        for n in (n for n in weak_parts(timed) if n > SHORT):
            share = fraction_of_estimate(timed, gpus, n)
            met[f"{gpus} GPUs with {words.power(n)} floats each"] = evidence.floor.reaches(share, LEAST, n)
            said.append(share)
        alone, parts = one_gpu(timed, SHORT), in_parts(timed, gpus, SHORT)
        met[f"the flags of {gpus} GPUs"] = None
        if alone and parts:
            allowed, added = parts.value / (alone.value + MOST_ADDED), parts.value - alone.value
            met[f"the flags of {gpus} GPUs"] = evidence.floor.as_fast(allowed, SHORT, 0)
    finding = told("multi_gpu")
    if said and None not in met.values():
        most = max(numbers_of_gpus(timed))
        found = {"gpus": words.span(range(2, most + 1), str), "shares": words.span(said), "most": most}
        finding = told("multi_gpu", **found, added=words.significant(max(0.0, added)))
    where, tried = "", numbers_of_gpus(timed)
    if said and all(met.values()) and len(tried) == 1:  # what holds for other numbers is not known
        where = f"{tried[0]} GPUs, the only number timed"
        met["other numbers of GPUs"] = False
    return judge(right, met if said else {}, wrong or finding, where)


def figure(evidence: Evidence):
    if not numbers_of_gpus(evidence.timed):
        return plotting.without_results(evidence)
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.1, ncols=2, width_ratios=(1.15, 1))
    draw_rates(left, evidence.timed)
    draw_ways(right, evidence.timed)
    plotting.sources(figure, evidence, counts=False)
    return figure


def draw_rates(axes, timed: Results) -> None:
    rows = by_gpus.rates(timed)
    for g in numbers_of_gpus(timed):
        values = [by_number[g] for by_number in rows.values()]
        axes.plot(values, range(len(rows)), **look_of(g).style() | {"linestyle": "none"}, label=f"{g} GPUs")
    charts.limit_line(axes, ESTIMATE, "estimate: 2/3", "left")
    charts.name_rows(axes, list(rows))
    axes.set_xlim(0, max(1, *(value for by_number in rows.values() for value in by_number.values())) + 0.05)
    axes.set(xlabel="rate of each GPU relative to one GPU alone", title="Rate")
    axes.grid(axis="x")
    axes.legend(loc="lower right", bbox_to_anchor=(1, 0.98), ncols=4, columnspacing=1, borderpad=0.2)


def draw_ways(axes, timed: Results) -> None:
    series = []
    for clock, said in CLOCKS.items():
        alone = one_gpu(timed, SHORT, clock=clock)
        for g in numbers_of_gpus(timed):
            times = [in_parts(timed, g, SHORT, exchange=way, clock=clock) for way in WAYS]
            first = alone if g == min(numbers_of_gpus(timed)) else None
            series.append((look_of(g, f"{g} GPUs, {said}", clock == "gpu"), [first, *times]))
    charts.time_chart(axes, {}, ["one GPU", *WAYS.values()], series)
    if alone := one_gpu(timed, SHORT):
        charts.limit_line(axes, alone.value + MOST_ADDED, f"one GPU\n+ {MOST_ADDED:.0f} µs", "right", "top")
    axes.set(xlabel="µs", title=f"Scan of {words.power(SHORT)} floats per GPU")
    axes.legend(loc="upper right", borderpad=0)


def look_of(gpus: int, label: str = "", filled: bool = True) -> Look:
    return Look(label, COLORS.get(gpus, plotting.PURPLE), MARKERS.get(gpus, "D"), line="none", filled=filled)


def cause(evidence: Evidence) -> list[str]:
    """Bytes, of long parts; the exchange, of short ones."""
    timed, counts = evidence.timed, numbers_of_gpus(evidence.timed)
    n = max(weak_parts(timed), default=0)
    if not counts or not n:
        return []
    ratios = {gpus: in_parts(timed, gpus, n).value / one_gpu(timed, n).value for gpus in counts}
    above = fraction_of_estimate(timed, min(counts), n) > 1
    most = max(counts)
    alone = {name: by_gpus.exchange_alone(timed, way, most, "host") for way, name in WAYS.items()}
    costs = [f"{words.in_microseconds(time.value)} {name}" for name, time in alone.items() if time]
    return [
        told("multi_gpu: cause", n=n, ratios=ratios, above=above),
        *speedup(timed, most, n),
        told("multi_gpu: exchange", costs=costs),
    ]


def speedup(timed: Results, gpus: int, n: int) -> list[str]:
    """Of GPUs with n floats each, beside one that holds all of them."""
    if not (whole := one_gpu(timed, gpus * n)):
        return []
    ratio = whole.value / in_parts(timed, gpus, n).value
    return [told("multi_gpu: all", gpus=gpus, n=gpus * n, speedup=ratio, bound=gpus * ESTIMATE)]


def text(evidence: Evidence) -> str | list[str]:
    timed, counts = evidence.timed, list(map(str, numbers_of_gpus(evidence.timed)))
    orders = by_gpus.by_descending(timed) if counts else {}
    paces = {f"{words.power(n)} floats per GPU": ratio for n, (ratio, _) in orders.items()}
    any_less = any(is_less for _, is_less in orders.values())
    told_of = {}
    if counts:
        most = max(numbers_of_gpus(timed))
        late, samples = by_gpus.late(timed, most)
        told_of = {"late": late, "samples": samples, "most": most, "limit": by_gpus.LATE}
    return told("multi_gpu: text", counts=counts, orders=paces, any_less=any_less, **told_of)


def tables(evidence: Evidence) -> list[Table]:
    quantities = {"launches": "launches", "ops": "operations", "global_bytes_read": "bytes read"}
    quantities |= {"global_bytes_written": "bytes written"}
    cells = sweep.cells_of_counts(evidence.counted, quantities, lambda name: {"name": name})
    keys, counts = [(name,) for name in evidence.counted.rows["name"]], numbers_of_gpus(evidence.timed)
    found = sweep.table(told("multi_gpu: table"), ["case"], keys, cells)
    return [found, *(of(evidence.timed, counts) for of in (scans_table, ways_table) if counts)]


def fraction_of_estimate(timed: Results, gpus: int, n: int) -> float:
    return one_gpu(timed, n).value / ESTIMATE / in_parts(timed, gpus, n).value


def scans_table(timed: Results, counts: list[int]) -> Table:
    """Times by floats per GPU and number of GPUs."""
    cells = {
        "in parts, cold,\nµs [95% CI]": lambda n, g: words.interval(in_parts(timed, g, n)),
        "one part,\none GPU, cold": lambda n, g: words.interval(one_gpu(timed, n)),
        "of the\nestimate": lambda n, g: (
            f"{fraction_of_estimate(timed, g, n):.2f}" if one_gpu(timed, n) else words.NOTHING
        ),
        "everything,\none GPU, cold": lambda n, g: words.interval(one_gpu(timed, g * n)),
        "gathered,\ncold": lambda n, g: words.interval(gathered(timed, g, n)),
    }
    keys = [(n, g) for n in parts_timed(timed) for g in counts if in_parts(timed, g, n)]
    caption = told("multi_gpu: table of scans")
    return sweep.table(caption, ["n", "GPUs"], keys, cells)


def ways_table(timed: Results, counts: list[int]) -> Table:
    """Each way of exchange, alone and in a scan of short parts."""

    def alone(clock: str):
        return lambda way, g: words.interval(by_gpus.exchange_alone(timed, way, g, clock))

    def scan(clock: str):
        warm = {"cache": "warm", "clock": clock}
        return lambda way, g: words.interval(in_parts(timed, g, SHORT, exchange=way, **warm))

    cells = {}
    for clock, name in CLOCKS.items():
        cells |= {f"alone,\n{name}, µs": alone(clock), f"with the scan,\n{name}, µs": scan(clock)}
    looks = {way: Look(name, plotting.BLACK) for way, name in WAYS.items()}
    keys = [(way, g) for g in counts for way in WAYS]
    caption = told("multi_gpu: table of ways", n=SHORT)
    return sweep.table(caption, ["exchange", "GPUs"], keys, cells, looks)
