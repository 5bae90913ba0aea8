"""Expressions of random programs: their text, and their values in some lanes of a block, one each."""

from dataclasses import dataclass
from itertools import repeat

from .operations import CUDA, Operation, literal


class Invalid(Exception):
    """A program that has no meaning, as one from which a needed statement was taken away."""


class Frame:
    """The variables of a call, a column of all lanes for each, and where lanes have gone."""

    def __init__(self) -> None:
        self.columns: dict[str, list] = {}
        self.left: list[dict[str, list[int]]] = []  # of each loop or switch, innermost last: break, continue
        self.returned: dict[int, int] = {}

    def get(self, name: str, lanes: list[int]) -> list:
        column = self.columns.get(name)
        if column is None and lanes:
            raise Invalid(f"{name} is not declared")
        return [column[lane] for lane in lanes] if lanes else []

    def set(self, name: str, lanes: list[int], values: list) -> None:
        column = self.columns.setdefault(name, [None] * 64)
        for lane, value in zip(lanes, values, strict=True):
            column[lane] = value


@dataclass
class Variable:
    name: str
    type: str

    def text(self) -> str:
        return self.name

    def values(self, frame: Frame, lanes: list[int]) -> list[int]:
        return frame.get(self.name, lanes)


@dataclass
class Constant:
    bits: int
    type: str

    def text(self) -> str:
        return literal(self.bits, self.type)

    def values(self, frame: Frame, lanes: list[int]) -> list[int]:
        return list(repeat(self.bits, len(lanes)))


@dataclass
class Applied:
    operation: Operation
    arguments: list

    @property
    def type(self) -> str:
        return self.operation.result

    def text(self) -> str:
        return self.operation.text.format(*(each.text() for each in self.arguments))

    def values(self, frame: Frame, lanes: list[int]) -> list[int]:
        return list(map(self.operation.function, *(each.values(frame, lanes) for each in self.arguments)))


@dataclass
class Element:
    """Of a local array, whose index wraps."""

    array: str
    size: int
    index: object
    type: str

    def text(self) -> str:
        return f"{self.array}[{self.index.text()} & {self.size - 1}]"

    def values(self, frame: Frame, lanes: list[int]) -> list[int]:
        rows = self.index.values(frame, lanes)
        columns = [frame.get(f"{self.array}[{k}]", lanes) for k in range(self.size)]
        return [columns[row & self.size - 1][k] for k, row in enumerate(rows)]


def cuda(t: str) -> str:
    return CUDA.get(t, t)
