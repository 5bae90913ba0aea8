"""A random kernel as a whole: its text, and what it computes. Also the words that all kernels read."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from .expressions import Frame, cuda
from .statements import Block, Function, lines
from .together import bits, warps

WORDS = 8  # that each thread reads
RESULTS = 16  # words of a thread's results
M64 = (1 << 64) - 1
EDGES = [int(each, 16) for each in re.findall(r"0x\w+", (Path(__file__).parent / "edges.inc").read_text())]


def mixed(x: int) -> int:
    x = x + 0x9E3779B97F4A7C15 & M64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & M64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & M64
    return x ^ x >> 31


def word(k: int) -> int:
    """The same as input() of run.h."""
    h = mixed(k)
    one, other = EDGES[(h >> 8) % len(EDGES)], EDGES[(h >> 24) % len(EDGES)]
    return (mixed(h), one, one % (1 << 32) | other << 32 & M64, mixed(h) >> (h >> 40) % 64)[h % 4]


INPUTS = [word(k) for k in range(64 * WORDS)]


@dataclass
class Input:
    """A word that the thread reads."""

    place: int
    type: str = "u64"

    def text(self) -> str:
        return f"in[{WORDS} * t + {self.place}]"

    def values(self, frame: Frame, lanes: list[int]) -> list[int]:
        return [INPUTS[WORDS * lane + self.place] for lane in lanes]


@dataclass
class Kernel:
    name: str
    threads: int
    body: list
    functions: list[Function] = field(default_factory=list)
    table: list[str] = field(default_factory=list)  # functions that are called by pointer
    globals: list[str] = field(default_factory=list)  # declarations
    records: list[str] = field(default_factory=list)

    def expected(self) -> list[int]:
        block = Block(self.threads, {each.name: each for each in self.functions})
        frame = Frame()
        lanes = list(range(self.threads))
        frame.set("t", lanes, lanes)
        frame.set("m", lanes, [bits(group) for group in warps(lanes) for _ in group])
        block.run(self.body, frame, lanes)
        return block.words

    def rename(self, name: str) -> None:
        self.name = name

    def tidied(self) -> "Kernel":
        """Without declarations that nothing uses."""
        used = lines(self.body) + "".join(each.text() for each in self.functions)
        words = set(re.findall(r"\w+", used))
        keep = [each for each in self.globals if re.findall(r"\w+", each.split("[")[0])[-1] in words]
        records = [each for each in self.records if each.split()[1] in words]
        return replace(self, globals=keep, records=records)

    def helpers(self) -> set[str]:
        """Functions of inline PTX that it calls."""
        return {each for root in (self.body, self.functions) for each in found_helpers(root)}

    def text(self) -> str:
        last = (1 << self.threads % 32) - 1 or 0xFFFFFFFF
        functions = "\n".join(each.text() for each in self.functions)
        table = f"__device__ Pointer const table[] = {{{', '.join(self.table)}}};" if self.table else ""
        pointer = f"using Pointer = {pointer_type(self.functions[0])};" if self.functions else ""
        inside = "\n".join([*self.records, *self.globals, pointer, functions, table])
        return (
            f"namespace of_{self.name} {{\nconstexpr unsigned THREADS = {self.threads};\n{inside}\n}}\n"
            f'extern "C" __global__ void {self.name}(const Word* in, Word* out) {{\n'
            f"using namespace of_{self.name};\nconst unsigned t = threadIdx.x;\n"
            f"const unsigned m = t < {self.threads // 32 * 32} ? 0xffffffffu : {last:#x}u;\n"
            f"{lines(self.body)}\n}}\n"
        )


def pointer_type(function: Function) -> str:
    return f"{cuda(function.result.type)} (*)({', '.join(cuda(each.type) for each in function.parameters)})"


def found_helpers(thing) -> set[str]:
    """In expressions, statements and lists of them, at any depth."""
    if isinstance(thing, list | tuple):
        return {each for part in thing for each in found_helpers(part)}
    if isinstance(thing, dict):
        return found_helpers(list(thing.values()))
    if not hasattr(thing, "__dataclass_fields__"):
        return set()
    own = {thing.helper} if getattr(thing, "helper", "") else set()
    return own | {each for name in thing.__dataclass_fields__ for each in found_helpers(getattr(thing, name))}
