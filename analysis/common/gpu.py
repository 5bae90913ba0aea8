"""Which GPUs this machine has, so that a figure can say where its times come from."""

import functools
import subprocess


@functools.cache
def gpus_of_this_machine() -> frozenset[str]:
    """Names as the driver gives them; none without a driver."""
    query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    try:
        answer = subprocess.run(query, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return frozenset()
    return frozenset(line.strip() for line in answer.stdout.splitlines() if line.strip())
