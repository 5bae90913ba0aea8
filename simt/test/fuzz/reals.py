"""Arithmetic of binary floating-point numbers in whole numbers of Python: exact, then rounded once.

Numbers are patterns of bits. A mode is "rn", "rz", "ru", "rd". Every NaN is one: NAN[format].
"""

import math
import struct

WIDTHS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}  # bits of exponent and fraction
BITS = {f: 1 + sum(widths) for f, widths in WIDTHS.items()}
INFINITY = {f: ((1 << e) - 1) << m for f, (e, m) in WIDTHS.items()}
NAN = {f: INFINITY[f] | 1 << m - 1 for f, (_, m) in WIDTHS.items()}
LOWEST = {f: 2 - (1 << e - 1) - m for f, (e, m) in WIDTHS.items()}  # the exponent of the least number
SIGN = {f: 1 << bits - 1 for f, bits in BITS.items()}


def is_nan(x: int, f: str) -> bool:
    return x & ~SIGN[f] > INFINITY[f]


def is_infinite(x: int, f: str) -> bool:
    return x & ~SIGN[f] == INFINITY[f]


def exact(x: int, f: str) -> tuple[int, int]:
    """A finite number as m * 2**e, m with sign."""
    width = WIDTHS[f][1]
    field = (x & ~SIGN[f]) >> width
    m = x & (1 << width) - 1 | (field > 0) << width
    return (-m if x & SIGN[f] else m), max(field, 1) - 1 + LOWEST[f]


def rounded(m: int, e: int, f: str, mode: str = "rn", negative: bool = False) -> int:
    """m * 2**e in a format; a zero is negative if said so."""
    sign = SIGN[f] if m < 0 or (m == 0 and negative) else 0
    if m == 0:
        return sign
    m, width = abs(m), WIDTHS[f][1]
    lowest = max(m.bit_length() + e - width - 1, LOWEST[f])
    shift = lowest - e
    if shift <= 0:
        kept, rest, half = m << -shift, 0, 1
    else:
        kept, rest, half = m >> shift, m & (1 << shift) - 1, 1 << shift - 1
    away = {
        "rn": rest > half or (rest == half and kept & 1),
        "rz": False,
        "ru": rest and not sign,
        "rd": rest and sign,
    }
    kept += bool(away[mode])
    bits = kept + (lowest - LOWEST[f] << width)
    if bits >= INFINITY[f]:
        stays = mode == "rz" or (mode == "ru" and sign) or (mode == "rd" and not sign)
        bits = INFINITY[f] - bool(stays)
    return sign | bits


def fma(a: int, b: int, c: int, f: str, mode: str = "rn") -> int:
    if any(is_nan(x, f) for x in (a, b, c)):
        return NAN[f]
    sign = (a ^ b) & SIGN[f]
    if is_infinite(a, f) or is_infinite(b, f):
        zero = (a & ~SIGN[f]) == 0 or (b & ~SIGN[f]) == 0
        against = is_infinite(c, f) and (c & SIGN[f]) != sign
        return NAN[f] if zero or against else sign | INFINITY[f]
    if is_infinite(c, f):
        return c
    (m, e), (n, k), (s, t) = exact(a, f), exact(b, f), exact(c, f)
    low = min(e + k, t)
    total = (m * n << e + k - low) + (s << t - low)
    negative = sign != 0 if (c & SIGN[f]) == sign else mode == "rd"
    return rounded(total, low, f, mode, negative)


def add(a: int, b: int, f: str, mode: str = "rn") -> int:
    return fma(a, INFINITY[f] >> 1 & INFINITY[f], b, f, mode)  # times 1


def sub(a: int, b: int, f: str, mode: str = "rn") -> int:
    return add(a, b ^ SIGN[f], f, mode)


def mul(a: int, b: int, f: str, mode: str = "rn") -> int:
    sign = (a ^ b) & SIGN[f]
    return fma(a, b, sign, f, mode)


