"""The five ideas of the fast scan, each removed alone."""

from pathlib import Path

from analysis import scan_ideas
from analysis.common.loading import load
from analysis.common.looks import LOOKS
from analysis.common.recorded import SUFFIX

CUB, COPY = "cub_device", "device_to_device"
SHOWN = {"all": "fast", "copy": COPY, "cub": CUB}


def ideas_of(results: Path) -> dict:
    """By vector: times in microseconds, cold, with all ideas and with each one removed, of CUB and a copy.

    An idea is compared with `beside`, the scan that differs from its removal in that idea alone.
    """
    recorded = list(results.glob(f"*/scan_ideas{SUFFIX}"))
    timed = load(results, "scan_ideas")[0].timed if recorded else None
    if timed is None:
        return {"machine": "", "ideas": [], "vectors": []}

    def time(vector, change="", algorithm=scan_ideas.RING):
        median = scan_ideas.time_of(timed, vector, change, algorithm)
        return median and round(median.value, 2)

    def without(vector, idea) -> dict:
        return {"time": time(vector, idea.without), "beside": time(vector, idea.beside)}

    changes = scan_ideas.CHANGES
    return {
        "machine": timed.machine["name"],
        "colours": {name: LOOKS[look].color for name, look in SHOWN.items()},
        "ideas": [
            {"id": key, "label": idea.label, "without": changes[idea.without].label}
            | {"beside": "" if idea.beside == "none" else changes[idea.beside].label}
            for key, idea in scan_ideas.IDEAS.items()
        ],
        "vectors": [
            {
                "name": scan_ideas.name_of(vector),
                "all": time(vector, "none"),
                "without": {key: without(vector, idea) for key, idea in scan_ideas.IDEAS.items()},
                "copy": time(vector, algorithm=COPY),
                "cub": time(vector, algorithm=CUB),
            }
            for vector in scan_ideas.vectors(timed)
        ],
    }
