"""How long launches take, and why their warps wait: by the machine's clock, by launch and by line."""

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

from .. import TryError
from ..build import ROOT
from ..observed import Launch, Line, shown
from .terminal import groups, in_words, numbers_of, table, text_of

GPU, ARCHITECTURE = "nvidia-h200", 90  # whose times are taken unless another is asked for; of all with prices
LAUNCHES, LINES, REASONS, PARTS = 3, 5, 3, 2  # shown
TRIED = 3  # lines that are taken as if they waited for no result
FOR_RESULTS = ("long_scoreboard", "short_scoreboard")
WIDTH = 200
KEY = (
    "busy: of the time, the schedulers (issue), the memory pipe, memory (bytes), what starts blocks; "
    "its warps: the share of their cycles, and why"
)

# Microseconds of a launch, by its number, if a line waited for no result.
Times = dict[int, float]


def waits(stalls: dict[str, float], most: int = REASONS) -> str:
    """long scoreboard 71%, wait 9%"""
    chosen = sorted(stalls, key=lambda why: -stalls[why])[:most]
    return ", ".join(f"{why.replace('_', ' ')} {stalls[why]:.0%}" for why in chosen)


def busiest(busy: dict[str, float]) -> str:
    """pipe 92%, issue 31%: of the time, see simt/clock/timing.h"""
    chosen = sorted(busy, key=lambda part: -busy[part])[:PARTS]
    return ", ".join(f"{part} {busy[part]:.0%}" for part in chosen)


def us_of(launch: Launch) -> float:
    """0 if it has no time."""
    return launch.clock["us"] if launch.clock and not launch.clock["unknown"] else 0.0


def spent(launches: list[Launch]) -> dict[Line, float]:
    """Microseconds by line: a launch's time, parted as its warps' cycles are; empty without times."""
    found: Counter = Counter()
    for launch in launches:
        rows = launch.clock["lines"] if us_of(launch) else []
        whole = sum(row["cycles"] for row in rows) or 1
        for row in rows:
            found[row["file"], row["line"]] += us_of(launch) * row["cycles"] / whole
    return dict(found)


def with_times(launches: list[Launch]) -> list[list[Launch]]:
    """Launches that are alike and have a time, those that take longest first."""
    timed = [group for group in groups(launches) if us_of(group[0])]
    return sorted(timed, key=lambda group: -us_of(group[0]) * len(group))


def lines_of(launch: Launch) -> list[dict]:
    return sorted(launch.clock["lines"], key=lambda row: -row["cycles"])


def of_results(row: dict) -> float:
    return row["cycles"] * sum(row["stalls"].get(why, 0) for why in FOR_RESULTS)


def worth_trying(launches: list[Launch]) -> list[Line]:
    """The lines of the longest launches at which warps wait most for results."""
    longest = with_times(launches)[:1]
    rows = [row for group in longest for row in group[0].clock["lines"] if row["line"] and of_results(row)]
    return [(row["file"], row["line"]) for row in sorted(rows, key=of_results)[: -TRIED - 1 : -1]]


def without_waits(launches: list[Launch], times_if: Callable[[Line], Times]) -> dict[Line, Times]:
    return {line: times_if(line) for line in worth_trying(launches)}


def accuracy(clock: dict) -> str:
    """How the time was got: of all blocks, or how far the two halves of a sample are apart."""
    if not clock["is_sample"]:
        return "all blocks"
    first, second = clock["halves_us"]
    return f"{clock['blocks']:,} blocks, halves {abs(first - second) / clock['us']:.1%} apart"


def launch_rows(launches: list[Launch]) -> list[list[str]]:
    rows = [["launch", "time", "from", "busy", "its warps", "kernel"]]
    for group in groups([launch for launch in launches if launch.clock]):
        launch, clock = group[0], group[0].clock
        cells = ["-", "", "", f"no time: {clock['unknown']}"]
        if not clock["unknown"]:
            stalls = clock["stalls"]
            rest = {why: share for why, share in stalls.items() if why != "selected"}
            cells = [in_words(clock["us"]), accuracy(clock), busiest(clock["busy"]), waits(rest)]
        rows.append([numbers_of(group), *cells, launch.kernel])
    return rows


def line_rows(launch: Launch, tried: dict[Line, Times]) -> list[list[str]]:
    """The lines at which a launch's warps spend most of their time."""
    rows = [["line", "of the time", "its warps", "without waits", ""]]
    rest = lines_of(launch)
    whole = sum(row["cycles"] for row in rest)
    for row in rest[:LINES]:
        line = (row["file"], row["line"])
        us = tried.get(line, {}).get(launch.number)
        name = f"{Path(shown(row['file'])).name}:{row['line']}" if row["line"] else "elsewhere"
        then = in_words(us) if us is not None else ""
        rows.append([name, f"{row['cycles'] / whole:.0%}", waits(row["stalls"]), then, text_of(line)])
    return rows


@cache
def judged(gpu: str) -> dict | None:
    """The newest set of programs of others that was predicted, then timed on that GPU; None without."""
    path = ROOT / "figures/model.json"
    sets = json.loads(path.read_text(encoding="utf-8")).get("strangers", []) if path.exists() else []
    return next((found["all"] for found in reversed(sets) if found["folder"] == gpu), None)


def how_sure(gpu: str) -> str:
    found = judged(gpu)
    if not found:
        return "how sure: on this GPU no program of others was timed after it had been predicted"
    return (
        f"how sure: of {found['cases']} launches of programs of others, predicted before they were timed, "
        f"nine in ten were off by at most {found['nine_of_ten']:.0%}"
    )


def report(launches: list[Launch], gpu: str, longer: int, tried: dict[Line, Times]) -> str:
    """tried: of some lines, the times of launches if their warps waited for no result there."""
    if not any(launch.clock for launch in launches):
        return ""
    of = "" if longer == 1 else f", with {longer:,} times as many blocks"
    printed = ["", f"by the clock of an {gpu}{of}, caches empty at first", KEY]
    printed += table(launch_rows(launches), {0, 2, 3, 4, 5}, WIDTH)
    for group in with_times(launches)[:LAUNCHES]:
        printed += ["", f"launch {group[0].number:,}, {group[0].kernel}"]
        printed += table(line_rows(group[0], tried), {0, 2, 4}, WIDTH)
    if tried:
        printed += ["without waits: the launch's time if warps waited for no result at this line"]
    if any(map(us_of, launches)):
        printed.append(how_sure(gpu))
    return "\n".join(printed)


def ensure_prices(gpu: str) -> None:
    there = sorted(path.parent.name for path in (ROOT / "results").glob("*/clock.csv"))
    if gpu not in there:
        raise TryError(f"--gpu {gpu}: no prices of such a GPU in results/; there are: {', '.join(there)}")
