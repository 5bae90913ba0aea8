"""Hardware counters equal the counts or differ for a proven cause; any other difference is detected."""

import json
import shutil
from pathlib import Path

import pandas
import pytest

from analysis.__main__ import main
from analysis.agreement.causes import CAUSES, UNEXPLAINED
from analysis.agreement.cells import QUANTITIES, cells, tally, unmatched
from analysis.agreement.document import compare
from analysis.agreement.drawing import outliers
from analysis.common.errors import EvidenceError
from analysis.common.loading import REFERENCE_GPU, load
from analysis.common.recorded import read, text_of
from analysis.common.report import NO_ORDER
from tests.analysis.made_up import document, timed_rows, write
from tests.analysis.made_up_counters import (
    CASE,
    counted,
    counters,
    counters_document,
    merged,
    traffic,
    with_counters,
    write_counters,
)

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = sorted(path.stem for path in ROOT.glob("experiments/*.cu"))
RECORDED = sorted(ROOT.glob("results/*/*.counters.jsonl"))
recorded = pytest.mark.skipif(
    not RECORDED, reason="no hardware counters of any GPU are committed: make counters reads them"
)


# --- The recorded counters against fresh counts ------------------------------------------------------


@pytest.fixture(scope="session", params=["recorded", pytest.param("new", marks=pytest.mark.full)])
def fresh(request, tmp_path_factory) -> Path:
    """The counts of the current kernels, and the recorded counters of the reference GPU. `make test` does not
    count: it takes the counts that are there."""
    counts = {claim: ROOT / f"results/simt/{claim}.jsonl" for claim in CLAIMS}
    older = [
        claim for claim, path in counts.items() if not newer(path, ROOT / "build/simt/experiments" / claim)
    ]
    if older and request.param == "new":
        pytest.fail(
            f"results/simt is older than the kernels of {', '.join(older)}: run make figures", pytrace=False
        )
    results = tmp_path_factory.mktemp("fresh")
    (results / "simt").mkdir()
    (results / REFERENCE_GPU).mkdir()
    for path in [*counts.values(), *ROOT.glob(f"results/{REFERENCE_GPU}/*.counters.jsonl")]:
        shutil.copy(path, results / path.parent.name)
    return results


def newer(path: Path, than: Path) -> bool:
    return path.exists() and than.exists() and path.stat().st_mtime >= than.stat().st_mtime


@pytest.fixture(scope="session")
def table(fresh) -> pandas.DataFrame:
    return table_of(fresh)


def table_of(results: Path):
    (only,) = compare(results)
    assert only.folder == REFERENCE_GPU
    return only.cells


@recorded
def test_every_cell_is_equal_or_differs_for_a_proven_cause(table):
    wrong = table[table["cause"] == UNEXPLAINED]
    assert wrong.empty, wrong.to_string()


@recorded
def test_nearly_all_cells_are_equal(table):
    found = tally(table)
    assert found["equal"] >= 0.95 * found["cells"] > 0, found
    assert found["all_three_equal"] >= 0.95 * found["stated"] > 0, found


@recorded
@pytest.mark.parametrize("claim", CLAIMS)
def test_every_counted_case_has_counters(fresh, claim):
    (found,) = load(fresh, claim)
    if found.counters is None and found.claim["order"] >= NO_ORDER:
        pytest.skip("a draft, whose counters no GPU has been asked for yet")
    if found.counters is None and not (ROOT / f"results/{REFERENCE_GPU}/{claim}.jsonl").exists():
        pytest.skip("recorded on no GPU yet: neither times nor counters")
    assert found.counters is not None, (
        f"results/{REFERENCE_GPU}/{claim}.counters.jsonl: missing; run make counters"
    )
    found = unmatched(found.counted, found.counters)
    assert found == {"not_profiled": [], "not_counted": []}


@recorded
def test_every_quantity_is_compared(table):
    assert set(table["quantity"]) == set(QUANTITIES)


