"""What the clock is judged by: recorded times, by the names of their cases."""

from simt.clock import judge


def test_recorded_times_are_found_by_case():
    times = judge.times_of(judge.ROOT / "results/nvidia-h100/work.jsonl")
    assert times
    assert all(us > 0 and "/n:" not in case for case, us in times.items())
    assert 0 < judge.next_launch_us("nvidia-h200") < 5
