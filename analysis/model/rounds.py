"""How the model came about: results/<gpu>/model.rounds.csv, a line a form that was tried, failed ones too.

name         a few words
change       what was changed
expected     what was hoped for
mean_<gpu>   mean error over the kernels of that GPU, of the SIMT machine's counts; within_15_<gpu> likewise
kernels      over how many: the sample has grown meanwhile
outcome      met, missed, refuted; what was refuted was not kept
learnt       what the kernels showed that were off
"""

from pathlib import Path

from analysis.common import words
from analysis.common.files import read_csv
from analysis.common.tables import Table

FILE = "model.rounds.csv"
COLUMNS = ("name", "change", "expected", "mean_h200", "mean_h100", "within_15_h200", "outcome", "learnt")


def table(folder: Path) -> dict | None:
    """For the supplement; None without the file."""
    path = folder / FILE
    if not path.exists():
        return None
    rows = [
        [str(number), row.change, row.expected, f"{row.mean_h200:.1%}", f"{row.mean_h100:.1%}"]
        + [words.share(row.within_15_h200), row.outcome, row.learnt]
        for number, row in enumerate(read_csv(path, COLUMNS).itertuples(), 1)
    ]
    columns = ["", "change", "expected", "H200", "H100", "within 15%", "outcome", "learnt"]
    caption = (
        "Forms of the model in the order in which they were tried, each upon the last that was met: mean "
        "error on both GPUs, and share within 15% on the H200. All kernels were in view."
    )
    return vars(Table(caption, columns, rows, wide=True, text_columns=8))
