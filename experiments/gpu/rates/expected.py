"""Rates: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import H200, Found, changed, counted_row, with_counter

CYCLES, MULTIPROCESSORS = H200["sm_clock_mhz"], H200["sm_count"]  # cycles of a microsecond
EMPTY = 3.0
THREADS = (32, 64, 128, 256, 512, 1024)
COPIED, READ = 1 << 28, 1 << 28
# Of an H200, as measured before the experiment was written; the price of a block that copies is a guess.
OF_AN_H200 = {
    "instruction": dict.fromkeys((128, 256, 512, 1024), 1 / 3.53),
    "wavefront": {32: 1.01, 16: 1.02, 8: 1.05, 4: 1.1, 2: 1.15, 1: 1.19},
    "step": {32: 67.0, 64: 67.0, 128: 73.0, 256: 91.0, 512: 122.0, 1024: 182.0},
    "block": dict.fromkeys(THREADS[:-1], 0.606) | {1024: 1.02},
    "block_copy": dict.fromkeys(THREADS, 1200.0),
}
PRICES = {
    "instruction": dict.fromkeys((128, 256, 512, 1024), 1 / 3.53),
    "wavefront": dict.fromkeys((32, 16, 8, 4, 2, 1), 1.1),
    "step": dict.fromkeys(THREADS, 70.0),
    "block": dict.fromkeys(THREADS, 0.606),
    "block_copy": dict.fromkeys(THREADS, 1200.0),
}


def default_counts() -> list[dict]:
    return [
        counted_row("charge/instruction/threads:128/n:4096", {"ops": 10}, ops=10),
        counted_row("charge/wavefront/degree:32/n:4096", {"barriers": 2}, barriers=2),
    ]


def default_times(found: dict | None = None, copy_us: float = 520.0, read_us: float = 245.0) -> dict:
    """The times of a machine with these prices."""
    found, times = found or PRICES, {}

    def add(name: str, n: int, us: float, charged: float = 0) -> None:
        for cache in ("cold", "warm"):
            time = Found(us, **({"charged": charged} if charged else {}))
            times[f"{name}/cache:{cache}/n:{n}"] = time

    for name, factor in (("instruction", "threads"), ("wavefront", "degree")):
        for level, price in found[name].items():
            add(f"charge/{name}/{factor}:{level}", 4096, EMPTY + 1e6 * price / CYCLES, 1e6)
    for threads, price in found["step"].items():
        for resident in (1, 4, 16):
            if threads * resident <= 2048:
                name = f"charge/step/threads:{threads}/resident:{resident}"
                add(name, 4096, EMPTY + 1024 * price * (1 + resident / 16) / CYCLES, 1024)
                if resident == 1:
                    add(name, 4096, EMPTY + 1024 * price / CYCLES, 1024)
    for threads, price in found["block"].items():
        add(f"charge/block/threads:{threads}/blocks:262144", 1, EMPTY + 262144 * price / 1000)
    for threads, price in found["block_copy"].items():
        turns = (1 << 14) / MULTIPROCESSORS
        add(f"charge/block_copy/threads:{threads}", threads << 14, EMPTY + turns * price / CYCLES)
    add("charge/launch/kernels:1", 1, EMPTY)
    add("charge/launch/kernels:17", 1, EMPTY + 16 * 1.1)
    add("charge/latency/places:33554432", 1, EMPTY + 512 * 700 / CYCLES, 512)
    add("copy/device_to_device", COPIED, copy_us)
    add("read/ceiling", READ, read_us)
    return times


VERDICTS = [
    (None, None, (CONFIRMED, YES), "An instruction costs 0.283 cycles, a wavefront costs 1.10 cycles"),
    (
        None,
        changed(default_times(), **{"block/threads:1024": 1000.0}),
        (CONFIRMED, ONLY_WHERE),
        "a step to the next barrier; a block at 64, 128, 256 and 512 threads",
    ),
    (
        None,
        changed(default_times(), **{"degree:1/": 900.0}),
        (CONFIRMED, ONLY_WHERE),
        "a wavefront at conflict degree 2, 4, 8 and 16",
    ),
    (
        None,
        changed(default_times(), **{"degree:1/__warm": 900.0}),
        (CONFIRMED, YES),
        "",
    ),
    (
        None,
        default_times(
            {name: dict(zip(levels, (1, 2, 3, 4, 5, 6), strict=False)) for name, levels in PRICES.items()}
        ),
        (CONFIRMED, NO),
        "a step to the next barrier costs 1.00 to 6.00 cycles",
    ),
    (
        None,
        default_times(OF_AN_H200),
        (CONFIRMED, ONLY_WHERE),
        "a block at 64, 128, 256 and 512 threads; a step to the next barrier at 64 and 128 threads",
    ),
    (with_counter(default_counts(), "wavefront", "barriers", 3), None, (REFUTED, YES), "counts 3 barriers"),
    (False, None, (NOT_COUNTED, YES), ""),
    (None, False, (CONFIRMED, NOT_MEASURED), "not measured"),
]
