"""counter_of_conflicts: the profiler's counter of bank conflicts counts them."""

from matplotlib.figure import Figure

from analysis.core import plotting, sweep, words
from analysis.core.claim import NO_CLAIM, Evidence, Look, Results, Table, Verdict, closed_forms, judge, told

BESIDE = {
    "nothing": Look("nothing beside it", plotting.BLUE, "o", "none"),
    "loads": Look("loads from global memory", plotting.ORANGE, "s", "none", filled=False),
    "stores": Look("stores to global memory", plotting.GREEN, "^", "none", filled=False),
}
COUNTER = "conflicts_counted"
COUNTERS = {  # of the profiler, and what must be taken off to have conflicts
    COUNTER: "raw counter",
    "conflicts_by_access": "raw, loads + stores",
    "bank_conflicts": "wavefronts - ideal",
}


def cases(counted: Results | None) -> dict[tuple, str]:
    """The names of the cases, by stride, bytes, what goes on beside, and length."""
    rows = counted.rows.to_dict("records") if counted else []
    return {(row["stride"], row["bytes"], row["beside"], row["n"]): row["name"] for row in rows}


def more(evidence: Evidence, counter: str) -> dict[tuple, int]:
    """By case: what a counter shows beyond the conflicts that the SIMT machine counts."""
    found = {}
    for case, name in cases(evidence.counted).items():
        shown = evidence.counters.count(counter, name=name) if evidence.counters else None
        if shown is not None:
            found[case] = shown - evidence.counted.count("bank_conflicts", name=name)
    return found


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted)
    beyond = more(evidence, COUNTER)
    if not right or not beyond:
        return judge(right and None, NO_CLAIM, wrong or told("counter_of_conflicts: not read"))
    return judge(not any(beyond.values()), NO_CLAIM, told("counter_of_conflicts", **spans(evidence)))


def spans(evidence: Evidence) -> dict:
    """How many cases the counter misses, by length and by what goes on beside; by how much where there is no
    conflict."""
    beyond = more(evidence, COUNTER)
    wrong = [case for case, value in beyond.items() if value]
    none = [value for (stride, *_), value in beyond.items() if stride == 1]
    lengths = sorted({n for *_, n in beyond})
    exact = [name for name in COUNTERS if (of := more(evidence, name)) and not any(of.values())]
    return {
        "cases": len(beyond),
        "wrong": len(wrong),
        "where": {beside: sum(case[2] == beside for case in wrong) for beside in BESIDE},
        "lengths": [(n, *(sum(case[3] == n for case in of) for of in (wrong, beyond))) for n in lengths],
        "most": max(none),
        "exact": [COUNTERS[name] for name in exact],
    }


def label(stride: int, size: int) -> str:
    return f"{size} B" if size > 4 else f"stride {stride}"


def figure(evidence: Evidence) -> Figure:
    """By access, a panel for each length; 0 is right."""
    beyond = more(evidence, COUNTER)
    if not beyond:
        return plotting.without_results(evidence, "the profiler's counters: not read")
    lengths = sorted({n for *_, n in beyond})
    figure, panels = plotting.new_figure(plotting.WIDE, 2.8, ncols=len(lengths), sharey=True)
    shown = list(dict.fromkeys((stride, size) for stride, size, *_ in beyond))
    for axes, n in zip(panels, lengths, strict=True):
        for beside, look in BESIDE.items():
            values = [beyond[stride, size, beside, n] for stride, size in shown]
            axes.plot(range(len(shown)), values, label=look.label, **look.style())
        ticks = [label(*access).removeprefix("stride ") for access in shown]
        axes.set_xticks(range(len(shown)), ticks)
        axes.set_yscale("symlog", linthresh=1)
        axes.set_ylim(-0.5, 3 * max(1, *beyond.values()))
        axes.set(title=f"n = {words.power(n)}", xlabel="stride in words, or bytes of an access")
        axes.grid(axis="y")
    panels[0].set_ylabel("raw counter - conflicts")
    plotting.legend_on_top(figure, BESIDE.values())
    plotting.sources(figure, evidence)
    return figure


def tables(evidence: Evidence) -> list[Table]:
    """A row a case: its conflicts, and what each counter shows beyond them."""
    beyond = {counter: more(evidence, counter) for counter in COUNTERS}
    rows = [
        [
            label(*case[:2]),
            case[2],
            words.power(case[3]),
            words.integer(evidence.counted.count("bank_conflicts", name=name)),
            *(words.integer(beyond[counter].get(case)) for counter in COUNTERS),
        ]
        for case, name in cases(evidence.counted).items()
    ]
    columns = ["access", "beside it", "n", "conflicts", *COUNTERS.values()]
    return [Table(told("counter_of_conflicts: table"), columns, rows, text_columns=3, source=sweep.COUNTERS)]
