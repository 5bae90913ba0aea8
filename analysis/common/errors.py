"""The one kind of error a user is meant to see."""


class EvidenceError(Exception):
    """Something is wrong with the evidence. The message is one line: file, fault, remedy."""
