"""The mutations of a kernel's source: where they are, and the source with one of them or with all.

    barrier       __syncthreads();                              removed
    syncwarp      __syncwarp(..);                               removed
    fence         __threadfence(); and its two other scopes     removed
    proxy_fence   fence_proxy_async(); fence_mbarrier_init();   removed
    comparison    <                                             <=, and the other way round

Comparisons are those of device code, static_assert aside. `<` is a comparison, not a bracket, if white space
stands on both sides of it: clang-format, which parses the code, writes brackets without, and make lint checks
the form of every file.

All mutations of a source are compiled at once, as in Untch, Offutt and Harrold, "Mutation analysis using
mutant schemata", ISSTA 1993: kernels/test/mutants/mutants.h chooses one of them when the program starts.
"""

import bisect
import hashlib
import re
from collections import Counter
from dataclasses import dataclass

STATEMENTS = {
    "barrier": r"__syncthreads\(\);",
    "syncwarp": r"__syncwarp\([^();]*\);",
    "fence": r"__threadfence(?:_block|_system)?\(\);",
    "proxy_fence": r"fence_(?:proxy_async|mbarrier_init)\(\);",
}
COMPARISON = re.compile(r"(?<=\s)(<=?)(?=\s)")
KINDS = (*STATEMENTS, "comparison")
# Comments, strings, characters (no digit separators), and lines of the preprocessor with those they go on in.
NO_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:\\\n|[^\n])*""",
    re.DOTALL | re.MULTILINE,
)
DEVICE = re.compile(r"\b__(?:device|global)__\b")


@dataclass(frozen=True)
class Mutation:
    """One change of a file. `source` is its line; `mutant` is that line afterwards, "" if nothing is left;
    `nth` counts the file's mutations that are alike in these, from 1."""

    file: str
    line: int
    kind: str
    source: str
    mutant: str
    nth: int
    begin: int
    end: int
    replacement: str
    is_constant: bool  # in a constant expression: it cannot be chosen at run time

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What identifies it when lines have moved."""
        return self.file, self.kind, self.source, self.mutant, self.nth


def code_of(text: str) -> str:
    """The text with everything blank that is no code, in the same places."""
    return NO_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def end_of_parentheses(code: str, begin: int) -> int:
    """Behind the parenthesis that closes the one at `begin`."""
    depth = 0
    for i in range(begin, len(code)):
        depth += (code[i] == "(") - (code[i] == ")")
        if depth == 0:
            return i + 1
    return len(code)


def device_code(code: str) -> list[tuple[int, int]]:
    """The functions whose heads say __device__ or __global__, from that word on."""
    functions, heads, last = [], [], 0  # heads: for each open brace, where such a function begins, or None
    for found in re.finditer(r"[{};]", code):
        i = found.start()
        if found.group() == "{":
            within = any(begin is not None for begin in heads)
            head = DEVICE.search(code, last, i)
            heads.append(head.start() if head and not within else None)
        elif found.group() == "}" and heads:
            begin = heads.pop()
            if begin is not None:
                functions.append((begin, i))
        last = i + 1
    return functions


def constant_expressions(code: str) -> list[tuple[int, int]]:
    """Conditions of `if constexpr`, constexpr definitions, and the bodies of constexpr functions."""
    ranges = []
    for found in re.finditer(r"\bif constexpr \(", code):
        ranges.append((found.start(), end_of_parentheses(code, found.end() - 1)))
    for found in re.finditer(r"(?<!if )\bconstexpr\b[^;{]*", code):
        end = found.end()
        if code[end : end + 1] == "{":
            depth = 0
            for brace in re.finditer(r"[{}]", code[end:]):
                depth += 1 if brace.group() == "{" else -1
                if depth == 0:
                    end += brace.end()
                    break
        ranges.append((found.start(), end))
    return ranges


def find(file: str, text: str) -> list[Mutation]:
    """All mutations of a file, in the order of its text."""
    code = code_of(text)
    asserts = [
        (found.start(), end_of_parentheses(code, found.end() - 1))
        for found in re.finditer(r"\bstatic_assert\(", code)
    ]
    device, constant = device_code(code), constant_expressions(code)

    def lies_in(ranges: list[tuple[int, int]], place: int) -> bool:
        return any(begin <= place < end for begin, end in ranges)

    places = []  # begin, end, kind, replacement
    for kind, pattern in STATEMENTS.items():
        places += [(*found.span(), kind, "") for found in re.finditer(r"(?<![\w.])" + pattern, code)]
    for found in COMPARISON.finditer(code):
        if lies_in(device, found.start()) and not lies_in(asserts, found.start()):
            places.append((*found.span(), "comparison", "<" if found.group() == "<=" else "<="))

    begins = [0, *(found.end() for found in re.finditer("\n", text))]
    alike, mutations = Counter(), []
    for begin, end, kind, replacement in sorted(places):
        line = bisect.bisect_right(begins, begin)
        line_begin = begins[line - 1]
        line_end = begins[line] if line < len(begins) else len(text)
        source = text[line_begin:line_end].strip()
        code_line = code[line_begin:line_end]  # without its comment, which says nothing of the mutant
        mutant = code_line[: begin - line_begin] + replacement + code_line[end - line_begin :]
        mutant = re.sub(r"[ \t]+", " ", mutant).strip()
        alike[kind, source, mutant] += 1
        nth = alike[kind, source, mutant]
        is_constant = kind == "comparison" and lies_in(constant, begin)
        mutations.append(
            Mutation(file, line, kind, source, mutant, nth, begin, end, replacement, is_constant)
        )
    return mutations


def numbered(mutations: list[Mutation]) -> dict[int, Mutation]:
    """The mutations by numbers of 16 bits, which do not depend on the other mutations but by chance."""
    numbers = {}
    for mutation in mutations:
        number = int(hashlib.sha256("\0".join(map(str, mutation.key)).encode()).hexdigest()[:4], 16)
        while number in numbers:
            number = (number + 1) % (1 << 16)
        numbers[number] = mutation
    return numbers


def apply(text: str, changes: list[tuple[Mutation, str]]) -> str:
    """The text with each mutation's place replaced by a text. Lines keep their numbers."""
    for mutation, replacement in sorted(changes, key=lambda change: -change[0].begin):
        text = text[: mutation.begin] + replacement + text[mutation.end :]
    return text


def with_one(text: str, mutation: Mutation) -> str:
    """The mutant's text. {} is left of a statement: it may be all that follows an if."""
    return apply(text, [(mutation, mutation.replacement or "{}")])


def with_all(text: str, mutations: dict[int, Mutation]) -> str:
    """The text in which kernels/test/mutants/mutants.h chooses one mutation by its number."""

    def choice(number: int, mutation: Mutation) -> str:
        before = text[mutation.begin : mutation.end]
        if mutation.kind != "comparison":
            return f"{{ if (!mutants::chosen({number})) {before} }}"
        return f"< mutants::{'Less' if before == '<' else 'LessEqual'}<{number}>{{}} >"

    changes = [(m, choice(number, m)) for number, m in mutations.items() if not m.is_constant]
    return f'#include "kernels/test/mutants/mutants.h"\n#line 1\n{apply(text, changes)}' if changes else text
