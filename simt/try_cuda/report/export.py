"""All counts as JSON."""

import json
from pathlib import Path

from ..findings import Finding
from ..observed import Launch
from ..run import Outcome


def of_finding(finding: Finding) -> dict[str, object]:
    file, line = finding.line
    return vars(finding) | {"file": file, "line": line}


def of_launch(launch: Launch) -> dict[str, object]:
    lines = [
        {"file": file, "line": number, "counts": counts}
        for (file, number), counts in sorted(launch.lines.items())
    ]
    kept = {name: value for name, value in vars(launch).items() if name != "strides"}
    return kept | {"lines": lines, "requests": [vars(request) for request in launch.requests]}


def write_json(path: Path, outcome: Outcome) -> None:
    """Launches with their counters, in total and by line; of one, a block's requests to shared memory."""
    content = {
        "files": [str(file) for file in outcome.files],
        "findings": [of_finding(finding) for finding in outcome.findings],
        "status": outcome.status,
        "stopped": outcome.stopped,
        "launches": [of_launch(launch) for launch in outcome.launches],
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
