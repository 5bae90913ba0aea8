"""Steps of make: what each reads and writes, which are out of date, and running them side by side.

A step that has ended well leaves a stamp, the digest of what it read and of what it wrote; it is out of date
when the digest is another one. So what was interrupted is made again, and a step that writes the same bytes
as before leaves those after it alone. Needs only Python's standard library.
"""

import functools
import glob
import hashlib
import multiprocessing.connection
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

STAMPS = Path("build/stamps")


class Step(NamedTuple):
    """Files are named by patterns, within the project's folder, in which make runs.

    `run` announces the step with its place among others, "2 of 4", and returns 0 or, if it fails, a status.
    """

    run: Callable[[str], int]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def stamp(self) -> Path:
        return STAMPS / self.outputs[0]

    def is_stale(self) -> bool:
        return not self.stamp.exists() or self.stamp.read_text() != digest(self.inputs) + digest(self.outputs)

    def run_in_child(self, place: str) -> None:
        # Ctrl-C ends it at once: files are written whole or not at all.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        read = digest(self.inputs)  # before: what is edited meanwhile is out of date
        if status := self.run(place):
            sys.exit(status)
        self.stamp.parent.mkdir(parents=True, exist_ok=True)
        self.stamp.write_text(read + digest(self.outputs))


def digest(patterns: tuple[str, ...]) -> str:
    """Of names and content of the files."""
    found = {path for pattern in patterns for path in map(Path, glob.glob(pattern, recursive=True))}
    files = [path for path in sorted(found) if path.is_file()]
    lines = [f"{path} {of_content(path, path.stat().st_mtime_ns)}\n" for path in files]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@functools.cache
def of_content(path: Path, _changed: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def side_by_side(steps: list[Step], at_a_time: int) -> int:
    """Each in a process that is forked from this one, which has loaded the libraries.

    Returns 0, or the status of the first that fails, after which none begins.
    """
    fork, began = multiprocessing.get_context("fork"), time.monotonic()
    failed, running, waiting = 0, [], [*steps]
    while running or (waiting and not failed):
        while waiting and not failed and len(running) < at_a_time:
            begun = len(steps) - len(waiting)
            done = begun - len(running)
            left = (time.monotonic() - began) / done * (len(steps) - done) if done else 0
            place = f"{begun + 1} of {len(steps)}" + (f", about {left:.0f} s left" if left > 1 else "")
            running.append(fork.Process(target=waiting.pop(0).run_in_child, args=(place,), daemon=True))
            running[-1].start()
        ready = multiprocessing.connection.wait([each.sentinel for each in running])
        for each in [each for each in running if each.sentinel in ready]:
            each.join()  # its end is seen before its status is there
            running.remove(each)
            failed = failed or each.exitcode
    return abs(failed)
