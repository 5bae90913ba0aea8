"""A folder of submissions: each is compiled and run in a sandbox, with limits of its own, and judged.

A submission is a .cu file, or a folder of .cu and .cpp files. What is expected is a JSON file:

    {"prints": "42", "teacher": "solution.cu", "arguments": ["1000"], "options": ["-std=c++17"],
     "seconds": 10, "memory_mb": 1024, "compile_seconds": 60, "matches": false, "longer": 1}

All but `prints` may be left out. `prints` is all that the program must print, or with `matches` a regular
expression for it. The teacher's program goes the same way, and its predicted time stands in the table.
"""

import csv
import hashlib
import itertools
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from functools import cache
from math import ceil
from pathlib import Path

import jinja2

from . import TryError
from .build import MACHINE, OPTIMISED, ROOT, Options, nvcc
from .observed import Finding, load
from .quantities import conflicts
from .run import OF_MACHINE, OF_SCHEDULES

TEACHER = "(teacher)"
POLL = 0.1  # seconds between two looks at a submission's processes
MOST_OUTPUT = 1 << 20  # bytes that it may print
MOST_FILE = 64 << 20  # bytes of a file that it may write
MOST_FOLDER = 256 << 20  # and of all of them
MOST_PROCESSES = 64
COMPILE_MB = 3000
SEEDS = 2  # schedules
SYSTEM = ["/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/alternatives", "/dev/urandom"]
OWN = [ROOT / ".venv", MACHINE, ROOT / "build/libcudart.so.13", ROOT / "build/libcudart.so"]


@dataclass(frozen=True)
class Expected:
    prints: str
    teacher: str = ""
    arguments: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    seconds: int = 10
    memory_mb: int = 1024
    compile_seconds: int = 60
    matches: bool = False
    longer: float = 1.0

    @classmethod
    def read(cls, path: Path) -> "Expected":
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            known = {field.name for field in fields(cls)}
            if not isinstance(content, dict) or "prints" not in content or set(content) - known:
                raise TryError(f"{path}: an object with prints, and of {', '.join(sorted(known))}")
            tuples = {
                name: tuple(map(str, content[name])) for name in ("arguments", "options") if name in content
            }
            return cls(**(content | tuples))
        except (OSError, ValueError) as error:
            raise TryError(f"{path}: {error}") from None

    def is_met(self, printed: str) -> bool:
        if self.matches:
            return re.search(self.prints, printed) is not None
        return printed.split() == self.prints.split()


@dataclass
class Verdict:
    name: str
    built: str = ""  # yes, no, time, memory, ..
    ran: str = ""  # yes, or how it ended
    right: str = ""  # yes, no
    findings: str = ""  # kinds that count, with how many
    conflicts: str = ""
    predicted: str = ""  # of all launches, on the first GPU; or why not
    seconds: float = 0.0
    note: str = ""  # one line of the compiler's or the machine's


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
    found = [process]
    for each in found:
        found += children.get(each, [])
    return found


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


