"""All counts as JSON."""

import json
from pathlib import Path

from .observed import Finding, Launch


def found(finding: Finding) -> dict[str, object]:
    file, line = finding.line
    return vars(finding) | {"file": file, "line": line}


def write_json(
    path: Path,
    files: list[Path],
    launches: list[Launch],
    findings: list[Finding],
    status: int,
    stopped: str | None,
) -> None:
    """Launches with their counters, in total and by line; of one, block 0's requests to shared memory.

    `status` is the program's own."""
    content = {
        "files": [str(file) for file in files],
        "findings": [found(finding) for finding in findings],
        "status": status,
        "stopped": stopped,
        "launches": [
            {name: value for name, value in vars(launch).items() if name not in ("work", "strides")}
            | {
                "lines": [
                    {"file": file, "line": number, "counts": counts}
                    for (file, number), counts in sorted(launch.lines.items())
                ],
                "requests": [vars(request) for request in launch.requests],
            }
            for launch in launches
        ],
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