@recorded
@pytest.mark.parametrize("quantity", QUANTITIES)
def test_a_doctored_count_is_noticed(fresh, table, quantity, tmp_path):
    """Add one to the first count of this quantity that equals its counter."""
    doctored = table.query("quantity == @quantity and cause == ''").iloc[0]
    claim = doctored["claim"]
    for name in (f"simt/{claim}.jsonl", f"{REFERENCE_GPU}/{claim}.counters.jsonl"):
        (tmp_path / name).parent.mkdir()
        shutil.copy(fresh / name, tmp_path / name)
    path = tmp_path / f"simt/{claim}.jsonl"
    content = read(path)
    row = next(row for row in content.cases if row["name"] == doctored["case"])
    row["bulk_sectors_stored" if quantity == "bulk_bytes_stored" else quantity] += 1
    path.write_text(text_of(content))
    after = table_of(tmp_path)
    wrong = after[(after["case"] == doctored["case"]) & (after["quantity"] == quantity)]
    assert UNEXPLAINED in wrong["cause"].tolist()


# --- Cells and causes ---------------------------------------------------------------------------------


def compared(results: Path, count: dict, hardware: dict):
    """Cause by quantity; "" if count and counter are equal."""
    found = with_counters(results, [count], [hardware])
    return cells(found.counted, found.counters).set_index("quantity")["cause"].to_dict()


def differing(causes: dict) -> dict:
    return {quantity: cause for quantity, cause in causes.items() if cause}


def test_equal_cells_have_no_cause(folders):
    found = with_counters(folders[0], [counted()], [counters(counted())])
    table = cells(found.counted, found.counters)
    assert table["quantity"].tolist() == list(QUANTITIES)
    assert table["predicted"].notna().sum() == 1
    assert tally(table) == {
        "cells": 12,
        "equal": 12,
        "explained": 0,
        "unexplained": 0,
        "stated": 1,
        "all_three_equal": 1,
    }


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("by", [-1, 1])
def test_a_difference_without_a_proof_is_unexplained(quantity, by, folders):
    hardware = counters(counted(), **{quantity: counted()[quantity] + by})
    assert differing(compared(folders[0], counted(), hardware)) == {quantity: UNEXPLAINED}


def test_a_bulk_store_counts_in_whole_sectors(folders):
    count = counted("compact/ours/n:16384") | {"bulk_bytes_stored": 4016, "bulk_sectors_stored": 128}
    causes = compared(folders[0], count, counters(count, bulk_bytes_stored=4096))
    assert causes["bulk_bytes_stored"] == ""
    causes = compared(folders[0], count, counters(count, bulk_bytes_stored=4016))
    assert causes["bulk_bytes_stored"] == UNEXPLAINED


@pytest.mark.parametrize(("more", "cause"), [(4096, "members apart"), (4095, UNEXPLAINED)])
def test_a_struct_whose_members_are_accessed_apart(folders, more, cause):
    count = counted("scan/blelloch/operator:affine/bytes:8/n:16384") | {"elements_of_parts": 1}
    sectors = count["global_load_sectors"] + more
    hardware = counters(count, global_load_sectors=sectors, global_store_sectors=sectors)
    assert set(differing(compared(folders[0], count, hardware)).values()) == {cause}
    of_numbers = count | {"elements_of_parts": 0}
    assert set(differing(compared(folders[0], of_numbers, hardware)).values()) == {UNEXPLAINED}


def test_shared_accesses_of_segmented_sums_are_not_compared(folders):
    count = counted("scan/blelloch/operator:segmented_sum/bytes:8/n:16384") | {"elements_of_parts": 1}
    hardware = counters(count, shared_load_requests=1, barriers=1)
    assert differing(compared(folders[0], count, hardware)) == {"barriers": UNEXPLAINED}


def test_a_wrong_prediction_is_not_hidden_by_equal_counters(folders):
    count = counted(predicted_ops=1)
    assert differing(compared(folders[0], count, counters(count))) == {"ops": UNEXPLAINED}


