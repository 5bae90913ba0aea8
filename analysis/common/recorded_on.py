"""The machines of the report: what they are, their clocks, and what the method says of their times."""

from pathlib import Path

from analysis.common import words
from analysis.common.report import Section

GPU_LINES = (
    ("driver", "driver", ""),
    ("CUDA", "cuda", ""),
    ("CUB", "cub", ""),
    ("newest CUB", "cub_newest", ""),
    ("PyTorch", "torch", ""),
    ("CuPy", "cupy", ""),
    ("JAX", "jax", ""),
    ("compiler", "compiler", ""),
    ("flags", "flags", ""),
    ("multiprocessors", "sm_count", ""),
    ("clock", "sm_clock_mhz", " MHz"),
    ("memory clock", "memory_clock_mhz", " MHz"),
    ("memory", "memory_bytes", " bytes"),
    ("second-level cache", "l2_bytes", " bytes"),
)


def machine_of(claims: list[Section], part: str) -> dict | None:
    return next((about for each in claims if (about := each.documents[0]["machines"][part])), None)


def gpus(claims: list[Section]) -> list[dict]:
    """Each GPU with times in the report, once, as its first results describe it; other results add what these
    do not say, such as the newest CUB."""
    found = {}
    for section in claims:
        for document in section.documents:
            if about := document["machines"]["timed"]:
                first = found.setdefault(about["file"].split("/")[0], dict(about))
                first["machine"] = about["machine"] | {k: v for k, v in first["machine"].items() if v}
    return list(found.values())


def gpu_rows(machines: list[dict]) -> list[list[str]]:
    """The table of GPUs, without the lines that none of them has."""
    rows = []
    for name, key, unit in GPU_LINES:
        known = [
            (each["machine"] | each["provenance"] | each.get("libraries", {})).get(key) for each in machines
        ]
        if any(known):
            said = [f"{each:,}{unit}" if isinstance(each, int) else each or words.NOTHING for each in known]
            rows.append([name, *said])
    return rows


def wavefronts(results: Path, machines: list[dict]) -> dict | None:
    """The GPU whose counters the rule for wavefronts was fitted to, and the number of requests."""
    for machine in machines:
        path = results / machine["file"].split("/")[0] / "wavefronts.csv"
        if path.exists():
            return {"machine": machine["machine"]["name"], "requests": len(path.read_text().splitlines()) - 1}
    return None


def numbers_of(claims: list[Section], claim: str) -> dict:
    """The numbers of a claim that the method section quotes; none without that claim."""
    return next((each.documents[0]["numbers"] for each in claims if each.claim["id"] == claim), {})


def noise(numbers: dict) -> dict | None:
    if "floors" not in numbers:
        return None
    floors = numbers["floors"].values()
    share = {name: f"{end(floors) - 1:.1%}" for name, end in (("least", min), ("most", max))}
    at = [f"{ratio - 1:.1%} at {words.power(int(n))}" for n, ratio in numbers["floors"].items()]
    counts = {key: words.integer(numbers[key]) for key in ("pairs", "overlapping")}
    return share | counts | {"floors": words.listing(at)}


def launches(numbers: dict) -> dict | None:
    keys = ("launch_us", "first_us")
    return {key: words.significant(numbers[key]) for key in keys} if all(map(numbers.get, keys)) else None


def clocks(claims: list[Section]) -> dict | None:
    """Clocks measured with the samples of the first GPU, over all claims; None if not measured."""
    timed = [about for each in claims if (about := each.documents[0]["machines"]["timed"])]
    samples = [about["samples"] for about in timed if about.get("samples")]
    if not samples:
        return None
    ends = [clock for each in samples for clock in each["clock_mhz"]]
    counts = {key: sum(each[key] for each in samples) for key in ("kept", "discarded", "kept_slow")}
    thresholds = [(about["machine"] | about["provenance"]).get("sm_clock_threshold_mhz") for about in timed]
    threshold = next(filter(None, thresholds), None)
    printed = {"low": min(ends), "high": max(ends), "threshold": threshold} | counts
    return {key: words.integer(value) if value else "" for key, value in printed.items()}
