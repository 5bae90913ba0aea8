"""One look for one algorithm, wherever it appears: colour, marker and label.

Okabe and Ito's colours and, where these are used up, Paul Tol's muted ones; both can be told apart by readers
who are colour-blind. Black is CUB, grey is a copy, and red boxes are conflicts and errors.
"""

from analysis.core import plotting
from analysis.core.plotting import Look

WINE, OLIVE, VIOLET, INDIGO = "#882255", "#999933", "#AA4499", "#332288"

BLOCK_SCANS = {
    "hillis_steele": Look("Hillis-Steele", plotting.RED, "s"),
    "sklansky": Look("Sklansky", plotting.ORANGE, "^"),
    "blelloch": Look("Blelloch", plotting.BLUE, "o"),
    "brent_kung": Look("Brent-Kung", plotting.GREEN, "D", filled=False),
    "kogge_stone": Look("Kogge-Stone", plotting.PURPLE, "v"),
    "raking": Look("raking", plotting.SKY, "P"),
}
SCANS = {
    "three_phase": Look("scan, then add", WINE, "s"),
    "reduce_then_scan": Look("reduce, then scan", OLIVE, "^"),
    "look_back": Look("look-back", VIOLET, "o"),
    "fast": Look("fast scan", INDIGO, "D"),
}
LOOKS = BLOCK_SCANS | SCANS | plotting.REFERENCES
ON_PAGE = BLOCK_SCANS | {
    "hillis_steele_two_buffers": Look("Hillis-Steele, two buffers", INDIGO),
    "tree": Look("tree reduction", WINE),  # no figure has it beside scans
}


def of(*algorithms: str) -> dict[str, Look]:
    """Their looks, in this order."""
    return {each: LOOKS[each] for each in algorithms}
