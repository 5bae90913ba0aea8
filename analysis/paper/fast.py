"""The fast scan: what each idea is worth, wins and losses against CUB over all cases, and peers."""

import re

import pandas

from analysis import scan_ideas
from analysis.common import by_targets, plotting, words
from analysis.common.looks import SCANS

CUBS, COPY = ("cub_device", "cub_newest"), "device_to_device"
TYPES = ("int8", "int16", "int32", "int64", "float", "double", "affine_float", "affine_double")
NAMES = {"affine_float": "affine maps, 8 bytes", "affine_double": "affine maps, 16 bytes"}
INDIGO = SCANS["fast"].color
FAR = 1.8  # a type whose longest vector is ahead by more has its name in the figure
LIBRARIES = {"torch": "PyTorch", "cupy": "CuPy", "jax": "JAX", "thrust": "Thrust"}


def against_cub(recorded, claim: str, operation: str) -> pandas.DataFrame:
    """Every case of ours that has CUB beside it: our time, and that of the faster CUB relative to it."""
    evidence = recorded.of(claim)
    medians = by_targets.medians(evidence.timed)
    rows = []
    for name, ours in medians.items():
        if not name.startswith(f"{operation}/ours/"):
            continue
        others = [medians.get(name.replace("/ours/", f"/{cub}/")) for cub in CUBS]
        if known := [other for other in others if other]:
            ratio, n = min(known) / ours, int(re.search(r"/n:(\d+)", name)[1])
            floor = evidence.floor.at(n)
            kind = re.search(r"/type:([^/]+)", name)[1]
            rows.append((name, kind, n, ours, ratio, floor))
    return pandas.DataFrame(rows, columns=["name", "type", "n", "us", "ratio", "floor"])


def tally(cases: pandas.DataFrame) -> dict:
    """Wins, draws within the noise floor, and losses; the extremes with their places."""
    lost = cases[cases["ratio"] * cases["floor"] < 1]
    won = cases[cases["ratio"] > cases["floor"]]
    below = cases[cases["ratio"] < 1]
    worst, best = cases.loc[cases["ratio"].idxmin()], cases.loc[cases["ratio"].idxmax()]
    return {
        "cases": words.integer(len(cases)),
        "won": words.integer(len(won)),
        "lost": words.small(len(lost)) if len(lost) else "none",
        "types": words.small(cases["type"].nunique()),
        "shortest": superscript(cases["n"].min()),
        "longest": superscript(cases["n"].max()),
        "drawn": words.integer(len(cases) - len(won) - len(lost)),
        "lowest": f"{worst['ratio']:.2f}",
        "lowest_at": place(worst),
        "highest": f"{best['ratio']:.1f}",
        "highest_at": place(best),
        "noise": words.span(below["floor"], lambda floor: f"{floor - 1:.1%}") if len(below) else "",
        "below_one": words.listing([words.power(int(n)) for n in sorted(set(below["n"]))]),
    }


def superscript(n: int) -> str:
    """A power of two as such, however small."""
    return words.raised(f"2^{int(n).bit_length() - 1}")


def place(case: pandas.Series) -> str:
    kind = "affine maps" if case["type"].startswith("affine") else case["type"]
    cache = "warm" if "cache:warm" in case["name"] else "cold"
    submit = {"live": ", one call at a time", "graph": ", in a graph"}
    how = next((said for key, said in submit.items() if f"submit:{key}" in case["name"]), "")
    return f"{words.power(int(case['n']))} {kind}, {cache}{how}"


def numbers(recorded) -> dict:
    scans = against_cub(recorded, "copy_speed", "scan")
    long = scans[(scans["n"] == 1 << 28) & scans["name"].str.contains("submit:stream/cache:cold")]
    return {
        "scan": tally(scans),
        "reduce": tally(against_cub(recorded, "read_speed", "reduce")),
        "compact": tally(against_cub(recorded, "read_speed", "compact")),
        "long": [f"{long['ratio'].min():.2f}", f"{long['ratio'].max():.1f}"],
        "copy_share": copy_share(recorded),
        "targets": targets(recorded),
        "by_type": by_type(recorded),
        "cub_newest": cub_newest(recorded),
        "ideas": ideas(recorded),
        "peers": peers(recorded),
        "others": others(recorded),
    }


