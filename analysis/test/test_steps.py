"""A step that fails is told, and none begins after it."""

import os
from multiprocessing import popen_fork

from analysis.core.steps import Step, side_by_side


def test_a_failure_is_told_though_its_status_comes_late(monkeypatch):
    """The pipe of a process closes before its status is there: asked in between, it seems to run."""
    poll, asked = popen_fork.Popen.poll, []

    def late(process, flag=os.WNOHANG):
        status = poll(process, flag)
        if status is None or process.pid in asked:
            return status
        asked.append(process.pid)
        return None if flag == os.WNOHANG else status

    monkeypatch.setattr(popen_fork.Popen, "poll", late)
    steps = [Step(lambda _: 7, (), ("first",)), Step(lambda _: 0, (), ("second",))]
    assert side_by_side(steps, 1) == 7
    assert len(asked) == 1, "the second began"
