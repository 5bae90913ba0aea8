"""Active lanes: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO_CLAIM, NOT_COUNTED, REFUTED
from analysis.test.made_up import BY_STEP, N, counted_row, references, with_counter
from experiments.block.active_lanes import analysis as active_lanes


def up(n: int) -> list[int]:
    """Active lanes of an up-sweep, which is a reduction."""
    return [n >> k for k in range(1, n.bit_length())]


PREDICTED = {
    "hillis_steele": lambda n: [n - (1 << k) for k in range(n.bit_length() - 1)],
    "sklansky": lambda n: [n // 2] * (n.bit_length() - 1),
    "tree": up,
    "brent_kung": lambda n: up(n) + [lanes - 1 for lanes in reversed(up(n)) if lanes > 1],
    "blelloch": lambda n: up(n) + up(n)[::-1],
}


def default_counts() -> list[dict]:
    """Hillis-Steele takes the steps that the claim states."""
    rows = []
    for tile in (64, 1024):
        for algorithm, stated in PREDICTED.items():
            operation = "reduce" if algorithm == "tree" else "scan"
            steps = (up if algorithm == "hillis_steele" else stated)(tile)
            name = f"{operation}/{algorithm}/index:plain/tile:{tile}/n:{tile}"
            rows.append(counted_row(name, {"ops": sum(steps)}, ops=sum(steps), **{BY_STEP: steps}))
    return rows


def default_times() -> dict:
    times = {}
    for cache in ("cold", "warm"):
        tail = f"/cache:{cache}/n:{N}"
        for algorithm in active_lanes.ALGORITHMS:
            operation = "reduce" if algorithm == "tree" else "scan"
            times[f"{operation}/{algorithm}/index:padded/tile:1024{tail}"] = 100.0
        times |= references(tail, "scan", "reduce")
    return times


VERDICTS = [
    (None, None, (CONFIRMED, NO_CLAIM), "14 of 14 steps halve the active lanes: a tile of 1,024 has"),
    (None, False, (CONFIRMED, NO_CLAIM), "still 1 in the last; in a reduction every step does."),
    (
        with_counter(default_counts(), "hillis_steele__tile:64", BY_STEP, [63, 62, 60, 56, 48, 24]),
        None,
        (REFUTED, NO_CLAIM),
        "10 of 14 steps",
    ),
    (
        with_counter(default_counts(), "hillis_steele", BY_STEP, [63, 62, 60, 56, 48, 32]),
        None,
        (REFUTED, NO_CLAIM),
        "0 of 10 steps halve the active lanes: a tile of 1,024 has 63 in the first",
    ),
    (
        with_counter(default_counts(), "tree", BY_STEP, [32, 32, 8, 4, 2, 1]),
        None,
        (CONFIRMED, NO_CLAIM),
        "still 1 in the last.",
    ),
    (False, None, (NOT_COUNTED, NO_CLAIM), "not counted by step"),
]
