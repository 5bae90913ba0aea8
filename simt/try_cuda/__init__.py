"""Runs CUDA programs, unmodified, on the SIMT machine: see __main__.py."""


class TryError(Exception):
    """What the user has to know: one line, or what the compiler says."""

    def __init__(self, text: str, by_compiler: bool = False):
        super().__init__(text)
        self.by_compiler = by_compiler
