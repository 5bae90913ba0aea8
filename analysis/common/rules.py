"""Hoefler and Belli's twelve rules for reporting performance (SC'15), in our words, and where they are met.

Names of files stand between backquotes; a test looks whether they are there.
"""

MET, PART = "met", "in part"

RULES = (
    (
        "Say what a speedup is relative to, and how long the base case takes by itself.",
        MET,
        "Only `experiments/multi_gpu.cu` scales, over GPUs; its base case is one GPU, whose own times are in "
        "the table. Ratios name both sides, and the tables print both medians.",
    ),
    (
        "Give a reason for using only a part of a benchmark or of the machine.",
        MET,
        "Each section's Method says which cases there are and why. Claims are about one GPU, and one is "
        "used; only `experiments/multi_gpu.cu` uses all of a host.",
    ),
    (
        "Take the arithmetic mean of costs only, and the harmonic mean of rates.",
        MET,
        "Times are never averaged but given as medians, and rates are not summarised "
        "(`analysis/common/statistics.py`).",
    ),
    (
        "Do not summarise ratios, but the costs or rates behind them.",
        MET,
        "A ratio is that of two medians. Several ratios are given as a range or one by one, without a mean.",
    ),
    (
        "Say whether a measurement is deterministic, and give confidence intervals if it is not.",
        PART,
        "Counts are: the same bytes from any run (`tests/runs/test_binaries.py`). Times have intervals in "
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
        "Faster means intervals that do not overlap (`tests/analysis/test_verdicts.py`), and twins show how "
        "often that errs (`experiments/noise.cu`). One rule compares medians with a stated margin instead "
        "(`analysis/block_sums.py`).",
    ),
    (
        "Ask whether mean or median is what matters, or a percentile.",
        MET,
        "The claims are about the usual run, so the median. Every sample is kept in `results`, for whoever "
        "asks of tails.",
    ),
    (
        "Document all factors, their levels, and the whole set-up.",
        MET,
        "A case's name lists the level of each factor; results carry GPU, driver, compiler, flags, commit "
        "and a digest of the device code (`experiments/harness/run.cpp`, `scripts/record.py`).",
    ),
    (
        "Say how parallel times are taken, synchronised and summarised.",
        MET,
        "One execution between two events on the GPU, medians of it (`experiments/harness/machine_gpu.cu`). "
        "Where several GPUs take part they begin together, and the slowest one's own time counts, so no "
        "clocks are to be synchronised (`experiments/harness/several_gpus.h`).",
    ),
    (
        "Show upper bounds of performance.",
        PART,
        "The copy runs beside every case and bounds every scan. For a reduction it is no bound, and none is "
        "shown.",
    ),
    (
        "Plot what is needed to read the result, and join points only where what lies between is meant.",
        PART,
        "Times are drawn with their intervals, ratios without. Lines join points along a number alone, as n "
        "or a step (`analysis/common/plotting.py`).",
    ),
)
