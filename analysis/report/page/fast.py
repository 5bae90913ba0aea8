"""The five ideas of the fast scan, each removed alone."""

from pathlib import Path

from analysis.core.loading import load
from analysis.core.looks import LOOKS
from analysis.core.recorded import SUFFIX
from experiments.fast.scan_ideas import analysis as scan_ideas

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

    labels = {name: look.label for name, look in scan_ideas.CHANGES.items()} | {"none": ""}
    ideas, vectors = [], []
    for key, idea in scan_ideas.IDEAS.items():
        about = {"id": key, "label": idea.label}
        ideas.append(about | {"without": labels[idea.without], "beside": labels[idea.beside]})
    for vector in scan_ideas.vectors(timed):
        times = {"name": scan_ideas.name_of(vector), "all": time(vector, "none")}
        times["without"] = {key: without(vector, idea) for key, idea in scan_ideas.IDEAS.items()}
        others = {"copy": time(vector, algorithm=COPY), "cub": time(vector, algorithm=CUB)}
        vectors.append(times | others)
    colours = {name: LOOKS[look].color for name, look in SHOWN.items()}
    about = {"machine": timed.machine["name"], "colours": colours}
    return about | {"ideas": ideas, "vectors": vectors}
