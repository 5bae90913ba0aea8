"""Hoefler and Belli's twelve rules for reporting performance (SC'15), in our words, and where they are met.

Names of files are between backquotes; a test checks that they exist.
"""

MET, PART = "met", "in part"

RULES = (
    (
        "Say what a speedup is relative to, and give the time of the base case.",
        MET,
        "Only `experiments/multi_gpu.cu` measures scaling; its base case is one GPU, whose times are in the "
        "table. Ratios name both sides; figures or tables show both medians, and `results` holds them.",
    ),
    (
        "Justify the use of only a part of a benchmark or of the machine.",
        MET,
        "Each section's Method lists its cases and why. Claims are about one GPU, and use one; "
        "only `experiments/multi_gpu.cu` uses all of a host.",
    ),
    (
        "Take the arithmetic mean of costs only, and the harmonic mean of rates.",
        MET,
        "Times are never averaged but given as medians, and rates are not summarised "
        "(`analysis/common/statistics.py`).",
    ),
    (
        "Do not summarise ratios, but the underlying costs or rates.",
        MET,
        "A ratio is that of two medians. Several ratios are given as a range or one by one, without a mean.",
    ),
    (
        "Say whether a measurement is deterministic, and give confidence intervals if it is not.",
        PART,
        "Counts are deterministic (`tests/runs/test_binaries.py`). Times have intervals in "
        "tables and figures; ratios of times, and warm times in some tables, have none.",
    ),
    (
        "Do not assume a normal distribution without a check.",
        MET,
        "Intervals come from ranks and assume no distribution (`tests/analysis/test_statistics.py`).",
    ),
    (
        "Compare what varies in a sound way, as by confidence intervals that do not overlap.",
        PART,
        "Faster means intervals that do not overlap and medians further apart than the noise floor "
        "(`analysis/common/noise_floor.py`), which twins measure (`experiments/noise.cu`). Some rules "
        "compare medians with a stated margin instead (`analysis/block_sums.py`).",
    ),
    (
        "Ask whether mean or median is what matters, or a percentile.",
        MET,
        "The claims are about the typical run, so the median. `results` holds every sample, for questions "
        "about tails.",
    ),
    (
        "Document all factors, their levels, and the whole set-up.",
        MET,
        "A case's name lists the level of each factor; results carry GPU, driver, compiler, flags, commit "
        "and a digest of the device code (`experiments/program/run.cpp`, `scripts/record.py`).",
    ),
    (
        "Say how parallel times are taken, synchronised and summarised.",
        MET,
        "One execution between two events on the GPU; medians (`experiments/machine/timing.cpp`). "
        "Several GPUs start together, and the slowest one's own time counts, so no clocks need to be "
        "synchronised (`experiments/support/several_gpus.h`).",
    ),
    (
        "Show upper bounds of performance.",
        PART,
        "Every case is timed together with a copy, which bounds every scan. It does not bound a reduction; "
        "only `experiments/read_speed.cu` shows a bound for those, a kernel that reads and does no more.",
    ),
    (
        "Plot what is needed to read the result, and join points only if interpolation is valid.",
        PART,
        "Times are drawn with their intervals, ratios without. Lines join points only along a number, such "
        "as n or a step (`analysis/common/plotting.py`).",
    ),
)
