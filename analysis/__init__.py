"""From results to figures, numbers, verdicts and the report.

core/: what the claims' analyses share. model/: the time of a kernel. report/: what is made of all claims.
"""
