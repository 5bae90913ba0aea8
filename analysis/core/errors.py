"""The one kind of error a user is meant to see."""


class EvidenceError(Exception):
    """Something is wrong with the evidence, or with what reads it. One line: file, fault, remedy."""
