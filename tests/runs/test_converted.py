"""Nothing is lost by the new form: each recording is compared with the file that it takes the place of.

Together with those files this test goes with the next commit.
"""

import json
from pathlib import Path

import pytest

from analysis.common import recorded

ROOT = Path(__file__).resolve().parents[2]
OLD = sorted(path.relative_to(ROOT) for path in ROOT.glob("results/**/*.json"))
OF_GOOGLE_BENCHMARK = {
    *("family_index", "per_family_instance_index", "run_name", "run_type", "repetitions", "iterations"),
    *("repetition_index", "threads", "time_unit", "real_time", "cpu_time", "name"),
}


def rows_of(document: dict) -> list[dict]:
    """Every repetition in full: a row without a name continues the case before."""
    found, first = [], {}
    for row in document["benchmarks"]:
        first = row if "name" in row else first
        found.append(first | row)
    return found


def test_all_are_there():
    assert len(OLD) == 104
    assert {path.with_suffix(".jsonl") for path in OLD} == {
        path.relative_to(ROOT) for path in ROOT.glob("results/**/*.jsonl") if path.name != "page.traces.jsonl"
    }


@pytest.mark.parametrize("path", OLD, ids=str)
def test_no_sample_and_no_quantity_is_lost(path):
    document, made = json.loads((ROOT / path).read_text()), recorded.read((ROOT / path).with_suffix(".jsonl"))
    old, context = document["context"], made.context
    assert context.claim == old["claim"]["id"]
    assert context.rule == recorded.rule_of(old["claim"]["fails_if"])
    for name in ("machine", "provenance", "skipped"):
        assert getattr(context, name) == old[name]
    assert context.metrics == old.get("metrics", {})
    rows, cases = rows_of(document), {case["name"]: case for case in made.full()}
    assert list(cases) == list(dict.fromkeys(row["name"] for row in rows)), "the cases, in their order"
    seen = dict.fromkeys(cases, 0)
    for row in rows:
        case, index = cases[row["name"]], seen[row["name"]]
        seen[row["name"]] += 1
        assert row.get("repetition_index", 0) == index
        quantities = row.keys() - OF_GOOGLE_BENCHMARK
        assert quantities == case.keys() - {"name", "times_us"}
        for quantity in quantities:
            value = case[quantity]
            assert (value[index] if isinstance(value, list) else value) == row[quantity], quantity
        if "times_us" in case:
            assert case["times_us"][index] == row["real_time"] and row["time_unit"] == "us"
        elif context.machine["kind"] == "simt":
            assert row["real_time"] == 0
    assert all(len(case.get("times_us", [0])) == seen[name] for name, case in cases.items())
