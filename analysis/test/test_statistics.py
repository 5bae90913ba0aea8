"""Medians and their intervals against values known from tables of the binomial distribution."""

import pytest

from analysis.core.statistics import coverage, median, widest_rank

# Samples, rank of the interval's lower end, confidence in percent.
TABLE = [
    (6, 1, 96.9),
    (8, 1, 99.2),
    (9, 2, 96.1),
    (10, 2, 97.9),
    (15, 4, 96.5),
    (20, 6, 95.9),
    (100, 40, 96.5),
]


@pytest.mark.parametrize(("count", "rank", "percent"), TABLE)
def test_ranks(count, rank, percent):
    assert widest_rank(count) == rank
    assert coverage(count, rank) * 100 == pytest.approx(percent, abs=0.05)
    assert coverage(count, rank + 1) < 0.95


def test_median_and_interval_are_order_statistics():
    found = median([7, 1, 9, 3, 5, 2, 8, 4, 10, 6])
    assert (found.value, found.low, found.high, found.count) == (5.5, 2, 9, 10)


def test_few_samples_give_their_range_and_admit_it():
    found = median([3.0, 1.0, 2.0])
    assert (found.value, found.low, found.high) == (2.0, 1.0, 3.0)
    assert found.level == pytest.approx(0.75)
    assert median([4.0]).level == 0


def test_an_outlier_does_not_move_the_interval():
    assert median([1.0] * 14 + [1000.0]).high == 1.0


def test_below_needs_intervals_apart():
    low, high, between = median([1, 2, 3] * 3), median([4, 5, 6] * 3), median([2, 3, 4, 5] * 3)
    assert low.below(high) and not high.below(low)
    assert not low.below(between) and not between.below(high)


def test_no_samples_have_no_median():
    with pytest.raises(ValueError, match="no median"):
        median([])
