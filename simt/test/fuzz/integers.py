"""Integers of 8 to 64 bits, and what CUDA offers for them."""

from . import operations
from .operations import CUDA, INTEGERS, by_fields, operation, signed, value, width

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
COMPARISONS = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip


def clamp(x: int, low: int, high: int) -> int:
    return min(max(x, low), high)


def divided(a: int, b: int) -> tuple[int, int]:
    """Quotient towards zero, and rest; by 0 and by -1: the dividend."""
    if b == 0:
        return a, a
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient, a - quotient * b


def basic(t: str) -> None:
    """What C++ has."""
    bits, mask = width(t), (1 << width(t)) - 1
    cuda, wide = CUDA[t], "unsigned long long" if width(t) == 64 else "unsigned"
    minus = mask  # -1, by which nothing is divided

    def wrap(text: str, function) -> None:
        operation(
            t, f"({cuda})(({wide}){{0}} {text} ({wide}){{1}})", f"{t} {t}", lambda a, b: function(a, b) & mask
        )

    wrap("+", lambda a, b: a + b)
    wrap("-", lambda a, b: a - b)
    wrap("*", lambda a, b: a * b)
    wrap("&", lambda a, b: a & b)
    wrap("|", lambda a, b: a | b)
    wrap("^", lambda a, b: a ^ b)
    operation(t, f"({cuda})~({wide}){{0}}", t, lambda a: ~a & mask)
    if bits >= 32:  # of fewer, ptxas does not wrap: compiler/negated_byte.cu
        operation(t, f"({cuda})(0 - ({wide}){{0}})", t, lambda a: -a & mask)
    operation(t, f"({cuda})(({wide}){{0}} << ({{1}} & {bits - 1}))", f"{t} u32",
              lambda a, b: a << (b & bits - 1) & mask)  # fmt: skip
    operation(t, f"({cuda})({{0}} >> ({{1}} & {bits - 1}))", f"{t} u32",
              lambda a, b: value(a, t) >> (b & bits - 1) & mask)  # fmt: skip
    operation(t, "quotient", f"{t} {t}",
              lambda a, b: a if b == minus else divided(value(a, t), value(b, t))[0] & mask)  # fmt: skip
    operation(t, "rest", f"{t} {t}",
              lambda a, b: a if b == minus else divided(value(a, t), value(b, t))[1] & mask)  # fmt: skip
    operation(t, "smaller", f"{t} {t}", lambda a, b: min(a, b, key=lambda x: value(x, t)))
    operation(t, "larger", f"{t} {t}", lambda a, b: max(a, b, key=lambda x: value(x, t)))
    operation(t, "({0} ? {1} : {2})", f"bool {t} {t}", lambda c, a, b: a if c else b)
    for text, function in COMPARISONS.items():
        operation("bool", f"({{0}} {text} {{1}})", f"{t} {t}",
                  lambda a, b, f=function: int(f(value(a, t), value(b, t))))  # fmt: skip
    for other in INTEGERS:
        if other != t:
            operation(t, f"({cuda}){{0}}", other, lambda a, o=other: value(a, o) & mask)


def selected(word: int, selector: int) -> int:
    return sum((word >> 8 * (selector >> 4 * k & 7) & 0xFF) << 8 * k for k in range(4))


def dot(a: int, b: int, c: int, first: bool, second: bool, low: int = 0, step: int = 8) -> int:
    """Of four bytes each, or of two halves of a and two bytes of b from `low` on."""
    total = c
    for k in range(32 // step):
        x, y = a >> step * k & (1 << step) - 1, b >> 8 * k + low & 0xFF
        total += (signed(x, step) if first else x) * (signed(y, 8) if second else y)
    return total & M32


def bits() -> None:
    operation("i32", "__clz", "i32", lambda a: 32 - a.bit_length())
    operation("i32", "__clzll", "i64", lambda a: 64 - a.bit_length())
    operation("i32", "__ffs", "i32", lambda a: (a & -a).bit_length())
    operation("i32", "__ffsll", "i64", lambda a: (a & -a).bit_length())
    operation("i32", "__popc", "u32", lambda a: a.bit_count())
    operation("i32", "__popcll", "u64", lambda a: a.bit_count())
    operation("u32", "__brev", "u32", lambda a: int(f"{a:032b}"[::-1], 2))
    operation("u64", "__brevll", "u64", lambda a: int(f"{a:064b}"[::-1], 2))
    operation("u32", "__byte_perm", "u32 u32 u32", lambda a, b, c: selected(b << 32 | a, c))
    operation("u32", "__funnelshift_l", "u32 u32 u32", lambda a, b, c: (b << 32 | a) << (c & 31) >> 32 & M32)
    operation("u32", "__funnelshift_r", "u32 u32 u32", lambda a, b, c: (b << 32 | a) >> (c & 31) & M32)
    operation("u32", "__funnelshift_lc", "u32 u32 u32",
              lambda a, b, c: (b << 32 | a) << min(c, 32) >> 32 & M32)  # fmt: skip
    operation("u32", "__funnelshift_rc", "u32 u32 u32", lambda a, b, c: (b << 32 | a) >> min(c, 32) & M32)


def products() -> None:
    def s(x: int) -> int:
        return signed(x, 32)

    def low(x: int) -> int:
        return signed(x & 0xFFFFFF, 24)

    operation("u32", "__umulhi", "u32 u32", lambda a, b: a * b >> 32)
    operation("i32", "__mulhi", "i32 i32", lambda a, b: s(a) * s(b) >> 32 & M32)
    operation("u64", "__umul64hi", "u64 u64", lambda a, b: a * b >> 64)
    operation("i64", "__mul64hi", "i64 i64", lambda a, b: signed(a, 64) * signed(b, 64) >> 64 & M64)
    operation("i32", "__mul24", "i32 i32", lambda a, b: low(a) * low(b) & M32)
    operation("u32", "__umul24", "u32 u32", lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF) & M32)
    operation("u32", "__sad", "i32 i32 u32", lambda a, b, c: abs(s(a) - s(b)) + c & M32)
    operation("u32", "__usad", "u32 u32 u32", lambda a, b, c: abs(a - b) + c & M32)
    operation("i32", "__hadd", "i32 i32", lambda a, b: s(a) + s(b) >> 1 & M32)
    operation("i32", "__rhadd", "i32 i32", lambda a, b: s(a) + s(b) + 1 >> 1 & M32)
    operation("u32", "__uhadd", "u32 u32", lambda a, b: a + b >> 1)
    operation("u32", "__urhadd", "u32 u32", lambda a, b: a + b + 1 >> 1)
    for t, sign in (("u32", False), ("i32", True)):
        operation(t, "__dp4a", f"{t} {t} {t}", lambda a, b, c, s=sign: dot(a, b, c, s, s))
        operation(t, "__dp2a_lo", f"{t} {t} {t}", lambda a, b, c, s=sign: dot(a, b, c, s, s, 0, 16))
        operation(t, "__dp2a_hi", f"{t} {t} {t}", lambda a, b, c, s=sign: dot(a, b, c, s, s, 16, 16))
        wide = "u64" if t == "u32" else "i64"
        cast = CUDA[wide]
        operation(wide, f"(({cast}){{0}} * ({cast}){{1}})", f"{t} {t}",
                  lambda a, b, t=t: value(a, t) * value(b, t) & M64)  # fmt: skip


