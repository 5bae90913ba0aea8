"""Rewrites what only nvcc understands, on the tree of tree-sitter-cuda. Every line stays where it is.

kernel<<<grid, block>>>(a)       a call of launch_syntax.h
__global__ void kernel(...) {    its body begins with simt_enter_kernel()
extern __shared__ T x[];         a reference to the machine's array of dynamic shared memory
__device__ of recursive          not always inlined
(void*)kernel                    without the cast, as the first argument of cudaLaunchCooperativeKernel
"""

import re
from collections.abc import Iterator

import tree_sitter
import tree_sitter_cuda

from .preprocess import Source

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))
Node = tree_sitter.Node
TYPED_LAUNCHES = (b"cudaLaunchCooperativeKernel", b"cudaLaunchKernel")


def parse(source: Source) -> Node:
    return PARSER.parse(source.visible).root_node


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, in the order of the source."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def child(node: Node, *types: str) -> Node | None:
    return next((each for each in node.children if each.type in types), None)


def function_name(definition: Node) -> bytes:
    """Of a function's definition, without its scope and template arguments."""
    node = definition
    while node is not None and node.type not in ("identifier", "field_identifier", "destructor_name"):
        node = node.child_by_field_name("declarator") or node.child_by_field_name("name")
    return node.text if node is not None else b""


def enclosing(node: Node, *types: str) -> Node | None:
    while node is not None and node.type not in types:
        node = node.parent
    return node


def qualifiers(declaration: Node) -> set[bytes]:
    """__global__, __shared__, const, ... of a declaration or a definition."""
    specifiers = [each for each in declaration.children if each.type != "compound_statement"]
    return {leaf.text for each in specifiers[:8] for leaf in ([each] if not each.children else each.children)}


def recursive_functions(root: Node) -> set[bytes]:
    """Names of functions that may call themselves, by the names that they call."""
    calls: dict[bytes, set[bytes]] = {}
    for node in walk(root):
        if node.type != "call_expression":
            continue
        definition = enclosing(node, "function_definition")
        callee = node.child_by_field_name("function")
        if callee is not None and callee.type == "template_function":
            callee = callee.child_by_field_name("name")
        if definition is not None and callee is not None and callee.type == "identifier":
            calls.setdefault(function_name(definition), set()).add(callee.text)

    def reached(name: bytes) -> set[bytes]:
        seen: set[bytes] = set()
        pending = [name]
        while pending:
            new = calls.get(pending.pop(), set()) - seen
            seen |= new
            pending.extend(new)
        return seen

    return {name for name in calls if name in reached(name)}


class Edits:
    """Replacements of bytes of a source, applied together."""

    def __init__(self, source: Source):
        self.source = source
        self.all: list[tuple[int, int, bytes]] = []

    def replace(self, begin: int, end: int, text: bytes) -> None:
        """The newlines of what is replaced stay."""
        missing = self.source.text.count(b"\n", begin, end) - text.count(b"\n")
        self.all.append((begin, end, text + b"\n" * missing))

    def insert(self, at: int, text: bytes) -> None:
        self.all.append((at, at, text))

    def apply(self) -> bytes:
        parts, end_of_last = [], 0
        for begin, end, text in sorted(self.all, key=lambda edit: edit[:2]):
            parts += [self.source.text[end_of_last:begin], text]
            end_of_last = end
        return b"".join([*parts, self.source.text[end_of_last:]])


def rewrite_launch(call: Node, edits: Edits) -> None:
    """`call` has a kernel, <<<...>>> and arguments."""
    kernel, syntax = call.children[0], child(call, "kernel_call_syntax")
    edits.insert(kernel.start_byte, b"::simt::kernel([=](auto&... simt_a) { ")
    edits.replace(kernel.end_byte, syntax.start_byte + 3, b"(simt_a...); }).on(")
    edits.replace(syntax.end_byte - 3, syntax.end_byte, b")")
    for argument in child(call, "argument_list").named_children:
        if argument.text in (b"__null", b"NULL"):
            edits.replace(argument.start_byte, argument.end_byte, b"nullptr")


