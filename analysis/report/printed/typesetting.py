"""Typeset paper, supplement and the report of this machine: a Typst source and one JSON text make a PDF.

The PDFs are the same bytes anywhere: fonts come from the Python packages of Typst and matplotlib, figures are
the committed SVGs, and there is no date in them. Each carries a digest of all that stands on its pages, so
that a test can say whether the paper in the tree is what the tree makes.
"""

import io
import json
import re
from pathlib import Path

import matplotlib
import pikepdf
import typst

from analysis.core.errors import EvidenceError
from analysis.core.writing import digest, write_with
from analysis.report.printed.contents import contents

FONTS = Path(matplotlib.get_data_path()) / "fonts/ttf"
ACCESSIBLE = "ua-1"  # PDF/UA-1: Typst fails if a figure has no text alternative
DIGEST = "/Digest"  # of a PDF's document information

NAMES = ("paper", "supplement")
HOLDS = re.compile(r"while calling `holds`\s*┌─ (?P<file>[^\n:]+):(?P<line>\d+)")


def write(results: Path, figures: Path, build: Path) -> None:
    """<build>/paper.pdf and supplement.pdf; the former files stay unless both can be typeset."""
    data = contents(results, figures)
    made = {name: packed(typeset(Path(f"paper/{name}.typ"), data)) for name in NAMES}
    for name, pdf in made.items():
        write_with(build / f"{name}.pdf", lambda temporary, pdf=pdf: temporary.write_bytes(pdf))


def typeset(source: Path, data: dict) -> bytes:
    """The PDF of `source`, which finds `data` as JSON in sys.inputs.report."""
    inputs = {"report": json.dumps(data, ensure_ascii=False)}
    fonts = {"ignore_system_fonts": True, "font_paths": [str(FONTS)]}
    try:
        pdf = typst.compile(source, root="/", sys_inputs=inputs, pdf_standards=[ACCESSIBLE], **fonts)
    except typst.TypstError as error:
        said = unborne(error) or f"{source}: Typst says: {' '.join(str(error).split())}"
        raise EvidenceError(said) from error
    return pdf


def packed(pdf: bytes) -> bytes:
    """The same pages, with the digest of the PDF as it was typeset, in half the bytes.

    The half is the structure of pages and tags, which Typst writes as plain text.
    """
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        document.docinfo[DIGEST] = digest(pdf)
        document.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return out.getvalue()


def unborne(error: typst.TypstError) -> str:
    """Of a sentence that its numbers no longer bear, its file and line; empty if the error is another one."""
    found = HOLDS.search(error.diagnostic)
    if not found:
        return ""
    said = Path(found["file"]).read_text(encoding="utf-8").splitlines()[int(found["line"]) - 1]
    return f"{found['file']}, line {found['line']}: the numbers no longer bear what follows {said.strip()}"
