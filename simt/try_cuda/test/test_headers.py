"""Calls of kernels/fast read nothing that is not set, optimised or not."""

from pathlib import Path

import pytest

from experiments.test.project import ROOT


@pytest.mark.full
def test_the_headers_read_nothing_that_was_never_written(attempt):
    result = attempt(Path(__file__).with_name("headers.cu"), "-I", ROOT, "--seeds", 1, "--limit", 300)
    assert result.status == 0, result.errors
    assert "not to its end" not in result.errors
