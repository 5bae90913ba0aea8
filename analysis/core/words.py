"""Numbers and lists as the figures, tables and sentences print them."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from analysis.core.statistics import Median

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


def short_share(value: float) -> str:
    """0.5 as 50%, 0.09 as 9.0%."""
    return f"{value:.0%}" if value >= 0.1 else f"{value:.1%}"


def apart(ratio: float) -> str:
    """1.012 as 1.2%."""
    return f"{ratio - 1:.1%}"


def ulps(value: float) -> str:
    return f"{rounded(value)} ulps"


def factor(value: float) -> str:
    """A factor in prose: 1.48, 0.38, 230: two decimals below two, else two digits."""
    return f"{value:.2f}" if 0.095 <= value < 1.995 else rounded(value, 2)


def times(factors: Iterable[float] | Mapping[str, float]) -> str:
    """1.48 times; 1.18 to 1.22 times; of a mapping 0.37 (mean 8) to 230 (one long run) times."""
    if isinstance(factors, Mapping) and len(factors) > 1:
        return f"{extremes(factors, factor)} times"
    values = factors.values() if isinstance(factors, Mapping) else factors
    return f"{span(values, factor)} times"


def gains(ratios: float | Iterable[float] | Mapping[str, float]):
    """Of ratios of times, how many times as fast; a list begins with the least."""
    if isinstance(ratios, Mapping):
        return {name: 1 / ratio for name, ratio in ratios.items()}
    return sorted(1 / ratio for ratio in ([ratios] if isinstance(ratios, int | float) else ratios))


def pace(ratios: float | Iterable[float] | Mapping[str, float], other: str) -> str:
    """Ratios of times in words: 1.18 to 1.22 times as fast as the other."""
    return f"{times(gains(ratios))} as fast as {other}"


def extremes(values: Mapping[str, float], number: Callable[[float], str]) -> str:
    """20% (reduction) to 100% (Sklansky): the least and the greatest, with their names."""
    ends = min(values, key=values.get), max(values, key=values.get)
    low, high = (f"{number(values[name])} ({name})" for name in ends)
    if len(values) > 1 and number(values[ends[0]]) == number(values[ends[1]]):
        return number(values[ends[0]])
    return low if len(values) == 1 else f"{low} to {high}"


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
