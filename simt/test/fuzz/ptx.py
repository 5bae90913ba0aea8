"""Inline PTX: instructions that CUDA C++ has no name for, or that take part in chains of carries."""

from . import reals
from .floats import or_nan, saturated
from .integers import M32, M64, clamp, dot
from .operations import by_fields, ptx, signed, value
from .reals import SIGN, is_nan, number

# Of bfe.u64 and bfi.b64 with more than a byte, ptxas makes shifts by the whole word: compiler/bfe64.cu.
BYTES = "{ .reg .b32 p, n; and.b32 p, %2, 255; and.b32 n, %3, 255; "
TABLES = (0x1B, 0x69, 0x80, 0xE8, 0xCA, 0x96, 0xF8, 0x2D)  # of lop3


def highest(bits: int, is_signed: bool, a: int) -> int:
    """The highest bit that is not the sign's; none: -1."""
    a = ~a % (1 << bits) if is_signed and a >> bits - 1 else a
    return a.bit_length() - 1 & M32


def logic(table: int, a: int, b: int, c: int) -> int:
    result = 0
    for k in range(8):
        if table >> k & 1:
            result |= (a if k & 4 else ~a) & (b if k & 2 else ~b) & (c if k & 1 else ~c)
    return result & M32


def extracted(bits: int, is_signed: bool, a: int, position: int, length: int) -> int:
    position, length = position & 0xFF, length & 0xFF
    if length == 0:
        return 0
    a = signed(a, bits) if is_signed else a
    field = a >> position
    if position + length >= bits:
        return field & (1 << bits) - 1
    field &= (1 << length) - 1
    return (signed(field, length) if is_signed else field) & (1 << bits) - 1


def inserted(bits: int, a: int, b: int, position: int, length: int) -> int:
    position, length = position & 0xFF, length & 0xFF
    field = (1 << length) - 1 << position & (1 << bits) - 1
    return b & ~field | a << position & field


def permuted(mode: str, a: int, b: int, c: int) -> int:
    k, both = c & 3, b << 32 | a
    order = {
        "f4e": [k, k + 1, k + 2, k + 3], "b4e": [k, k - 1, k - 2, k - 3], "rc8": [k] * 4,
        "ecl": [max(j, k) for j in range(4)], "ecr": [min(j, k) for j in range(4)],
        "rc16": [2 * (k & 1) + (j & 1) for j in range(4)],
    }[mode]  # fmt: skip
    return sum((both >> 8 * (place & 7) & 0xFF) << 8 * j for j, place in enumerate(order))


def bits() -> None:
    for table in TABLES:
        ptx("u32", f"lop3.b32 %0, %1, %2, %3, {table:#x};", "u32 u32 u32",
            lambda a, b, c, t=table: logic(t, a, b, c))  # fmt: skip
    for t, width in (("u32", 32), ("i32", 32), ("u64", 64), ("i64", 64)):
        name = t.replace("i", "s")
        ptx(t, BYTES + f"bfe.{name} %0, %1, p, n; }}", f"{t} u32 u32",
            lambda a, b, c, w=width, s=t[0] == "i": extracted(w, s, a, b, c))  # fmt: skip
        ptx("u32", f"bfind.{name} %0, %1;", t, lambda a, w=width, s=t[0] == "i": highest(w, s, a))
        ptx(t, f"shr.{name} %0, %1, %2;", f"{t} u32",
            lambda a, b, w=width, t=t: value(a, t) >> min(b, w) & (1 << w) - 1)  # fmt: skip
        if t[0] == "u":
            masked = BYTES.replace("%3", "%4").replace("%2", "%3")
            ptx(t, f"{masked}bfi.b{width} %0, %1, %2, p, n; }}", f"{t} {t} u32 u32",
                lambda a, b, c, d, w=width: inserted(w, a, b, c, d))  # fmt: skip
            ptx(t, f"shl.b{width} %0, %1, %2;", f"{t} u32",
                lambda a, b, w=width: a << min(b, w) & (1 << w) - 1)  # fmt: skip
            ptx(t, f"cnot.b{width} %0, %1;", t, lambda a: int(a == 0))
    for mode in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        ptx("u32", f"prmt.b32.{mode} %0, %1, %2, %3;", "u32 u32 u32",
            lambda a, b, c, m=mode: permuted(m, a, b, c))  # fmt: skip
    ptx("u32", "prmt.b32 %0, %1, %2, %3;", "u32 u32 u32", signs_permuted)
    for way in ("wrap", "clamp"):

        def count(c: int, w=way) -> int:
            return c & 31 if w == "wrap" else min(c, 32)

        ptx("u32", f"shf.l.{way}.b32 %0, %1, %2, %3;", "u32 u32 u32",
            lambda a, b, c, n=count: (b << 32 | a) << n(c) >> 32 & M32)  # fmt: skip
        ptx("u32", f"shf.r.{way}.b32 %0, %1, %2, %3;", "u32 u32 u32",
            lambda a, b, c, n=count: (b << 32 | a) >> n(c) & M32)  # fmt: skip
        ptx("u32", f"bmsk.{way}.b32 %0, %1, %2;", "u32 u32", lambda a, b, w=way: mask_from(w, a, b))
        for name, is_signed in (("u32", False), ("s32", True)):
            ptx("u32", f"szext.{way}.{name} %0, %1, %2;", "u32 u32",
                lambda a, b, w=way, s=is_signed: extended(w, s, a, b))  # fmt: skip


