"""Levels at which something holds, in words: lengths, tiles, and tiles by group."""

from collections.abc import Callable, Mapping

from analysis.core import words


def lengths_in_words(found: Mapping[int, bool]) -> str:
    """from n = 2¹² on; up to n = 2²⁰; at n = 2¹¹, 2¹² and 2¹⁴."""
    some, every = [n for n in found if found[n]], list(found)
    if len(some) > 1 and some == every[-len(some) :]:
        return f"from n = {words.power(some[0])} on"
    if len(some) > 1 and some == every[: len(some)]:
        return f"up to n = {words.power(some[-1])}"
    if len(some) > 3:
        return f"at {len(some)} of {len(every)} lengths"
    return f"at n = {words.listing([words.power(n) for n in some])}"


def tiles_in_words(found: Mapping[int, bool]) -> str:
    """in tiles of 512 and 1,024; in tiles of 128 to 2,048; in every tile but 512."""
    some, every = [tile for tile in found if found[tile]], list(found)
    if not some or some == every:
        return "in every tile" if some else "in no tile"
    first = every.index(some[0])
    if len(some) > 2 and some == every[first : first + len(some)]:
        return f"in tiles of {some[0]:,} to {some[-1]:,}"
    if len(some) > 2 and len(some) > len(every) / 2:
        others = [tile for tile in every if tile not in some]
        return f"in every tile but {words.listing([f'{tile:,}' for tile in others])}"
    return f"in tiles of {words.listing([f'{tile:,}' for tile in some])}"


def grouped(found: Mapping[tuple, bool], phrase: Callable[[Mapping], str] = tiles_in_words) -> str:
    """plain in tiles of 64; padded in every tile: by the first part of the key; groups without any go."""
    groups: dict[str, dict] = {}
    for (group, level), follows in found.items():
        groups.setdefault(group, {})[level] = follows
    return "; ".join(f"{group} {phrase(of)}" for group, of in groups.items() if any(of.values()))
