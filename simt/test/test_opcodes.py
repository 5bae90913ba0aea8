"""What the machine computes, operation by operation, is what a GPU computed: opcodes/ has the operations.

digests.<gpu>.txt has what a GPU printed (opcodes/record.py). All outputs of an operation must be equal, bit
for bit, but for those of the family `special`: a GPU approximates these functions, and BOUNDS says how far
from its results the machine's may be. differs.txt names the operations, "family operation", that the machine
does not run or whose results still differ: mostly shifts by 64 or more and packed 16-bit integers. One that
no longer differs must leave the list.
"""

import lzma
import math
import struct
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from experiments.test.rest import some
from simt.test import programs

FOLDER = programs.HERE / "opcodes"
DIGESTS = FOLDER / "digests.nvidia-h200.txt"
SOME = ("control", "warps")  # which make test builds, see programs.cmake
APPROXIMATE, OUTPUTS = "special", FOLDER / "approximate.nvidia-h200.bin.xz"
CASES, CHUNKS = 6144, 64

DIFFERS = set((FOLDER / "differs.txt").read_text(encoding="utf-8").splitlines())

# How far results of the family `special` may be from a GPU's: in units of the last place; or, where that is
# more, absolutely. By how the name of the operation begins; else DEFAULT. The machine rounds correctly, so
# that the bounds are the errors of the special function unit: read off an H200 for all mantissas of rcp,
# rsqrt, sqrt and ex2, and for 2^23 arguments of sin, cos and tanh; for lg2 and __logf those of PTX ISA and
# the CUDA programming guide.
BOUNDS: dict[str, tuple[int, float]] = {
    "rcp.approx.ftz.f64": (1 << 32, 0.0),  # of the upper word: the lower one is 0
    "rsqrt.approx.ftz.f64": (1 << 32, 0.0),
    "rsqrt.approx": (2, 0.0),
    "sin.approx": (0, 1e-6),
    "cos.approx": (0, 1e-6),
    "lg2.approx": (2, 2**-22),
    "tanh.approx.f32": (200, 0.0),
    "tanh.approx": (2, 0.0),
    "__logf": (3, 2**-21.41),
    "__expf": (3, 0.0),
    "div": (2, 0.0),
    "__fdividef": (2, 0.0),
}
DEFAULT = (2, 0.0)


@dataclass
class Operation:
    digest: str
    chunks: str
    name: str


def parse(line: str) -> Operation:
    return Operation(*line.split(" ", 2))


@cache
def recorded() -> dict[str, dict[str, Operation]]:
    """By family and name, in the order of the recording."""
    families: dict[str, dict[str, Operation]] = {}
    for line in DIGESTS.read_text(encoding="utf-8").splitlines()[1:]:
        family, rest = line.split(" ", 1)
        operation = parse(rest)
        families.setdefault(family, {})[operation.name] = operation
    return families


def computed(family: str, *arguments: str) -> tuple[list[Operation], str]:
    """What the machine prints, and its messages. Where an operation fails, the program goes on after it."""
    done: list[Operation] = []
    messages = ""
    while len(done) < len(recorded()[family]):
        run = programs.run("opcodes", family, "--first", str(len(done)), *arguments)
        operations = [parse(line) for line in run.out.splitlines()]
        good = next((k for k, each in enumerate(operations) if each.chunks == "-"), len(operations) - 1) + 1
        if good == 0:
            break
        done += operations[:good]
        messages += run.errors
    return done, messages


def different(wanted: Operation, got: Operation) -> str:
    """A line that says where two operations differ."""
    if got.chunks == "-":
        return f"{got.name}: {got.digest}"
    size = CASES // CHUNKS
    pairs = zip(*(bytes.fromhex(each.chunks) for each in (wanted, got)), strict=True)
    where = [f"{size * k}-{size * k + size - 1}" for k, (one, other) in enumerate(pairs) if one != other]
    return f"{got.name}: differs in {len(where)} of {CHUNKS} chunks, of cases {', '.join(where[:6])}"


@pytest.mark.parametrize("family", some(set(programs.names("opcodes")) - {APPROXIMATE}, SOME))
def test_results_are_a_gpus(family: str) -> None:
    wanted = recorded()[family]
    got, messages = computed(family)
    assert [each.name for each in got] == list(wanted), messages
    bad = {f"{family} {each.name}": each for each in got if each.digest != wanted[each.name].digest}
    new = [different(wanted[bad[name].name], bad[name]) for name in sorted(bad.keys() - DIFFERS)]
    assert not new, "\n" + "\n".join(new) + "\n" + messages
    fixed = {name for name in DIFFERS if name.startswith(f"{family} ")} - bad.keys()
    assert not fixed, f"no longer different, to be taken out of differs.txt: {sorted(fixed)}"


FORMATS = {2: "e", 4: "f", 8: "d"}


def ordered(bits: int, width: int) -> int:
    """Numbers of adjacent values of a floating-point format are adjacent; -0 and 0 are one."""
    sign = 1 << 8 * width - 1
    return bits if bits < sign else sign - bits


def value(bits: int, width: int, name: str) -> float:
    if "bf16" in name:
        return struct.unpack("f", (bits << 16).to_bytes(4, "little"))[0]
    return struct.unpack(FORMATS[width], bits.to_bytes(width, "little"))[0]


def words(name: str, width: int) -> int:
    """Bytes of one number: those of two halves are in one word."""
    return 2 if "16x2" in name else width


def is_near(wanted: int, got: int, width: int, name: str) -> bool:
    if wanted == got:
        return True
    one, other = (value(bits, width, name) for bits in (wanted, got))
    if math.isnan(one) or math.isnan(other) or math.isinf(one) != math.isinf(other):
        return False
    ulps, absolute = next((bound for key, bound in BOUNDS.items() if name.startswith(key)), DEFAULT)
    return abs(ordered(wanted, width) - ordered(got, width)) <= ulps or abs(one - other) <= absolute


@pytest.mark.full
def test_approximations_are_near_a_gpus() -> None:
    sizes = [line.split(" ", 1) for line in programs.run("opcodes", APPROXIMATE, "--list").out.splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "outputs"
        run = programs.run("opcodes", APPROXIMATE, "--outputs", str(path))
        failed = [line for line in run.out.splitlines() if " - " in line]
        assert run.status == 0, "\n".join(failed) + run.errors
        got = path.read_bytes()
    wanted = lzma.decompress(OUTPUTS.read_bytes())
    assert len(got) == len(wanted)
    bad, first = [], 0
    for size, name in sizes:
        width, last = words(name, int(size)), first + CASES * int(size)
        kind = {2: "H", 4: "I", 8: "Q"}[width]
        numbers = (memoryview(each[first:last]).cast(kind) for each in (wanted, got))
        pairs = list(zip(*numbers, strict=True))
        far = [k for k, (one, other) in enumerate(pairs) if not is_near(one, other, width, name)]
        if far:
            one, other = pairs[far[0]]
            bad.append(f"{name}: {len(far)} far, first {far[0]}: {other:x}, not {one:x}")
        first = last
    assert not bad, "\n" + "\n".join(bad)