def copy_share(recorded) -> dict:
    """Share of the copy's throughput with 2^28 elements, cold, in a stream; and with shorter vectors."""
    timed = recorded.of("copy_speed").timed

    def share(kind: str, n: int, cache: str, submit: str = "stream") -> float | None:
        of = {"type": kind, "n": n, "cache": cache, "submit": submit}
        ours, copy = (timed.time(algorithm=each, **of) for each in ("ours", COPY))
        return copy.value / ours.value if ours and copy else None

    long = {kind: share(kind, 1 << 28, "cold") for kind in TYPES}
    long = {kind: value for kind, value in long.items() if value}
    least, most = min(long, key=long.get), max(long, key=long.get)
    return {
        "least": f"{long[least]:.2f}",
        "least_type": least,
        "most": f"{long[most]:.2f}",
        "int32": f"{long['int32']:.2f}",
        "short": [
            [words.power(n), f"{value:.2f}"]
            for n in (1 << 20, 1 << 22, 1 << 24)
            if (value := share("int32", n, "cold"))
        ],
    }


def targets(recorded) -> dict:
    """All targets of the scan: how many, how many missed, and each that is missed, against copy and CUB."""
    found = by_targets.outcomes("copy_speed", recorded.of("copy_speed"))
    known = [each for each in found if each[1] is not None]
    missed = [each for each in known if each[1] < each[0].at_least]
    of_copy = by_targets.of_limit(missed, "copy/")
    return {
        "all": words.integer(len(known)),
        "missed": words.small(len(missed)),
        "of_copy": [missed_by(each) for each in of_copy],
        "of_cub": [missed_by(each) for each in missed if each not in of_copy],
    }


def missed_by(outcome: by_targets.Outcome) -> str:
    """0.93 of 0.95 (2²⁸ int8, sum)."""
    target, ratio, _ = outcome
    work = words.raised(target.work).split(":")[0].removeprefix("scan ").removesuffix(", sum")
    return f"{ratio:.2f} for {target.at_least:.2f} ({work})"


def cub_newest(recorded) -> str:
    timed = recorded.of("copy_speed").timed
    return (timed.machine | timed.provenance).get("cub_newest") or ""


def by_type(recorded) -> list[list[str]]:
    """2^28 elements, cold: share of the copy's throughput of ours and of the faster CUB, by type."""
    timed = recorded.of("copy_speed").timed
    rows = []
    for kind in TYPES:
        of = {"type": kind, "n": 1 << 28, "cache": "cold", "submit": "stream"}
        ours, copy = (timed.time(algorithm=each, **of) for each in ("ours", COPY))
        cubs = [time.value for each in CUBS if (time := timed.time(algorithm=each, **of))]
        if ours and copy and cubs:
            rows.append(
                [NAMES.get(kind, kind), words.rounded(copy.value), words.rounded(ours.value)]
                + [f"{copy.value / ours.value:.2f}", f"{copy.value / min(cubs):.2f}"]
                + [f"{min(cubs) / ours.value:.2f}"]
            )
    return rows


def ideas(recorded) -> dict:
    """Time without each idea relative to with it, the worst vector first."""
    evidence = recorded.of("scan_ideas")
    rows, worst = [], {}
    for key, idea in scan_ideas.IDEAS.items():
        ratios = {vector: ratio for vector, (ratio, _) in scan_ideas.costs(evidence, key).items()}
        if ratios:
            at = max(ratios, key=ratios.get)
            worst[key] = f"{ratios[at]:.2f}"
            rows.append([key, idea.label, *(f"{ratio:.2f}" for ratio in ratios.values())])
    counted = evidence.counted
    odd = {}
    for count in counted.levels("words") if counted else []:
        requests, wavefronts = (
            counted.count(f"shared_load_{each}", words=count) for each in ("requests", "wavefronts")
        )
        if requests:
            odd[str(int(count))] = [
                words.integer(requests),
                words.integer(wavefronts),
                words.integer(wavefronts / requests),
            ]
    return {"rows": rows, "worst": worst, "words": odd}