def test_what_one_side_does_not_say_is_no_cell(folders):
    hardware = counters(counted(), bank_conflicts=None)
    del hardware["barriers"]
    found = compared(folders[0], counted(), hardware)
    assert set(QUANTITIES) - set(found) == {"bank_conflicts", "barriers"}


def test_what_depends_on_the_order_of_blocks_is_no_cell(folders):
    count = counted(volatile_load_requests=3)
    hardware = counters(count, ops=1, global_load_sectors=9999, launches=2)
    assert set(compared(folders[0], count, hardware)) == set(QUANTITIES) - {"ops", "global_load_sectors"}
    assert differing(compared(folders[0], count, hardware)) == {"launches": UNEXPLAINED}


def test_stores_to_places_that_a_cursor_draws_are_no_cell(folders):
    count = counted() | {"places_by_order": 1}
    hardware = counters(counted(), global_store_sectors=9999, global_load_sectors=9999)
    found = compared(folders[0], count, hardware)
    assert set(found) == set(QUANTITIES) - {"global_store_sectors"}
    assert differing(found) == {"global_load_sectors": UNEXPLAINED}


def test_operations_on_integers_are_no_cell(folders):
    hardware = counters(counted(), ops=0, operator_instructions=0)
    assert "ops" not in compared(folders[0], counted(), hardware)
    hardware = counters(counted(), ops=0, operator_instructions=1)
    assert differing(compared(folders[0], counted(), hardware)) == {"ops": UNEXPLAINED}


def test_merged_accesses_are_proven(folders):
    found = differing(compared(folders[0], counted(), merged(counted(), loads=2048, stores=1024)))
    assert set(found.values()) == {"merged"}
    assert set(found) == set(CAUSES[0].quantities)


def test_merged_accesses_to_vectors_of_the_cases_own_are_taken_for_four_bytes(folders):
    hardware = merged(counted(), loads=2048, stores=1024) | {"element_bytes": 0}
    assert set(differing(compared(folders[0], counted(), hardware)).values()) == {"merged"}


def test_merged_accesses_of_half_a_warp_save_no_conflict(folders):
    count = counted()
    hardware = merged(count, loads=4, stores=0) | {
        "shared_load_wavefronts": count["shared_load_wavefronts"] - 4,
        "bank_conflicts": count["bank_conflicts"],
    }
    found = differing(compared(folders[0], count, hardware))
    assert found == {"shared_load_requests": "merged", "shared_load_wavefronts": "merged"}


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({}, "idle lanes add"),
        ({"operator_instructions": 2}, UNEXPLAINED),
        ({"operator_instructions": None}, UNEXPLAINED),
        ({"thread_instructions": 21}, UNEXPLAINED),
        ({"ops": 3}, UNEXPLAINED),
    ],
)
def test_idle_lanes_that_add_are_proven_by_the_instructions(changes, cause, folders):
    count = counted("scan/hillis_steele/n:2", ops=1, predicted_ops=1)
    lanes = {"operator_instructions": 1, "warp_instructions": 10, "thread_instructions": 20}
    hardware = counters(count, **({"ops": 2} | lanes | changes))
    assert differing(compared(folders[0], count, hardware)) == {"ops": cause}


FALSE = {
    "wide accesses are too few": {"wide_shared_loads": 2047},
    "wide accesses are too many": {"wide_shared_stores": 1025},
    "wide accesses are not known": {"wide_shared_loads": None},
    "no wide access": {"wide_shared_loads": 0, "wide_shared_stores": 0},
    "a request too few": {"shared_load_requests": 11264 - 2049},
}


@pytest.mark.parametrize("why", FALSE)
def test_a_false_cause_is_refused(why, folders):
    hardware = merged(counted(), loads=2048, stores=1024) | FALSE[why]
    found = differing(compared(folders[0], counted(), hardware))
    assert set(found.values()) == {UNEXPLAINED}


