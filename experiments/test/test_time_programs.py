"""What ncu measured must be the launch that was predicted: a run that is not has no times; others have."""

import argparse
import csv

import pytest

from experiments.record import time_programs
from experiments.record.recording import RecordError

HEADER = "program,arguments,gpu,launch,kernel,grid,longer\n"
ROWS = 'a,1,h200,2,"add(int*)",4x1x1,1\na,1,h100,2,"add(int*)",4x1x1,1\nb,,h200,1,"add(int*)",4x1x1,1\n'
ROWS += 'b,,h200,2,"add(int*)",4x1x1,1\n'


def measured(blocks: int, us: float) -> dict[str, str]:
    busy = dict.fromkeys(time_programs.BUSY.values(), "1.5")
    size = f"({blocks}, 1, 1)"
    return {"Kernel Name": "add(int *)", "Grid Size": size, time_programs.TIME: f"{1000 * us:,.0f}"} | busy


def test_a_run_that_is_not_as_predicted_has_no_times(tmp_path, monkeypatch) -> None:
    (tmp_path / "some.csv").write_text(HEADER + ROWS)
    blocks = {"a": [4], "b": [4, 5]}  # the first of b's is right
    monkeypatch.setattr(time_programs.recording, "ask_gpu", lambda _: "GPU")
    monkeypatch.setattr(time_programs.counters, "version", lambda: "ncu")
    monkeypatch.setattr(
        time_programs, "profiled", lambda of, _: [measured(each, 1234.5) for each in blocks[of[0]["program"]]]
    )
    options = argparse.Namespace(
        predicted=tmp_path / "some.csv", binaries=tmp_path, out=tmp_path / "times.csv"
    )
    with pytest.raises(RecordError, match="1 of 2 runs without times"):
        time_programs.record(options)
    with (tmp_path / "times.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert (row["program"], row["launch"], row["us"]) == ("a", "2", "1234")  # once, for both GPUs
