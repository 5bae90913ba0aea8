"""What the analysis of every claim uses: evidence, looks, sentences with numbers, tables, and the verdict."""

# ruff: noqa: F401

from analysis.core.agreement import closed_forms
from analysis.core.evidence import Evidence, Results, select
from analysis.core.plotting import Look
from analysis.core.prose import told
from analysis.core.statistics import Median, median
from analysis.core.sweep import Table
from analysis.core.verdict import NO_CLAIM, Verdict, judge