@pytest.mark.parametrize("quantity", ["shared_load_wavefronts", "shared_store_wavefronts", "bank_conflicts"])
@pytest.mark.parametrize("by", [-1, 1])
def test_a_cause_must_hold_to_the_last_unit(quantity, by, folders):
    hardware = merged(counted(), loads=2048, stores=1024)
    hardware[quantity] += by
    found = differing(compared(folders[0], counted(), hardware))
    assert found["shared_load_requests"] == "merged"
    assert found[quantity] == UNEXPLAINED


def test_causes_have_names_of_their_own():
    names = [cause.name for cause in CAUSES]
    assert len(set(names)) == len(names) and UNEXPLAINED not in names
    assert all(set(cause.quantities) <= set(QUANTITIES) for cause in CAUSES)


def test_cases_that_only_one_side_has_are_named(folders):
    timed = traffic("scan/blelloch/cache:cold/n:1024", 1, 1)
    hardware = [counters(counted("scan/b/n:2")), counters(counted("scan/c/n:2")), timed]
    found = with_counters(folders[0], [counted("scan/a/n:2"), counted("scan/b/n:2")], hardware)
    assert unmatched(found.counted, found.counters) == {
        "not_profiled": ["scan/a/n:2"],
        "not_counted": ["scan/c/n:2"],
    }


# --- Output -------------------------------------------------------------------------------------------


def agree(folders) -> dict:
    results, figures = folders
    assert main(["--agreement", f"--results={results}", f"--figures={figures}"]) == 0
    return json.loads((figures / "agreement.json").read_text())


def names(figures: Path) -> set[str]:
    return {path.name for path in figures.iterdir()}


def test_without_counters_it_says_so(folders):
    write(folders[0], "simt", document("demo", [counted()]))
    assert agree(folders) == {
        "gpus": [],
        "text": "No hardware counters have been recorded; make counters records them.",
    }
    assert names(folders[1]) == {"agreement.json"}


def test_the_whole_table_is_written(folders):
    with_counters(folders[0], [counted()], [merged(counted(), 2048, 1024)])
    (gpu,) = agree(folders)["gpus"]
    lines = (folders[1] / "agreement.csv").read_text().splitlines()
    assert len(lines) == 1 + len(QUANTITIES)
    assert lines[0] == "gpu,claim,kernel,case,quantity,predicted,counted,hardware,difference,cause"
    assert lines[1] == f"nvidia-h200,demo,scan/blelloch,{CASE},ops,130944,130944,130944,0,"
    assert lines[2] == f"nvidia-h200,demo,scan/blelloch,{CASE},shared_load_requests,,11264,9216,-2048,merged"
    assert gpu["tally"]["explained"] == gpu["causes"][0]["cells"] == 5
    assert gpu["by_claim"]["demo"] == gpu["tally"]


def test_the_same_results_give_the_same_bytes(folders):
    with_counters(
        folders[0],
        [counted()],
        [merged(counted(), 2048, 1024), traffic(f"{CASE[:-8]}/cache:cold/n:64", 1, 1)],
    )
    agree(folders)
    before = {path.name: path.read_bytes() for path in folders[1].iterdir()}
    assert set(before) == {f"agreement.{suffix}" for suffix in ("svg", "json", "csv")}
    shutil.rmtree(folders[1])
    agree(folders)
    assert {path.name: path.read_bytes() for path in folders[1].iterdir()} == before


def test_a_second_gpu_gets_a_figure_of_its_own_and_goes_again(folders):
    with_counters(folders[0], [counted()], [counters(counted())])
    agree(folders)
    before = names(folders[1])
    other = counters_document("demo", [counters(counted(), ops=1)], gpu="A100")
    write_counters(folders[0], other, machine="a100")
    found = agree(folders)
    assert [each["machine"]["name"] for each in found["gpus"]] == ["NVIDIA H200", "A100"]
    assert names(folders[1]) - before == {"agreement.a100.svg"}
    assert [each["tally"]["unexplained"] for each in found["gpus"]] == [0, 1]
    shutil.rmtree(folders[0] / "a100")
    agree(folders)
    assert names(folders[1]) == before
    shutil.rmtree(folders[0] / "nvidia-h200")
    agree(folders)
    assert names(folders[1]) == {"agreement.json"}


