"""Formatting of ratios and numbers in sentences."""

import pytest

from analysis.common import words


@pytest.mark.parametrize(
    ("ratios", "said"),
    [
        ([0.00435, 2.66], "from 230 times faster to 2.7 times slower than X"),
        ([1.16, 2.32], "1.16 to 2.3 times slower than X"),
        ([0.3, 0.7], "1.43 to 3.3 times faster than X"),
        ([1.0, 1.9], "up to 1.90 times slower than X"),
        ([0.5, 1.001], "up to 2.0 times faster than X"),
        (0.42, "2.4 times faster than X"),
        ([1.001, 0.999], "as fast as X"),
        ({"a": 0.02, "b": 0.004}, "from 50 (a) to 250 times faster (b) than X"),
        ({"a": 0.5, "b": 4.0, "c": 1.0}, "from 2.0 times faster (a) to 4.0 times slower (b) than X"),
        ({"a": 1.0, "b": 4.0}, "from no slower (a) to 4.0 times slower (b) than X"),
        ({"a": 1.25}, "1.25 times slower than X"),
        ({"a": 2.0, "b": 2.001}, "2.0 times slower than X"),
    ],
)
def test_ratios_of_times(ratios, said):
    assert words.pace(ratios, "X") == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(1761, "1,760"), (4576206, "4.58 million"), (17.44, "17.4"), (0.0303, "0.0303"), (0, "0")],
)
def test_three_significant_digits(value, said):
    assert words.rounded(value) == said


@pytest.mark.parametrize(
    ("value", "limits", "digits"),
    [
        (0.93, [0.95], 2),
        (1.698, [1.7], 3),
        (0.9521, [0.9524], 4),
        (0.9798, [0.96, 0.98], 4),
        (0.98, [0.98], 2),
    ],
)
def test_digits_tell_on_which_side_of_its_limits_a_value_lies(value, limits, digits):
    assert words.digits_apart(value, limits, 2) == digits


def test_extremes_are_named():
    assert words.extremes({"a": 0.2, "b": 1.0, "c": 0.5}, words.share) == "20% (a) to 100% (b)"
    assert words.extremes({"a": 0.2}, words.share) == "20% (a)"