def div(a: int, b: int, f: str, mode: str = "rn") -> int:
    sign = (a ^ b) & SIGN[f]
    zeros = [x & ~SIGN[f] == 0 for x in (a, b)]
    ends = [is_infinite(x, f) for x in (a, b)]
    if is_nan(a, f) or is_nan(b, f) or all(zeros) or all(ends):
        return NAN[f]
    if ends[0] or zeros[1]:
        return sign | INFINITY[f]
    if ends[1] or zeros[0]:
        return sign
    (m, e), (n, k) = exact(a, f), exact(b, f)
    whole, rest = divmod(abs(m) << 120, abs(n))
    whole = whole << 1 | (rest > 0)
    return rounded(-whole if sign else whole, e - k - 121, f, mode)


def sqrt(a: int, f: str, mode: str = "rn") -> int:
    if a & ~SIGN[f] == 0:
        return a
    if is_nan(a, f) or a & SIGN[f]:
        return NAN[f]
    if is_infinite(a, f):
        return a
    m, e = exact(a, f)
    shift = 120 + (e & 1)
    root = math.isqrt(m << shift)
    return rounded(root << 1 | (root * root != m << shift), (e - shift) // 2 - 1, f, mode)


def convert(a: int, f: str, g: str, mode: str = "rn") -> int:
    sign = SIGN[g] if a & SIGN[f] else 0
    if is_nan(a, f):
        return NAN[g]
    if is_infinite(a, f):
        return sign | INFINITY[g]
    return rounded(*exact(a, f), g, mode, sign != 0)


def whole(a: int, f: str, mode: str) -> int:
    """A finite number as a whole one."""
    m, e = exact(a, f)
    if e >= 0:
        return m << e
    down, rest = m >> -e, m & (1 << -e) - 1
    half = 1 << -e - 1
    up = {"rn": rest > half or (rest == half and down & 1), "rz": rest and m < 0, "ru": rest, "rd": 0}
    return down + bool(up[mode])


def integral(a: int, f: str, mode: str) -> int:
    if is_nan(a, f):
        return NAN[f]
    return a if is_infinite(a, f) else rounded(whole(a, f, mode), 0, f, "rn", a & SIGN[f] != 0)


def to_integer(a: int, f: str, mode: str, bits: int, signed: bool) -> int:
    """Saturating, as the GPU does it; a NaN is 0, or the sign's bit where 64 bits take part."""
    low, high = (-1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if is_nan(a, f):
        return 1 << bits - 1 if f == "f64" or bits == 64 else 0
    end = low if a & SIGN[f] else high
    value = end if is_infinite(a, f) else min(max(whole(a, f, mode), low), high)
    return value & (1 << bits) - 1


def number(a: int, f: str) -> float:
    """The same in Python's floats, which hold all formats."""
    return struct.unpack("<d", convert(a, f, "f64").to_bytes(8, "little"))[0]


def least(a: int, b: int, f: str) -> int:
    """The one that is not a NaN; -0 is less than 0."""
    if is_nan(a, f):
        return NAN[f] if is_nan(b, f) else b
    if is_nan(b, f):
        return a
    x, y = number(a, f), number(b, f)
    return a if x < y or (x == y and a & SIGN[f]) else b


def greatest(a: int, b: int, f: str) -> int:
    negated = least(a ^ SIGN[f], b ^ SIGN[f], f)
    return NAN[f] if is_nan(negated, f) else negated ^ SIGN[f]


def remainder(a: int, b: int, f: str) -> int:
    """fmod."""
    if is_nan(a, f) or is_nan(b, f) or is_infinite(a, f) or b & ~SIGN[f] == 0:
        return NAN[f]
    if is_infinite(b, f):
        return a
    (m, e), (n, k) = exact(a, f), exact(b, f)
    low = min(e, k)
    rest = (abs(m) << e - low) % (abs(n) << k - low)
    return rounded(-rest if m < 0 else rest, low, f, "rn", a & SIGN[f] != 0)
