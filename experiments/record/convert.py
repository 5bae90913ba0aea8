"""Turn Google Benchmark's JSON, and recordings of earlier versions, into recordings of today's form.

convert.py FOLDER: every <claim>.json, <claim>.jsonl, <claim>.counters.json and <claim>.counters.jsonl in
FOLDER and its subfolders.

The experiments write Google Benchmark's JSON, and earlier versions of this project kept it as a recording;
the versions after these wrote a line a case whose factors stood in its name alone. All are converted, and a
recording takes the place of its JSON. A file that is not understood is left as it is, one line says why, and
the exit status is 1. Needs only Python's standard library.
"""

import argparse
import json
import sys
from pathlib import Path

from analysis.core import recorded
from analysis.core.recorded import DIGITS, FACTORS, NAME, TIMES, VARIES, FormError, Recording

# Of a repetition, what Google Benchmark says of all alike, or what the order of the lines says.
BOILERPLATE = {
    "family_index",
    "per_family_instance_index",
    "run_name",
    "run_type",
    "repetitions",
    "iterations",
}
BOILERPLATE |= {"repetition_index", "threads", "time_unit", "real_time", "cpu_time"}


def from_benchmark(document: dict) -> Recording:
    """The recording in a document of Google Benchmark with our context."""
    try:
        context, rows = document["context"], document["benchmarks"]
        claim = context["claim"]
        about = {key: context[key] for key in ("provenance", "skipped", "metrics") if key in context}
        is_timed = context["machine"]["kind"] == "gpu" and "metrics" not in context
        factors = context.get("factors", {})
        cases = [
            case_of(name, factors.get(name) or spelled(name), each, is_timed)
            for name, each in repetitions_of(rows).items()
        ]
        rule = recorded.rule_of(claim["fails_if"])
        return recorded.recording(claim["id"], rule, context["machine"], cases, **about)
    except (KeyError, TypeError, AttributeError) as error:
        raise FormError(f"not results of an experiment ({type(error).__name__}: {error})") from error


def repetitions_of(rows: list[dict]) -> dict[str, list[dict]]:
    """The repetitions of each case, in full and in their order.

    A row without a name belongs to the case of the row before, and has that case's first value of every field
    that it lacks.
    """
    found: dict[str, list[dict]] = {}
    first: dict = {}
    for row in rows:
        first = row if NAME in row else first
        full = first | row
        if full.get("error_occurred") or full.get("skipped"):
            raise FormError(f"the case {full[NAME]} failed")
        found.setdefault(full[NAME], []).append(full)
    for name, each in found.items():
        each.sort(key=lambda row: row.get("repetition_index", 0))
        if len({row.get("repetition_index", index) for index, row in enumerate(each)}) < len(each):
            raise FormError(f"a repetition of the case {name} appears twice")
    return found


def spelled(name: str) -> dict:
    """The factors of a case of an earlier version, which only its name has."""
    operation, algorithm, *levels = name.split("/")
    pairs = (level.split(":", 1) for level in levels)
    found = {factor: int(level) if level.isdigit() else level for factor, level in pairs}
    return {"operation": operation, "algorithm": algorithm} | found


def of_lines(text: str) -> Recording:
    """The recording in one of schema 2: the same, with factors and with the digits of the timer."""
    context, *cases = map(json.loads, text.splitlines())
    if context.pop("schema") != 2:
        raise FormError("not of schema 2")
    made = []
    for case in cases:
        head = {NAME: case.pop(NAME)}
        times = {TIMES: [round(time, DIGITS) for time in case.pop(TIMES)]} if TIMES in case else {}
        made.append(head | {FACTORS: spelled(head[NAME])} | case | times)
    return Recording(recorded.Context(**context), made)


def case_of(name: str, factors: dict, rows: list[dict], is_timed: bool) -> dict:
    """A case's line: a quantity that is the same in all repetitions is written once."""
    if not is_timed and len(rows) > 1:
        raise FormError(f"the case {name} appears twice")
    if is_timed and any(row.get("time_unit", "us") != "us" for row in rows):
        raise FormError(f"the case {name} has no time in us")
    if any(row.keys() != rows[0].keys() for row in rows):
        raise FormError(f"the repetitions of the case {name} have different quantities")
    case = {NAME: name, FACTORS: factors}
    for quantity in rows[0]:
        if quantity not in BOILERPLATE:
            values = [plain(row[quantity]) for row in rows]
            case[quantity] = values[0] if len({*values}) == 1 else values
    varying = sorted(key for key in case if key.startswith(f"{VARIES}_"))
    for key in varying:
        del case[key]
    if varying:
        case[VARIES] = [key.removeprefix(f"{VARIES}_") for key in varying]
    return case | ({TIMES: [round(row["real_time"], DIGITS) for row in rows]} if is_timed else {})


def plain(value):
    """A whole number as such, as Google Benchmark knows fractions only."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def digest_of(code: Path, flags: str) -> str:
    """Of the code that was counted, in a file of machine_code.py: that of sm_90, or what a GPU here runs."""
    known = json.loads(code.read_text(encoding="utf-8"))
    is_timed = flags.endswith(f"-arch=sm_{known['architecture']}")
    return known["machine_code" if is_timed else "counted"]


def convert(path: Path, out: Path, code: Path | None = None) -> Path:
    """Replace a file by its recording in the folder out, and the tables there by those beside the file.

    The digest of the machine code that was counted, in the file `code`, becomes part of the recording.
    """
    try:
        if path.suffix == recorded.SUFFIX:
            return upgrade(path)
        document = json.loads(path.read_text(encoding="utf-8"))
        if code:
            provenance = document["context"]["provenance"]
            provenance["machine_code"] = digest_of(code, provenance.get("flags", ""))
        made = from_benchmark(document)
        text = recorded.text_of(made)
    except (OSError, ValueError, KeyError, FormError) as error:
        raise FormError(f"{path}: {error}; it is left as it is") from error
    out.mkdir(parents=True, exist_ok=True)
    if out != path.parent:
        for outdated in out.glob(f"{path.stem}.*.csv*"):
            outdated.unlink()
        for table in path.parent.glob(f"{path.stem}.*.csv*"):
            table.replace(out / table.name)
    target = out / f"{path.stem}{recorded.SUFFIX}"
    part = target.with_name(f".{target.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(target)
    path.unlink()
    return target


def is_old(path: Path) -> bool:
    with path.open(encoding="utf-8") as file:
        return '"schema": 2' in file.readline()


def upgrade(path: Path) -> Path:
    text = recorded.text_of(of_lines(path.read_text(encoding="utf-8")))
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path, help="where the JSON lies")
    arguments = parser.parse_args()
    failed = False
    paths = sorted([*arguments.folder.rglob("*.json"), *filter(is_old, arguments.folder.rglob("*.jsonl"))])
    for path in paths:
        try:
            print(f"converted {path} to {convert(path, path.parent).name}")
        except FormError as error:
            failed = True
            print(f"convert: {error}", file=sys.stderr)
    if not paths:
        print(f"convert: nothing to do in {arguments.folder}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
