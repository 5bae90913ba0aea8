"""Scans over several GPUs: by length and number of GPUs, and by how the totals are exchanged."""

from analysis.common import plotting, sweep, words
from analysis.common.by_gpus import exchange_alone, gathered, in_parts, one_gpu, parts_timed
from analysis.common.evidence import Results
from analysis.common.plotting import Look
from analysis.common.prose import told
from analysis.common.tables import Table

ESTIMATE = 2 / 3  # of one GPU's rate, each: 3n bytes in place of 2n
SHORT = 1 << 20  # floats of a part, of which the exchange takes a good part of the time
WAYS = {"flags": "by flags", "nccl": "by NCCL", "host": "through the host"}
CLOCKS = {"gpu": "GPUs' time", "host": "host's time"}


def fraction_of_estimate(timed: Results, gpus: int, n: int) -> float:
    return one_gpu(timed, n).value / ESTIMATE / in_parts(timed, gpus, n).value


def tables(timed: Results, counts: list[int]) -> list[Table]:
    return [scans_table(timed, counts), ways_table(timed, counts)]


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
    cells = {}
    for clock, name in CLOCKS.items():
        cells[f"alone,\n{name}, µs"] = lambda way, g, of=clock: words.interval(
            exchange_alone(timed, way, g, of)
        )
        cells[f"with the scan,\n{name}, µs"] = lambda way, g, of=clock: words.interval(
            in_parts(timed, g, SHORT, cache="warm", exchange=way, clock=of)
        )
    looks = {way: Look(name, plotting.BLACK) for way, name in WAYS.items()}
    keys = [(way, g) for g in counts for way in WAYS]
    caption = told("multi_gpu: table of ways", n=SHORT)
    return sweep.table(caption, ["exchange", "GPUs"], keys, cells, looks)
