"""Write results/simt/page.clock.json, from what simt-run --clock says of the block that it traced.

instructions  text, the control bits that simt/clock/control.h explains, file and line
warps         first: the cycle of its first instruction; parts: [place of the instruction, reason, cycles],
              one after the other
"""

import argparse
import json
from pathlib import Path

from analysis.core.writing import write_text

BITS = ("stall", "sets_at_result", "sets_at_read", "waits_for")


def parts_of(trace: list) -> list[dict]:
    """Of each warp, without a gap: what it does from its first cycle to its last."""
    warps = {}
    for warp, place, why, begin, end in trace:
        of = warps.setdefault(warp, {"first": begin, "parts": []})
        at = of["first"] + sum(cycles for *_, cycles in of["parts"])
        if begin != at:
            raise SystemExit(f"warp {warp}: nothing is known of cycles {at} to {begin}")
        of["parts"].append([place, why, end - begin])
    return [warps[number] for number in sorted(warps)]


def compact(launch: dict) -> dict:
    clock = launch["clock"]
    about = [
        {key: each[key] for key in ("text", *BITS, "line")} | {"file": Path(each["file"]).name}
        for each in clock["instructions"]
    ]
    return {"kernel": launch["kernel"], "instructions": about, "warps": parts_of(clock["trace"])}


def lines(found: dict) -> str:
    """JSON with an instruction, or a warp, a line."""
    rows = {key: ",\n".join(json.dumps(each) for each in found[key]) for key in ("instructions", "warps")}
    lists = ",\n".join(f'"{key}": [\n{text}\n]' for key, text in rows.items())
    return f'{{"kernel": {json.dumps(found["kernel"])},\n{lists}}}\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recorded", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    launch = json.loads(asked.recorded.read_text(encoding="utf-8"))["launches"][0]
    write_text(asked.out, lines(compact(launch)))


if __name__ == "__main__":
    main()
