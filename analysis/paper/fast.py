"""The fast scan: what each idea is worth, wins and losses against CUB over all cases, and peers."""

import pandas

from analysis import scan_ideas
from analysis.common import beside_cub, by_targets, words

COPY, LONG = "device_to_device", 1 << 28
TYPES = ("int8", "int16", "int32", "int64", "float", "double", "affine_float", "affine_double")
NAMES = {"affine_float": "affine maps, 8 bytes", "affine_double": "affine maps, 16 bytes"}
LIBRARIES = {"torch": "PyTorch", "cupy": "CuPy", "jax": "JAX", "thrust": "Thrust"}


def against_cub(recorded, claim: str, operation: str) -> pandas.DataFrame:
    """Every case of ours that has CUB beside it, with the type of its elements."""
    cases = beside_cub.beside_cub(recorded.of(claim), operation)
    return cases.assign(type=cases["case"].str.extract(r"/type:([^/]+)", expand=False))


def tally(cases: pandas.DataFrame) -> dict:
    """Wins, draws within the noise floor, and losses; the extremes with their places."""
    lost, won = len(beside_cub.lost(cases)), int((cases["ratio"] > cases["floor"]).sum())
    below = cases[cases["ratio"] < 1]
    worst, best = beside_cub.extremes(cases)
    return {
        "cases": words.integer(len(cases)),
        "won": words.integer(won),
        "lost": words.small(lost) if lost else "none",
        "types": words.small(cases["type"].nunique()),
        "shortest": superscript(cases["n"].min()),
        "longest": superscript(cases["n"].max()),
        "drawn": words.integer(len(cases) - won - lost),
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
    cache = "warm" if "cache:warm" in case["case"] else "cold"
    submit = {"live": ", one call at a time", "graph": ", in a graph"}
    how = next((said for key, said in submit.items() if f"submit:{key}" in case["case"]), "")
    return f"{words.power(int(case['n']))} {kind}, {cache}{how}"


def numbers(recorded) -> dict:
    scans = against_cub(recorded, "copy_speed", "scan")
    long = scans[(scans["n"] == LONG) & scans["case"].str.contains("submit:stream/cache:cold")]
    return {
        "scan": tally(scans),
        "reduce": tally(against_cub(recorded, "read_speed", "reduce")),
        "compact": tally(against_cub(recorded, "read_speed", "compact")),
        "long": [f"{long['ratio'].min():.2f}", f"{long['ratio'].max():.1f}"],
        "copy_share": copy_share(recorded),
        "targets": targets(recorded),
        "read_targets": targets(recorded, "read_speed", "read/"),
        "by_type": by_type(recorded),
        "ideas": ideas(recorded),
        "peers": peers(recorded),
        "others": others(recorded),
    }


def long_scans(recorded) -> dict[str, tuple[float, float, float | None]]:
    """By type: the times of copy, ours and the faster CUB of 2^28 elements, cold, in a stream."""
    timed, found = recorded.of("copy_speed").timed, {}
    for kind in TYPES:
        of = {"type": kind, "n": LONG, "cache": "cold", "submit": "stream"}
        copy, ours, *cubs = (timed.time(algorithm=each, **of) for each in (COPY, "ours", *beside_cub.CUBS))
        if copy and ours:
            found[kind] = copy.value, ours.value, min((each.value for each in cubs if each), default=None)
    return found


def copy_share(recorded) -> dict:
    """Share of the copy's throughput: the least and the greatest of all types, and that of ints."""
    shares = {kind: copy / ours for kind, (copy, ours, _) in long_scans(recorded).items()}
    ends = {"least": min(shares.values()), "most": max(shares.values()), "int32": shares["int32"]}
    return {name: f"{share:.2f}" for name, share in ends.items()}


def by_type(recorded) -> list[list[str]]:
    """Share of the copy's throughput of ours and of the faster CUB, by type."""
    return [
        [NAMES.get(kind, kind), words.rounded(copy), words.rounded(ours)]
        + [f"{ratio:.2f}" for ratio in (copy / ours, copy / cub, cub / ours)]
        for kind, (copy, ours, cub) in long_scans(recorded).items()
        if cub
    ]


def targets(recorded, claim: str = "copy_speed", limit: str = "copy/") -> dict:
    """All targets of a claim: how many, how many missed, and each that is missed, against limit and CUB."""
    evidence = recorded.of(claim)
    found = by_targets.outcomes(claim, evidence)
    known = [each for each in found if each[1] is not None]
    missed = [each for each in known if each[1] < each[0].at_least]
    of_copy = by_targets.of_limit(missed, limit)
    reached = by_targets.reached(missed, evidence.floor)
    return {
        "all": words.integer(len(known)),
        "with_copy": words.integer(len(by_targets.of_limit(known, limit))),
        "by_noise": words.small(sum(reached.values())),
        "missed": words.small(len(missed)),
        "of_copy": [missed_by(each) for each in of_copy],
        "of_cub": [missed_by(each) for each in missed if each not in of_copy],
    }


def missed_by(outcome: by_targets.Outcome) -> str:
    """0.93 for 0.95 (2²⁸ int8)."""
    target, ratio, _ = outcome
    work = words.raised(target.work).split(":")[0].removeprefix("scan ").removesuffix(", sum")
    digits = words.digits_apart(ratio, [target.at_least], 2)
    return f"{ratio:.{digits}f} for {target.at_least:.{digits}f} ({work})"


def ideas(recorded) -> dict:
    """Time without each idea relative to with it, for the worst vector; loads of words, counted."""
    evidence, worst = recorded.of("scan_ideas"), {}
    for key in scan_ideas.IDEAS:
        if costs := scan_ideas.costs(evidence, key):
            worst[key] = f"{max(ratio for ratio, _ in costs.values()):.2f}"
    counted, odd = evidence.counted, {}
    for count in counted.levels("words"):
        requests, wavefronts = (
            counted.count(f"shared_load_{each}", words=count) for each in ("requests", "wavefronts")
        )
        odd[str(count)] = [words.integer(each) for each in (requests, wavefronts, wavefronts / requests)]
    return {"worst": worst, "words": odd}


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
        for kind, n in (("int32", 1 << 20), ("int32", LONG), ("float", LONG), ("double", LONG)):
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
    return {"sort": words.times(words.gains(ratios))}
