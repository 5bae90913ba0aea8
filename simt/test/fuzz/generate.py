"""Draws a kernel from a seed: race-free, without undefined behaviour, the same on every machine."""

import random
from dataclasses import dataclass, replace

from . import floats, integers, ptx
from .expressions import Applied, Constant, Element, Invalid, Variable, cuda
from .kernel import EDGES, RESULTS, WORDS, Input, Kernel
from .operations import ALL, INTEGERS, OF_PAIR, PAIRS, REALS, Operation, canonical, width
from .statements import (
    Assign,
    Call,
    Declare,
    DeclareArray,
    DeclareRecord,
    Function,
    If,
    Leave,
    Loop,
    Output,
    SetElement,
    Switch,
)  # fmt: skip
from .together import (
    ATOMICS,
    AtomicAll,
    AtomicOwn,
    Exchange,
    MatchAll,
    ReadTotal,
    Shuffle,
    Total,
    Vote,
    some_lane,
)  # fmt: skip

for family in (integers, floats, ptx):
    family.enter_all()

TYPES = [*INTEGERS, *REALS, *PAIRS, "bool"]
VECTORS = {
    "uint2": ("u32", "xy"), "uint4": ("u32", "xyzw"), "float4": ("f32", "xyzw"), "double2": ("f64", "xy"),
    "uchar4": ("u8", "xyzw"), "short2": ("i16", "xy"), "longlong2": ("i64", "xy"), "float3": ("f32", "xyz"),
}  # fmt: skip
SOME_LANE = Operation("some_lane({0}, {1})", "i32", ("u32", "u32"), some_lane)
LANE = Applied(Operation("({0} & 31)", "u32", ("u32",), lambda t: t & 31), [Variable("t", "u32")])
AND_NOT = Operation("({0} & ~{1})", "u32", ("u32", "u32"), lambda a, b: a & ~b)
MINUS_1 = Operation("({0} - 1)", "u32", ("u32",), lambda a: a - 1 & 0xFFFFFFFF)
NOT = Operation("(!{0})", "bool", ("bool",), lambda a: 1 - a)
EQUAL_SIZES = Operation("({0} % {1})", "u32", ("u32", "u32"), lambda a, b: a % b)


@dataclass(frozen=True)
class Context:
    """What a statement may use."""

    variables: tuple = ()  # that are in sight
    mask: str = "m"  # the lanes at work, or "" where nothing is done together
    full: bool = False  # they are whole warps
    whole: bool = False  # all threads of the block
    loop: bool = False  # break and continue have an aim
    switch: bool = False  # break alone has
    depth: int = 0
    result: str = ""  # of the function
    returns: bool = False  # early, too: not where its lanes do something together


