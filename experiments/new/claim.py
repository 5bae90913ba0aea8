"""Write the folder of a claim from the templates beside this file, or from that of another claim.

make new NAME=<claim> [FAMILY=<family>]                   an example, in experiments/<family>/<claim>
make new NAME=<claim> LIKE=<claim>                        a variant of another claim
make new NAME=<claim> FROM=<path.cu> KERNEL=<kernel>      a kernel of a CUDA file
python -m experiments.new.claim --document                      the example, into experiments/new/README.md
"""

import argparse
import keyword
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "experiments/new"
DOCUMENT = TEMPLATES / "README.md"
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
FILES = {"experiment.cu": "{}.cu"} | {name: name for name in ("analysis.py", "expected.csv")}  # by template
FAMILY = "block"  # of a claim that is not said to be of another one
SHOWN = "fewer_operations"  # the claim in the document
BLOCK = re.compile(r"(<!-- new (\S+) -->\n```\w+\n).*?(```\n<!-- /new -->)", re.DOTALL)
# Comments of a CUDA file may be longer than a line has room for.
STYLE = "{BasedOnStyle: InheritParentConfig, ReflowComments: true}"


def problem(name: str) -> str | None:
    """Why a claim cannot have this name; None if it can."""
    if not name:
        return "name the claim: make new NAME=<claim>"
    if not NAME.fullmatch(name) or len(name) > 40 or keyword.iskeyword(name):
        return f"'{name}' is not a name: at most 40 lower-case letters and digits, with single _ between them"
    made = [path for pattern in (f"results/*/{name}.*", f"figures/{name}.*") for path in ROOT.glob(pattern)]
    for taken in (*ROOT.glob(f"experiments/*/{name}"), *ROOT.glob(f"analysis/{name}"), *made):
        return f"{taken.relative_to(ROOT)} already exists; choose another name"
    return None


def files_of(name: str, family: str) -> dict[str, str]:
    """By template the path of each file of a claim."""
    return {template: f"experiments/{family}/{name}/{file.format(name)}" for template, file in FILES.items()}


def of_kernel(path: Path, name: str) -> dict[str, str]:
    """What the templates say of a kernel of a CUDA file."""
    from experiments.new import kernel  # needs the parser, which an example does not

    if not path.is_file():
        raise SystemExit(f"make new: {path}: no such file")
    if not name:
        raise SystemExit(f"make new: name the kernel: make new NAME=<claim> FROM={path} KERNEL=<kernel>")
    taken = kernel.take(path, name)
    return {
        "kernel": name,
        "file": path.name,
        "includes": taken.includes,
        "code": taken.code,
        "type": taken.element,
        "grid": taken.grid,
        "block": taken.block,
        "shared": taken.shared,
        "arguments": ", ".join(taken.arguments),
    }


def from_templates(name: str, family: str, prefix: str = "", **words: str) -> dict[str, str]:
    """The claim's files, by path."""
    words |= {"claim": name, "title": title_of(name)}
    found = {}
    for template, file in files_of(name, family).items():
        (source,) = TEMPLATES.glob(f"{prefix}{template}*")
        text = re.sub(r"@(\w+)@", lambda word: words[word[1]], source.read_text(encoding="utf-8"))
        found[file] = formatted(file, text)
    return found


def from_claim(name: str, other: str) -> dict[str, str]:
    """The files of another claim under this name, as a draft."""
    family = next((path.parent.name for path in ROOT.glob(f"experiments/*/{other}")), "")
    texts = dict(zip(files_of(name, family).values(), files_of(other, family).values(), strict=True))
    if not all((ROOT / path).is_file() for path in texts.values()):
        raise SystemExit(f"make new: no claim '{other}'; LIKE is the name of one in experiments/")
    changes = (
        (r"\.order = \d+,", ".order = 1000,"),
        (r'\.title = ".*",', f'.title = "{title_of(name)}",'),
        (r'\A"""[^"]*"""', f'"""{name}: a variant of {other}."""'),
        (rf"\bfrom experiments\.{family}\.{other}\b", f"from experiments.{family}.{name}"),
        (rf"\bimport analysis as {other}\b", f"import analysis as {name}"),
        (rf"(?<![\w.:/\"']){other}\.(?=[A-Za-z_])", f"{name}."),
    )
    found = {}
    for file, path in texts.items():
        text = (ROOT / path).read_text(encoding="utf-8")
        for old, new in changes if file.endswith(".py") else changes[:2]:
            text = re.sub(old, new, text)
        found[file] = formatted(file, text)
    return found


def title_of(name: str) -> str:
    return name.replace("_", " ").capitalize()


def formatted(file: str, text: str) -> str:
    """As make lint wants it."""
    path = ROOT / file
    if path.suffix == ".csv":
        return text
    if path.suffix == ".py":
        return through("ruff", "format", "--no-cache", "--quiet", f"--stdin-filename={path}", "-", text=text)
    return through("clang-format", f"--style={STYLE}", f"--assume-filename={path}", text=text)


def sort_imports(files: Iterable[str]) -> None:
    """In the order that make lint wants, which depends on the modules that are there."""
    ours = [file for file in files if file.endswith(".py")]
    through("ruff", "check", "--no-cache", "--quiet", "--fix-only", "--select=I", *ours)


def through(tool: str, *arguments: str, text: str = "") -> str:
    command = [ROOT / ".venv/bin" / tool, *arguments]
    done = subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"make new: {tool}: {done.stderr.strip()}")
    return done.stdout


def documented(text: str) -> str:
    """The document with the example in its blocks, as make new writes it."""
    files = from_templates(SHOWN, FAMILY)
    return BLOCK.sub(lambda found: found[1] + files[found[2]] + found[3], text)


def main(name: str, family: str, like: str, source: Path | None, kernel: str) -> int:
    if why := problem(name):
        raise SystemExit(f"make new: {why}")
    if like:
        files = from_claim(name, like)
    elif source is not None:
        files = from_templates(name, family, "kernel_", **of_kernel(source, kernel))
    else:
        files = from_templates(name, family)
    for file, text in files.items():
        (ROOT / file).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / file).write_text(text, encoding="utf-8")
        print(f"wrote {file}")
    sort_imports(files)
    if source is not None and not like:
        print(f"It says that {kernel} is an exclusive scan. If not, mend add_cases in {name}.cu.")
    document = DOCUMENT.relative_to(ROOT)
    print(f"Next: make claim NAME={name}, which counts, draws and judges it. See {document}.")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--family", default="")
    parser.add_argument("--like", default="")
    parser.add_argument("--from", type=Path, dest="source")
    parser.add_argument("--kernel", default="")
    parser.add_argument("--document", action="store_true")
    arguments = parser.parse_args()
    if arguments.document:
        DOCUMENT.write_text(documented(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
        sys.exit()
    sys.exit(
        main(arguments.name, arguments.family or FAMILY, arguments.like, arguments.source, arguments.kernel)
    )
