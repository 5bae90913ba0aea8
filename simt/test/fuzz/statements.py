"""Statements of random programs: their text, and what they do in lanes of a block, all at once.

run() returns the lanes that go on with the next statement; the others have left by break, continue or return.
"""

from dataclasses import dataclass

from .expressions import Frame, Invalid, cuda
from .operations import INTEGERS, value

STEPS = 400_000  # of lanes, at most


class Block:
    """The threads that run, and what they share."""

    def __init__(self, threads: int, functions: dict[str, "Function"]) -> None:
        self.threads, self.functions = threads, functions
        self.words = [0] * (16 * threads)  # the results
        self.totals: dict[str, int] = {}  # of atomics, by name
        self.steps = 0

    def run(self, statements: list, frame: Frame, lanes: list[int]) -> list[int]:
        for statement in statements:
            self.steps += len(lanes) + 1
            if self.steps > STEPS:
                raise Invalid("too long")
            if lanes:
                lanes = statement.run(self, frame, lanes)
        return lanes


def lines(statements: list) -> str:
    return "\n".join(each.text() for each in statements)


def chosen(condition, frame: Frame, lanes: list[int]) -> tuple[list[int], list[int]]:
    values = condition.values(frame, lanes)
    pairs = list(zip(lanes, values, strict=True))
    return [lane for lane, v in pairs if v], [lane for lane, v in pairs if not v]


class Simple:
    """A statement without bodies."""

    def bodies(self) -> list[list]:
        return []


@dataclass
class Declare(Simple):
    name: str
    expression: object

    def text(self) -> str:
        return f"{cuda(self.expression.type)} {self.name} = {self.expression.text()};"

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        frame.set(self.name, lanes, self.expression.values(frame, lanes))
        return lanes


class Assign(Declare):
    def text(self) -> str:
        return f"{self.name} = {self.expression.text()};"

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        frame.get(self.name, lanes)
        return super().run(block, frame, lanes)


@dataclass
class DeclareArray(Simple):
    name: str
    expressions: list

    def text(self) -> str:
        inside = ", ".join(each.text() for each in self.expressions)
        return f"{cuda(self.expressions[0].type)} {self.name}[{len(self.expressions)}] = {{{inside}}};"

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        for k, each in enumerate(self.expressions):
            frame.set(f"{self.name}[{k}]", lanes, each.values(frame, lanes))
        return lanes


@dataclass
class SetElement(Simple):
    element: object
    expression: object

    def text(self) -> str:
        return f"{self.element.text()} = {self.expression.text()};"

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        rows = self.element.index.values(frame, lanes)
        values = self.expression.values(frame, lanes)
        for lane, row, given in zip(lanes, rows, values, strict=True):
            name = f"{self.element.array}[{row & self.element.size - 1}]"
            frame.get(name, [lane])
            frame.set(name, [lane], [given])
        return lanes


@dataclass
class DeclareRecord(Simple):
    """A structure or a vector of CUDA's, its fields x, y, ..; or a copy of another one."""

    record: str
    name: str
    expressions: dict[str, object]  # by name of field

    def text(self) -> str:
        inside = ", ".join(each.text() for each in self.expressions.values())
        return f"{self.record} {self.name} = {{{inside}}};"

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        for name, each in self.expressions.items():
            frame.set(f"{self.name}.{name}", lanes, each.values(frame, lanes))
        return lanes


@dataclass
class If:
    condition: object
    then: list
    otherwise: list

    def bodies(self) -> list[list]:
        return [self.then, self.otherwise]

    def text(self) -> str:
        other = f" else {{\n{lines(self.otherwise)}\n}}" if self.otherwise else ""
        return f"if ({self.condition.text()}) {{\n{lines(self.then)}\n}}{other}"

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        yes, no = chosen(self.condition, frame, lanes)
        return sorted(block.run(self.then, frame, yes) + block.run(self.otherwise, frame, no))


@dataclass
class Loop:
    """`limit` rounds at most, or fewer if `count` says so."""

    counter: str
    limit: int
    count: object | None
    body: list
    kind: str = "for"  # or "do"

    def bodies(self) -> list[list]:
        return [self.body]

    def text(self) -> str:
        i = self.counter
        bound = f"({self.count.text()}) % {self.limit + 1}" if self.count else str(self.limit)
        first, inside = f"unsigned {i} = 0, {i}_end = {bound};", f"{{\n{lines(self.body)}\n}}"
        if self.kind == "do":
            return f"{first}\ndo {inside} while (++{i} < {i}_end);"
        return f"for ({first} {i} < {i}_end; {i}++) {inside}"

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        counts = self.count.values(frame, lanes) if self.count else [self.limit] * len(lanes)
        end = {lane: count % (self.limit + 1) for lane, count in zip(lanes, counts, strict=True)}
        done: list[int] = []
        frame.left.append({"break": [], "continue": []})
        for turn in range(self.limit + 1):
            at_work = [lane for lane in lanes if turn < end[lane] or (turn == 0 and self.kind == "do")]
            done += [lane for lane in lanes if lane not in at_work]
            if not at_work:
                break
            frame.set(self.counter, at_work, [turn] * len(at_work))
            lanes = block.run(self.body, frame, at_work)
            lanes = sorted(lanes + frame.left[-1]["continue"])
            frame.left[-1]["continue"] = []
        return sorted(done + frame.left.pop()["break"])


