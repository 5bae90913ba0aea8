"""What random expressions are made of: how CUDA writes an operation, and what it computes, said anew here.

Values are patterns of bits. Those of two halves in a word, h2 and b2, are types of their own.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from .reals import BITS, NAN, is_nan

INTEGERS = {
    "u8": "unsigned char", "i8": "signed char", "u16": "unsigned short", "i16": "short",
    "u32": "unsigned", "i32": "int", "u64": "unsigned long long", "i64": "long long",
}  # fmt: skip
REALS = {"f32": "float", "f64": "double", "f16": "__half", "bf16": "__nv_bfloat16"}
PAIRS = {"h2": "__half2", "b2": "__nv_bfloat162"}
OF_PAIR = {"h2": "f16", "b2": "bf16"}
CUDA = INTEGERS | REALS | PAIRS | {"bool": "bool"}
REGISTERS = {1: "h", 2: "h", 4: "r", 8: "l"}  # of inline PTX, by bytes


@dataclass(frozen=True)
class Operation:
    text: str  # of an expression; {0} stands for the first argument
    result: str
    arguments: tuple[str, ...]
    function: Callable[..., int]
    since: int = 75  # the architecture
    helper: str = ""  # a function that it calls, if that is not in prelude.cuh


ALL: dict[str, list[Operation]] = defaultdict(list)  # by type of result
NAMES: dict[str, int] = defaultdict(int)


def operation(result: str, text: str, arguments: str, function: Callable[..., int], since: int = 75) -> None:
    """Enter one. A text without braces is the name of a function."""
    types = tuple(arguments.split())
    if "{" not in text:
        text += "(" + ", ".join(f"{{{k}}}" for k in range(len(types))) + ")"
    ALL[result].append(Operation(text, result, types, function, since))


def ptx(result: str, code: str, arguments: str, function: Callable[..., int], since: int = 75) -> None:
    """Enter inline PTX: %0 is its result, %1 its first argument. Halves go in and out as 16 bits."""
    types = tuple(arguments.split())
    name = "ptx" + str(sum(map(len, ALL.values())))
    parameters = ", ".join(f"{CUDA[t]} x{k}" for k, t in enumerate(types))
    inputs = ", ".join(f'"{register(t)}"({as_register(t, f"x{k}")})' for k, t in enumerate(types))
    raw = raw_type(result)
    body = f'{raw} r; asm("{code}" : "={register(result)}"(r) : {inputs}); return {from_register(result)};'
    helper = f"__device__ __forceinline__ {CUDA[result]} {name}({parameters}) {{ {body} }}"
    call = f"{name}(" + ", ".join(f"{{{k}}}" for k in range(len(types))) + ")"
    ALL[result].append(Operation(call, result, types, function, since, helper))


def width(t: str) -> int:
    return 1 if t == "bool" else BITS.get(t) or (32 if t in PAIRS else int(t[1:]))


def register(t: str) -> str:
    return {"f32": "f", "f64": "d"}.get(t) or REGISTERS[max(width(t) // 8, 1)]


def raw_type(t: str) -> str:
    return {"f16": "unsigned short", "bf16": "unsigned short", "h2": "unsigned", "b2": "unsigned"}.get(
        t, CUDA[t]
    )


def as_register(t: str, name: str) -> str:
    cast = {"f16": "__half_as_ushort", "bf16": "__bfloat16_as_ushort", "h2": "word_of", "b2": "word_of"}
    return f"{cast.get(t, '')}({name})"


def from_register(t: str) -> str:
    return {"f16": "__ushort_as_half(r)", "bf16": "__ushort_as_bfloat16(r)", "h2": "half2_of(r)",
            "b2": "bfloat162_of(r)"}.get(t, "r")  # fmt: skip


def signed(x: int, bits: int) -> int:
    return x - (1 << bits) if x >> bits - 1 else x


def value(x: int, t: str) -> int:
    """Of an integer."""
    return signed(x, width(t)) if t[0] == "i" else x


def canonical(x: int, t: str) -> int:
    """Bits as a value of a type: every NaN is one."""
    if t in REALS:
        return NAN[t] if is_nan(x, t) else x
    if t in PAIRS:
        return canonical(x & 0xFFFF, OF_PAIR[t]) | canonical(x >> 16, OF_PAIR[t]) << 16
    return x


def by_fields(bits: int, function: Callable[..., int], is_signed: bool = False) -> Callable[..., int]:
    """A function of words that is this one in every field of so many bits."""
    mask = (1 << bits) - 1

    def of_words(*words: int) -> int:
        result = 0
        for low in range(0, 32, bits):
            fields = [word >> low & mask for word in words]
            result |= (function(*(signed(x, bits) if is_signed else x for x in fields)) & mask) << low
        return result

    return of_words


def literal(bits: int, t: str) -> str:
    if t == "bool":
        return "true" if bits else "false"
    if t in INTEGERS:
        return f"({CUDA[t]}){bits:#x}{'ull' if width(t) == 64 else 'u'}"
    return {"f32": "__uint_as_float({}u)", "f64": "__longlong_as_double({}ll)", "f16": "__ushort_as_half({})",
            "bf16": "__ushort_as_bfloat16({})", "h2": "half2_of({}u)", "b2": "bfloat162_of({}u)"}[t].format(
                hex(bits))  # fmt: skip
