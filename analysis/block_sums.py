"""block_sums: the block sums are so few that the host may scan them."""

from analysis.common import by_length, plotting, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict
from analysis.common.writing import keyed

SLACK = 0.10
TILE = 1024
QUESTION = (
    "So far every tile was scanned on its own. A whole vector needs a scan of the tile sums too: where?"
)
RULE = (
    "The host may scan the block sums if that costs next to nothing: holds if, with the vector on the GPU, "
    f"the scan with its spine (the scan of the block sums) on the host takes at most {SLACK:.0%} more time "
    "than with its spine on the device, at every n of more than one block, cold. Fails if it takes longer "
    "than that at every such n. Otherwise it holds within limits. Times are medians."
)
CAPTION = (
    "Left: time of the scan, vector on the GPU. Right: time with a host spine relative to a device spine, by "
    f"where the vector lies; the band is ±{SLACK:.0%}. Medians and 95% confidence intervals, cold."
)
CAPTION_WITHOUT_TIMES = "Kernels launched and bytes copied to the host, by where the spine is scanned."

SPINES = {
    "host": Look("spine on the host", plotting.RED, "s", "-", filled=False),
    "device": Look("spine on the device", plotting.BLUE, "o"),
}
VECTORS = {
    "device": Look("on the GPU", plotting.BLUE, "o"),
    "pinned": Look("pinned on the host", plotting.GREEN, "^", "--"),
    "pageable": Look("pageable on the host", plotting.ORANGE, "D", ":"),
}


def case(spine: str, n: int, vector: str = "device") -> dict:
    return {"operation": "scan", "algorithm": "three_phase", "spine": spine, "vector": vector, "n": n}


def lengths(results: Results, vector: str = "device") -> list[int]:
    return sorted(results.levels("n", algorithm="three_phase", vector=vector))


def ratios(timed: Results, vector: str = "device", cache: str = "cold") -> dict[int, float]:
    """Time with the spine on the host over time with the spine on the device, by n."""
    found = {}
    for n in lengths(timed, vector):
        host, device = (timed.time(**case(spine, n, vector), cache=cache) for spine in SPINES)
        if host and device:
            found[n] = host.value / device.value
    return found


def by_blocks(ratios: dict[int, float]) -> dict[int, float]:
    """Only those of vectors of more than one block."""
    return {n: ratio for n, ratio in ratios.items() if n > TILE}


def verdict(evidence: Evidence) -> Verdict:
    found = by_blocks(ratios(evidence.timed)) if evidence.timed else {}
    if not found:
        return Verdict(NOT_MEASURED, "The two spines were not timed against each other.")
    near = [n for n, ratio in found.items() if ratio <= 1 + SLACK]
    least, most = min(found.values()), max(found.values())
    if len(near) == len(found):
        return Verdict(
            HOLDS, f"At every n the host spine takes at most {most:.2f} times as long as the device spine."
        )
    if not near:
        pace = words.pace([least, most], "with its spine on the device")
        return Verdict(FAILS, f"With its spine on the host the scan is {pace}, at every n.")
    where = by_length.from_on(near, list(found)) or by_length.at(near)
    said = f"The host spine is within {SLACK:.0%} {where}"
    return Verdict(LIMITS, f"{said}; elsewhere up to {words.faster_or_slower(most)}.")


def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.6, ncols=2)
    if evidence.timed:
        draw_times(left, evidence.timed)
        draw_ratios(right, evidence.timed)
    elif evidence.counted:
        draw_counts(left, evidence.counted, "launches", "kernels launched")
        draw_counts(right, evidence.counted, "bytes_to_host", "bytes to the host")
        plotting.legend_on_top(figure, SPINES.values())
    plotting.sources(figure, evidence, counts=evidence.timed is None)
    return figure


def draw_times(axes, timed: Results) -> None:
    for spine, look in SPINES.items():
        times = {n: timed.time(**case(spine, n), cache="cold") for n in lengths(timed)}
        plotting.time_line(axes, look, {n: time for n, time in times.items() if time})
    for algorithm in ("device_to_device", "cub_device"):
        times = {
            n: timed.time(algorithm=algorithm, vector="device", cache="cold", n=n) for n in lengths(timed)
        }
        plotting.reference_curves(axes, {algorithm: {n: time for n, time in times.items() if time}})
    by_length.finish(axes, "time, µs (cold)", "Time, vector on the GPU")
    axes.set_yscale("log")
    axes.legend(loc="upper left")


def draw_ratios(axes, timed: Results) -> None:
    by_length.free_band(axes, SLACK)
    for vector, look in VECTORS.items():
        found = by_blocks(ratios(timed, vector))
        axes.plot(list(found), list(found.values()), label=look.label, **look.style())
    by_length.finish(axes, "time, host / device", "Host spine relative to device spine")
    axes.set_ylim(bottom=0)
    axes.legend(title="vector", loc="best")


