"""What the SIMT machine found in NVIDIA's samples, and whether the sample or the machine is wrong."""

import pandas

from analysis.common import words
from analysis.common.tables import COUNTERS, Table

SAMPLE = "The sample"
# By the file that a finding names: who is wrong, and why. Whoever adds a sample reads its source and says so.
JUDGED = {
    "threadFenceReduction_kernel.cuh": (
        SAMPLE,
        "the last block resets the counter by a plain store. No fence follows the other blocks' tickets, so "
        "nothing orders them before it in PTX's model. Harmless: all tickets are taken by then.",
    ),
    "reduction_kernel.cu": (
        SAMPLE,
        "the last launch has a block of 8 threads, whose tile of 32 adds the values of lanes that do not "
        "exist. CUDA leaves them undefined, and they enter the sum.",
    ),
    "shfl_integral_image.cuh": (
        SAMPLE,
        "a warp loads 32 sums, of which the block's warps have stored fewer. Harmless: no result depends on "
        "the others.",
    ),
}


def judged(finding: str) -> tuple[str, str]:
    """Who is wrong, and why; of file:line: what was found."""
    return JUDGED.get(finding.split(":")[0], ("Not known", words.NOTHING))


def is_at_fault(findings: str) -> bool:
    """Whether the sample is wrong in all that was found in it."""
    return all(judged(each)[0] == SAMPLE for each in findings.split("; "))


def tables(found: pandas.DataFrame) -> list[dict]:
    """A row for each file and fault in it, with its lines; or no table."""
    lines: dict[tuple[str, str], list[str]] = {}
    for findings in found["findings"].dropna():
        for each in findings.split("; "):
            file, line, what = each.split(":", 2)
            lines.setdefault((file, what.strip()), []).append(line)
    rows = [
        [
            f"`{file}`, {'line' if len(at) == 1 else 'lines'} {words.listing(at)}",
            what,
            ": ".join(judged(file)),
        ]
        for (file, what), at in lines.items()
    ]
    if not rows:
        return []
    caption = "What the machine found in the samples, whether the sample or the machine is wrong, and why."
    columns = ["place", "found", "wrong, and why"]
    return [vars(Table(caption, columns, rows, wide=True, text_columns=3, source=COUNTERS))]