NAMESPACES = ["unshare", "--pid", "--fork", "--kill-child", "--net", "--ipc"]
IS_ROOT = os.geteuid() == 0  # then submissions get users of their own: no limit of processes holds for root
USERS = range(20_000, 65_000)  # which a container's root may become, too


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
    command = [sys.executable, "-I", Path(__file__).with_name("sandbox.py"), limits, "--probe"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
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
    box = [sys.executable, "-I", str(Path(__file__).with_name("sandbox.py")), json.dumps(limits)]
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    environment = kept | {"HOME": str(folder), "TMPDIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    with output.open("wb") as out:
        process = subprocess.Popen(
            [*namespaces(), *box, *map(str, command)],
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


def sources(submission: Path) -> list[Path]:
    if submission.is_file():
        return [submission]
    return sorted(
        path for path in submission.iterdir() if path.suffix in (".cu", ".cpp", ".h", ".cuh", ".hpp")
    )


def submissions(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise TryError(f"--class {folder}: no such folder")
    found = [
        each
        for each in sorted(folder.iterdir())
        if (each.suffix == ".cu" and each.is_file())
        or (each.is_dir() and not each.is_symlink() and any(path.suffix == ".cu" for path in each.iterdir()))
    ]
    if not found:
        raise TryError(f"--class {folder}: no .cu files, and no folders with any")
    return found


def text_of(path: Path, most: int = 100_000) -> str:
    with path.open("rb") as file:
        return file.read(most).decode(errors="replace")


def one_line(text: str) -> str:
    wanted = next((line for line in text.splitlines() if "error" in line), text.partition("\n")[0])
    return "".join(letter if letter.isprintable() else " " for letter in wanted)[:200]


NUMBERS = itertools.count(997 * os.getpid())  # another class that runs now has others


def own_user() -> int:
    """Another each time: the processes of a bomb count for its user until the last of them has ended."""
    return USERS[next(NUMBERS) % len(USERS)] if IS_ROOT else os.geteuid()


def judge(submission: Path, name: str, expected: Expected, work: Path) -> Verdict:
    """Compile and run it in a folder of its own under `work`, which is removed afterwards."""
    verdict, began = Verdict(name), time.monotonic()
    folder, said = work / f"{name}.box", work / f"{name}.out"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        for path in sources(submission):
            if path.is_symlink() or path.stat().st_size > MOST_FILE:
                raise TryError(f"{path.name}: a link, or too large")
            shutil.copyfile(path, folder / path.name)
        files = [path.name for path in sources(submission) if path.suffix in (".cu", ".cpp")]
        flags = [*Options(others=list(expected.options)).flags(), *OPTIMISED]
        command = [nvcc(), *flags, "-o", "program", *files]
        seconds = expected.compile_seconds * crowding()
        why, status = shut_in(command, folder, seconds, COMPILE_MB, said, own_user())
        verdict.built = why or ("yes" if status == 0 else "no")
        if verdict.built != "yes":
            verdict.note = one_line(text_of(said))
            return verdict
        run(verdict, expected, folder, said)
    except TryError as error:
        verdict.built, verdict.note = "no", str(error)
    finally:
        verdict.seconds = round(time.monotonic() - began, 2)
        for path, _, _ in os.walk(folder):
            os.chmod(path, 0o700)
        shutil.rmtree(folder, ignore_errors=True)
        said.unlink(missing_ok=True)
    return verdict


def run(verdict: Verdict, expected: Expected, folder: Path, said: Path) -> None:
    seconds = ceil(expected.seconds * crowding())
    command = [MACHINE, "--seeds", SEEDS, "--budget", max(1, seconds // 2), "--limit", seconds]
    command += ["--json", folder / "observed.json", "./program", *expected.arguments]
    why, status = shut_in(command, folder, seconds + 1, expected.memory_mb, said, own_user())
    lines = text_of(said, MOST_OUTPUT).splitlines()
    machine = [line for line in lines if line.startswith(OF_MACHINE)]
    printed = "\n".join(line for line in lines if line not in machine)
    if not why and status == 124:
        why = "time"
    if not why and status < 0 or status > 128:
        number = -status if status < 0 else status - 128
        why = why or f"signal {signal.Signals(number).name if number in set(signal.Signals) else number}"
    verdict.ran = why or ("yes" if status in (0, 3) else f"returned {status}")
    try:
        observed = load(folder / "observed.json")
    except (ValueError, KeyError, OSError, TypeError):
        verdict.ran, verdict.note = why or "no", "its counts cannot be read"
        return
    verdict.right = "yes" if verdict.ran == "yes" and expected.is_met(printed) else "no"
    verdict.findings = kinds(observed.findings)
    verdict.note = (
        observed.findings[0].text[:200]
        if observed.findings
        else one_line(
            "\n".join(line for line in machine if not OF_SCHEDULES.match(line.removeprefix(OF_MACHINE)))
        )
    )
    run_launches = [launch for launch in observed.launches if not launch.refused]
    verdict.conflicts = str(sum(conflicts(launch.total) for launch in run_launches))
    if run_launches and verdict.ran == "yes":
        verdict.predicted = predicted(run_launches, expected.longer)


def kinds(findings: list[Finding]) -> str:
    counted: dict[str, int] = {}
    for each in findings:
        if each.fails:
            counted[each.hazard] = counted.get(each.hazard, 0) + 1
    return ", ".join(f"{name} {count}" for name, count in sorted(counted.items()))


def predicted(launches: list, longer: float) -> str:
    from . import predictions as programs

    gpu = known_gpus()[0]
    found = [
        programs.predicted(
            programs.work_in(each.work).longer(longer, None), gpu, programs.bands(ROOT / "figures")
        )
        for each in launches
    ]
    outside = next((each.outside for each in found if each.outside), "")
    return f"none: {outside}" if outside else f"{sum(each.us for each in found):.3g} us"


@cache
def known_gpus() -> list:
    from . import predictions as programs

    return programs.gpus(ROOT / "results")


def digest(submission: Path, expected: Expected) -> str:
    content = hashlib.sha256(repr(expected).encode())
    for path in (*sources(submission), ROOT / "build/libcudart.so.13"):
        if not path.is_symlink():
            content.update(path.name.encode() + path.read_bytes())
    return content.hexdigest()


class Journal:
    """Verdicts that are known, by a digest of what they are about: an interrupted run goes on."""

    def __init__(self, path: Path):
        self.path, self.known = path, {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            try:
                row = json.loads(line)
                key = row.pop("digest")
                self.known[key] = Verdict(**row)
            except (ValueError, TypeError, KeyError):
                continue  # half a line, of a run that was killed

    def add(self, key: str, verdict: Verdict) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(verdict) | {"digest": key}) + "\n")


COLUMNS = ["name", "built", "ran", "right", "findings", "conflicts", "predicted", "seconds", "note"]


def harmless(cell: object) -> str:
    """No spreadsheet takes it for a formula."""
    text = str(cell)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def write_tables(out: Path, verdicts: list[Verdict], missing: int, boxes: str) -> None:
    with (out / "class.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows([harmless(getattr(each, name)) for name in COLUMNS] for each in verdicts)
    page = (Path(__file__).parent / "page/class.html").read_text(encoding="utf-8")
    template = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(page)
    gpu = known_gpus()[0].folder
    content = template.render(columns=COLUMNS, verdicts=verdicts, missing=missing, boxes=boxes, gpu=gpu)
    (out / "class.html").write_text(content, encoding="utf-8")


def grade(folder: Path, expect: Path, out: Path, jobs: int) -> int:
    """0: all were judged; 130: interrupted, and the tables hold what is known."""
    expected = Expected.read(expect)
    tasks = [(each, each.name) for each in submissions(folder)]
    if expected.teacher:
        teacher = expect.parent / expected.teacher
        if not teacher.exists():
            raise TryError(f"{expect}: no teacher's program {teacher}")
        tasks.insert(0, (teacher, TEACHER))
    out.mkdir(parents=True, exist_ok=True)
    journal, boxes = Journal(out / "class.jsonl"), held()
    print(f"class     {len(tasks)} programs, {jobs} at a time; {boxes}", flush=True)
    known_gpus()  # loaded once, before there are threads
    keys = {name: digest(path, expected) for path, name in tasks}
    done = {name: journal.known[keys[name]] for _, name in tasks if keys[name] in journal.known}
    left = [(path, name) for path, name in tasks if name not in done]
    began = said = time.monotonic()
    status, pool = 0, ThreadPoolExecutor(jobs)
    boxes_at = Path(tempfile.mkdtemp(prefix="class-"))
    boxes_at.chmod(0o711)  # others go through, to the one folder that is theirs
    try:
        futures = [pool.submit(judge, path.resolve(), name, expected, boxes_at) for path, name in left]
        for count, future in enumerate(as_completed(futures), 1):
            verdict = future.result()
            done[verdict.name] = verdict
            journal.add(keys[verdict.name], verdict)
            now = time.monotonic()
            if now - said > 10:
                said = now
                rest = (now - began) / count * (len(left) - count)
                print(f"class     {count} of {len(left)}, about {rest:.0f} s left", flush=True)
    except KeyboardInterrupt:
        status = 130
        print("class     interrupted: the same command goes on", flush=True)
    finally:
        pool.shutdown(cancel_futures=True)
        shutil.rmtree(boxes_at, ignore_errors=True)
    verdicts = [done[name] for _, name in tasks if name in done]
    write_tables(out, verdicts, len(tasks) - len(verdicts), boxes)
    right = sum(each.right == "yes" and not each.findings for each in verdicts)
    print(
        f"class     {len(verdicts)} of {len(tasks)} judged in {time.monotonic() - began:.0f} s, "
        f"{right} right and without findings: {out / 'class.csv'}, {out / 'class.html'}"
    )
    return status