class Generator:
    def __init__(self, seed: str, name: str, arch: int) -> None:
        self.r, self.arch = random.Random(seed), arch
        threads = self.r.choice((64, 64, 32, 40))
        self.kernel = Kernel(name, threads, [])
        self.serial = 0
        self.arrays: list[Element] = []
        self.totals: list[tuple[str, str, str]] = []  # name, type, the operation that all use

    def fresh(self, letter: str) -> str:
        self.serial += 1
        return f"{letter}{self.serial}"

    # Expressions.

    def constant(self, t: str) -> Constant:
        if t == "bool":
            return Constant(self.r.getrandbits(1), t)
        bits = width(t)
        if t in PAIRS:
            return Constant(sum(self.constant(OF_PAIR[t]).bits << k for k in (0, 16)), t)
        if t in REALS and self.r.random() < 0.6:
            return Constant(canonical(self.r.choice(EDGES) >> 64 - bits, t), t)
        if t in INTEGERS and self.r.random() < 0.6:
            edge = self.r.choice(EDGES) if self.r.random() < 0.5 else self.r.randrange(40)
            return Constant(edge & (1 << bits) - 1, t)
        return Constant(canonical(self.r.getrandbits(bits), t), t)

    def leaf(self, c: Context, t: str):
        own = [each for each in c.variables if each.type == t]
        arrays = [each for each in self.arrays if each.type == t and c.result == ""]
        if arrays and self.r.random() < 0.3:
            return replace(self.r.choice(arrays), index=self.leaf(c, "u32"))
        if own and self.r.random() < 0.8:
            return self.r.choice(own)
        if not c.result and self.r.random() < 0.8:
            return Applied(from_word(t), [Input(self.r.randrange(WORDS))])
        return self.constant(t)

    def expression(self, c: Context, t: str, depth: int = 3):
        if depth <= 0 or self.r.random() < 0.12:
            return self.leaf(c, t)
        choices = [each for each in ALL[t] if each.since <= self.arch]
        if self.r.random() < 0.4:
            choices = [each for each in choices if "__" not in each.text and "ptx" not in each.text]
        chosen = self.r.choice(choices)
        return Applied(chosen, [self.expression(c, each, depth - 1) for each in chosen.arguments])

    def type(self) -> str:
        heavy = ("u32", "i32", "u32", "i32", "u64", "i64", "f32", "f64")
        return self.r.choice(heavy if self.r.random() < 0.5 else TYPES if self.arch >= 80 else OLD_TYPES)

    # Statements. Each returns a list of them, and what is declared.

    def block(self, c: Context, count: int) -> tuple[list, Context]:
        made: list = []
        for _ in range(count):
            more, c = self.statement(c)
            made += more
        return made, c

    def statement(self, c: Context) -> tuple[list, Context]:
        kinds = {self.declare: 5, self.assign: 6, self.choose: 0 if c.depth > 2 else 3}
        kinds |= {self.repeat: 0 if c.depth > 1 else 2, self.switch: 0 if c.depth > 2 else 1}
        kinds[self.array] = 1 if c.depth == 0 and not c.result else 0
        kinds[self.element] = 2 if self.arrays and not c.result else 0
        kinds[self.record] = 1
        kinds[self.leave] = 2 if c.loop or c.switch or c.returns else 0
        kinds[self.call] = 2 if self.kernel.functions and not c.result else 0
        kinds[self.vote] = 3 if c.mask else 0
        kinds[self.shuffle] = 3 if c.mask else 0
        kinds[self.exchange] = 2 if c.mask else 0
        kinds[self.atomic_own] = 1
        kinds[self.atomic_all] = 1 if not c.result else 0
        kind = self.r.choices(list(kinds), list(kinds.values()))[0]
        return kind(c)

    def add(self, c: Context, statement, *variables: Variable) -> tuple[list, Context]:
        return [statement], replace(c, variables=(*c.variables, *variables))

    def declare(self, c: Context) -> tuple[list, Context]:
        t, name = self.type(), self.fresh("v")
        return self.add(c, Declare(name, self.expression(c, t)), Variable(name, t))

    def assign(self, c: Context) -> tuple[list, Context]:
        own = [each for each in c.variables if each.name[0] == "v"]
        if not own:
            return self.declare(c)
        aim = self.r.choice(own)
        return [Assign(aim.name, self.expression(c, aim.type, 4))], c

    def inner(self, c: Context, **changes) -> list:
        return self.block(replace(c, depth=c.depth + 1, **changes), self.r.randint(1, 4))[0]

    def choose(self, c: Context) -> tuple[list, Context]:
        condition = self.expression(c, "bool", 3)
        if not c.mask or self.r.random() < 0.3:
            two = self.r.random() < 0.5
            arms = [self.inner(c, mask="", full=False, whole=False) for _ in range(1 + two)]
            return [If(condition, arms[0], arms[1] if two else [])], c
        flag, yes, no = self.fresh("c"), self.fresh("m"), self.fresh("m")
        if self.r.random() < 0.3:
            condition = Applied(self.r.choice(OF_LANES), [LANE, Constant(self.r.randrange(32), "u32")])
        parted = {"full": False, "whole": False}
        then = self.inner(c, mask=yes, **parted)
        masks = [Variable(c.mask, "u32"), Variable(yes, "u32")]
        otherwise = [Declare(no, Applied(AND_NOT, masks)), *self.inner(c, mask=no, **parted)]
        first = [Declare(flag, condition), Vote(yes, "u32", masks[0], Variable(flag, "bool"), "ballot")]
        return [*first, If(Variable(flag, "bool"), then, otherwise if self.r.random() < 0.6 else [])], c

    def repeat(self, c: Context) -> tuple[list, Context]:
        i, limit, kind = self.fresh("i"), self.r.randint(1, 5), self.r.choice(("for", "for", "do"))
        counter = (*c.variables, Variable(i, "u32"))
        match self.r.randrange(3):
            case 0:  # the same number of rounds for all
                return [
                    Loop(i, limit, None, self.inner(c, variables=counter, loop=False, switch=False), kind)
                ], c
            case 1 if c.mask:
                return self.repeat_masked(c, i, limit)
        body = self.inner(c, variables=counter, mask="", full=False, whole=False, loop=True, switch=False)
        return [Loop(i, limit, self.expression(c, "u32", 2), body, kind)], c

    def repeat_masked(self, c: Context, i: str, limit: int) -> tuple[list, Context]:
        """Lanes leave at the head alone; those that stay are voted on in each round."""
        goes_on, voted, mask = self.fresh("c"), self.fresh("m"), self.fresh("m")
        inside = replace(c, variables=(*c.variables, Variable(i, "u32")))
        head = [
            Declare(goes_on, self.expression(inside, "bool", 3)),
            Vote(voted, "u32", Variable(mask, "u32"), Variable(goes_on, "bool"), "ballot"),
            Leave(Applied(NOT, [Variable(goes_on, "bool")]), "break"),
            Assign(mask, Variable(voted, "u32")),
        ]
        body = self.inner(inside, mask=mask, full=False, whole=False, loop=False, switch=False)
        return [Declare(mask, Variable(c.mask, "u32")), Loop(i, limit, None, head + body)], c

    def switch(self, c: Context) -> tuple[list, Context]:
        count = self.r.randint(2, 6)
        key = self.expression(c, "u32", 2)
        if c.mask and self.r.random() < 0.5:  # each case has the mask of its key
            name, mask = self.fresh("u"), self.fresh("m")
            key = Applied(EQUAL_SIZES, [key, Constant(count, "u32")])
            first = [
                Declare(name, key),
                Vote(mask, "u32", Variable(c.mask, "u32"), Variable(name, "u32"), "match_any"),
            ]
            inside = {"mask": mask, "full": False, "whole": False, "switch": False, "loop": False}
            cases = [self.inner(c, **inside) for _ in range(count)]
            return [*first, Switch(Variable(name, "u32"), cases, [False] * count)], c
        inside = {"mask": "", "full": False, "whole": False, "switch": True}
        cases = [self.inner(c, **inside) for _ in range(count)]
        falls = [self.r.random() < 0.3 for _ in cases[1:]] + [False]
        return [Switch(key, cases, falls)], c

    def leave(self, c: Context) -> tuple[list, Context]:
        how = ["break"] * (c.loop or c.switch) + ["continue"] * c.loop
        how += ["return"] * c.returns
        chosen = self.r.choice(how)
        result = self.expression(c, c.result, 2) if chosen == "return" else None
        return [Leave(self.expression(c, "bool", 2), chosen, result)], c

    def array(self, c: Context) -> tuple[list, Context]:
        t, size, name = self.type(), self.r.choice((2, 4, 8)), self.fresh("a")
        made = DeclareArray(name, [self.leaf(c, t) for _ in range(size)])
        self.arrays.append(Element(name, size, Constant(0, "u32"), t))
        return [made], c

    def element(self, c: Context) -> tuple[list, Context]:
        aim = self.r.choice(self.arrays)
        return [
            SetElement(replace(aim, index=self.expression(c, "u32", 2)), self.expression(c, aim.type, 2))
        ], c

    def record(self, c: Context) -> tuple[list, Context]:
        name = self.fresh("v")
        if self.r.random() < 0.5:
            record, (t, letters) = self.r.choice(list(VECTORS.items()))
            types = dict.fromkeys(letters, t)
        else:
            record = self.fresh("S")
            types = {letter: self.type() for letter in "xyzw"[: self.r.randint(2, 4)]}
            while has_hole_at_end(list(types.values())):
                types = {letter: self.type() for letter in types}
            fields = " ".join(f"{cuda(t)} {x};" for x, t in types.items())
            self.kernel.records.append(f"struct {record} {{ {fields} }};")
        made: list = [DeclareRecord(record, name, {x: self.expression(c, t, 2) for x, t in types.items()})]
        variables = [Variable(f"{name}.{x}", t) for x, t in types.items()]
        if c.mask and self.r.random() < 0.7:
            other = self.fresh("v")
            mask = None if c.whole and self.r.random() < 0.5 else Variable(c.mask, "u32")
            made.append(
                Exchange(
                    other, Variable(name, record), self.expression(c, "u32", 2), mask, record, tuple(types)
                )
            )
            variables += [Variable(f"{other}.{x}", t) for x, t in types.items()]
        return made, replace(c, variables=(*c.variables, *variables))

    def call(self, c: Context) -> tuple[list, Context]:
        functions = self.kernel.functions
        together = [each for each in functions if each.name[0] == "w"]
        alone = [each.name for each in functions if each.name[0] == "f"]
        result = functions[0].result.type
        name = self.fresh("v")
        given = [self.expression(c, each.type, 2) for each in functions[0].parameters[2:]]
        depth = Constant(self.r.randint(0, 4), "u32")
        if c.mask and together and self.r.random() < 0.6:
            call = Call(name, [self.r.choice(together).name], [depth, Variable(c.mask, "u32"), *given])
        elif len(self.kernel.table) > 1 and self.r.random() < 0.6:
            depth = Applied(EQUAL_SIZES, [self.expression(c, "u32", 2), Constant(5, "u32")])
            call = Call(name, self.kernel.table, [depth, Constant(0, "u32"), *given], "table")
        elif alone:
            call = Call(name, [self.r.choice(alone)], [depth, Constant(0, "u32"), *given])
        else:
            return self.assign(c)
        variable = Variable(name, result)
        return [Declare(name, self.constant(result)), call], replace(c, variables=(*c.variables, variable))

    def vote(self, c: Context) -> tuple[list, Context]:
        name, mask = self.fresh("v"), Variable(c.mask, "u32")
        match self.r.randrange(5 if self.arch >= 80 else 3):
            case 0:
                how = self.r.choice(("ballot", "any", "all"))
                t = "u32" if how == "ballot" else "i32"
                return self.add(c, Vote(name, t, mask, self.expression(c, "bool", 3), how), Variable(name, t))
            case 1:
                small = self.expression(c, self.r.choice(("u32", "i32", "u64", "i64")), 2)
                return self.add(c, Vote(name, "u32", mask, small, "match_any"), Variable(name, "u32"))
            case 2:
                t = self.r.choice(("u32", "i32", "u64", "i64"))
                given = self.constant(t) if self.r.random() < 0.4 else self.expression(c, t, 2)
                return self.add(c, MatchAll(name, "u32", mask, given), Variable(name, "u32"))
        t = self.r.choice(("u32", "i32"))
        how = self.r.choice(
            ("add", "min", "max") if t == "i32" else ("add", "min", "max", "and", "or", "xor")
        )
        return self.add(c, Vote(name, t, mask, self.expression(c, t, 3), f"reduce_{how}"), Variable(name, t))

    def shuffle(self, c: Context) -> tuple[list, Context]:
        t = self.type()
        t = t if t not in ("u8", "i8", "u16", "i16", "bool") else "u32"
        name, mask, place = self.fresh("v"), Variable(c.mask, "u32"), self.expression(c, "u32", 2)
        if c.full:
            how, size = self.r.choice(("", "_up", "_down", "_xor")), self.r.choice((2, 4, 8, 16, 32))
            if self.r.random() < 0.5:
                place = Constant(self.r.randrange(32), "u32")
        else:
            how, size, place = "", 32, Applied(SOME_LANE, [mask, place])
        return self.add(
            c, Shuffle(name, t, mask, self.expression(c, t, 2), how, place, size), Variable(name, t)
        )

    def exchange(self, c: Context) -> tuple[list, Context]:
        t, name = self.type(), self.fresh("v")
        mask = None if c.whole and self.r.random() < 0.6 else Variable(c.mask, "u32")
        made = Exchange(name, self.expression(c, t, 2), self.expression(c, "u32", 2), mask)
        return self.add(c, made, Variable(name, t))

    def atomic_own(self, c: Context) -> tuple[list, Context]:
        t = self.r.choice([each for each in ATOMICS if self.arch >= 80 or each not in ("b2", "bf16")])
        name, how = self.fresh("v"), self.r.choice(ATOMICS[t].split())
        space = "__device__" if t != "f32" and self.r.random() < 0.5 else "__shared__"
        start = self.leaf(c, t)
        compared = None if how != "CAS" else self.r.choice((start, self.leaf(c, t)))
        made = AtomicOwn(name, how, start, self.expression(c, t, 2), compared, space)
        self.kernel.globals += [made.globals()] if space == "__device__" else []
        return self.add(c, made, Variable(name, t), Variable(f"{name}_after", t))

    def atomic_all(self, c: Context) -> tuple[list, Context]:
        name, t, how = self.r.choice(self.totals)
        return [AtomicAll(name, how, self.expression(c, t, 3), 0)], c

    # The whole.

    def draw_totals(self) -> list:
        made: list = []
        for _ in range(3):
            t = self.r.choice(("u32", "i32", "u64"))
            how = self.r.choice(
                [each for each in ATOMICS[t].split() if each not in ("CAS", "Exch", "Inc", "Dec")]
            )
            name, space = self.fresh("total"), self.r.choice(("__shared__", "__device__"))
            self.kernel.globals.append(f"{space} {cuda(t)} {name};")
            self.totals.append((name, t, how))
            made.append(Total(name, t, self.constant(t).bits))
        return made

    def draw_functions(self) -> None:
        given, result = [self.type() for _ in range(2)], self.type()
        for kind in self.r.sample(["f", "f", "f", "w"], self.r.randint(0, 4)):
            name = self.fresh(kind)
            parameters = [Variable("depth", "u32"), Variable("mask", "u32")]
            parameters += [Variable(f"v_{k}", t) for k, t in enumerate(given)]
            c = Context(tuple(parameters), "mask" if kind == "w" else "", result=result, returns=kind == "f")
            body, c = self.block(c, self.r.randint(1, 4))
            if kind == "f" and self.r.random() < 0.6:
                body += self.recursion(c, name, result)
                c = replace(c, variables=(*c.variables, Variable("v_r", result)))
            inlined = self.r.choice(("__noinline__", ""))
            made = Function(name, parameters, body, self.expression(c, result, 3), inlined)
            self.kernel.functions.append(made)
        self.kernel.table = [each.name for each in self.kernel.functions if each.name[0] == "f"]

    def recursion(self, c: Context, name: str, result: str) -> list:
        depth = Variable("depth", "u32")
        goes_on = Applied(BOTH, [Applied(POSITIVE, [depth]), self.expression(c, "bool", 2)])
        arguments = [Applied(MINUS_1, [depth]), Variable("mask", "u32")]
        arguments += [self.expression(c, each.type, 2) for each in c.variables[2:4]]
        return [Declare("v_r", self.constant(result)), If(goes_on, [Call("v_r", [name], arguments)], [])]

    def draw(self) -> Kernel:
        self.draw_functions()
        whole = self.kernel.threads % 32 == 0
        c = Context((Variable("t", "u32"),), full=whole, whole=True)
        body = self.draw_totals()
        for k in range(WORDS):
            t, name = self.type(), self.fresh("v")
            body.append(Declare(name, Applied(from_word(t), [Input(k)])))
            c = replace(c, variables=(*c.variables, Variable(name, t)))
        more, c = self.block(c, self.r.randint(6, 16))
        body += more
        for name, t, _ in self.totals:
            body.append(ReadTotal(f"v_{name}", name, t))
            c = replace(c, variables=(*c.variables, Variable(f"v_{name}", t)))
        last = list(c.variables[1:])
        self.r.shuffle(last)
        body += [Output(k, each) for k, each in enumerate(last[:RESULTS])]
        self.kernel.body = body
        return self.kernel


