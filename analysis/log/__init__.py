"""The log: how the fast scan came about, round by round, as predictions and what came of them."""
