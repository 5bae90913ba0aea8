"""Each source folder contains exactly what its README lists."""

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = (".cu", ".cuh", ".h", ".cpp")
READMES = ("kernels", "kernels/textbook", "experiments/support", "experiments/closed_forms")


def includes() -> dict[str, set[str]]:
    """The project's source files and the files that each includes."""
    found = {}
    for folder in ("kernels", "experiments", "simt"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in CODE:
                names = re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE)
                found[str(path.relative_to(ROOT))] = set(names)
    return found


def readme(folder: str) -> str:
    return (ROOT / folder / "README.md").read_text()


def test_the_textbook_includes_nothing_of_other_rooms():
    allowed = re.compile(r"kernels/(textbook/.*|[a-z_]+\.cuh)")
    of_textbook = {name: files for name, files in includes().items() if name.startswith("kernels/textbook/")}
    assert len(of_textbook) > 30
    for name, files in of_textbook.items():
        assert all(allowed.fullmatch(file) for file in files), f"{name} includes {files}"


def test_the_textbook_lists_every_algorithm_and_every_link_leads_somewhere():
    folder = ROOT / "kernels/textbook"
    links = re.findall(r"\]\(([^)]+)\)", readme("kernels/textbook"))
    assert all((folder / link).is_file() for link in links), links
    files = {str(path.relative_to(folder)) for path in folder.rglob("*.cuh")}
    assert files <= set(links), sorted(files - set(links))


def test_the_harness_is_small():
    assert len([path for path in (ROOT / "experiments/harness").rglob("*") if path.is_file()]) <= 15


def test_a_header_with_one_includer_has_a_reason():
    includers = defaultdict(set)
    for name, files in includes().items():
        for file in files:
            includers[file].add(name)
    text = "\n".join(readme(folder) for folder in READMES)
    headers = [name for name in includes() if name.endswith((".h", ".cuh")) and "/test/" not in name]
    of_claim = re.compile(r"experiments/\w+/\w+/")
    shared = [name for name in headers if not name.startswith("simt/") and not of_claim.match(name)]
    alone = [name for name in shared if len(includers[name]) == 1]
    assert len(alone) > 10
    without = [name for name in alone if not re.search(rf"\b{Path(name).stem}\b", text)]
    assert without == [], "say in a README why each of these stands alone, or merge it into its includer"