def peers(recorded) -> list[list[str]]:
    """Library, version, and its time as a multiple of ours."""
    path = recorded.of("copy_speed").timed.path.parent / "peers.csv"
    if not path.exists():
        return []
    table = pandas.read_csv(path, dtype={"version": str}).replace(
        {"type": {"float32": "float", "float64": "double"}}
    )
    medians = table.groupby(["library", "version", "operation", "type", "n"])["us"].median()
    timed = recorded.of("copy_speed").timed
    rows = []
    for (library, version), of in medians.groupby(level=[0, 1]):
        cells = []
        for kind, n in (("int32", 1 << 20), ("int32", 1 << 28), ("float", 1 << 28), ("double", 1 << 28)):
            theirs = of.get((library, version, "scan", kind, n))
            ours = timed.time(algorithm="ours", type=kind, n=n, cache="cold", submit="stream")
            cells.append(f"{theirs / ours.value:.2f}" if theirs and ours else words.NOTHING)
        rows.append([f"{LIBRARIES.get(library, library)} {version.split('+')[0]}", *cells])
    return rows


def others(recorded) -> dict:
    """Where the textbook's kernels lose to CUB: sorts and look-back."""
    timed = recorded.of("radix_sort").timed
    ratios = []
    for key, payload in ((32, 0), (32, 32), (64, 0), (64, 32)):
        of = {"key_bits": key, "payload_bits": payload, "cache": "cold", "operation": "sort"}
        ours, cub = (
            timed.time(algorithm="radix", digit_bits=8, **of),
            timed.time(algorithm="cub_device", **of),
        )
        ratios.append(ours.value / cub.value)
    return {"sort": words.pace(ratios, "CUB's")}


def draw_wins(recorded):
    """Each case: CUB's time relative to ours, by length."""
    cases = against_cub(recorded, "copy_speed", "scan")
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.3)
    axes.plot(
        cases["n"], cases["ratio"], linestyle="none", marker="o", markersize=3, color=INDIGO, alpha=0.55
    )
    for kind in TYPES:
        of = cases[cases["type"] == kind]
        last = of.loc[of["n"].idxmax()]
        if last["ratio"] > FAR:
            axes.annotate(
                NAMES.get(kind, kind),
                (last["n"], last["ratio"]),
                xytext=(-9, 9),
                textcoords="offset points",
                ha="right",
                fontsize=6.5,
            )
    axes.axhline(1, color=plotting.BLACK, linewidth=1)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_yticks([1, 2, 4], ["equal", "2×", "4×"])
    axes.set_ylim(0.85, 5)
    axes.minorticks_off()
    axes.set_xticks([1 << k for k in range(8, 33, 4)], [f"$2^{{{k}}}$" for k in range(8, 33, 4)])
    axes.set_xlabel("elements, n")
    axes.set_ylabel("CUB's time : ours")
    axes.text(1 << 32, 0.91, "CUB is faster", fontsize=6.5, color=plotting.GREY, ha="right", va="center")
    axes.grid()
    return figure


def draw_ideas(recorded):
    """A row for each idea: time without it relative to with it, a marker for each vector."""
    evidence = recorded.of("scan_ideas")
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.75)
    costs = {key: scan_ideas.costs(evidence, key) for key in scan_ideas.IDEAS}
    order = sorted(costs, key=lambda key: -max((ratio for ratio, _ in costs[key].values()), default=0))
    vectors = list(dict.fromkeys(vector for of in costs.values() for vector in of))
    for place, vector in enumerate(vectors):
        shown = [(costs[key][vector][0], row) for row, key in enumerate(order) if vector in costs[key]]
        axes.plot(
            *zip(*shown, strict=True),
            linestyle="none",
            marker="oDs^v"[place % 5],
            color=INDIGO,
            markerfacecolor="white" if place % 2 else INDIGO,
            markersize=4.5,
            label=scan_ideas.name_of(vector),
        )
    axes.axvline(1, color=plotting.BLACK, linewidth=0.8)
    axes.set_yticks(range(len(order)), [scan_ideas.IDEAS[key].label for key in order])
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.set_xlim(0.97, 2.0)
    axes.set_xlabel("time without the idea : time with it")
    axes.tick_params(axis="y", length=0)
    axes.grid()
    axes.legend(loc="lower right", fontsize=6.3, handletextpad=0.1, borderpad=0.2)
    return figure


DRAWINGS = {"wins": draw_wins, "ideas": draw_ideas}