@dataclass
class Switch:
    key: object  # modulo the number of cases; the last is the default
    cases: list[list]
    falls: list[bool]  # into the next one

    def bodies(self) -> list[list]:
        return self.cases

    def text(self) -> str:
        text, last = f"switch (({self.key.text()}) % {len(self.cases)}) {{\n", len(self.cases) - 1
        for k, body in enumerate(self.cases):
            label = "default" if k == last else f"case {k}"
            text += f"{label}: {{\n{lines(body)}\n}}\n" + ("" if self.falls[k] else "break;\n")
        return text + "}"

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        keys = self.key.values(frame, lanes)
        frame.left.append({"break": []})
        fallen: list[int] = []
        done: list[int] = []
        for k, body in enumerate(self.cases):
            own = [lane for lane, key in zip(lanes, keys, strict=True) if key % len(self.cases) == k]
            after = block.run(body, frame, sorted(own + fallen))
            fallen = after if self.falls[k] else []
            done += [] if self.falls[k] else after
        return sorted(done + fallen + frame.left.pop()["break"])


@dataclass
class Leave(Simple):
    """if (condition) break; or continue, or return."""

    condition: object
    how: str
    result: object | None = None

    def text(self) -> str:
        what = f"return {self.result.text()}" if self.result else self.how
        return f"if ({self.condition.text()}) {what};"

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        leave, stay = chosen(self.condition, frame, lanes)
        if self.how == "return":
            frame.returned |= dict(zip(leave, self.result.values(frame, leave), strict=True))
            return stay
        for left in reversed(frame.left):
            if self.how in left:
                left[self.how] += leave
                return stay
        raise Invalid("there is nothing to leave")


@dataclass
class Function:
    name: str
    parameters: list  # variables
    body: list
    result: object
    inlined: str = ""  # __noinline__, or nothing

    def text(self) -> str:
        parameters = ", ".join(f"{cuda(each.type)} {each.name}" for each in self.parameters)
        head = f"__device__ {self.inlined} {cuda(self.result.type)} {self.name}({parameters})"
        body = f"const unsigned t = threadIdx.x;\n{lines(self.body)}\nreturn {self.result.text()};"
        return f"{head} {{\n{body}\n}}"

    def call(self, block: Block, columns: list[list[int]], lanes: list[int]) -> dict[int, int]:
        frame = Frame()
        frame.set("t", lanes, lanes)
        for parameter, values in zip(self.parameters, columns, strict=True):
            frame.set(parameter.name, lanes, values)
        lanes = block.run(self.body, frame, lanes)
        return frame.returned | dict(zip(lanes, self.result.values(frame, lanes), strict=True))


@dataclass
class Call(Simple):
    """Of one function, or by pointer of one of several, chosen by the first argument."""

    name: str  # of the variable that it sets
    functions: list[str]
    arguments: list
    table: str = ""

    def text(self) -> str:
        arguments = ", ".join(each.text() for each in self.arguments)
        if not self.table:
            return f"{self.name} = {self.functions[0]}({arguments});"
        index = f"({self.arguments[0].text()}) % {len(self.functions)}"
        return f"{self.name} = {self.table}[{index}]({arguments});"

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        frame.get(self.name, lanes)
        columns = [each.values(frame, lanes) for each in self.arguments]
        for k, name in enumerate(self.functions):
            at = [j for j in range(len(lanes)) if columns[0][j] % len(self.functions) == k]
            if not at:
                continue
            some = [[column[j] for j in at] for column in columns]
            results = block.functions[name].call(block, some, [lanes[j] for j in at])
            frame.set(self.name, list(results), list(results.values()))
        return lanes


@dataclass
class Output(Simple):
    """A word of the thread's results."""

    place: int
    expression: object

    def text(self) -> str:
        return f"out[16 * t + {self.place}] = bits_of({self.expression.text()});"

    def run(self, block: Block, frame: Frame, lanes: list[int]) -> list[int]:
        for lane, bits in zip(lanes, self.expression.values(frame, lanes), strict=True):
            t = self.expression.type
            word = value(bits, t) & (1 << 64) - 1 if t in INTEGERS else bits
            block.words[16 * lane + self.place] = word
        return lanes
