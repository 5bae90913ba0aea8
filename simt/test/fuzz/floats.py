"""Floats, doubles, halves and bfloat16, their pairs, and conversions, with every rounding that CUDA names."""

from . import reals
from .operations import OF_PAIR, PAIRS, REALS, canonical, operation, value, width
from .reals import NAN, SIGN, is_nan, number

BASIC = {"add": reals.add, "sub": reals.sub, "mul": reals.mul, "div": reals.div}
MODES = ("rn", "rz", "ru", "rd")
COMPARISONS = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip


def negated(x: int, f: str) -> int:
    return x if is_nan(x, f) else x ^ SIGN[f]


def absolute(x: int, f: str) -> int:
    return x if is_nan(x, f) else x & ~SIGN[f]


def or_nan(function, f: str):
    """Of two, but a NaN wins."""
    return lambda a, b: NAN[f] if is_nan(a, f) or is_nan(b, f) else function(a, b, f)


def saturated(x: int, f: str) -> int:
    """Into 0 to 1; a NaN becomes 0."""
    one = reals.rounded(1, 0, f)
    return 0 if is_nan(x, f) or x & SIGN[f] else min(x, one)


def positive(x: int, f: str) -> int:
    return x if is_nan(x, f) or not x & SIGN[f] else 0


def rounding(f: str, letter: str) -> None:
    """Arithmetic of floats and doubles, by names of their roundings."""
    for mode in MODES:
        for name, function in BASIC.items():
            operation(
                f, f"__{letter}{name}_{mode}", f"{f} {f}", lambda a, b, m=mode, g=function: g(a, b, f, m)
            )
        operation(f, f"__{'fmaf' if f == 'f32' else 'fma'}_{mode}", f"{f} {f} {f}",
                  lambda a, b, c, m=mode: reals.fma(a, b, c, f, m))  # fmt: skip
        operation(f, f"__{letter}sqrt_{mode}", f, lambda a, m=mode: reals.sqrt(a, f, m))
        operation(f, f"__{letter}rcp_{mode}", f, lambda a, m=mode: reals.div(reals.rounded(1, 0, f), a, f, m))


def basic(f: str) -> None:
    suffix = "f" if f == "f32" else ""
    for text, function in zip("+-*/", BASIC.values(), strict=True):
        operation(f, f"({{0}} {text} {{1}})", f"{f} {f}", lambda a, b, g=function: g(a, b, f))
    operation(f, "(-{0})", f, lambda a: negated(a, f))
    operation(f, f"fabs{suffix}", f, lambda a: absolute(a, f))
    operation(f, f"fmin{suffix}", f"{f} {f}", lambda a, b: reals.least(a, b, f))
    operation(f, f"fmax{suffix}", f"{f} {f}", lambda a, b: reals.greatest(a, b, f))
    operation(f, f"fmod{suffix}", f"{f} {f}", lambda a, b: reals.remainder(a, b, f))
    for name, mode in {"floor": "rd", "ceil": "ru", "trunc": "rz", "rint": "rn"}.items():
        operation(f, name + suffix, f, lambda a, m=mode: reals.integral(a, f, m))
    operation("bool", "isnan", f, lambda a: int(is_nan(a, f)))
    operation("bool", "isinf", f, lambda a: int(reals.is_infinite(a, f)))


def any_real(f: str) -> None:
    """What all formats share: comparison, choice, bits."""
    for text, function in COMPARISONS.items():
        operation("bool", f"({{0}} {text} {{1}})", f"{f} {f}",
                  lambda a, b, g=function: int(g(number(a, f), number(b, f))), since(f))  # fmt: skip
    operation(f, "({0} ? {1} : {2})", f"bool {f} {f}", lambda c, a, b: a if c else b)
    word = f"u{width(f)}"
    operation(word, "bits_of", f, lambda a: a)
    back = {"f32": "__uint_as_float", "f64": "__longlong_as_double((long long){0})",
            "f16": "__ushort_as_half", "bf16": "__ushort_as_bfloat16"}[f]  # fmt: skip
    operation(f, back, word, lambda a: canonical(a, f))


def since(f: str) -> int:
    return 80 if f in ("bf16", "b2") else 75


def of_integers(f: str, letter: str) -> None:
    """Conversions from and to integers: __float2ll_rd and the others."""
    names = {"i32": "int", "u32": "uint", "i64": "ll", "u64": "ull"}
    if f in ("f16", "bf16"):
        names |= {"i16": "short", "u16": "ushort"}
    for t, name in names.items():
        for mode in MODES:
            sizes = (width(t), t[0] == "i")
            operation(t, f"__{letter}2{name}_{mode}", f,
                      lambda a, m=mode, s=sizes: reals.to_integer(a, f, m, *s), since(f))  # fmt: skip
            if f == "f64" and width(t) == 32:
                continue  # they are exact and have no rounding in their names
            operation(f, f"__{name}2{letter}_{mode}", t,
                      lambda a, m=mode, t=t: reals.rounded(value(a, t), 0, f, m), since(f))  # fmt: skip
    for t in ("i32", "u32", "i64", "u64"):
        if f in ("f32", "f64"):
            operation(f, f"({REALS[f]}){{0}}", t, lambda a, t=t: reals.rounded(value(a, t), 0, f))


def least_or_nan(f: str):
    return or_nan(reals.least, f), or_nan(reals.greatest, f)


