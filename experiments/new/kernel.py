"""A kernel of a CUDA file, taken out of it: what an experiment needs of it, see experiments/new/claim.py."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tree_sitter
import tree_sitter_cuda

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))
Node = tree_sitter.Node
INTEGERS = {"int", "unsigned", "unsigned int", "long", "long long", "size_t", "unsigned long"}


@dataclass(frozen=True)
class Kernel:
    includes: str  # of the standard library
    code: str  # the kernel and what it may use: every declaration that is not the host's
    element: str  # type that its pointers point to
    arguments: list[str]  # by parameter: v.in, v.out, or n
    grid: str
    block: str
    shared: str


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


def qualifiers(declaration: Node) -> set[bytes]:
    """__global__, __shared__, const, ... of a declaration or a definition."""
    specifiers = [each for each in declaration.children if each.type != "compound_statement"]
    return {leaf.text for each in specifiers[:8] for leaf in ([each] if not each.children else each.children)}


def argument_of(parameter: Node, place: str) -> tuple[str, str | None]:
    """The vector or number that a parameter receives, and the type of element that it points to."""
    text = parameter.text.decode().partition("=")[0]
    kind = re.sub(r"\b(const|volatile|__restrict__|__restrict)\b", "", text).strip()
    if "*" in kind:
        return ("v.in" if re.match(r"\s*(const\b|\w+\s+const\b)", text) else "v.out"), kind.partition("*")[
            0
        ].strip()
    if re.sub(r"\s*\w+$", "", kind) in INTEGERS:
        return "n", None
    raise SystemExit(f"make new: {place}: parameter '{text}' is no pointer and no integer")


def is_of_the_host(node: Node, name: bytes) -> bool:
    """main(), other kernels, and functions that launch kernels or call the runtime."""
    definition = node if node.type == "function_definition" else child(node, "function_definition")
    if definition is None:
        return False
    words = qualifiers(definition)
    if b"__global__" in words:
        return function_name(definition) != name
    return b"__device__" not in words


def launch_of(root: Node, name: bytes) -> list[str]:
    """Grid, block and bytes of the first launch of the kernel."""
    for node in walk(root):
        if node.type == "kernel_call_syntax" and node.parent.children[0].text.partition(b"<")[0] == name:
            return [each.text.decode() for each in node.named_children][:3]
    return ["1", "n"]


def take(path: Path, kernel: str) -> Kernel:
    """Ends the program if the file lacks the kernel, or if an experiment cannot launch it as it is."""
    text = path.read_bytes()
    root = PARSER.parse(text).root_node
    name = kernel.encode()
    kernels = [
        node
        for node in walk(root)
        if node.type == "function_definition" and b"__global__" in qualifiers(node)
    ]
    if not (chosen := [node for node in kernels if function_name(node) == name]):
        names = ", ".join(sorted({function_name(node).decode() for node in kernels})) or "none"
        raise SystemExit(f"make new: {path}: no kernel {kernel}; its kernels are: {names}")
    definition = chosen[0]
    place = f"{path}:{definition.start_point.row + 1}"
    if definition.parent.type == "template_declaration":
        raise SystemExit(f"make new: {place}: {kernel} is a template: name its arguments in another kernel")
    parameters = next(node for node in walk(definition) if node.type == "parameter_list").named_children
    bound = [argument_of(parameter, place) for parameter in parameters]
    elements = [element for _, element in bound if element]
    if not elements:
        raise SystemExit(f"make new: {place}: {kernel} has no pointer to read from or to write to")
    grid, block, *shared = launch_of(root, name)
    includes = [node for node in root.children if node.type == "preproc_include"]
    kept = [node for node in root.children if node not in includes and not is_of_the_host(node, name)]
    code = text[kept[0].start_byte : kept[-1].end_byte] if kept else b""
    for node in reversed(root.children):
        if kept and kept[0].start_byte < node.start_byte < kept[-1].end_byte and node not in kept:
            begin = node.start_byte - kept[0].start_byte
            code = code[:begin] + code[begin + node.end_byte - node.start_byte :]
    return Kernel(
        "".join(
            node.text.decode().rstrip() + "\n"
            for node in includes
            if b"<c" in node.text and b"cuda" not in node.text
        ),
        re.sub(r"\n{3,}", "\n\n", code.decode()).strip(),
        elements[0],
        [argument for argument, _ in bound],
        grid,
        block,
        shared[0] if shared else "0",
    )
