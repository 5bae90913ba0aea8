"""The whole story: the staircase from the first scan to a copy, and five findings."""
