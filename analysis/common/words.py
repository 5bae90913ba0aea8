"""Numbers and lists as the figures, tables and sentences print them."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from analysis.common.statistics import Median

SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
NOTHING = "–"


def integer(value: float | None) -> str:
    """1234567 as 1,234,567; a missing value as a dash."""
    return NOTHING if value is None else f"{value:,.0f}"


def decimal(value: float | None, digits: int = 2) -> str:
    return NOTHING if value is None else f"{value:,.{digits}f}"


def digits_apart(value: float, limits: Iterable[float], least: int) -> int:
    """As many decimals, at least these, as it takes to print on which side of the limits a value lies."""
    known = list(limits)
    for digits in range(least, 9):
        if all((value < limit) == (round(value, digits) < round(limit, digits)) for limit in known):
            break
    return digits


def power(value: int) -> str:
    """A power of two from 2048 on as 2¹¹, any other number as it is."""
    exponent = value.bit_length() - 1
    if exponent > 10 and value == 1 << exponent:
        return "2" + str(exponent).translate(SUPERSCRIPTS)
    return integer(value)


def raised(text: str) -> str:
    """The text with exponents raised: 2^28 as 2²⁸."""
    return re.sub(r"\^(-?\d+)", lambda found: found[1].translate(SUPERSCRIPTS), text)


def significant(value: float) -> str:
    """For tables: three significant digits, or all before the point."""
    return f"{value:,.0f}" if value >= 99.95 else f"{value:#.3g}"


def rounded(value: float, digits: int = 3) -> str:
    """For prose, to that many significant digits: 1761 as 1,760, 4576206 as 4.58 million."""
    if abs(value) >= 1e6:
        return f"{rounded(value / 1e6, digits)} million"
    places = digits - 1 - math.floor(math.log10(abs(value))) if value else 0
    return f"{round(value, places):,.{max(places, 0)}f}"


def about(count: int) -> str:
    """A count in prose: 999, 64,800, 1.05 million."""
    return integer(count) if count < 1000 else rounded(count)


def microseconds(time: Median | None) -> str:
    return NOTHING if time is None else significant(time.value)


def in_microseconds(value: float) -> str:
    """For prose: 1234.5 as "1,230 µs"."""
    return f"{rounded(value)} µs"


def interval(time: Median | None) -> str:
    """Median and confidence interval, in microseconds."""
    if time is None:
        return NOTHING
    return f"{significant(time.value)} [{significant(time.low)}, {significant(time.high)}]"


def share(value: float) -> str:
    """0.5 as 50%."""
    return f"{value:.0%}"


def percent(ratio: float) -> str:
    """1.25 as "25% more", 0.9 as "10% less", 0.997 as "0.3% less"."""
    change = abs(ratio - 1) * 100
    return f"{change:.{0 if change >= 1 else 1}f}% {'more' if ratio >= 1 else 'less'}"


def faster_or_slower(ratio: float) -> str:
    """A ratio of times in words: 0.42 as "2.4 times faster", 1.16 as "1.16 times slower"; 1 as ""."""
    factor = max(ratio, 1 / ratio)
    said = f"{factor:.2f}" if factor < 1.995 else rounded(factor, 2)
    return "" if said == "1.00" else f"{said} times {'slower' if ratio > 1 else 'faster'}"


def pace(ratios: float | Iterable[float] | Mapping[str, float], other: str) -> str:
    """Ratios of times in words: "from 230 times faster to 2.7 times slower than the cursor".

    A mapping names its extremes: "from 1.04 times faster (64) to 2.9 times slower (128) than the cursor".
    """
    if isinstance(ratios, Mapping):
        if len(ratios) > 1:
            names = sorted((min(ratios, key=ratios.get), max(ratios, key=ratios.get)), key=ratios.get)
            if ratios[names[1]] < 1:
                names.reverse()  # the greater factor last
            ends = [faster_or_slower(ratios[name]) for name in names]
            if ends[0] == ends[1]:
                return pace(ratios.values(), other)
            if "" in ends:
                neither = f"no {max(ends).split()[-1]}"
                ends = [end or neither for end in ends]
            elif ends[0].split()[-1] == ends[1].split()[-1]:
                ends[0] = ends[0].split()[0]
            return f"from {ends[0]} ({names[0]}) to {ends[1]} ({names[1]}) than {other}"
        ratios = ratios.values()
    values = [ratios] if isinstance(ratios, int | float) else list(ratios)
    low, high = (faster_or_slower(end) for end in (min(values), max(values)))
    if not low and not high:
        return f"as fast as {other}"
    if low and high:
        if low == high:
            return f"{low} than {other}"
        if low.split()[-1] != high.split()[-1]:
            return f"from {low} to {high} than {other}"
        least, most = (low, high) if max(values) > 1 else (high, low)
        return f"{least.split()[0]} to {most} than {other}"
    return f"up to {low or high} than {other}"


def extremes(values: Mapping[str, float], number: Callable[[float], str]) -> str:
    """20% (reduction) to 100% (Sklansky): the least and the greatest, with their names."""
    ends = min(values, key=values.get), max(values, key=values.get)
    low, high = (f"{number(values[name])} ({name})" for name in ends)
    if len(values) > 1 and number(values[ends[0]]) == number(values[ends[1]]):
        return number(values[ends[0]])
    return low if len(values) == 1 else f"{low} to {high}"


def more_time(ratio: float) -> str:
    """25% more time."""
    return f"{percent(ratio)} time"


def small(count: int) -> str:
    """A number up to nine as a word."""
    names = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    return names[count] if count < len(names) else integer(count)


def with_article(name: str) -> str:
    """an NVIDIA H200, a Quadro: by the sound of the first letter if the name begins with an abbreviation."""
    spoken_with_vowel = "AEFHILMNORSX" if name[:2].isupper() else "AEIO"
    return f"{'an' if name[:1] in spoken_with_vowel else 'a'} {name}"


def listing(words: Sequence[str], last: str = "and") -> str:
    """a, b and c."""
    words = list(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def span(values: Iterable[float], number: Callable[[float], str] = "{:.2f}".format) -> str:
    """0.98 to 1.25; one number if both ends look the same."""
    values = list(values)
    low, high = number(min(values)), number(max(values))
    return low if low == high else f"{low} to {high}"


def plural(count: float, one: str, many: str = "") -> str:
    """1 launch, 2 launches; `many` if it is not one with an s."""
    return f"{integer(count)} {one if count == 1 else many or one + 's'}"
