"""What the host's spine adds to the GPU's: the same at every length, and something for each sum."""

from statistics import median

from analysis.block_sums import TILE, case, host_over_device
from analysis.common import sweep, words

FROM = 1 << 18  # elements: of a vector on the host; up to there what is added hardly grows
SHOWN = (1 << 13, 1 << 20, 1 << 25)


def numbers(recorded) -> dict:
    timed, again = recorded.of("block_sums").timed, recorded.of("single_pass").timed
    host, device = (sweep.times(timed, "n", **case(each)) for each in ("host", "device"))
    more = {n: host[n].value - device[n].value for n in host if n in device and n > TILE}
    ratios = {n: host[n].value / device[n].value for n in more}
    short, longest = [value for n, value in more.items() if n <= FROM], max(more)
    constant, sums = median(short), longest // TILE
    per_sum = (more[longest] - constant) / sums
    of = {"operation": "scan", "algorithm": "three_phase", "type": "float", "n": 1 << 28, "cache": "cold"}
    staircase = [again.time(**of, spine=each).value for each in ("host", "device")]
    on_host = {of: host_over_device(timed, of).items() for of in ("pinned", "pageable")}
    return {
        "staircase": f"{staircase[0] / staircase[1]:.2f}",
        "same_length": f"{ratios[1 << 28]:.2f}",
        "constant_us": words.rounded(constant, 2),
        "constant_range": words.span(short, words.rounded),
        "constant_to": words.power(FROM),
        "least": f"{min(ratios.values()):.2f}",
        "per_sum_ns": words.rounded(per_sum * 1e3, 2),
        "tile_ns": words.rounded(device[longest].value / sums * 1e3, 2),
        "rows": [
            [words.power(n), words.integer(n // TILE)]
            + [words.significant(each) for each in (device[n].value, more[n])]
            + [words.significant(each) for each in (more[n] - per_sum * (n // TILE), per_sum * (n // TILE))]
            + [f"{ratios[n]:.2f}"]
            for n in (*SHOWN, longest)
            if n in more
        ],
        "short": f"{max(ratios.values()):.1f}",
        "long": f"{ratios[longest]:.2f}",
        "longest": words.power(longest),
        "on_host_from": words.power(FROM),
        **{memory: words.span(ratio for n, ratio in of if n >= FROM) for memory, of in on_host.items()},
    }
