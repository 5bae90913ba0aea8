"""What the host's spine adds to the GPU's: the same at every length, and something for each sum."""

import numpy

from analysis.block_sums import host_over_device
from analysis.common import sweep, words

FROM = 1 << 18  # elements of a vector on the host


def on_host(timed, memory: str) -> str:
    """The host's spine relative to the GPU's, of vectors in that memory of the host."""
    return words.span(ratio for n, ratio in host_over_device(timed, memory).items() if n >= FROM)


def numbers(recorded) -> dict:
    timed = recorded.of("block_sums").timed
    of = {"operation": "scan", "algorithm": "three_phase", "vector": "device"}
    host, device = (sweep.times(timed, "n", **of, spine=each) for each in ("host", "device"))
    more = {n: host[n].value - device[n].value for n in host if n in device and n > 1024}
    tile = 1024
    short = [value for n, value in more.items() if n <= 1 << 18]
    constant = float(numpy.median(short))
    longest = max(more)
    sums = longest // tile
    per_sum = (more[longest] - constant) / sums
    rows = []
    for n in (1 << 13, 1 << 20, 1 << 25, longest):
        if n in more:
            rows.append(
                [
                    words.power(n),
                    words.integer(n // tile),
                    words.significant(device[n].value),
                    words.significant(more[n]),
                    words.significant(per_sum * (n // tile)),
                    f"{host[n].value / device[n].value:.2f}",
                ]
            )
    again = recorded.of("single_pass").timed
    of = {"operation": "scan", "algorithm": "three_phase", "type": "float"}
    staircase = [again.time(**of, spine=each, n=1 << 28, cache="cold").value for each in ("host", "device")]
    return {
        "staircase": f"{staircase[0] / staircase[1]:.2f}",
        "same_length": f"{host[1 << 28].value / device[1 << 28].value:.2f}",
        "constant_us": words.rounded(constant, 2),
        "constant_range": words.span(short, lambda value: words.rounded(value, 3)),
        "constant_to": words.power(1 << 18),
        "least": f"{min(host[n].value / device[n].value for n in more):.2f}",
        "per_sum_ns": words.rounded(per_sum * 1e3, 2),
        "tile_ns": words.rounded(device[longest].value / sums * 1e3, 2),
        "rows": rows,
        "short": f"{max(host[n].value / device[n].value for n in more):.1f}",
        "long": f"{host[longest].value / device[longest].value:.2f}",
        "longest": words.power(longest),
        "on_host_from": words.power(FROM),
        **{memory: on_host(timed, memory) for memory in ("pinned", "pageable")},
    }
