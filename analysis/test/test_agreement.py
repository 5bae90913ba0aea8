"""Hardware counters equal the counts or differ for a proven cause; any other difference is detected."""

import json
import shutil
from pathlib import Path

import pandas
import pytest

from analysis.__main__ import main
from analysis.core import claims
from analysis.core.agreement import BY_ORDER, QUANTITIES, cells, forms, not_profiled, tally
from analysis.core.causes import OF_COMPILER, UNEXPLAINED
from analysis.core.errors import EvidenceError
from analysis.core.loading import REFERENCE_GPU, load
from analysis.core.plotting import not_shown
from analysis.core.recorded import read, text_of
from analysis.report.agreement.document import compare
from analysis.report.sections import NO_ORDER
from analysis.test.made_up import document, evidence, timed_rows, write
from analysis.test.made_up_counters import (
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
CLAIMS = claims.names()
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
        claim for claim, path in counts.items() if not newer(path, ROOT / "build/gpu/experiments" / claim)
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
def test_what_depends_on_the_order_of_blocks_is_the_smaller_part(table):
    assert tally(table)["by_order"] < 0.1 * len(table)


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
    found = not_profiled(found.counted, found.counters)
    assert found == []


# What the machine counts for it, and is compared.
IN_THE_GPUS_TERMS = {"bulk_bytes_stored": "bulk_sectors_stored", "ops": "float_additions"}


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
    row[IN_THE_GPUS_TERMS.get(quantity, quantity)] += 1
    path.write_text(text_of(content))
    after = table_of(tmp_path)
    wrong = after[(after["case"] == doctored["case"]) & (after["quantity"] == quantity)]
    assert UNEXPLAINED in wrong["cause"].tolist()


# --- Cells and causes ---------------------------------------------------------------------------------


def compared(results: Path, count: dict, hardware: dict):
    """Cause by quantity; "" if count and counter are equal."""
    found = with_counters(results, [count], [hardware])
    return cells(found.counted, found.counters).set_index("quantity")["cause"].to_dict()


def of_forms(results: Path, count: dict):
    """The same of the closed forms."""
    return forms(evidence(results, "demo", [count], None).counted).set_index("quantity")["cause"].to_dict()


def unequal(causes: dict) -> dict:
    return {quantity: cause for quantity, cause in causes.items() if cause}


def test_equal_cells_have_no_cause(folders):
    found = with_counters(folders[0], [counted()], [counters(counted())])
    table = cells(found.counted, found.counters)
    assert table["quantity"].tolist() == list(QUANTITIES)
    number = len(QUANTITIES)
    none = {"explained": 0, "unexplained": 0, "by_order": 0}
    assert tally(table) == {"cells": number, "equal": number} | none
    assert tally(forms(found.counted)) == {"cells": 1, "equal": 1} | none


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("by", [-1, 1])
def test_a_difference_without_a_proof_is_unexplained(quantity, by, folders):
    hardware = counters(counted(), **{quantity: counted()[quantity] + by})
    assert unequal(compared(folders[0], counted(), hardware)) == {quantity: UNEXPLAINED}


def test_a_bulk_store_counts_in_whole_sectors(folders):
    count = counted("compact/ours/n:16384") | {"bulk_bytes_stored": 4016, "bulk_sectors_stored": 128}
    causes = compared(folders[0], count, counters(count, bulk_bytes_stored=4096))
    assert causes["bulk_bytes_stored"] == ""
    causes = compared(folders[0], count, counters(count, bulk_bytes_stored=4016))
    assert causes["bulk_bytes_stored"] == UNEXPLAINED


def test_a_gpu_counts_all_additions_of_floats_and_the_barriers_of_blocks_alone(folders):
    """Also those that are not the operator's, as in atomics; barriers of clusters are no BAR."""
    count = counted() | {"float_additions": counted()["ops"] + 7, "cluster_barriers": 2}
    right = {"ops": counted()["ops"] + 7, "barriers": counted()["barriers"] - 2}
    assert unequal(compared(folders[0], count, counters(counted(), **right))) == {}
    wrong = {"ops": UNEXPLAINED, "barriers": UNEXPLAINED}
    assert unequal(compared(folders[0], count, counters(counted()))) == wrong


def test_a_wrong_prediction_is_not_hidden_by_equal_counters(folders):
    count = counted(predicted_ops=1)
    assert unequal(compared(folders[0], count, counters(count))) == {}
    assert unequal(of_forms(folders[0], count)) == {"ops": UNEXPLAINED}


def test_what_one_side_does_not_say_is_no_cell(folders):
    hardware = counters(counted(), bank_conflicts=None)
    del hardware["barriers"]
    found = compared(folders[0], counted(), hardware)
    assert set(QUANTITIES) - set(found) == {"bank_conflicts", "barriers"}


def test_what_depends_on_the_order_of_blocks_is_not_compared(folders):
    count = counted(varies_ops=1, varies_global_load_sectors=1)
    hardware = counters(counted(), ops=1, global_load_sectors=9999, launches=2)
    by_order = {"ops": BY_ORDER, "global_load_sectors": BY_ORDER}
    assert unequal(compared(folders[0], count, hardware)) == by_order | {"launches": UNEXPLAINED}
    found = with_counters(folders[0], [count], [hardware])
    table = tally(cells(found.counted, found.counters))
    assert (table["cells"], table["by_order"]) == (len(QUANTITIES) - 2, 2)
    assert of_forms(folders[0], count | {"predicted_ops": 1}) == {"ops": BY_ORDER}


def test_operations_on_integers_are_no_cell(folders):
    hardware = counters(counted(), ops=0, operator_instructions=0)
    assert "ops" not in compared(folders[0], counted(), hardware)
    hardware = counters(counted(), ops=0, operator_instructions=1)
    assert unequal(compared(folders[0], counted(), hardware)) == {"ops": UNEXPLAINED}


def test_a_count_that_the_machine_code_does_not_show_is_no_cell(folders):
    count = counted()
    del count["ops"]
    assert "ops" not in compared(folders[0], count, counters(counted()))
    assert of_forms(folders[0], count) == {}


def test_merged_loads_are_proven(folders):
    found = unequal(of_forms(folders[0], merged(counted(), 2048)))
    assert found == dict.fromkeys(OF_COMPILER[0].quantities, "merged")


def test_merged_loads_of_half_a_warp_save_no_conflict(folders):
    count = merged(counted(), 4)
    count["predicted_shared_load_wavefronts"] = count["shared_load_wavefronts"] + 4
    count["predicted_bank_conflicts"] = count["bank_conflicts"]
    merged_alone = {"shared_load_requests": "merged", "shared_load_wavefronts": "merged"}
    assert unequal(of_forms(folders[0], count)) == merged_alone


def test_wide_accesses_to_elements_as_wide_are_not_merged(folders):
    count = merged(counted("scan/blelloch/operator:affine/bytes:8/n:16384"), 2048)
    assert set(unequal(of_forms(folders[0], count)).values()) == {UNEXPLAINED}
    count = merged(counted("scan/blelloch/type:double/n:16384"), 2048)
    assert set(unequal(of_forms(folders[0], count)).values()) == {UNEXPLAINED}


FALSE = {
    "wide loads are too few": {"shared_loads_of_8_bytes": 2047},
    "wide loads are not known": {"shared_loads_of_8_bytes": None},
    "no wide load": {"shared_loads_of_8_bytes": 0},
    "a request too few": {"shared_load_requests": 11264 - 2049},
}


@pytest.mark.parametrize("why", FALSE)
def test_a_false_cause_is_refused(why, folders):
    found = unequal(of_forms(folders[0], merged(counted(), 2048) | FALSE[why]))
    assert set(found.values()) == {UNEXPLAINED}


@pytest.mark.parametrize("quantity", ["shared_load_wavefronts", "bank_conflicts"])
@pytest.mark.parametrize("by", [-1, 1])
def test_a_cause_must_hold_to_the_last_unit(quantity, by, folders):
    count = merged(counted(), 2048)
    count[quantity] += by
    found = unequal(of_forms(folders[0], count))
    assert found["shared_load_requests"] == "merged"
    assert found[quantity] == UNEXPLAINED


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({}, "moved"),
        ({"active_warps": 641 + 1}, UNEXPLAINED),
        ({"active_warps": 300}, UNEXPLAINED),
        ({"warp_ops": 642}, UNEXPLAINED),
        ({"barriers": 1409}, UNEXPLAINED),
    ],
)
def test_an_addition_moved_past_a_barrier_is_proven(changes, cause, folders):
    stated = {"predicted_active_warps": 352, "predicted_warp_ops": 641, "predicted_barriers": 1408}
    count = counted(active_warps=641, warp_ops=641, **stated)
    assert of_forms(folders[0], count | changes)["active_warps"] == cause


