"""The form of a recording: results/<machine>/<claim>.jsonl and <claim>.counters.jsonl, one line a case.

The first line is the context, an object with the members of Context. Each further line is a case: its
factors, its quantities, and, if it was timed, all samples in the order in which they were taken:

    {"factors": {"operation": "scan", "algorithm": "cub", "cache": "cold", "n": 64}, "bytes": 512,
     "sm_clock_mhz": [1980, 1975], "times_us": [6.1, 6.0]}

Its name, by which tables and people quote it, is made of the factors: scan/cub/cache:cold/n:64. A level is
a whole number or a word. A quantity is a number, or a list of one number a sample. One that is 0 in every
case is named once, in the context. A counted case may name the quantities that depend on the order of its
blocks and warps: "varies".
Needs only Python's standard library, as recordings are made where the build tools are missing.
"""

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Container
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from analysis.common.errors import EvidenceError

SCHEMA = 3
SUFFIX, COUNTERS = ".jsonl", ".counters.jsonl"
NAME, FACTORS, TIMES, VARIES = "name", "factors", "times_us", "varies"
KERNEL = ("operation", "algorithm")  # factors of every case
LENGTH = ("cache", "n")  # of its vector, and where that is
DIGITS = 3  # of a time: a GPU's event timer has steps of 0.5 ns
KINDS = ("simt", "gpu")
GUIDE = "docs/recording-a-gpu.md"


class FormError(EvidenceError):
    """A file is not a recording: which line of it, and why."""


@dataclass(frozen=True)
class Context:
    """What holds for all cases.

    claim: the claim's name; rule: rule_of() its rule when it was recorded; cases: how many lines follow;
    zero: the quantities that are 0 in every case; skipped: cases that did not fit, and why; metrics: of
    hardware counters, what measures each quantity.
    """

    claim: str
    rule: str
    machine: dict
    provenance: dict
    cases: int
    zero: list = field(default_factory=list)
    skipped: list = field(default_factory=list)
    metrics: dict = field(default_factory=dict)
    schema: int = SCHEMA


@dataclass(frozen=True)
class Recording:
    context: Context
    cases: list[dict]  # as in the file, with their names, without the quantities of context.zero

    def full(self) -> list[dict]:
        """The cases with every quantity."""
        zero = dict.fromkeys(self.context.zero, 0)
        return [case | zero for case in self.cases]

    def times(self) -> dict[str, list[float]]:
        """The samples of each case in microseconds."""
        return {case[NAME]: case[TIMES] for case in self.cases if TIMES in case}


def name_of(factors: dict) -> str:
    """scan/blelloch/index:plain/n:64: what a case is called wherever one is chosen or quoted."""
    return "/".join(filter(None, [*(factors[each] for each in KERNEL), levels_of(factors)]))


def levels_of(factors: dict) -> str:
    """index:plain/n:64"""
    return "/".join(f"{factor}:{level}" for factor, level in factors.items() if factor not in KERNEL)


def stem_of(factors: dict) -> str:
    """The same for all lengths and states of the cache."""
    return name_of({factor: level for factor, level in factors.items() if factor not in LENGTH})


def rule_of(text: str) -> str:
    """A rule's fingerprint. Letters and digits count; a comma mended is not another rule."""
    return hashlib.sha256("".join(re.findall(r"\w", text.lower())).encode()).hexdigest()[:16]


def recording(claim: str, rule: str, machine: dict, cases: list[dict], **context) -> Recording:
    """A recording of these cases; what is 0 in all of them goes into the context."""
    everywhere = Counter(key for case in cases for key, value in case.items() if value == 0)
    zero = [key for key, times in everywhere.items() if times == len(cases)]
    kept = [{key: value for key, value in case.items() if key not in zero} for case in cases]
    about = Context(claim=claim, rule=rule, machine=machine, cases=len(cases), zero=zero, **context)
    return Recording(about, kept)


def text_of(made: Recording) -> str:
    """The file's text; checked, so that no file is written that cannot be read."""
    about = {"schema": SCHEMA} | asdict(made.context)
    rows = [about, *({key: value for key, value in case.items() if key != NAME} for case in made.cases)]
    lines = [json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows]
    parse("\n".join(lines))
    return "\n".join(lines) + "\n"


