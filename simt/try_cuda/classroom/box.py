"""Runs a program shut in: in a folder of its own, watched, and ended with all the processes that it began."""

import itertools
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from ..build import LIBRARY, MACHINE, ROOT, nvcc

POLL = 0.1  # seconds between two looks at its processes
MOST_OUTPUT = 1 << 20  # bytes that it may print
MOST_FILE = 64 << 20  # bytes of a file that it may write
MOST_FOLDER = 256 << 20  # and of all of them
MOST_PROCESSES = 64
SYSTEM = ["/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/alternatives", "/dev/urandom"]
OWN = [ROOT / ".venv", MACHINE, LIBRARY, ROOT / "build/libcudart.so"]
SANDBOX = [sys.executable, "-I", str(Path(__file__).with_name("sandbox.py"))]
NAMESPACES = ["unshare", "--pid", "--fork", "--kill-child", "--net", "--ipc"]
IS_ROOT = os.geteuid() == 0  # then submissions get users of their own: no limit of processes holds for root
USERS = range(20_000, 65_000)  # which a container's root may become, too
NUMBERS = itertools.count(997 * os.getpid())  # another class that runs now has others


def descendants(process: int) -> list[int]:
    """The process and all that came of it, as /proc has them."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    parent = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(entry))
    family = [process]
    for each in family:
        family += children.get(each, [])
    return family


def resident(processes: list[int]) -> int:
    """Bytes. What processes share counts for each."""
    pages = 0
    for each in processes:
        try:
            with open(f"/proc/{each}/statm", "rb") as file:
                pages += int(file.read().split()[1])
        except (OSError, IndexError):
            continue
    return pages * os.sysconf("SC_PAGESIZE")


def size_of(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(place, name)).st_blocks * 512
            except OSError:
                continue
    return total


@cache
def toolkit() -> list[str]:
    """Where the compiler and the disassembler lie, which may be somewhere else than their names say."""
    disassembler = shutil.which("nvdisasm")
    return [str(nvcc().resolve().parents[1]), *([os.path.realpath(disassembler)] if disassembler else [])]


@cache
def namespaces() -> list[str]:
    """What starts a program among processes of its own, if the system allows that without root."""
    command = NAMESPACES if IS_ROOT else [*NAMESPACES, "--user", "--map-current-user"]
    try:
        works = subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        works = False
    return command if works else []


def held() -> str:
    """What of the sandbox this system has, in one line."""
    limits = {"write": [], "read": ["/"], "file_bytes": 1 << 30, "cpu_seconds": 9, "processes": 99}
    limits = json.dumps(limits | {"user": os.geteuid()})
    done = subprocess.run([*SANDBOX, limits, "--probe"], capture_output=True, text=True, check=False)
    known = json.loads(done.stdout or '{"Landlock": false, "seccomp": false}')
    parts = {
        "files (Landlock)": known["Landlock"],
        "sockets (seccomp)": known["seccomp"],
        "processes and network (namespaces)": bool(namespaces()),
    }
    lacking = [name for name, works in parts.items() if not works]
    return f"held: {', '.join(name for name in parts if name not in lacking)}" + (
        f"; NOT held here: {', '.join(lacking)}" if lacking else ""
    )


def kill(process: subprocess.Popen, processes: list[int]) -> None:
    """All of them. The first below `unshare` is the first of its namespace: with it all others end."""
    for _ in range(20):
        for each in processes[1:]:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        processes = descendants(process.pid)
        if len(processes) == 1:
            break
    process.kill()
    process.wait()


def crowding() -> float:
    """How many times as long as on an idle machine all takes, by the load of the last minute."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def shut_in(
    command: list, folder: Path, seconds: float, memory_mb: int, output: Path, user: int
) -> tuple[str, int]:
    """Run it with `folder` as its own. Returns how it was ended ("" if by itself), and its exit status."""
    limits = {
        "write": [str(folder), "/dev/null"],
        "read": [*SYSTEM, *map(str, OWN), *toolkit()],
        "file_bytes": MOST_FILE,
        "cpu_seconds": int(seconds) + 5,
        # Of a user who is somebody else outside, all others' would count.
        "processes": 2 * MOST_PROCESSES if IS_ROOT or namespaces() else resource.RLIM_INFINITY,
        "user": user,
    }
    if IS_ROOT:
        for path in (folder, *folder.iterdir()):
            os.chown(path, user, user, follow_symlinks=False)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    environment = kept | {"HOME": str(folder), "TMPDIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    with output.open("wb") as out:
        process = subprocess.Popen(
            [*namespaces(), *SANDBOX, json.dumps(limits), *map(str, command)],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        began = looked = time.monotonic()
        why = ""
        try:
            while not why and process.poll() is None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(POLL)
                processes, now = descendants(process.pid), time.monotonic()
                if now - began > seconds:
                    why = "time"
                elif len(processes) > MOST_PROCESSES:
                    why = "processes"
                elif resident(processes) > memory_mb << 20:
                    why = "memory"
                elif output.stat().st_size > MOST_OUTPUT:
                    why = "output"
                elif now - looked > 5 * POLL:
                    looked = now
                    why = "disk" if size_of(folder) > MOST_FOLDER else ""
        finally:
            kill(process, descendants(process.pid))  # also what a program has left behind
    if not why and size_of(folder) > MOST_FOLDER:
        why = "disk"
    return why, process.returncode


def own_user() -> int:
    """Another each time: the processes of a bomb count for its user until the last of them has ended."""
    return USERS[next(NUMBERS) % len(USERS)] if IS_ROOT else os.geteuid()
