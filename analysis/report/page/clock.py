"""A block's warps cycle by cycle, by the machine's clock: results/simt/page.clock.json."""

from pathlib import Path

from analysis.core.files import read_json

FILE = Path("simt/page.clock.json")
REASONS = {  # Nsight Compute's names, in words, and in colours that differ for the colour-blind too
    "selected": ("issues", "#0072b2"),
    "not_selected": ("ready, but another warp issues", "#56b4e9"),
    "wait": ("waits out the stall count", "#d9d9d9"),
    "long_scoreboard": ("waits for global memory", "#d55e00"),
    "short_scoreboard": ("waits for shared memory or a constant", "#e69f00"),
    "barrier": ("waits at a barrier", "#cc79a7"),
    "math_pipe_throttle": ("its unit is busy", "#f0e442"),
}
SCOREBOARDS, NO_SCOREBOARD = 6, 7
SETS = {"sets_at_result": "", "sets_at_read": "r"}


def clock_of(results: Path) -> dict:
    """Instructions with their control bits, reasons, and of each warp its parts: [instruction, reason,
    cycles]; nothing without the file."""
    found = read_json(results / FILE, {})
    if not found:
        return {}
    cycles = cycles_by_reason(found["warps"])
    order = sorted(cycles, key=list(REASONS).index)
    warps = [
        {"first": warp["first"], "parts": [[place, order.index(why), n] for place, why, n in warp["parts"]]}
        for warp in found["warps"]
    ]
    total = sum(cycles.values())
    reasons = [
        {"id": why, "label": REASONS[why][0], "colour": REASONS[why][1], "share": cycles[why] / total}
        for why in order
    ]
    return {"instructions": list(map(bits_of, found["instructions"])), "reasons": reasons, "warps": warps}


def cycles_by_reason(warps: list[dict]) -> dict[str, int]:
    cycles = {}
    for _, why, length in (part for warp in warps for part in warp["parts"]):
        cycles[why] = cycles.get(why, 0) + length
    return cycles


def bits_of(each: dict) -> dict:
    """An instruction and its control bits. sets: scoreboards by number; r: until operands have been read."""
    sets = [f"{each[key]}{mark}" for key, mark in SETS.items() if each[key] != NO_SCOREBOARD]
    waits = [str(number) for number in range(SCOREBOARDS) if each["waits_for"] >> number & 1]
    about = {"text": each["text"], "stall": each["stall"], "sets": " ".join(sets), "waits": " ".join(waits)}
    return about | {"source": f"{each['file']}:{each['line']}"}
