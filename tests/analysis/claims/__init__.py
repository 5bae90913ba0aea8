"""A file a claim: evidence on which the claim holds, and its verdict when that changes.

default_counts() and default_times() make up counts and times of which the claim's rule says "holds". VERDICTS
has a row each for other evidence: counts, times (None: the default; False: not there), the verdict, and words
of its reason.
"""

from importlib import import_module
from pathlib import Path

CLAIMS = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
_FILES = {claim: import_module(f"{__name__}.{claim}") for claim in CLAIMS}
COUNTS = {claim: file.default_counts for claim, file in _FILES.items()}
TIMES = {claim: file.default_times for claim, file in _FILES.items()}
VERDICTS = {claim: file.VERDICTS for claim, file in _FILES.items()}