def signs_permuted(a: int, b: int, c: int) -> int:
    result = 0
    for k in range(4):
        byte = (b << 32 | a) >> 8 * (c >> 4 * k & 7) & 0xFF
        if c >> 4 * k & 8:
            byte = 0xFF * (byte >> 7)
        result |= byte << 8 * k
    return result


def mask_from(way: str, a: int, b: int) -> int:
    a, b = (a & 31, b & 31) if way == "wrap" else (min(a, 32), min(b, 32))
    return ((1 << b) - 1) << a & M32


def extended(way: str, is_signed: bool, a: int, n: int) -> int:
    n = n & 31 if way == "wrap" else n
    if n >= 32:
        return a
    field = a & (1 << n) - 1
    return (signed(field, n) if is_signed and n else field) & M32


def products() -> None:
    def s(x: int) -> int:
        return signed(x, 32)

    ptx("u32", "mad.hi.u32 %0, %1, %2, %3;", "u32 u32 u32", lambda a, b, c: (a * b >> 32) + c & M32)
    ptx("i32", "mad.hi.s32 %0, %1, %2, %3;", "i32 i32 i32", lambda a, b, c: (s(a) * s(b) >> 32) + c & M32)
    ptx("i32", "mad.hi.sat.s32 %0, %1, %2, %3;", "i32 i32 i32",
        lambda a, b, c: clamp((s(a) * s(b) >> 32) + s(c), -1 << 31, (1 << 31) - 1) & M32)  # fmt: skip
    ptx("i64", "mad.wide.s32 %0, %1, %2, %3;", "i32 i32 i64", lambda a, b, c: s(a) * s(b) + c & M64)
    ptx("u64", "mad.wide.u32 %0, %1, %2, %3;", "u32 u32 u64", lambda a, b, c: a * b + c & M64)
    ptx("u64", "mad.hi.u64 %0, %1, %2, %3;", "u64 u64 u64", lambda a, b, c: (a * b >> 64) + c & M64)
    ptx("i32", "mul.wide.s16 %0, %1, %2;", "i16 i16", lambda a, b: signed(a, 16) * signed(b, 16) & M32)
    ptx("i16", "mul.hi.s16 %0, %1, %2;", "i16 i16", lambda a, b: signed(a, 16) * signed(b, 16) >> 16 & 0xFFFF)
    ptx("u16", "mad.lo.u16 %0, %1, %2, %3;", "u16 u16 u16", lambda a, b, c: a * b + c & 0xFFFF)
    ptx(
        "i32",
        "add.sat.s32 %0, %1, %2;",
        "i32 i32",
        lambda a, b: clamp(s(a) + s(b), -1 << 31, (1 << 31) - 1) & M32,
    )
    ptx(
        "i32",
        "sub.sat.s32 %0, %1, %2;",
        "i32 i32",
        lambda a, b: clamp(s(a) - s(b), -1 << 31, (1 << 31) - 1) & M32,
    )
    for one, first in (("u32", False), ("s32", True)):
        for two, second in (("u32", False), ("s32", True)):
            ptx("u32", f"dp4a.{one}.{two} %0, %1, %2, %3;", "u32 u32 u32",
                lambda a, b, c, f=first, g=second: dot(a, b, c, f, g))  # fmt: skip
            for part, low in (("lo", 0), ("hi", 16)):
                ptx("u32", f"dp2a.{part}.{one}.{two} %0, %1, %2, %3;", "u32 u32 u32",
                    lambda a, b, c, f=first, g=second, k=low: dot(a, b, c, f, g, k, 16))  # fmt: skip


