"""Lanes from hardware counters: means per instruction; predication is claimed only if counters show it."""

import pytest

from analysis.test.claims import recorded_counts
from analysis.test.made_up_counters import LANES, counters, traffic, with_counters
from experiments.block import lanes
from experiments.block.divergence import analysis as divergence


def recorded(results, **changes):
    """The claim's counts, with equal counters for every case."""
    counts = recorded_counts("divergence")
    timed = traffic("reduce/tree/threads:spaced/index:plain/block:512/tile:1024/cache:cold/n:67108864", 1, 0)
    return with_counters(
        results, counts, [*[counters(row, **LANES | changes) for row in counts], timed], "divergence"
    )


def test_means_per_instruction(folders):
    evidence = recorded(folders[0])
    factors = divergence.case(("reduce", "tree"), "plain", "spaced")
    found = lanes.lanes_of(evidence.counters, **factors)
    assert found == lanes.Lanes(1000, 31.5, 17.6, 50, 0)
    assert lanes.lanes_of(None, **factors) is None
    assert lanes.lanes_of(evidence.counters, algorithm="none") is None


@pytest.mark.parametrize("quantity", lanes.QUANTITIES)
def test_a_missing_counter_is_drawn_around(quantity, folders):
    evidence = recorded(folders[0], **{quantity: None})
    assert divergence.lanes_by_case(evidence.counters) == {}
    assert len(divergence.tables(evidence)) == 1


def test_the_report_describes_lanes(folders):
    evidence = recorded(folders[0])
    rows = divergence.tables(evidence)[1].rows
    assert len(rows) == 10
    assert rows[0] == ["reduction", "plain", "spaced", "1,000", "31.5", "17.6", "50", "0"]
    said = " ".join(divergence.text(evidence))
    assert "In 10 of 10 kernels no branch diverged, as nvcc turns the `if` into predicates" in said
    assert "for 31.5 lanes of a warp on average; 17.6 of them work, and the rest are predicated off." in said


def test_divergent_branches_are_distinguished(folders):
    evidence = recorded(folders[0], divergent_branches=7)
    said = " ".join(divergence.text(evidence))
    assert "In all kernels 70 of 500 branches diverged" in said
    some = [lanes.Lanes(1000, 32.0, 20.0, 50, 0), lanes.Lanes(1000, 22.0, 21.0, 50, 5)]
    first, second = lanes.in_words(some)
    assert first.startswith("In 1 of 2 kernels no branch diverged, as nvcc turns the `if` into predicates")
    few = lanes.Lanes(1000, 32.0, 31.8, 50, 0)
    assert lanes.in_words([some[0], few])[0].startswith("In 2 of 2 kernels no branch diverged. An")
    assert lanes.in_words([few])[0].startswith("In 1 of 1 kernels no branch diverged, and few lanes are")
    assert second.startswith(
        "In the other kernels 5 of 50 branches diverged. An instruction is issued for 22"
    )


@pytest.mark.parametrize("changes", [{"divergent_branches": 1}, {"thread_instructions": 18000}])
def test_no_predicates_without_their_evidence(changes, folders):
    said = " ".join(divergence.text(recorded(folders[0], **changes)))
    assert "diverged" in said and "into predicates" not in said
