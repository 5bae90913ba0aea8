"""What each claim's expected.py has: evidence that confirms the claim, and the verdict for changed evidence.

default_counts() and default_times() return synthetic counts and times that confirm the claim's count and, if
it makes a claim of speed, its speed. Each row of VERDICTS changes the evidence: counts, times (None: the
default; False: missing), the expected answers, and a part of "<where>: <finding>".
"""

from importlib import import_module

from analysis.core.claims import EXPERIMENTS, module_of

CLAIMS = sorted(path.parent.name for path in EXPERIMENTS.glob("*/*/expected.py"))
_FILES = {claim: import_module(module_of(claim, "expected")) for claim in CLAIMS}
COUNTS = {claim: file.default_counts for claim, file in _FILES.items()}
TIMES = {claim: file.default_times for claim, file in _FILES.items()}
VERDICTS = {claim: file.VERDICTS for claim, file in _FILES.items()}
