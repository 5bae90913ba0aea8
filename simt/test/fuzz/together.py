"""What the lanes of a warp or a block do together: votes, shuffles, shared memory, atomics.

A mask is a variable of the program. That it names the lanes at work is checked while a program is run here.
"""

from dataclasses import dataclass
from functools import reduce

from . import reals
from .expressions import Frame, Invalid, cuda
from .operations import CUDA, INTEGERS, OF_PAIR, PAIRS, value, width
from .statements import Block, Simple

M32 = (1 << 32) - 1


def warps(lanes: list[int]) -> list[list[int]]:
    return [group for low in (0, 32) if (group := [lane for lane in lanes if lane & 32 == low])]


def bits(lanes: list[int]) -> int:
    return sum(1 << (lane & 31) for lane in lanes)


def check_mask(mask, frame: Frame, lanes: list[int]) -> None:
    masks = mask.values(frame, lanes)
    for group in warps(lanes):
        if any(masks[lanes.index(lane)] != bits(group) for lane in group):
            raise Invalid("a mask that does not name the lanes at work")


@dataclass
class WarpResult(Simple):
    """A new variable, of what the lanes of each warp make together: by_warp()."""

    name: str
    type: str
    mask: object
    expression: object

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        check_mask(self.mask, frame, lanes)
        values = dict(zip(lanes, self.expression.values(frame, lanes), strict=True))
        for group in warps(lanes):
            results = self.by_warp(frame, group, [values[lane] for lane in group])
            frame.set(self.name, group, results)
        return lanes

    def text(self) -> str:
        return f"{cuda(self.type)} {self.name} = {self.call()};"


@dataclass
class Vote(WarpResult):
    """ballot, any, all; reduce_add and its like; match_any."""

    call_name: str

    def call(self) -> str:
        return f"__{self.call_name}_sync({self.mask.text()}, {self.expression.text()})"

    def by_warp(self, frame: Frame, lanes: list[int], values: list[int]) -> list[int]:
        t = self.expression.type
        if self.call_name == "match_any":
            return [bits([lane for lane, v in zip(lanes, values, strict=True) if v == own]) for own in values]
        return [self.of_all(lanes, values, t)] * len(lanes)

    def of_all(self, lanes: list[int], values: list[int], t: str) -> int:
        match self.call_name:
            case "ballot":
                return bits([lane for lane, v in zip(lanes, values, strict=True) if v])
            case "any" | "all":
                return int(any(values) if self.call_name == "any" else all(values))
            case "reduce_add":
                return sum(values) & M32
            case "reduce_min":
                return min(values, key=lambda x: value(x, t))
            case "reduce_max":
                return max(values, key=lambda x: value(x, t))
            case name:
                return reduce({"and": int.__and__, "or": int.__or__, "xor": int.__xor__}[name[7:]], values)


@dataclass
class MatchAll(WarpResult):
    """The mask if all values are equal, else 0; and whether they are."""

    def text(self) -> str:
        return (f"int {self.name}_same; unsigned {self.name} = "
                f"__match_all_sync({self.mask.text()}, {self.expression.text()}, &{self.name}_same) + "
                f"(unsigned){self.name}_same;")  # fmt: skip

    def by_warp(self, frame: Frame, lanes: list[int], values: list[int]) -> list[int]:
        same = len(set(values)) == 1
        return [(bits(lanes) + 1 if same else 0) & M32] * len(lanes)


@dataclass
class Shuffle(WarpResult):
    how: str  # "", _up, _down, _xor
    place: object
    width: int = 32

    def call(self) -> str:
        masked = self.place.text() if self.how == "" else f"({self.place.text()}) & 31"
        return f"__shfl{self.how}_sync({self.mask.text()}, {self.expression.text()}, {masked}, {self.width})"

    def by_warp(self, frame: Frame, lanes: list[int], values: list[int]) -> list[int]:
        by_lane = {lane & 31: v for lane, v in zip(lanes, values, strict=True)}
        places = self.place.values(frame, lanes)
        try:
            return [by_lane[self.source(lane & 31, p & 31)] for lane, p in zip(lanes, places, strict=True)]
        except KeyError:
            raise Invalid("a shuffle from a lane that is not at work") from None

    def source(self, lane: int, place: int) -> int:
        w, first = self.width, lane & -self.width
        match self.how:
            case "_up":
                return lane - place if lane - first >= place else lane
            case "_down":
                return lane + place if lane - first + place < w else lane
            case "_xor":
                return lane ^ place if (lane ^ place) < first + w else lane
        return first | place & w - 1