def fields(n: int) -> None:
    """__vadd4 and its like: n fields in a word."""
    bits = 32 // n
    low, high, top = -1 << bits - 1, (1 << bits - 1) - 1, (1 << bits) - 1

    def enter(name: str, count: int, function, is_signed: bool = False) -> None:
        operation("u32", f"__v{name}{n}", " ".join(["u32"] * count), by_fields(bits, function, is_signed))

    enter("add", 2, lambda a, b: a + b)
    enter("sub", 2, lambda a, b: a - b)
    enter("addss", 2, lambda a, b: clamp(a + b, low, high), True)
    enter("subss", 2, lambda a, b: clamp(a - b, low, high), True)
    enter("addus", 2, lambda a, b: min(a + b, top))
    enter("subus", 2, lambda a, b: max(a - b, 0))
    enter("abs", 1, abs, True)
    enter("absss", 1, lambda a: min(abs(a), high), True)
    enter("neg", 1, lambda a: -a)
    enter("negss", 1, lambda a: min(-a, high), True)
    enter("absdiffu", 2, lambda a, b: abs(a - b))
    enter("absdiffs", 2, lambda a, b: abs(a - b), True)
    enter("avgu", 2, lambda a, b: a + b + 1 >> 1)
    enter("haddu", 2, lambda a, b: a + b >> 1)
    for sign in "su":
        enter(f"max{sign}", 2, max, sign == "s")
        enter(f"min{sign}", 2, min, sign == "s")
        total = by_fields(bits, lambda a, b: abs(a - b), sign == "s")
        operation("u32", f"__vsad{sign}{n}", "u32 u32",
                  lambda a, b, f=total: sum(f(a, b) >> k & top for k in range(0, 32, bits)))  # fmt: skip
    names = {"eq": "==", "ne": "!=", "ge": ">=", "gt": ">", "le": "<=", "lt": "<"}
    for name, text in names.items():
        for sign in [""] if text in ("==", "!=") else ["s", "u"]:
            f = COMPARISONS[text]
            enter(f"cmp{name}{sign}", 2, lambda a, b, f=f: top if f(a, b) else 0, sign == "s")
            enter(f"set{name}{sign}", 2, lambda a, b, f=f: int(f(a, b)), sign == "s")


def three_way() -> None:
    """Least and greatest of three, of two and zero, of a sum and another."""
    for suffix, t, bits in (
        ("s32", "i32", 32),
        ("u32", "u32", 32),
        ("s16x2", "u32", 16),
        ("u16x2", "u32", 16),
    ):
        for name, f in (("max", max), ("min", min)):
            for relu in ["", "_relu"] if suffix[0] == "s" else [""]:
                floor = -1 << 40 if not relu else 0

                def enter(call: str, count: int, function, suffix=suffix, relu=relu, t=t, bits=bits) -> None:
                    operation(t, f"{call}_{suffix}{relu}", " ".join([t] * count),
                              by_fields(bits, function, suffix[0] == "s"))  # fmt: skip

                def added(a: int, b: int, c: int, f=f, floor=floor, bits=bits, sign=suffix[0] == "s") -> int:
                    total = a + b & (1 << bits) - 1
                    return max(f(signed(total, bits) if sign else total, c), floor)

                enter(f"__vi{name}3", 3, lambda a, b, c, f=f, z=floor: max(f(a, b, c), z))
                enter(f"__viadd{name}", 3, added)
                if relu:
                    enter(f"__vi{name}", 2, lambda a, b, f=f: max(f(a, b), 0))


def logic() -> None:
    operation("bool", "({0} && {1})", "bool bool", lambda a, b: a & b)
    operation("bool", "({0} || {1})", "bool bool", lambda a, b: a | b)
    operation("bool", "({0} != {1})", "bool bool", lambda a, b: a ^ b)
    operation("bool", "(!{0})", "bool", lambda a: 1 - a)


def enter_all() -> None:
    for t in operations.INTEGERS:
        basic(t)
    bits()
    products()
    fields(4)
    fields(2)
    three_way()
    logic()