def test_cases_that_were_not_profiled_are_named(folders):
    timed = traffic("scan/blelloch/cache:cold/n:1024", 1, 1)
    hardware = [counters(counted("scan/b/n:2")), counters(counted("scan/c/n:2")), timed]
    found = with_counters(folders[0], [counted("scan/a/n:2"), counted("scan/b/n:2")], hardware)
    assert not_profiled(found.counted, found.counters) == ["scan/a/n:2"]


# --- Output -------------------------------------------------------------------------------------------


def agree(folders) -> dict:
    results, figures = folders
    assert main(["--agreement", f"--results={results}", f"--figures={figures}"]) == 0
    return json.loads((figures / "agreement.json").read_text())


def names(figures: Path) -> set[str]:
    return {path.name for path in figures.iterdir()}


def test_without_counters_it_says_so(folders):
    write(folders[0], "simt", document("demo", [counted()]))
    found = agree(folders)
    assert found["gpus"] == [] and found["forms"]["tally"]["equal"] == 1
    assert names(folders[1]) == {"agreement.json"}


def test_the_tables_are_written(folders):
    count = merged(counted(varies_barriers=1), 2048)
    with_counters(folders[0], [count], [counters(count, thread_instructions=31530)])
    found = agree(folders)
    (gpu,) = found["gpus"]
    lines = (folders[1] / "agreement.csv").read_text().splitlines()
    assert lines[0] == "gpu,claim,kernel,quantity,against,code,cells,equal,explained,unexplained,by_order"
    assert len(lines) == 1 + len(QUANTITIES) + 4
    assert ",demo,scan/blelloch,ops,closed form,,1,1,0,0,0" in lines
    assert "nvidia-h200,demo,scan/blelloch,thread_instructions,GPU,same,1,0,0,1,0" in lines
    assert "nvidia-h200,demo,scan/blelloch,barriers,GPU,same,0,0,0,0,1" in lines
    differ = (folders[1] / "agreement.differ.csv").read_text().splitlines()
    assert differ[0] == "gpu,claim,kernel,case,quantity,against,counted,other,difference,cause"
    start = f"demo,scan/blelloch,{CASE}"
    assert f",{start},shared_load_requests,closed form,9216,11264,2048,merged" in differ
    assert f"nvidia-h200,{start},thread_instructions,GPU,31500,31530,30,unexplained" in differ
    assert len(differ) == 1 + 3 + 1
    assert gpu["tally"]["unexplained"] == 1 and gpu["causes"] == []
    assert found["forms"]["tally"]["explained"] == found["forms"]["causes"][0]["cells"] == 3
    assert gpu["kernels"]["scan/blelloch"]["all"] == {
        key: gpu["tally"][key] for key in ("cells", "equal", "by_order")
    }
    (one,) = gpu["differences"]
    assert (one["quantity"], one["equal"], one["cells"], one["widest"]) == (
        "thread instructions",
        0,
        1,
        "+0.1%",
    )