OLD_TYPES = [each for each in TYPES if each not in ("bf16", "b2")]
BOTH = Operation("({0} && {1})", "bool", ("bool", "bool"), lambda a, b: a & b)
POSITIVE = Operation("({0} > 0)", "bool", ("u32",), lambda a: int(a > 0))
OF_LANES = [
    Operation("({0} < {1})", "bool", ("u32", "u32"), lambda a, b: int(a < b)),
    Operation("(({0} & {1}) == 0)", "bool", ("u32", "u32"), lambda a, b: int(a & b == 0)),
    Operation("({0} == {1})", "bool", ("u32", "u32"), lambda a, b: int(a == b)),
]


def has_hole_at_end(types: list[str]) -> bool:
    """Of a word: an unoptimised copy of it would be reported, where the next structure is not set."""
    size, widest = 0, 1
    for t in types:
        bytes_ = max(width(t) // 8, 1)
        size, widest = -(-size // bytes_) * bytes_ + bytes_, max(widest, bytes_)
    return -size % widest >= 4 and size % 4 == 0


def from_word(t: str) -> Operation:
    """A value of a type from the lower bits of a word."""
    text = {
        "f32": "__uint_as_float((unsigned){0})", "f64": "__longlong_as_double((long long){0})",
        "f16": "__ushort_as_half((unsigned short){0})", "bf16": "__ushort_as_bfloat16((unsigned short){0})",
        "h2": "half2_of((unsigned){0})", "b2": "bfloat162_of((unsigned){0})", "bool": "(bool)({0} & 1)",
    }.get(t, f"({cuda(t)}){{0}}")  # fmt: skip
    return Operation(text, t, ("u64",), lambda a: canonical(a & (1 << width(t)) - 1, t))


def draw(seed: str, name: str, arch: int = 90) -> tuple[Kernel, list[int]]:
    """A kernel and its results. What runs for too long is drawn anew."""
    for turn in range(100):
        kernel = Generator(f"{seed}/{turn}", name, arch).draw()
        try:
            return kernel, kernel.expected()
        except Invalid as why:
            if str(why) != "too long":
                raise
    raise RuntimeError("no kernel is short enough")