def carries() -> None:
    """Sums of two words each, of which the upper one is the result."""
    four = "u32 u32 u32 u32"
    for name, sign in (("add", 1), ("sub", -1)):
        ptx("u32", f"{{ .reg .u32 t; {name}.cc.u32 t, %1, %3; {name}c.u32 %0, %2, %4; }}", four,
            lambda a, b, c, d, s=sign: (b << 32 | a) + s * (d << 32 | c) >> 32 & M32)  # fmt: skip
        ptx("u64", f"{{ .reg .u64 t; {name}.cc.u64 t, %1, %3; {name}c.u64 %0, %2, %4; }}", "u64 u64 u64 u64",
            lambda a, b, c, d, s=sign: (b << 64 | a) + s * (d << 64 | c) >> 64 & M64)  # fmt: skip
        chain = f"{name}.cc.u32 t, %1, %2; {name}c.cc.u32 t, %3, %4; {name}c.u32 %0, t, 0;"
        ptx("u32", f"{{ .reg .u32 t; {chain} }}", four,
            lambda a, b, c, d, s=sign: chained(a, b, c, d, s))  # fmt: skip
    ptx("u32", "{ .reg .u32 t; mad.lo.cc.u32 t, %1, %2, %3; madc.hi.u32 %0, %1, %2, %4; }", four,
        lambda a, b, c, d: (a * b >> 32) + d + ((a * b & M32) + c >> 32) & M32)  # fmt: skip
    ptx("u32", "{ .reg .u32 t; mad.hi.cc.u32 t, %1, %2, %3; addc.u32 %0, t, %4; }", four,
        lambda a, b, c, d: total_with_carry((a * b >> 32) + c, d))  # fmt: skip


def total_with_carry(total: int, other: int) -> int:
    return (total & M32) + other + (total >> 32) & M32


def chained(a: int, b: int, c: int, d: int, sign: int) -> int:
    carry = (a + sign * b >> 32) & 1
    second = c + sign * (d + carry)
    return (second & M32) + sign * (second >> 32 & 1) & M32


def choices() -> None:
    """No set.u32, whose -1 ptxas takes for a small number: compiler/set_as_float.cu."""
    ptx("u32", "{ .reg .pred p; setp.ne.u32 p, %3, 0; selp.b32 %0, %1, %2, p; }", "u32 u32 u32",
        lambda a, b, c: a if c else b)  # fmt: skip
    ptx("u32", "slct.u32.s32 %0, %1, %2, %3;", "u32 u32 i32", lambda a, b, c: b if c >> 31 else a)
    ptx("u64", "slct.u64.s32 %0, %1, %2, %3;", "u64 u64 i32", lambda a, b, c: b if c >> 31 else a)
    ptx("u32", "slct.u32.f32 %0, %1, %2, %3;", "u32 u32 f32",
        lambda a, b, c: a if number(c, "f32") >= 0 else b)  # fmt: skip
    names = {"lt": lambda a, b: a < b, "ge": lambda a, b: a >= b, "eq": lambda a, b: a == b}
    for name, holds in names.items():
        ptx("f32", f"set.{name}.f32.u64 %0, %1, %2;", "u64 u64", lambda a, b, h=holds: 0x3F800000 * h(a, b))
        for unordered in ("", "u"):
            ptx("f32", f"set.{name}{unordered}.f32.f64 %0, %1, %2;", "f64 f64",
                lambda a, b, h=holds, u=unordered: 0x3F800000 * compared(h, u, a, b, "f64"))  # fmt: skip
            code = f"setp.ne.u32 p, %3, 0; set.{name}{unordered}.xor.f32.f32 %0, %1, %2, p;"
            ptx("f32", f"{{ .reg .pred p; {code} }}", "f32 f32 u32",
                lambda a, b, c, h=holds, u=unordered: 0x3F800000 * (compared(h, u, a, b, "f32") != (c > 0))
            )  # fmt: skip


