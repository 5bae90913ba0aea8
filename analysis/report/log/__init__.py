"""The log: how the fast scan was developed, round by round, as predictions and outcomes."""
