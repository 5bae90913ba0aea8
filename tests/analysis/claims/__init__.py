"""One file per claim: evidence for which the claim holds, and the verdict for changed evidence.

default_counts() and default_times() return synthetic counts and times for which the claim's rule yields
"holds". Each row of VERDICTS changes the evidence: counts, times (None: the default; False: missing), the
expected verdict, and a part of its reason.
"""

from importlib import import_module
from pathlib import Path

CLAIMS = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
_FILES = {claim: import_module(f"{__name__}.{claim}") for claim in CLAIMS}
COUNTS = {claim: file.default_counts for claim, file in _FILES.items()}
TIMES = {claim: file.default_times for claim, file in _FILES.items()}
VERDICTS = {claim: file.VERDICTS for claim, file in _FILES.items()}