def read(path: Path) -> Recording:
    """The recording in a file. FormError says what is wrong with it, and in which line of it."""
    try:
        return parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FormError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise FormError(f"{path}: not UTF-8") from None
    except FormError as error:
        raise FormError(f"{path}: {error}") from None


def context_of(path: Path) -> Context | None:
    """The context alone; None if there is no file, or one of another form."""
    try:
        with path.open(encoding="utf-8") as file:
            return checked_context(objects(file.readline())[0])
    except (OSError, UnicodeDecodeError, FormError):
        return None


def parse(text: str) -> Recording:
    rows = objects(text)
    context = checked_context(rows[0])
    cases: dict[str, dict] = {}
    for number, row in enumerate(rows[1:], 2):
        if not are_factors(row.get(FACTORS)):
            raise FormError(f"line {number}: the case has no {FACTORS}, each a word or a whole number")
        case = {NAME: name_of(row[FACTORS])} | row
        if wrong := fault_of(case, context, cases):
            raise FormError(f"line {number}: {wrong}")
        cases[case[NAME]] = case
    if len(cases) != context.cases:
        raise FormError(f"line {len(rows)}: the last of {len(cases)} cases, but line 1 says {context.cases}")
    return Recording(context, list(cases.values()))


def objects(text: str) -> list[dict]:
    found = []
    for number, line in enumerate(text.splitlines() or [""], 1):
        try:
            found.append(json.loads(line))
        except ValueError as error:
            raise FormError(f"line {number}: not complete JSON ({error})") from None
        if not isinstance(found[-1], dict):
            raise FormError(f"line {number}: not a JSON object")
    return found


def checked_context(row: dict) -> Context:
    """The context, if each member is there and of its type."""
    if row.get("schema") != SCHEMA:
        raise FormError(f"line 1: not a context of schema {SCHEMA} (older ones: {GUIDE})")
    types = {each.name: each.type for each in fields(Context)}
    if wrong := sorted(row.keys() ^ types.keys()):
        raise FormError(f"line 1: the context {'has' if wrong[0] in row else 'lacks'} '{wrong[0]}'")
    if wrong := [name for name, kind in types.items() if type(row[name]) is not kind]:
        raise FormError(f"line 1: {wrong[0]} is not of type {types[wrong[0]].__name__}")
    machine = row["machine"]
    if machine.get("kind") not in KINDS or not isinstance(machine.get("name"), str):
        raise FormError("line 1: the machine has no kind (simt or gpu) or no name")
    if row["metrics"] and machine["kind"] != "gpu":
        raise FormError("line 1: counters that are not a GPU's")
    if not row["cases"]:
        raise FormError("line 1: it has no cases")
    return Context(**row)


def fault_of(case: dict, context: Context, before: Container[str]) -> str:
    """What is wrong with a case; nothing if it is right."""
    name, times = case[NAME], case.get(TIMES)
    if name in before:
        return f"the case {name} appears twice"
    is_timed = context.machine["kind"] == "gpu" and not context.metrics
    if is_timed != isinstance(times, list) or (is_timed and not times):
        return f"the case {name} has {'no ' if is_timed else ''}{TIMES}"
    if is_timed and not all(is_number(each) and each > 0 for each in times):
        return f"the case {name} has no time in us"
    varies = case.get(VARIES, [])
    if not isinstance(varies, list) or not set(varies) <= case.keys() | set(context.zero) - {
        NAME,
        FACTORS,
        VARIES,
    }:
        return f"{VARIES} of the case {name} is not a list of its quantities"
    for quantity, value in case.items():
        if quantity in (NAME, FACTORS, TIMES, VARIES):
            continue
        values = value if isinstance(value, list) and is_timed and len(value) == len(times) else [value]
        if not all(map(is_number, values)):
            return f"{quantity} of the case {name} is not a number, nor one a sample"
        if quantity in context.zero:
            return f"{quantity} of the case {name} is said to be 0 everywhere"
        if quantity in context.metrics and any(each % 1 for each in values):
            return f"{quantity} is not a whole number"
    return ""


def are_factors(value) -> bool:
    """Words for the kernel, and a word or a whole number for every other factor."""
    if not isinstance(value, dict) or not all(type(level) in (int, str) for level in value.values()):
        return False
    return all(isinstance(value.get(factor), str) for factor in KERNEL)


def is_number(value) -> bool:
    return type(value) in (int, float) and math.isfinite(value)
