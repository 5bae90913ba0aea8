"""Programs as GPUs of other architectures: what the supplement prints of their table."""

from pathlib import Path

import pandas
import pytest

from analysis.core.errors import EvidenceError
from analysis.report.printed.architectures import contents

ROOT = Path(__file__).resolve().parents[2]
HEADER = "set,architecture,build,right,refused,not_compiled,wrong"
OTHER = "set,program,outcome,architectures,builds,count,said"


def printed(folder: Path, rows: list[str], others: list[str] | None = None) -> dict | None:
    (folder / "simt").mkdir(exist_ok=True)
    (folder / "simt/architectures.csv").write_text("\n".join([HEADER, *rows]) + "\n")
    if others is not None:
        (folder / "simt/architectures.other.csv").write_text("\n".join([OTHER, *others]) + "\n")
    return contents(folder)


def test_builds_are_added_and_a_set_that_did_not_run_is_told(tmp_path: Path) -> None:
    rows = [
        "kernels,75,optimised,3,1,0,0",
        "agreement,75,optimised,5,0,1,0",
        "agreement,75,unoptimised,4,0,1,1",
    ]
    found = printed(tmp_path, [*rows, "agreement,80,optimised,6,0,0,0"])
    assert found["sets"] == ["kernels", "agreement"]
    assert found["rows"] == [
        {"architecture": "sm_75", "cells": [{"right": 3, "all": 4}, {"right": 9, "all": 12}]},
        {"architecture": "sm_80", "cells": [None, {"right": 6, "all": 6}]},
    ]
    assert {name: found[name] for name in ("right", "refused", "not_compiled", "wrong", "all")} == {
        "right": 18,
        "refused": 1,
        "not_compiled": 2,
        "wrong": 1,
        "all": 22,
    }


def test_programs_of_which_the_same_is_said_are_one_row(tmp_path: Path) -> None:
    others = ["kernels,b,refused,75 80,optimised,4,lacks it", "kernels,a,refused,75,optimised,2,lacks it"]
    found = printed(tmp_path, ["kernels,75,optimised,3,6,0,1"], [*others, "kernels,c,wrong,75,optimised,1,"])
    one, other = found["others"]
    assert one == {
        "outcome": "refused",
        "said": "lacks it",
        "architectures": "sm_75 and sm_80",
        "programs": ["a", "b"],
        "count": 6,
    }
    assert (other["outcome"], other["said"], other["architectures"]) == ("wrong", "", "sm_75")


def test_without_a_table_nothing_is_printed_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    assert contents(tmp_path) is None
    (tmp_path / "simt").mkdir()
    (tmp_path / "simt/architectures.csv").write_text("set,architecture\n")
    with pytest.raises(EvidenceError, match=r"architectures\.csv: it lacks build"):
        contents(tmp_path)


def test_all_that_is_recorded_is_printed_and_nothing_is_wrong() -> None:
    table = pandas.read_csv(ROOT / "results/simt/architectures.csv")
    found = contents(ROOT / "results")
    assert set(found["sets"]) == set(table["set"])
    assert found["wrong"] == 0
    assert sum(each["count"] for each in found["others"]) == found["all"] - found["right"]
