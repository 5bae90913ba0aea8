"""One colour for one algorithm, the figures' own. Red is left to conflicts and errors."""

from analysis.common import plotting

TEAL = "#44AA99"  # Paul Tol's

ALGORITHMS = {
    "hillis_steele": ("Hillis-Steele", plotting.RED),
    "hillis_steele_two_buffers": ("Hillis-Steele, two buffers", plotting.RED),
    "sklansky": ("Sklansky", plotting.ORANGE),
    "blelloch": ("Blelloch", plotting.BLUE),
    "brent_kung": ("Brent-Kung", plotting.GREEN),
    "kogge_stone": ("Kogge-Stone", plotting.PURPLE),
    "raking": ("raking", plotting.SKY),
    "tree": ("tree reduction", TEAL),
}
MAPS = {
    "plain": "plain: i",
    "padded": "padded: i + i/32",
    "padded16": "padded: i + i/16",
    "swizzled": "swizzled: i XOR row",
    "two_level": "two-level: i + i/32 + i/1024",
}


def label_of(algorithm: str) -> str:
    return ALGORITHMS.get(algorithm, (algorithm.replace("_", " "), ""))[0]


def colour_of(algorithm: str) -> str:
    return ALGORITHMS.get(algorithm, ("", plotting.BLACK))[1]
