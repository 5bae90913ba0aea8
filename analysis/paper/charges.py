"""One count alone against the fitted form, over the same kernels: those of a launch over tiles, each
once."""

from analysis.common import words
from analysis.model import fitted, kernels
from analysis.model.distinct import distinct

COUNTS = ("ops", "wavefronts", "instructions", "bytes")


def numbers(recorded) -> dict:
    tiles = distinct(fitted.of_tiles(kernels.recorded(recorded.results)))
    alone = fitted.alone(tiles)
    return {
        "tiles": words.integer(len(tiles)),
        "alone": {
            name: {
                "error": words.share(alone[name]["mean_error"]),
                "correlation": f"{alone[name]['correlation']:.2f}".replace("-", "−"),
            }
            for name in COUNTS
        },
    }
