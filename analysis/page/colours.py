"""One name and one colour for one algorithm, the figures' own. Red is left to conflicts and errors."""

from analysis.common.looks import BLOCK_SCANS

TEAL = "#44AA99"  # Paul Tol's; no figure has a reduction beside scans

ALGORITHMS = {name: (look.label, look.color) for name, look in BLOCK_SCANS.items()} | {
    "hillis_steele_two_buffers": ("Hillis-Steele, two buffers", BLOCK_SCANS["hillis_steele"].color),
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
    return ALGORITHMS[algorithm][0]


def colour_of(algorithm: str) -> str:
    return ALGORITHMS[algorithm][1]
