"""The traces of experiments/traces/traces.cu for the page's steppers: results/simt/page.traces.jsonl.gz."""

import gzip
import json
import zlib
from pathlib import Path

from analysis.core.errors import EvidenceError
from analysis.core.looks import ON_PAGE

FILE = Path("simt/page.traces.jsonl.gz")
FIELDS = {"factors", "threads", "first", "counts", "ops", "conflicts", "lanes"}


def traces_of(results: Path) -> list[dict]:
    """Every trace, with the factors of its case and the names of its steps; none without the file."""
    path = results / FILE
    if not path.exists():
        return []
    try:
        lines = gzip.decompress(path.read_bytes()).splitlines()
    except (OSError, EOFError, zlib.error) as error:
        raise EvidenceError(f"{path}: not compressed traces; delete the file and run make again") from error
    found = []
    for number, line in enumerate(lines, 1):
        try:
            trace = json.loads(line)
        except ValueError:
            trace = {}
        if not isinstance(trace, dict) or not set(trace) >= FIELDS:
            raise EvidenceError(f"{path}, line {number}: not a trace; delete the file and run make again")
        factors = trace.pop("factors")
        about = {name: factors[name] for name in ("algorithm", "index", "bytes", "tile")}
        names = {"names": step_names(factors, len(trace["ops"])), "label": kernel_in_words(factors)}
        found.append(trace | about | {"kernel": kernel_of(factors)} | names)
    return found


def kernel_of(factors: dict) -> str:
    """scan/brent_kung/threads:spaced."""
    more = [f"{name}:{factors[name]}" for name in ("threads", "items") if name in factors]
    return "/".join([factors["operation"], factors["algorithm"], *more])


def kernel_in_words(factors: dict) -> str:
    """Brent-Kung scan, spaced threads."""
    name = ON_PAGE[factors["algorithm"]].label + (" scan" if factors["operation"] == "scan" else "")
    said = {"threads": "{} threads", "items": "{} items per thread"}
    return ", ".join([name, *(said[each].format(factors[each]) for each in said if each in factors)])


def step_names(factors: dict, steps: int) -> list[str]:
    """What each step does, where the algorithm has as many as are known of it; else just numbers."""
    strides = [1 << k for k in range((factors["tile"] - 1).bit_length())]
    up = [f"up-sweep, stride {stride}" for stride in strides]
    down = [f"down-sweep, stride {stride}" for stride in reversed(strides)]
    operator = {
        "blelloch": [*up, "the root is cleared", *down],
        "brent_kung": [*up, *down[1:]],
        "hillis_steele": [
            f"stride {stride}: {what}" for stride in strides for what in ("all read and add", "all write")
        ],
        "sklansky": [f"blocks of {stride}" for stride in strides],
        "tree": [f"stride {stride}" for stride in strides],
    }.get(factors["algorithm"], [])
    if factors.get("threads") == "halving":
        operator.reverse()
    names = ["the tile is loaded", *operator, "the result is read"]
    return names if len(names) == steps else [f"step {number}" for number in range(steps)]


def for_banks(traces: list[dict]) -> dict:
    """The traces with words: `steps` of small tiles, the `fullest` requests of large ones."""
    shown = [each for each in traces if "steps" in each or each["tile"] == LARGE]
    return grouped(shown, ("index", "bytes", "tile", "counts", "names", "conflicts", "steps", "fullest"))


LARGE = 2048  # the tile of which only the fullest requests are shown
LANES = (64, 1024)  # the tiles whose lanes are shown


def for_lanes(traces: list[dict]) -> dict:
    """The lanes that apply the operator, of plain tiles of 4-byte elements."""
    plain = [each for each in traces if (each["index"], each["bytes"]) == ("plain", 4)]
    shown = [each for each in plain if each["tile"] in LANES]
    return grouped(shown, ("tile", "names", "lanes"), ("active_warps", "ops"))


def grouped(traces: list[dict], fields: tuple, counts: tuple = ()) -> dict:
    """The kernels by name, and of each its cases with these fields."""
    kernels = {}
    for trace in traces:
        case = {field: trace[field] for field in fields if field in trace}
        if counts:
            case["counts"] = {name: trace["counts"].get(name, 0) for name in counts}
        about = {"label": trace["label"], "colour": ON_PAGE[trace["algorithm"]].color, "cases": []}
        kernels.setdefault(trace["kernel"], about)["cases"].append(case)
    return kernels
