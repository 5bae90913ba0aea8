"""A folder of submissions, each judged by itself: the tables class.csv and class.html (README.md)."""

import csv
import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path

from .. import TryError
from ..report import clock
from ..report.page import rendered
from .box import held
from .judge import Expected, Verdict, digest, judge

TEACHER = "(teacher)"


def submissions(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise TryError(f"--class {folder}: no such folder")
    programs = [
        each
        for each in sorted(folder.iterdir())
        if (each.suffix == ".cu" and each.is_file())
        or (each.is_dir() and not each.is_symlink() and any(path.suffix == ".cu" for path in each.iterdir()))
    ]
    if not programs:
        raise TryError(f"--class {folder}: no .cu files, and no folders with any")
    return programs


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
    page = {"columns": COLUMNS, "verdicts": verdicts, "missing": missing, "boxes": boxes, "gpu": clock.GPU}
    (out / "class.html").write_text(rendered(Path(__file__).parent, "class.html", **page), encoding="utf-8")


def all_tasks(folder: Path, expect: Path, expected: Expected) -> list[tuple[Path, str]]:
    """Programs and their names; the teacher's is the first."""
    tasks = [(each, each.name) for each in submissions(folder)]
    if not expected.teacher:
        return tasks
    teacher = expect.parent / expected.teacher
    if not teacher.exists():
        raise TryError(f"{expect}: no teacher's program {teacher}")
    return [(teacher, TEACHER), *tasks]


def judged(tasks: list[tuple[Path, str]], expected: Expected, jobs: int) -> Iterator[Verdict]:
    """As they come. An interrupt ends those that run."""
    pool, began = ThreadPoolExecutor(jobs), time.monotonic()
    told = began
    boxes = Path(tempfile.mkdtemp(prefix="class-"))
    boxes.chmod(0o711)  # others go through, to the one folder that is theirs
    try:
        futures = [pool.submit(judge, path.resolve(), name, expected, boxes) for path, name in tasks]
        for count, future in enumerate(as_completed(futures), 1):
            yield future.result()
            now = time.monotonic()
            if now - told > 10:
                told = now
                rest = (now - began) / count * (len(tasks) - count)
                print(f"class     {count} of {len(tasks)}, about {rest:.0f} s left", flush=True)
    finally:
        pool.shutdown(cancel_futures=True)
        shutil.rmtree(boxes, ignore_errors=True)


def grade(folder: Path, expect: Path, out: Path, jobs: int) -> int:
    """0: all were judged; 130: interrupted, and the tables hold what is known."""
    expected = Expected.read(expect)
    tasks = all_tasks(folder, expect, expected)
    out.mkdir(parents=True, exist_ok=True)
    journal, boxes = Journal(out / "class.jsonl"), held()
    print(f"class     {len(tasks)} programs, {jobs} at a time; {boxes}", flush=True)
    keys = {name: digest(path, expected) for path, name in tasks}
    done = {name: journal.known[keys[name]] for _, name in tasks if keys[name] in journal.known}
    status, began = 0, time.monotonic()
    try:
        for verdict in judged([task for task in tasks if task[1] not in done], expected, jobs):
            done[verdict.name] = verdict
            journal.add(keys[verdict.name], verdict)
    except KeyboardInterrupt:
        status = 130
        print("class     interrupted: the same command goes on", flush=True)
    verdicts = [done[name] for _, name in tasks if name in done]
    write_tables(out, verdicts, len(tasks) - len(verdicts), boxes)
    right = sum(each.right == "yes" and not each.findings for each in verdicts)
    print(
        f"class     {len(verdicts)} of {len(tasks)} judged in {time.monotonic() - began:.0f} s, "
        f"{right} right and without findings: {out / 'class.csv'}, {out / 'class.html'}"
    )
    return status
