"""Print a digest of the code behind an experiment: device_code_hash.py experiments/<claim>.cu

With a second argument it writes a header there that defines HARNESS_DEVICE_CODE instead. The digest covers
the experiment and every file of kernels/ that it includes, at any depth. Comments, white space and words in
string literals do not count: they may be edited without new evidence. Results carry the digest, so that
results of other code are noticed.
"""

import hashlib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
# A comment, a literal, or an include line, whichever comes first: none of them is sought inside another.
TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|^\s*\#\s*include[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+'""",
    re.DOTALL | re.MULTILINE,
)


def normal(text: str) -> str:
    """The text without comments, words of string literals and white space."""

    def keep(match: re.Match) -> str:
        found = match.group()
        if found.startswith("/"):
            return " "
        return '""' if found.startswith('"') else found

    return " ".join(TOKEN.sub(keep, text).split())


def included(source: Path) -> set[Path]:
    """The project's files that `source` includes, at any depth, and itself."""
    found, waiting = set(), [source.resolve()]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        names = INCLUDE.findall(path.read_text(encoding="utf-8"))
        waiting += [file.resolve() for name in names if (file := ROOT / name).is_file()]
    return found


def digest(source: Path) -> str:
    source = source.resolve()
    kernels = [path for path in included(source) if ROOT / "kernels" in path.parents]
    sha = hashlib.sha256()
    for path in sorted({source, *kernels}):
        sha.update(f"{path.relative_to(ROOT)}\n{normal(path.read_text(encoding='utf-8'))}\n".encode())
    return sha.hexdigest()


def main(arguments: list[str]) -> int:
    if len(arguments) not in (1, 2) or not Path(arguments[0]).is_file():
        print("usage: device_code_hash.py experiments/<claim>.cu [header to write]", file=sys.stderr)
        return 1
    found = digest(Path(arguments[0]))
    if len(arguments) == 1:
        print(found)
    else:
        Path(arguments[1]).write_text(f'#define HARNESS_DEVICE_CODE "{found}"\n', encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