@dataclass
class Exchange(Simple):
    """Through shared memory: each thread stores its own, and loads another one's, into a new variable."""

    name: str
    expression: object
    other: object
    mask: object | None = None  # among the lanes of a warp, or of the block
    record: str = ""  # then `expression` is one of its fields, by name
    fields: tuple = ()

    def text(self) -> str:
        sync = f"__syncwarp({self.mask.text()});" if self.mask else "__syncthreads();"
        other = f"({self.other.text()})"
        place = f"(t & 32) + some_lane({self.mask.text()}, {other})" if self.mask else f"{other} % THREADS"
        t = self.record or cuda(self.expression.type)
        mine = self.expression.name if self.record else self.expression.text()
        return (f"__shared__ {t} {self.name}_shared[64];\n{self.name}_shared[t] = {mine};\n{sync}\n"
                f"{t} {self.name} = {self.name}_shared[{place}];\n{sync}")  # fmt: skip

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        if self.mask:
            check_mask(self.mask, frame, lanes)
        elif len(lanes) != block.threads:
            raise Invalid("a barrier that some threads do not reach")
        sources = [
            self.source(block, lanes, *pair)
            for pair in zip(lanes, self.other.values(frame, lanes), strict=True)
        ]
        if self.record:
            for name in self.fields:
                frame.set(f"{self.name}.{name}", lanes, frame.get(f"{self.expression.name}.{name}", sources))
        else:
            by_lane = dict(zip(lanes, self.expression.values(frame, lanes), strict=True))
            frame.set(self.name, lanes, [by_lane[lane] for lane in sources])
        return lanes

    def source(self, block: Block, lanes: list[int], lane: int, other: int) -> int:
        if not self.mask:
            return other % block.threads
        mine = [each for each in lanes if each & 32 == lane & 32]
        return (lane & 32) + some_lane(bits(mine), other)


def some_lane(mask: int, first: int) -> int:
    first &= 31
    turned = (mask << 32 | mask) >> first & M32
    return (first + (turned & -turned).bit_length() - 1) & 31


def wrapping(t: str, function):
    return lambda old, x: function(old, x) & (1 << width(t)) - 1


def of_atomic(name: str, t: str):
    """What an atomic leaves in memory, of what was there and its argument."""
    if t in PAIRS:
        f = OF_PAIR[t]
        return lambda old, x: reals.add(old & 0xFFFF, x & 0xFFFF, f) | reals.add(old >> 16, x >> 16, f) << 16
    if t not in INTEGERS:
        return (lambda old, x: reals.add(old, x, t)) if name == "Add" else lambda old, x: x
    return {
        "Add": wrapping(t, int.__add__), "Sub": wrapping(t, int.__sub__),
        "And": int.__and__, "Or": int.__or__, "Xor": int.__xor__, "Exch": lambda old, x: x,
        "Min": lambda old, x: min(old, x, key=lambda v: value(v, t)),
        "Max": lambda old, x: max(old, x, key=lambda v: value(v, t)),
        "Inc": lambda old, x: 0 if old >= x else old + 1,
        "Dec": lambda old, x: x if old == 0 or old > x else old - 1,
    }[name]  # fmt: skip


ATOMICS = {
    "u32": "Add Sub Exch Min Max And Or Xor Inc Dec CAS", "i32": "Add Sub Exch Min Max And Or Xor CAS",
    "u64": "Add Exch Min Max And Or Xor CAS", "i64": "Min Max", "f32": "Add Exch", "f64": "Add",
    "u16": "CAS", "h2": "Add", "b2": "Add", "f16": "Add", "bf16": "Add",
}  # fmt: skip


@dataclass
class AtomicOwn(Simple):
    """On a thread's own word: what was there before, and after it, in two new variables."""

    name: str
    call: str
    start: object
    argument: object
    compared: object | None = None  # of CAS
    space: str = "__shared__"

    def text(self) -> str:
        t, own = CUDA[self.start.type], f"{self.name}_own[t]"
        first = f"{self.compared.text()}, " if self.compared else ""
        array = f"__shared__ {t} {self.name}_own[64];\n" if self.space == "__shared__" else ""
        return (f"{array}{own} = {self.start.text()};\n"
                f"{t} {self.name} = atomic{self.call}(&{own}, {first}{self.argument.text()});\n"
                f"{t} {self.name}_after = {own};")  # fmt: skip

    def globals(self) -> str:
        t = CUDA[self.start.type]
        return f"__device__ {t} {self.name}_own[64];" if self.space == "__device__" else ""

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        before, given = (each.values(frame, lanes) for each in (self.start, self.argument))
        if self.compared:
            wanted = self.compared.values(frame, lanes)
            after = [x if a == w else a for a, w, x in zip(before, wanted, given, strict=True)]
        else:
            after = list(map(of_atomic(self.call, self.start.type), before, given))
        frame.set(self.name, lanes, before)
        frame.set(f"{self.name}_after", lanes, after)
        return lanes


@dataclass
class AtomicAll(Simple):
    """On a word of the block, where the order of threads does not matter; nobody uses what it returns."""

    total: str
    call: str
    argument: object
    start: int

    def text(self) -> str:
        return f"atomic{self.call}(&{self.total}, {self.argument.text()});"

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        if self.total not in block.totals:
            raise Invalid(f"{self.total} is not declared")
        function = of_atomic(self.call, self.argument.type)
        for each in self.argument.values(frame, lanes):
            block.totals[self.total] = function(block.totals[self.total], each)
        return lanes


@dataclass
class Total(Simple):
    """A word that the block adds to, set at the beginning."""

    name: str
    type: str
    start: int

    def text(self) -> str:
        return f"if (t == 0) {self.name} = ({CUDA[self.type]}){self.start:#x}ull;\n__syncthreads();"

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        block.totals[self.name] = self.start
        return lanes


@dataclass
class ReadTotal(Simple):
    name: str
    total: str
    type: str

    def text(self) -> str:
        return f"__syncthreads();\n{CUDA[self.type]} {self.name} = {self.total};"

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        if self.total not in block.totals:
            raise Invalid(f"{self.total} is not declared")
        frame.set(self.name, lanes, [block.totals[self.total]] * len(lanes))
        return lanes
