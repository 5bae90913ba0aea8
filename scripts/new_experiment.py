"""Write experiments/<claim>.cu and analysis/<claim>.py from scripts/templates.

make new NAME=<claim>                                     an example to start from
make new NAME=<claim> FROM=<path.cu> KERNEL=<kernel>      a kernel of a CUDA file
"""

import argparse
import re
import sys
from pathlib import Path

from try_cuda import TryError

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "scripts" / "templates"
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def problem(name: str) -> str | None:
    """Why a claim cannot have this name; None if it can."""
    if not name:
        return "name the claim: make new NAME=<claim>"
    if not NAME.fullmatch(name) or len(name) > 40:
        return f"'{name}' is not a name: at most 40 lower-case letters and digits, with single _ between them"
    for taken in (
        ROOT / "experiments" / f"{name}.cu",
        ROOT / "analysis" / f"{name}.py",
        ROOT / "analysis" / name,
    ):
        if taken.exists():
            return f"{taken.relative_to(ROOT)} already exists; choose another name"
    return None


def of_kernel(path: Path, name: str) -> dict[str, str]:
    """What the templates say of a kernel of a CUDA file."""
    from try_cuda import kernel  # needs the parser, which an example does not

    if not path.is_file():
        raise TryError(f"{path}: no such file")
    if not name:
        raise TryError(f"name the kernel: make new NAME=<claim> FROM={path} KERNEL=<kernel>")
    taken = kernel.take(path, name)
    arrays = [f"SIMT_DYNAMIC_SHARED({kind}, {array});" for kind, array in taken.dynamic_shared]
    dynamic = ["#ifdef SIMT_MACHINE", *arrays, "#endif", "", ""] if arrays else []
    return {
        "kernel": name,
        "launched": name,
        "file": path.name,
        "includes": taken.includes,
        "code": "\n".join(dynamic) + taken.code,
        "type": taken.element,
        "operation": f"scan/{name}",
        "grid": taken.grid,
        "block": taken.block,
        "shared": taken.shared,
        "arguments": ", ".join(taken.arguments),
    }


def main(name: str, source: Path | None, kernel: str) -> int:
    words = {"claim": name, "title": name.replace("_", " ").capitalize()}
    kind = "" if source is None else "kernel_"
    try:
        if why := problem(name):
            raise TryError(why)
        if source is not None:
            words |= of_kernel(source, kernel)
    except TryError as error:
        print(f"make new: {error}", file=sys.stderr)
        return 1
    for template, target in (
        ("kernel_experiment.cu.in" if kind else "experiment.cu", f"experiments/{name}.cu"),
        (f"{kind}analysis.py", f"analysis/{name}.py"),
    ):
        text = (TEMPLATES / template).read_text(encoding="utf-8")
        text = re.sub(r"@(\w+)@", lambda word: words[word[1]], text)
        (ROOT / target).write_text(text, encoding="utf-8")
        print(f"wrote {target}")
    print(f"Both run unchanged: make claim NAME={name}. Then replace the example with your claim.")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--from", type=Path, dest="source")
    parser.add_argument("--kernel", default="")
    arguments = parser.parse_args()
    sys.exit(main(arguments.name, arguments.source, arguments.kernel))
