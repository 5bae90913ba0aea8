"""Words that a warp stores in a row have each a past of its own, though it looks alike."""

from simt.test import programs


def test_one_lane_stores_the_others_words_before() -> None:
    done = programs.run("machine", "words_in_a_row", checks=True)
    assert done.status == 3
    assert "this write and the write by thread (4, 0, 0) at words_in_a_row.cu:" in done.errors
    assert "thread (5, 0, 0)" in done.errors


def test_after_a_warp_sync_no_word_races() -> None:
    done = programs.run("machine", "words_in_a_row", "synced", checks=True)
    assert (done.status, done.errors) == (0, "")
