"""Runs CUDA programs, unmodified, on the SIMT machine: see __main__.py."""


class TryError(Exception):
    """What the user has to know, in one line."""