def compared(holds, unordered: str, a: int, b: int, f: str) -> bool:
    if is_nan(a, f) or is_nan(b, f):
        return unordered == "u"
    return holds(number(a, f), number(b, f))


def reals_of_ptx() -> None:
    f = "f32"
    for mode in ("rn", "rz", "ru", "rd"):
        name = mode.replace("u", "p").replace("d", "m")  # as PTX calls it
        ptx(
            f,
            f"add.{name}.sat.f32 %0, %1, %2;",
            "f32 f32",
            lambda a, b, m=mode: saturated(reals.add(a, b, f, m), f),
        )
        ptx(f, f"fma.{name}.sat.f32 %0, %1, %2, %3;", "f32 f32 f32",
            lambda a, b, c, m=mode: saturated(reals.fma(a, b, c, f, m), f))  # fmt: skip
    ptx(f, "min.NaN.f32 %0, %1, %2;", "f32 f32", or_nan(reals.least, f), 80)
    ptx(f, "max.NaN.f32 %0, %1, %2;", "f32 f32", or_nan(reals.greatest, f), 80)
    ptx(f, "cvt.sat.f32.f64 %0, %1;".replace("cvt", "cvt.rn"), "f64",
        lambda a: saturated(reals.convert(a, "f64", f), f))  # fmt: skip
    for t in ("u8", "i8", "u16", "i16"):
        low, high = (
            (-1 << int(t[1:]) - 1, (1 << int(t[1:]) - 1) - 1) if t[0] == "i" else (0, (1 << int(t[1:])) - 1)
        )
        name = t.replace("i", "s")
        if t not in ("u8", "i8"):
            ptx(t, f"cvt.sat.{name}.s32 %0, %1;", "i32",
                lambda a, lo=low, hi=high: clamp(signed(a, 32), lo, hi) & 0xFFFF)  # fmt: skip
            ptx(t, f"cvt.rni.{name}.f32 %0, %1;", "f32",
                lambda a, w=int(t[1:]), s=t[0] == "i": reals.to_integer(a, "f32", "rn", w, s))  # fmt: skip
        ptx("i32", f"{{ .reg .{name} t; cvt.sat.{name}.s64 t, %1; cvt.s32.{name} %0, t; }}", "i64",
            lambda a, lo=low, hi=high: clamp(signed(a, 64), lo, hi) & M32)  # fmt: skip
    for pair, kind, half in (("h2", "f16x2", "f16"), ("b2", "bf16x2", "bf16")):
        for mode in ("rn", "rz"):
            for relu in ("", ".relu"):
                ptx(pair, f"cvt.{mode}{relu}.{kind}.f32 %0, %1, %2;", "f32 f32",
                    lambda a, b, h=half, m=mode, r=relu: packed(a, b, h, m, r), 80)  # fmt: skip
    ptx(
        "u32",
        "cvt.pack.sat.s16.s32 %0, %1, %2;",
        "i32 i32",
        lambda a, b: packed_words(a, b, -1 << 15, (1 << 15) - 1),
    )
    ptx(
        "u32",
        "cvt.pack.sat.u16.s32 %0, %1, %2;",
        "i32 i32",
        lambda a, b: packed_words(a, b, 0, (1 << 16) - 1),
    )
    for name, f2 in (("min", min), ("max", max)):
        ptx("u32", f"{name}.s16x2 %0, %1, %2;", "u32 u32", by_fields(16, f2, True), 90)
        ptx("u32", f"{name}.u16x2 %0, %1, %2;", "u32 u32", by_fields(16, f2), 90)
    ptx("u32", "add.u16x2 %0, %1, %2;", "u32 u32", by_fields(16, lambda a, b: a + b), 90)


def packed(a: int, b: int, half: str, mode: str, relu: str) -> int:
    """b is the lower one."""
    both = [reals.convert(x, "f32", half, mode) for x in (b, a)]
    if relu:
        both = [0 if x & SIGN[half] and not is_nan(x, half) else x for x in both]
    return both[0] | both[1] << 16


def packed_words(a: int, b: int, low: int, high: int) -> int:
    low_half, high_half = (clamp(signed(x, 32), low, high) & 0xFFFF for x in (b, a))
    return low_half | high_half << 16


def enter_all() -> None:
    bits()
    products()
    carries()
    choices()
    reals_of_ptx()
