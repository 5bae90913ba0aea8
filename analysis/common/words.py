"""Numbers and lists as the figures, tables and sentences print them."""

import re
from collections.abc import Callable, Iterable, Sequence

from analysis.common.statistics import Median

SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
NOTHING = "–"


def integer(value: float | None) -> str:
    """1234567 as 1,234,567; a missing value as a dash."""
    return NOTHING if value is None else f"{value:,.0f}"


def decimal(value: float | None, digits: int = 2) -> str:
    return NOTHING if value is None else f"{value:,.{digits}f}"


def power(value: int) -> str:
    """A power of two from 2048 on as 2¹¹, any other number as it is."""
    exponent = value.bit_length() - 1
    if value == 1 << exponent and exponent > 10:
        return "2" + str(exponent).translate(SUPERSCRIPTS)
    return integer(value)


def raised(text: str) -> str:
    """The text with exponents raised: 2^28 as 2²⁸."""
    return re.sub(r"\^(\d+)", lambda found: found[1].translate(SUPERSCRIPTS), text)


def significant(value: float) -> str:
    """Three figures, or all before the point."""
    return f"{value:,.0f}" if value >= 99.95 else f"{value:#.3g}"


def microseconds(time: Median | None) -> str:
    return NOTHING if time is None else significant(time.value)


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


def small(count: int) -> str:
    """A number up to nine in letters."""
    names = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    return names[count] if count < len(names) else integer(count)


def with_article(name: str) -> str:
    """an NVIDIA H200, a Quadro: by how the first letter is spoken if the name begins with an abbreviation."""
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
