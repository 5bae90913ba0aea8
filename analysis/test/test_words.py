"""Formatting of ratios and numbers in sentences."""

import pytest

from analysis.core import words


@pytest.mark.parametrize(
    ("ratios", "said"),
    [
        ([0.00435, 2.66], "0.38 to 230 times as fast as X"),
        ([1.16, 2.32], "0.43 to 0.86 times as fast as X"),
        ([0.3, 0.7], "1.43 to 3.3 times as fast as X"),
        ([1.0, 1.9], "0.53 to 1.00 times as fast as X"),
        ([0.5, 1.001], "1.00 to 2.0 times as fast as X"),
        (0.42, "2.4 times as fast as X"),
        ([1.001, 0.999], "1.00 times as fast as X"),
        ({"a": 0.02, "b": 0.004}, "50 (a) to 250 (b) times as fast as X"),
        ({"a": 0.5, "b": 4.0, "c": 1.0}, "0.25 (b) to 2.0 (a) times as fast as X"),
        ({"a": 1.0, "b": 4.0}, "0.25 (b) to 1.00 (a) times as fast as X"),
        ({"a": 1.25}, "0.80 times as fast as X"),
        ({"a": 2.0, "b": 2.001}, "0.50 times as fast as X"),
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