def arithmetic_of_half(f: str) -> dict[str, tuple[int, object]]:
    """By name: how many arguments, and what of a half it makes."""
    below, above = least_or_nan(f)
    return {
        "hadd_rn": (2, lambda a, b: reals.add(a, b, f)),
        "hsub_rn": (2, lambda a, b: reals.sub(a, b, f)),
        "hmul_rn": (2, lambda a, b: reals.mul(a, b, f)),
        "hadd_sat": (2, lambda a, b: saturated(reals.add(a, b, f), f)),
        "hsub_sat": (2, lambda a, b: saturated(reals.sub(a, b, f), f)),
        "hmul_sat": (2, lambda a, b: saturated(reals.mul(a, b, f), f)),
        "hfma": (3, lambda a, b, c: reals.fma(a, b, c, f)),
        "hfma_sat": (3, lambda a, b, c: saturated(reals.fma(a, b, c, f), f)),
        "hfma_relu": (3, lambda a, b, c: positive(reals.fma(a, b, c, f), f)),
        "hneg": (1, lambda a: negated(a, f)),
        "habs": (1, lambda a: absolute(a, f)),
        "hmin": (2, lambda a, b: reals.least(a, b, f)),
        "hmax": (2, lambda a, b: reals.greatest(a, b, f)),
        "hmin_nan": (2, below),
        "hmax_nan": (2, above),
    }


def named(name: str, pair: bool) -> str:
    """__hadd2_rn beside __hadd_rn."""
    head, _, tail = name.partition("_")
    return f"__{head}{'2' if pair else ''}{'_' + tail if tail else ''}"


def halves(f: str, pair: str) -> None:
    for name, (count, function) in arithmetic_of_half(f).items():
        operation(f, named(name, False), " ".join([f] * count), function, max(since(f), 80))
        operation(pair, named(name, True), " ".join([pair] * count), of_both(function), max(since(f), 80))
    for name, mode in {"hfloor": "rd", "hceil": "ru", "htrunc": "rz", "hrint": "rn"}.items():
        operation(f, name, f, lambda a, m=mode: reals.integral(a, f, m), since(f))
        operation(pair, name.replace("h", "h2", 1), pair, of_both(lambda a, m=mode: reals.integral(a, f, m)),
                  since(f))  # fmt: skip
    compare_pairs(f, pair)
    cuda, short = ("half", "half") if f == "f16" else ("bfloat16", "bfloat16")
    for mode in MODES:
        operation(f, f"__float2{short}_{mode}", "f32",
                  lambda a, m=mode: reals.convert(a, "f32", f, m), since(f))  # fmt: skip
    operation(f, f"__double2{short}", "f64", lambda a: reals.convert(a, "f64", f), since(f))
    operation("f32", f"__{short}2float", f, lambda a: reals.convert(a, f, "f32"), since(f))
    operation("f64", f"(double)__{short}2float({{0}})", f, lambda a: reals.convert(a, f, "f64"), since(f))
    both = "halves2half2" if f == "f16" else "halves2bfloat162"
    operation(pair, f"__{both}", f"{f} {f}", lambda a, b: a | b << 16)
    operation(f, f"__low2{cuda}", pair, lambda a: a & 0xFFFF)
    operation(f, f"__high2{cuda}", pair, lambda a: a >> 16)
    operation("u32", "bits_of", pair, lambda a: a)
    operation(pair, "half2_of" if f == "f16" else "bfloat162_of", "u32", lambda a: canonical(a, pair))
    swap = "__lowhigh2highlow"
    operation(pair, swap, pair, lambda a: a >> 16 | (a & 0xFFFF) << 16)


def of_both(function):
    def of_pairs(*words: int) -> int:
        low, high = ([word >> k & 0xFFFF for word in words] for k in (0, 16))
        return function(*low) | function(*high) << 16

    return of_pairs


def compare_pairs(f: str, pair: str) -> None:
    """Ordered: false for a NaN; unordered: true. Of both halves, as numbers or as masks."""
    names = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
    one = reals.rounded(1, 0, f)
    for name, text in names.items():
        for unordered in ("", "u"):

            def holds(a: int, b: int, g=COMPARISONS[text], u=unordered) -> bool:
                return u == "u" if is_nan(a, f) or is_nan(b, f) else g(number(a, f), number(b, f))

            two, least = f"{pair} {pair}", since(f)
            operation("bool", f"__h{name}{unordered}", f"{f} {f}", lambda a, b, h=holds: int(h(a, b)), least)
            operation(
                pair, f"__h{name}{unordered}2", two, of_both(lambda a, b, h=holds: one * h(a, b)), least
            )
            operation("u32", f"__h{name}{unordered}2_mask", two,
                      of_both(lambda a, b, h=holds: 0xFFFF * h(a, b)), least)  # fmt: skip
            every = of_both(lambda a, b, h=holds: int(h(a, b)))
            operation("bool", f"__hb{name}{unordered}2", two,
                      lambda a, b, g=every: int(g(a, b) == 0x10001), least)  # fmt: skip


def enter_all() -> None:
    rounding("f32", "f")
    rounding("f64", "d")
    for f in ("f32", "f64"):
        basic(f)
    for mode in MODES:
        operation("f32", f"__double2float_{mode}", "f64", lambda a, m=mode: reals.convert(a, "f64", "f32", m))
    operation("f64", "(double){0}", "f32", lambda a: reals.convert(a, "f32", "f64"))
    for f in REALS:
        any_real(f)
    for f, name in (("f32", "float"), ("f64", "double"), ("f16", "half"), ("bf16", "bfloat16")):
        of_integers(f, name)
    for pair in PAIRS:
        halves(OF_PAIR[pair], pair)