def test_counters_of_other_kernels_than_the_times_are_named(folders):
    write(folders[0], "simt", document("demo", [counted()]))
    write(folders[0], "nvidia-h200", document("demo", timed_rows({CASE: 1.0}), gpu="NVIDIA H200", code="new"))
    for code, stale in (("new", []), ("old", ["demo"])):
        write_counters(folders[0], counters_document("demo", [counters(counted())], code=code))
        assert agree(folders)["gpus"][0]["stale"] == stale
        assert load(folders[0], "demo")[0].stale_counters is bool(stale)


def test_outliers_are_one_a_kernel_group_and_cause_the_widest_first(folders):
    other = counted("scan/sklansky/n:2", ops=10, predicted_ops=10)
    hardware = [merged(counted(), 2048, 1024), counters(other, ops=5)]
    found = with_counters(folders[0], [counted(), other], hardware)
    named = outliers(cells(found.counted, found.counters))
    assert named[["kernel", "quantity"]].values.tolist() == [
        ["scan/blelloch", "bank_conflicts"],
        ["scan/blelloch", "shared_load_wavefronts"],
        ["scan/blelloch", "shared_load_requests"],
        ["scan/sklansky", "ops"],
    ]


def table_named(gpu: dict, words: str) -> dict:
    return next(table for table in gpu["tables"] if words in table["caption"])


def test_passes_over_the_vector(folders):
    cold = "cache:cold/n:64"
    rows = [
        traffic(f"scan/blelloch/index:plain/tile:1024/{cold}", 1.25, 1.0),
        traffic(f"scan/blelloch/index:plain/tile:1024/{cold[:-2]}32", 9, 9),
        traffic(f"scan/three_phase/{cold}", 2, 2),
        traffic(f"scan/three_phase/total:reduction/{cold}", 3, 2),  # and a reduction: of no one kernel
        traffic(f"reduce/tree/{cold}", 1, 0),
    ]
    eight = traffic(f"scan/blelloch/bytes:8/{cold}", 1, 1, element=8)
    count = counted(global_bytes_read=4 * 65536, global_bytes_written=4 * 65536)
    own = traffic("scan/look_back/cache:cold/n:128", 7, 7) | {"element_bytes": 0}
    with_counters(folders[0], [count], [counters(count), *rows, eight, own])
    (gpu,) = agree(folders)["gpus"]
    assert table_named(gpu, "Bytes read")["rows"] == [
        ["reduce/tree", "1", "64", "n", "–", "1.000n"],
        ["scan/blelloch", "2", "64", "2n", "2.03n", "2.000–2.250n"],
        ["scan/three_phase", "1", "64", "4n", "–", "4.000n"],
    ]


def test_candidates_for_a_quantity(folders):
    with_counters(folders[0], [counted()], [counters(counted())])
    lines = ["quantity,metric,chosen,case,run,value"]
    for run in range(3):
        lines += [
            f"ops,exact.sum,1,{CASE},{run},130944",
            f"ops,noisy.sum - other.sum,0,{CASE},{run},{130944 + 13094 * run}",
            f"ops,unknown.sum,0,{CASE},{run},None",
        ]
    path = folders[0] / "nvidia-h200/metrics.csv"
    path.write_text("\n".join(lines) + "\n")
    (gpu,) = agree(folders)["gpus"]
    assert table_named(gpu, "Metrics chosen")["rows"] == [
        ["operations", "exact.sum", "chosen", "1 of 1", "none"],
        ["operations", "noisy.sum -\nother.sum", "rejected", "0 of 1", "18.2%"],
        ["operations", "unknown.sum", "rejected", "–", "–"],
    ]
    path.write_text(path.read_text().replace("130944\n", "many\n"))
    with pytest.raises(EvidenceError, match="not a number everywhere"):
        compare(folders[0])