def draw_counts(axes, counted: Results, quantity: str, name: str) -> None:
    for spine, look in SPINES.items():
        found = {n: counted.count(quantity, **case(spine, n)) for n in lengths(counted)}
        axes.plot(list(found), list(found.values()), **look.style())
    by_length.finish(axes, name, name[0].upper() + name[1:])
    axes.yaxis.get_major_locator().set_params(integer=True)


def numbers(evidence: Evidence) -> dict:
    found = {}
    if evidence.counted:
        n = max(lengths(evidence.counted))
        quantities = ("launches", "copies", "bytes_to_host", "bytes_to_device")
        counts = {
            spine: {each: evidence.counted.count(each, **case(spine, n)) for each in quantities}
            for spine in SPINES
        }
        found["counted"] = {"n": n} | counts
    if evidence.timed:
        caches = {cache: ratios(evidence.timed, "device", cache) for cache in ("cold", "warm")}
        vectors = {vector: ratios(evidence.timed, vector) for vector in VECTORS}
        found["ratio_by_cache"] = {name: keyed(by_blocks(values)) for name, values in caches.items()}
        found["ratio_by_vector"] = {name: keyed(by_blocks(values)) for name, values in vectors.items()}
    return found


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if "counted" in numbers:
        counted = numbers["counted"]
        host, device = counted["host"], counted["device"]
        paragraphs.append(
            f"At n = {words.power(counted['n'])} the host spine takes "
            f"{words.plural(host['launches'], 'launch', 'launches')}, "
            f"{words.plural(host['copies'], 'copy', 'copies')} and {words.integer(host['bytes_to_host'])} "
            f"bytes to the host and {words.integer(host['bytes_to_device'])} back; the device spine takes "
            f"{words.plural(device['launches'], 'launch', 'launches')} and "
            f"{words.plural(device['copies'], 'copy', 'copies')}."
        )
    said = [spread_in_words(vector, found) for vector, found in numbers.get("ratio_by_vector", {}).items()]
    warm = numbers.get("ratio_by_cache", {}).get("warm")
    if warm:
        said.append(
            f"Warm, with the vector on the GPU, it is {words.pace(warm.values(), 'the device spine')}."
        )
    if any(said):
        paragraphs.append(" ".join(each for each in said if each))
    return paragraphs


def spread_in_words(vector: str, found: dict[str, float]) -> str:
    if not found:
        return ""
    by_n = {f"n = {words.power(int(n))}": ratio for n, ratio in found.items()}
    pace = words.pace(by_n, "with the device spine")
    return f"With the vector {VECTORS[vector].label} the scan with the host spine is {pace}."


def tables(evidence: Evidence) -> list[Table]:
    columns = [
        "n",
        "launches,\npredicted",
        "launches,\ncounted",
        "bytes copied,\npredicted",
        "bytes copied,\ncounted",
    ]
    columns += [
        "host, cold,\nµs [95% CI]",
        "device, cold,\nµs [95% CI]",
        "host /\ndevice",
        "CUB,\nµs",
        "copy,\nµs",
    ]
    every = sorted({n for results in (evidence.counted, evidence.timed) if results for n in lengths(results)})
    caption = (
        "Launches with the spine on the host and on the device, bytes copied with the spine on the host, "
        "and times with the vector on the GPU, cold."
    )
    return [Table(caption, columns, [table_row(evidence, n) for n in every], wide=True)]


def table_row(evidence: Evidence, n: int) -> list[str]:
    return [words.power(n), *counted_cells(evidence.counted, n), *timed_cells(evidence.timed, n)]


def counted_cells(counted: Results | None, n: int) -> list[str]:
    cells = []
    for prefix in ("predicted_", ""):
        launches = [counted and counted.count(f"{prefix}launches", **case(spine, n)) for spine in SPINES]
        cells.append(words.NOTHING if None in launches else ", ".join(map(words.integer, launches)))
    for prefix in ("predicted_", ""):
        ways = [
            counted and counted.count(f"{prefix}bytes_to_{way}", **case("host", n))
            for way in ("host", "device")
        ]
        cells.append(words.NOTHING if None in ways else words.integer(sum(ways)))
    return cells


def timed_cells(timed: Results | None, n: int) -> list[str]:
    if timed is None:
        return [words.NOTHING] * 5
    host, device = (timed.time(**case(spine, n), cache="cold") for spine in SPINES)
    ratio = host.value / device.value if host and device else None
    others = [
        timed.time(algorithm=each, vector="device", cache="cold", n=n)
        for each in ("cub_device", "device_to_device")
    ]
    return [
        words.interval(host),
        words.interval(device),
        words.decimal(ratio),
        *map(words.microseconds, others),
    ]
