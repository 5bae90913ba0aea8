"""All counts as JSON."""

import json
from pathlib import Path

from .observed import Launch, Observed


def write_json(path: Path, files: list[Path], launches: list[Launch], observed: Observed) -> None:
    """Launches with their counters, in total and by line, and the accesses of the traced block."""
    content = {
        "files": [str(file) for file in files],
        "fault": observed.fault,
        "stopped": observed.stopped,
        "launches": [
            {
                "launch": launch.number,
                "kernel": launch.kernel,
                "grid": launch.grid,
                "block": launch.block,
                "shared_bytes": launch.shared_bytes,
                "error": launch.error,
                "total": launch.total,
                "lines": [
                    {"file": file, "line": number, "counts": counts}
                    for (file, number), counts in sorted(launch.lines.items())
                ],
                "warnings": launch.warnings,
                "trace": [vars(access) for access in launch.trace],
            }
            for launch in launches
        ],
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
