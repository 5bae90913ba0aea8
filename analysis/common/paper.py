"""Typeset paper, supplement and the report of this machine: a Typst source and one JSON text make a PDF.

The PDFs of paper and supplement are committed, so they must be the same bytes anywhere: fonts come from the
Python packages of Typst and matplotlib, figures are the committed SVGs, and there is no date in them.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import typst

from analysis.common.contents import contents
from analysis.common.errors import EvidenceError
from analysis.common.pdf import packed
from analysis.common.writing import write_with

FONTS = Path(matplotlib.get_data_path()) / "fonts/ttf"
ACCESSIBLE = "ua-1"  # PDF/UA-1: Typst fails if a figure has no text alternative


@dataclass(frozen=True)
class Document:
    """A Typst source and the PDF made of it."""

    source: Path
    target: Path


DOCUMENTS = tuple(
    Document(Path(f"paper/{name}.typ"), Path(f"paper/{name}.pdf")) for name in ("paper", "supplement")
)


def write(results: Path, figures: Path) -> None:
    """Paper and supplement; the former files stay unless both can be typeset."""
    data = contents(results, figures)
    made = [(document.target, typeset(document.source, data)) for document in DOCUMENTS]
    for target, pdf in made:
        write_with(target, lambda temporary, pdf=pdf: temporary.write_bytes(pdf))


def typeset(source: Path, data: dict) -> bytes:
    """The PDF of `source`, which finds `data` as JSON in sys.inputs.report."""
    inputs = {"report": json.dumps(data, ensure_ascii=False)}
    fonts = {"ignore_system_fonts": True, "font_paths": [str(FONTS)]}
    try:
        pdf = typst.compile(source, root="/", sys_inputs=inputs, pdf_standards=[ACCESSIBLE], **fonts)
    except typst.TypstError as error:
        raise EvidenceError(f"{source}: Typst says: {' '.join(str(error).split())}") from error
    return packed(pdf)
