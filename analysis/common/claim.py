"""What the analysis of every claim uses: evidence, looks, sentences with numbers, tables, and the verdict."""

# ruff: noqa: F401

from analysis.common.closed_forms import closed_forms
from analysis.common.evidence import Evidence, Results, select
from analysis.common.plotting import Look
from analysis.common.prose import told
from analysis.common.statistics import Median, median
from analysis.common.tables import Table
from analysis.common.verdict import NO_CLAIM, Verdict, judge