def test_the_same_results_give_the_same_bytes(folders):
    with_counters(
        folders[0],
        [counted()],
        [counters(counted(), ops=1), traffic(f"{CASE[:-8]}/cache:cold/n:64", 1, 1)],
    )
    agree(folders)
    before = {path.name: path.read_bytes() for path in folders[1].iterdir()}
    assert set(before) == {f"agreement.{suffix}" for suffix in ("svg", "json", "csv", "differ.csv")}
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
    assert names(folders[1]) == before
    assert names(not_shown(folders[1])) == {"agreement.a100.svg"}
    assert [each["tally"]["unexplained"] for each in found["gpus"]] == [0, 1]
    shutil.rmtree(folders[0] / "a100")
    agree(folders)
    assert names(folders[1]) == before and not names(not_shown(folders[1]))
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


def test_counts_of_other_machine_code_than_the_counters_are_named(folders):
    write_counters(folders[0], counters_document("demo", [counters(counted())], code="new"))
    for code, other in (("new", []), ("old", ["demo"]), (None, ["demo"])):
        write(folders[0], "simt", document("demo", [counted()], code=code))
        assert agree(folders)["gpus"][0]["other_code"] == other
        said = (folders[1] / "agreement.csv").read_text()
        assert (",GPU,same," in said, ",GPU,other," in said) == (code == "new", code == "old")


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
    names = ("kernel", "cases", "most_n", "predicted", "least_counted", "least", "most")
    assert [tuple(each[name] for name in names) for each in gpu["traffic"]] == [
        ("reduce/tree", 1, 64, 1, None, 1.0, 1.0),
        ("scan/blelloch", 2, 64, 2, pytest.approx(2.03, abs=0.01), 2.0, 2.25),
        ("scan/three_phase", 1, 64, 4, None, 4.0, 4.0),
    ]


def test_candidates_for_a_quantity(folders):
    with_counters(folders[0], [counted()], [counters(counted())])
    lines = ["quantity,metric,chosen,case,run_0,run_1,run_2"]
    lines += [f"ops,exact.sum,1,{CASE},130944,130944,130944"]
    lines += [f"ops,noisy.sum - other.sum,0,{CASE},130944,144038,157132"]
    lines += [f"ops,unknown.sum,0,{CASE},,,"]
    path = folders[0] / "nvidia-h200/metrics.csv"
    path.write_text("\n".join(lines) + "\n")
    (gpu,) = agree(folders)["gpus"]
    assert [list(each.values()) for each in gpu["metrics"]] == [
        ["operations", "exact.sum", True, 1, 1, 3, 0.0],
        ["operations", "noisy.sum - other.sum", False, 1, 0, 3, pytest.approx(0.182, abs=0.001)],
        ["operations", "unknown.sum", False, 0, 0, 3, None],
    ]
    path.write_text(path.read_text().replace("130944\n", "many\n"))
    with pytest.raises(EvidenceError, match="not a number everywhere"):
        compare(folders[0])