def rewrite_dynamic_shared(declaration: Node, edits: Edits) -> bytes:
    """In a function, extern __shared__ T x[][4] becomes T (&x)[][4], a reference. Returns x."""
    name = array = declaration.child_by_field_name("declarator")
    while name.type == "array_declarator":
        name = name.child_by_field_name("declarator")
    if enclosing(declaration, "compound_statement") is None:
        edits.insert(array.end_byte, b' __asm__("simt_dynamic_shared")')
        return name.text
    bounds = edits.source.text[name.end_byte : array.end_byte].replace(b"\n", b" ")
    words = [each for each in declaration.children if each.end_byte <= array.start_byte]
    dropped = [each for each in words if each.text in (b"extern", b"static", b"__shared__")]
    kind = b" ".join(
        each.text for each in words if each not in dropped and each.type != "attribute_specifier"
    )
    for node in dropped:
        edits.replace(node.start_byte, node.end_byte, b"")
    edits.replace(name.start_byte, name.end_byte, b"(&" + name.text + b")")
    cast = b" = reinterpret_cast<%b (&)%b>(simt_dynamic_shared)" % (kind.replace(b"\n", b" "), bounds)
    edits.insert(array.end_byte, cast)
    return name.text


def is_dynamic_shared(declaration: Node) -> bool:
    words = qualifiers(declaration)
    declarator = declaration.child_by_field_name("declarator")
    return (
        {b"extern", b"__shared__"} <= words
        and declarator is not None
        and declarator.type == "array_declarator"
    )


def rewrite(source: Source, root: Node) -> bytes:
    """The program for g++, to be preprocessed once more. Every line stays where it is."""
    edits = Edits(source)
    dynamic_names = []
    recursive = recursive_functions(root)
    for node in walk(root):
        if node.type == "kernel_call_syntax":
            rewrite_launch(node.parent, edits)
        elif node.type == "function_definition":
            body = node.child_by_field_name("body")
            words = qualifiers(node)
            if b"__global__" in words and body is not None:
                edits.insert(body.start_byte + 1, b"simt_enter_kernel();")
            elif b"__device__" in words and function_name(node) in recursive:
                for each in walk(node):
                    if each.type == "compound_statement":
                        break
                    if each.text in (b"__device__", b"__forceinline__"):
                        edits.replace(each.start_byte, each.end_byte, b"")
        elif node.type == "declaration" and is_dynamic_shared(node):
            dynamic_names.append(rewrite_dynamic_shared(node, edits))
        elif node.type == "declaration" and {b"__constant__", b"const"} <= qualifiers(node):
            constant = next(each for each in walk(node) if each.text == b"__constant__")
            edits.replace(constant.start_byte, constant.end_byte, b"")
        elif node.type == "call_expression" and node.child_by_field_name("function").text in TYPED_LAUNCHES:
            first = node.child_by_field_name("arguments").named_children[0]
            if first.type == "cast_expression":
                edits.replace(first.start_byte, first.child_by_field_name("value").start_byte, b"")
        elif node.type == "ERROR" and node.text in (b"__device__", b"__host__", b"__host__ __device__"):
            edits.replace(node.start_byte, node.end_byte, b"")  # of a lambda
        elif node.text == b"__noinline__" and not node.children:
            edits.replace(node.start_byte, node.end_byte, b"__attribute__((noinline))")
    if dynamic_names:
        names = b"/".join(dict.fromkeys(dynamic_names))
        name = b'\nextern "C" __attribute__((weak)) const char simt_dynamic_shared_name[] = "%b";\n' % names
        edits.insert(len(source.text), name)
    # Files that begin or end, flags 1 and 2, are no files to the second preprocessor.
    return re.sub(rb'^(# \d+ "[^\n]*") [12]\b', rb"\1", edits.apply(), flags=re.MULTILINE)
