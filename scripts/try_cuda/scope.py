"""What the SIMT machine does not run: one line with file and line, in place of a page of the compiler's."""

import re

from . import TryError
from .preprocess import Source
from .rewrite import Node, enclosing, function_name, qualifiers, walk

# Identifiers: exact, or the start of several.
UNSUPPORTED = [
    (
        r"texture|cudaTextureObject_t|cudaSurfaceObject_t|surface|tex[123]D\w*|surf[123]D\w*|cudaArray_t|cudaArray",
        "textures",
    ),
    (r"wmma|mma_sync|nvcuda", "tensor cores"),
    (r"cudaGraph\w*|cudaStreamBeginCapture", "graphs"),
    (r"thrust|cub", "Thrust and CUB"),
    (r"curand\w*|cublas\w*|cufft\w*|cusparse\w*|cudnn\w*", "CUDA's libraries"),
    (r"cudaIpc\w*", "memory of other processes"),
]
HEADERS = [
    (r"thrust/|cub/", "Thrust and CUB"),
    (r"cuda/|nv/", "libcu++"),
    (r"curand|cublas|cufft|cusparse|cusolver|cudnn|npp|nvrtc|nccl", "CUDA's libraries"),
    (r"mma\.h", "tensor cores"),
    (r"GL/|GLFW/|cuda_gl_interop|helper_gl", "graphics"),
    (r"cuda_texture_types|texture_", "textures"),
    (r"cuda_bf16|cuda_fp8", "bfloat16 and 8-bit floats"),
]
NAMES = {"identifier", "type_identifier", "namespace_identifier", "field_identifier"}


def refuse(place: str, what: str) -> None:
    raise TryError(f"{place}: the SIMT machine does not run {what}")


def check_headers(errors: str) -> None:
    """Of the preprocessor's errors: is a header missing that belongs to something out of scope?"""
    for line in errors.splitlines():
        found = re.match(r"(.*?:\d+):\d+: fatal error: (.*?): No such file", line)
        for pattern, what in HEADERS:
            if found and re.match(pattern, found[2]):
                refuse(found[1], f"{what} ({found[2]})")


def in_device_code(node: Node) -> bool:
    function = enclosing(node, "function_definition")
    return function is not None and bool({b"__global__", b"__device__"} & qualifiers(function))


def check(source: Source, root: Node) -> None:
    """Raise TryError for the first construct that is out of scope."""
    for place, path in source.includes:
        for pattern, what in HEADERS:
            if found := re.search(rf"/include/({pattern}.*)$", path):
                refuse(place, f"{what} ({found[1]})")
    unsupported = [(re.compile(pattern), what) for pattern, what in UNSUPPORTED]
    own = {function_name(node).decode() for node in walk(root) if node.type == "function_definition"}
    for node in walk(root):
        if node.type == "gnu_asm_expression" and in_device_code(node):
            refuse(source.position(node.start_byte), "inline PTX")
        if node.type == "kernel_call_syntax" and in_device_code(node):
            refuse(source.position(node.start_byte), "dynamic parallelism: a kernel that launches a kernel")
        if node.type not in NAMES or (name := node.text.decode()) in own or is_declared(node):
            continue
        for pattern, what in unsupported:
            if pattern.fullmatch(name):
                refuse(source.position(node.start_byte), f"{what} ({name})")


def is_declared(name: Node) -> bool:
    """Is this the name of a variable, parameter or member of the user's?"""
    return name.type in ("identifier", "field_identifier") and name.parent.type in (
        "init_declarator",
        "parameter_declaration",
        "pointer_declarator",
        "declaration",
        "field_declaration",
        "field_expression",
        "array_declarator",
    )


def kernels(root: Node) -> int:
    """Number of kernels that the source defines."""
    return sum(
        node.type == "function_definition" and b"__global__" in qualifiers(node) for node in walk(root)
    )
