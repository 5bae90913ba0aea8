"""Makes a kernel that fails small: statements and expressions go while it still fails in the same way."""

import copy
import time
from collections.abc import Iterator

from .build import BATCH
from .expressions import Applied, Constant
from .judge import Failure, judge
from .kernel import Kernel
from .statements import If, Loop, Output, Switch


def bodies(kernel: Kernel) -> list[list]:
    """All lists of statements, the outermost first."""
    waiting = [kernel.body, *(each.body for each in kernel.functions)]
    for body in waiting:
        waiting += [inner for statement in body for inner in statement.bodies()]
    return waiting


def slots(thing) -> Iterator[tuple[object, object]]:
    """Where an expression stands: the object or list, and its attribute or index."""
    if isinstance(thing, list | tuple):
        places = [(k, each) for k, each in enumerate(thing)]
    elif isinstance(thing, dict):
        places = list(thing.items())
    elif hasattr(thing, "__dataclass_fields__"):
        places = [(name, getattr(thing, name)) for name in thing.__dataclass_fields__]
    else:
        return
    for key, each in places:
        if isinstance(each, Applied):
            yield thing, key
        yield from slots(each)


def put(holder, key, value) -> None:
    if isinstance(holder, list | dict):
        holder[key] = value
    else:
        setattr(holder, key, value)


def without(kernel: Kernel, size: int) -> Iterator[Kernel]:
    """With so many neighbours gone from a body, the last first: what they need stands before them."""
    for k, body in enumerate(bodies(kernel)):
        for start in reversed(range(0, len(body), size)):
            if size == 1 or len(body) >= size:
                smaller = copy.deepcopy(kernel)
                del bodies(smaller)[k][start : start + size]
                yield smaller


def opened(kernel: Kernel) -> Iterator[Kernel]:
    """With one of a statement's bodies in its place."""
    for k, body in enumerate(bodies(kernel)):
        for j, statement in enumerate(body):
            for n in range(len(statement.bodies()) if isinstance(statement, If | Loop | Switch) else 0):
                smaller = copy.deepcopy(kernel)
                inside = bodies(smaller)[k]
                inside[j : j + 1] = inside[j].bodies()[n]
                yield smaller


def simpler(kernel: Kernel) -> Iterator[Kernel]:
    """With an argument, or a constant, in an expression's place."""
    count = len(list(slots([kernel.functions, kernel.body])))
    for n in range(count):
        for choice in range(5):
            smaller = copy.deepcopy(kernel)
            holder, key = list(slots([smaller.functions, smaller.body]))[n]
            old = holder[key] if isinstance(holder, list | dict) else getattr(holder, key)
            same = [each for each in old.arguments if each.type == old.type]
            new = [*same, Constant(0, old.type)][choice : choice + 1]
            if new:
                put(holder, key, new[0])
                yield smaller


def meaning(kernel: Kernel) -> list[int] | None:
    """Its results, if what was taken away was not needed."""
    try:
        return kernel.expected()
    except Exception:
        return None


def sliced(kernel: Kernel, place: int) -> Kernel:
    """With this one result, and what Python needs for it: that takes no compiler."""
    kernel = copy.deepcopy(kernel)
    kernel.body = [each for each in kernel.body if not isinstance(each, Output) or each.place == place]
    words = kernel.expected()
    for body in reversed(bodies(kernel)):
        for k in reversed(range(len(body))):
            statement = body.pop(k)
            if meaning(kernel) != words:
                body.insert(k, statement)
    return kernel


def failing(candidates: list[Kernel], failure: Failure, arch: int) -> Kernel | None:
    """The first that fails as the original does."""
    kept = [(each, words) for each in candidates if (words := meaning(each)) is not None]
    for k, (each, _) in enumerate(kept):
        each.rename(f"kernel_{k}")
    if not kept:
        return None
    kernels, expected = [each for each, _ in kept], [words for _, words in kept]
    found = judge(kernels, expected, arch, [failure.way], [failure.gpu])
    same = [each.kernel for each in found if each.kind == failure.kind]
    return kept[min(same)][0] if same else None


def step(
    kernel: Kernel, candidates: Iterator[Kernel], failure: Failure, arch: int, end: float
) -> Kernel | None:
    """The first smaller kernel that fails."""
    some: list[Kernel] = []
    for each in candidates:
        some.append(each)
        if len(some) == BATCH:
            if (found := failing(some, failure, arch)) or time.monotonic() > end:
                return found
            some = []
    return failing(some, failure, arch)


def reduced(kernel: Kernel, failure: Failure, arch: int, seconds: float = 300) -> Kernel:
    end = time.monotonic() + seconds
    if failure.kind == "differs":
        kernel = failing([sliced(kernel, failure.place)], failure, arch) or kernel
    size = len(kernel.body)
    while size and time.monotonic() < end:
        found = step(kernel, without(kernel, size), failure, arch, end)
        kernel, size = (found, size) if found else (kernel, size // 2)
    for way in (opened, lambda each: without(each, 1), simpler, lambda each: without(each, 1)):
        while time.monotonic() < end and (found := step(kernel, way(kernel), failure, arch, end)):
            kernel = found
    return kernel.tidied()
