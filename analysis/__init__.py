"""From results to figures, numbers, verdicts and the report: one file a claim, the rest in common/."""
