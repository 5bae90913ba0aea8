"""The supplement: a page for each claim, in order, and all numbers from the results."""

import json
import re
import shutil
from pathlib import Path

import pytest
import tomllib
import typst

from analysis.__main__ import main
from analysis.core import claims
from analysis.core.errors import EvidenceError
from analysis.report.printed import museum, typesetting
from analysis.report.printed.contents import contents, differences
from analysis.report.sections import sections
from analysis.test.claims import recorded_counts, recorded_times
from analysis.test.made_up import counted_row, document, timed_rows, write
from analysis.test.made_up_counters import counters, counters_document, traffic, write_counters
from analysis.test.test_render import DEMO, use_analysis

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "paper/supplement.typ"
pytestmark = [pytest.mark.xdist_group("paper"), pytest.mark.usefixtures("without_layout")]


@pytest.fixture(scope="module")
def four_claims(tmp_path_factory) -> Path:
    """Four claims, drawn once; their order in the report differs from the alphabetical one."""
    folder = tmp_path_factory.mktemp("four_claims")
    results, figures = folder / "results", folder / "figures"
    for order, claim in enumerate(("work", "divergence", "padding", "block_sums")):
        times = document(claim, timed_rows(recorded_times(claim)), gpu="NVIDIA H200", order=order)
        write(results, "simt", document(claim, recorded_counts(claim), order=order))
        write(results, "nvidia-h200", times)
        for steps in (ROOT / "results/simt").glob(f"{claim}.steps.*"):
            shutil.copy(steps, results / "simt")
    assert main([f"--results={results}", f"--figures={figures}"]) == 0
    return folder


@pytest.fixture
def drawn(folders, four_claims):
    """A copy of the four claims for each test to change."""
    for folder in folders:
        shutil.copytree(four_claims / folder.name, folder, dirs_exist_ok=True)
    return folders


def query(folders, selector: str) -> list:
    """What Typst finds in the supplement of these folders."""
    data = json.dumps(contents(*folders))
    return json.loads(typst.query(SOURCE, selector, root="/", sys_inputs={"report": data}))


def headings(folders, level: int = 1) -> list[str]:
    return [heading_text(each["body"]) for each in query(folders, f"heading.where(level: {level})")]


def heading_text(body: dict) -> str:
    return body.get("text", " ") if "children" not in body else "".join(map(heading_text, body["children"]))


@pytest.mark.full
def test_the_same_results_give_the_same_bytes(drawn):
    first = typesetting.typeset(SOURCE, contents(*drawn))
    assert first.startswith(b"%PDF")
    assert typesetting.typeset(SOURCE, contents(*drawn)) == first


@pytest.mark.full
def test_a_new_claim_gets_a_page_in_its_place_and_a_line_in_the_table(drawn, tmp_path, monkeypatch):
    order = ("work", "divergence", "padding", "block_sums")
    assert pages(drawn) == {f"title of {claim}": 2 + place for place, claim in enumerate(order)}

    shutil.copytree(ROOT / "experiments", tmp_path / "experiments")
    use_analysis(tmp_path, monkeypatch, "demo", DEMO)
    write(drawn[0], "simt", document("demo", [counted_row("scan/a/n:2", ops=1)], order=1))
    assert main(["demo", f"--results={drawn[0]}", f"--figures={drawn[1]}"]) == 0
    order = ("work", "demo", *order[1:])
    assert pages(drawn) == {f"title of {claim}": 2 + place for place, claim in enumerate(order)}
    assert '"title of demo"' in json.dumps(query(drawn, "<verdicts>"))


def pages(folders) -> dict[str, int]:
    """The page of each claim, by its title."""
    found = query(folders, "<claim-page>")
    return {each["value"]["title"]: each["value"]["page"] for each in found}


def test_every_committed_claim_has_one_page():
    found = pages((ROOT / "results", ROOT / "figures"))
    assert len(found) == len(sections(ROOT / "figures")) > 20
    first = min(found.values())  # behind the table
    assert list(found.values()) == list(range(first, first + len(found)))


def test_counts_alone_make_a_report(folders):
    write(folders[0], "simt", document("work", recorded_counts("work")))
    main([f"--results={folders[0]}", f"--figures={folders[1]}"])
    typesetting.typeset(SOURCE, contents(*folders))
    assert contents(*folders)["gpus"] == []


def test_the_tally_counts_the_answers(drawn):
    found = contents(*drawn)
    assert found["tally"] == {"count": {"confirmed": 3, "refuted": 1}, "speed": {"only where": 2, "no": 2}}
    assert found["how_many"] == "four"
    said = " ".join(prose_of(drawn).split())
    assert "the count is confirmed in three and refuted in one, and the speed follows nowhere in two" in said


def test_wavefront_patterns_are_counted(drawn):
    (drawn[0] / "nvidia-h200/wavefronts.csv").write_text("bytes,mask\n4,1\n8,1\n")
    assert contents(*drawn)["wavefronts"] == {"machine": "NVIDIA H200", "requests": 2}


def test_no_figures_is_one_clear_line(folders):
    with pytest.raises(EvidenceError, match="run make figures"):
        contents(*folders)
    (folders[1] / "work.json").write_text("{")
    with pytest.raises(EvidenceError, match="not complete JSON"):
        contents(*folders)


def test_a_missing_drawing_is_one_clear_line(drawn):
    (drawn[1] / "work.svg").unlink()
    with pytest.raises(EvidenceError, match="work.svg: missing; run make figures"):
        contents(*drawn)


def test_what_typst_says_is_one_clear_line(drawn, tmp_path):
    source = tmp_path / "broken.typ"
    source.write_text("#nothing()")
    with pytest.raises(EvidenceError, match="Typst says: unknown variable"):
        typesetting.typeset(source, contents(*drawn))


def with_counters(folders, code="same") -> None:
    """Counters of two claims, with wrong bank conflicts in the second."""
    for claim in ("divergence", "padding"):
        rows = [counters(row, bank_conflicts=1) for row in recorded_counts(claim)]
        for row in rows if claim == "divergence" else []:
            row.pop("bank_conflicts")
        rows.append(traffic("scan/three_phase/cache:cold/n:1024", 2, 2))
        write_counters(folders[0], counters_document(claim, rows, code=code))
    assert main(["divergence", "padding", f"--results={folders[0]}", f"--figures={folders[1]}"]) == 0
    assert main(["--agreement", f"--results={folders[0]}", f"--figures={folders[1]}"]) == 0


def prose_of(folders) -> str:
    """The text of the report without tables, figures and captions."""
    return " ".join(heading_text(each["body"]) for each in query(folders, "par"))


@pytest.mark.full
def test_counters_get_a_section_and_their_figure(drawn):
    assert "No hardware counters have been recorded" in prose_of(drawn)
    with_counters(drawn)
    (gpu,) = contents(*drawn)["hardware"]
    assert gpu["tally"]["cells"] == "1,266" and gpu["tally"]["unexplained"] != "0" and gpu["stale"] == ""
    said = prose_of(drawn)
    assert "No hardware counters" not in said
    assert f"unexplained: {gpu['tally']['unexplained']}" in said
    typesetting.typeset(SOURCE, contents(*drawn))


@pytest.mark.full
def test_stale_evidence_is_marked(drawn):
    with_counters(drawn, code="old")
    (gpu,) = contents(*drawn)["hardware"]
    assert gpu["stale"] == "`divergence` and `padding`"
    made = json.loads((drawn[1] / "divergence.json").read_text())
    assert made["stale_counters"]
    captions = [table["caption"] for table in made["tables"]]
    assert [caption.endswith("of other kernels than the times.") for caption in captions] == [
        False,
        True,
    ]


@pytest.mark.full
def test_noise_launches_and_clocks_are_reported(drawn):
    assert [contents(*drawn)[key] for key in ("noise", "launches", "clocks")] == [None] * 3
    for claim in ("noise", "launches"):
        write(drawn[0], "simt", document(claim, recorded_counts(claim)))
        times = timed_rows(recorded_times(claim))
        write(drawn[0], "nvidia-h200", document(claim, times, gpu="NVIDIA H200"))
        assert main([claim, f"--results={drawn[0]}", f"--figures={drawn[1]}"]) == 0
    found = contents(*drawn)
    assert found["noise"]["pairs"] == 50
    recorded = json.loads((ROOT / "figures/launches.json").read_text())["numbers"]
    assert found["launches"] == pytest.approx(recorded, rel=0.02)
    said = " ".join(prose_of(drawn).split())
    assert "It is 4.4% at 2¹², " in said and "0.6% at 2²⁶. Times" in said
    assert "An empty kernel takes 2.69 µs, one more after it 1.42 µs" in said
    assert found["clocks"] is None

    rows = timed_rows(recorded_times("work"))
    rows = [
        row | {"sm_clock_mhz": 1900 + index % 3, "throttled": index % 2} for index, row in enumerate(rows)
    ]
    write(drawn[0], "nvidia-h200", document("work", rows, gpu="NVIDIA H200"))
    assert main(["work", f"--results={drawn[0]}", f"--figures={drawn[1]}"]) == 0
    found = contents(*drawn)
    assert found["clocks"] == {
        "low": "1,900",
        "high": "1,902",
        "threshold": "",
        "kept": f"{len(rows):,}",
        "discarded": f"{len(rows) // 2:,}",
        "kept_slow": "",
    }
    assert "samples were discarded" in " ".join(prose_of(drawn).split())


def test_the_twelve_rules_name_files_that_are_there():
    found = tomllib.loads((ROOT / "paper/supplement/rules.toml").read_text())["rules"]
    assert len(found) == 12
    named = [path for each in found for path in re.findall(r"`([^`]+)`", each["how"])]
    assert len(named) > 6
    assert [path for path in named if not (ROOT / path).exists()] == []


PROSE = ("method", "agreement", "log", "checks", "artifact")


def test_no_number_is_typed_into_the_prose():
    prose = "".join((ROOT / f"paper/supplement/{name}.typ").read_text() for name in PROSE)
    prose = re.sub(r"//.*|\"[^\"\n]*\"", "", prose)  # comments, and names in code
    prose = re.sub(r"@[a-z0-9-]+", "", prose)  # citations
    prose = re.sub(r"(start:|digits:|text:|default:|columns\(|[=<>]=?|column in|\* ) ?[(\d, )]+", "", prose)
    prose = re.sub(r"[\d.]+(fr|pt|mm|em|%)", "", prose)
    digits = [line.strip() for line in prose.splitlines() if re.search(r"\d", line.replace("H200", "?"))]
    assert digits == []
    assert "H200" not in prose


def test_unequal_predictions_are_listed_on_the_claims_page(folders):
    rows = [counted_row(f"scan/a/n:{n}", {"ops": ops}, ops=10) for n, ops in ((2, 10), (4, 20), (8, 11))]
    write(folders[0], "simt", document("work", rows))
    about = {"counted": {"file": "simt/work.jsonl"}, "counters": None}
    stated = {"stated": 3, "equal": 1, "hardware": None}
    found = differences({"machines": about, "agreement": stated}, *folders)
    assert found["groups"][0]["rows"] == [["operations", "2 cases", "10", "20"]]
    assert differences({"machines": about, "agreement": stated | {"equal": 3}}, *folders)["groups"] == []


@pytest.mark.full
def test_cells_that_differ_from_the_counter_are_listed_by_cause(drawn):
    with_counters(drawn)
    claims = {each["claim"]["id"]: each["documents"][0]["differences"] for each in contents(*drawn)["claims"]}
    assert claims["work"]["cells"] == "0"
    assert {group["other"] for group in claims["work"]["groups"]} == {"predicted"}
    (group,) = [each for each in claims["padding"]["groups"] if each["other"] == "GPU"]
    assert group["rows"][0][0] == "bank conflicts"


MUTANTS = """file,kind,verdict,reason
kernels/textbook/block/a.cuh,barrier,killed,
kernels/textbook/block/a.cuh,comparison,equivalent,the same
kernels/textbook/block/a.cuh,comparison,equivalent,the same
kernels/tile.cuh,comparison,survived,
"""
HAZARDS = """name,kind,expected,memcheck,racecheck,initcheck,synccheck
a,flags,race,clean,reported: 2,clean,clean
b,flags,race,clean,clean,clean,timeout
c,flags,clean,clean,clean,clean,clean
"""


def test_mutants_and_the_bench_are_tallied(drawn):
    assert contents(*drawn)["mutants"] is None and contents(*drawn)["hazards"] is None
    (drawn[0] / "simt/mutants.csv").write_text(MUTANTS)
    (drawn[0] / "nvidia-h200/hazards.csv").write_text(HAZARDS)
    found = contents(*drawn)
    tally = {key: found["mutants"][key] for key in ("mutants", "killed", "equivalent", "survived")}
    assert tally == {"mutants": "4", "killed": "1", "equivalent": "2", "survived": "1"}
    assert found["mutants"]["reasons"] == [["textbook/block/a.cuh", "the same", 2]]
    assert found["mutants"]["kind"][0] == ["barrier", "1", "1", "0", "0"]
    assert found["hazards"]["rows"] == [
        ["race", "2", "0", "1", "0", "0 (1)"],
        ["clean", "1", "0", "0", "0", "0"],
    ]
    said = " ".join(prose_of(drawn).split())
    assert "Of 4 mutants 1 are killed" in said and "ran the 3 programs" in said


def test_where_the_compiler_is_wrong_is_listed(drawn):
    assert contents(*drawn)["compiler"] is None
    tally = "outcome,programs,seeds\nagree,95,\ncompiler,4,a b c d\nopen,1,e\n"
    (drawn[0] / "nvidia-h200/fuzz.csv").write_text(tally)
    found = contents(*drawn)["compiler"]
    assert (found["programs"], found["compiler"], found["open"]) == (100, 4, 1)
    rows = {name: rest for name, *rest in found["rows"]}
    assert rows["three_way"][1:] == ["3", "5", ["-O3", "-Xptxas -O1", "-Xptxas -O2"]]
    assert len(rows["bfe64"][3]) == 5  # every build
    assert "Of 100 kernels the GPU printed other words than Python for 4" in " ".join(prose_of(drawn).split())


EXHIBITS = """name,project,number,year,kind,fault,note,found,line,unoptimised,cured,racecheck,racecheck_cured
a,one/same,#1,2018,masks,A.,,race,3 5,race,clean,{0},clean
b,two/same,#2,2020,masks,B.,Why `b`.,missed,7,divergent_barrier race,clean,{1},clean
c,one/other,#3,2019,masks,C.,Why.,missed,,missed,clean,{1},clean
"""


def test_the_museum_says_what_is_found_and_what_is_missed(tmp_path):
    table = tmp_path / "exhibits.csv"
    table.write_text(EXHIBITS.format("", ""))
    found = museum.contents(table)
    assert (found["exhibits"], found["projects"], found["from"], found["to"]) == (3, 3, "2018", "2020")
    assert (found["found"], found["unoptimised_alone"], found["missed"]) == (1, 1, 1)
    assert found["racecheck"] is None and found["notes"] == [["b", "Why `b`."], ["c", "Why."]]
    assert found["rows"] == [
        ["a", "one/same", "one/same", "#1", "2018", "A.", "race", "3 5", ""],
        ["b", "two/same", "two/same", "#2", "2020", "B.", "divergent barrier, race (-G)", "7", ""],
        ["c", "one/other", "other", "#3", "2019", "C.", "missed", "", ""],
    ]
    table.write_text(EXHIBITS.format("reported: 4", "clean"))
    found = museum.contents(table)
    assert found["racecheck"] == "1" and [row[-1] for row in found["rows"]] == [
        "reported: 4",
        "clean",
        "clean",
    ]


def test_the_museum_has_a_page(drawn):
    data = contents(*drawn)
    said = " ".join(prose_of(drawn).split())
    assert f"has {data['museum']['exhibits']} bugs of concurrency" in said
    reported = data["museum"]["racecheck"]
    assert re.search(rf"on a GPU, reports {reported} ?: it looks at shared memory", said)
    assert "A museum of races" in headings(drawn)


SUITES = """name,kind,expected,optimised,unoptimised,volatile_weak
a,ScoR,race,uninitialised_read,clean,missing_acquire
b,ScoR,clean,clean,clean,missing_acquire
c,Indigo,out_of_bounds race,out_of_bounds race,out_of_bounds,out_of_bounds race
d,Indigo,race,race,race,race
e,Indigo,clean,clean,clean,clean
"""
CHECKED = """name,kind,expected,memcheck,racecheck,initcheck,synccheck
d,Indigo,race,clean,reported: 1,clean,failed
"""


def test_published_suites_are_tallied_with_a_gpu_and_without(drawn):
    assert contents(*drawn)["suites"] is None
    (drawn[0] / "simt/suites.csv").write_text(SUITES)
    found = contents(*drawn)["suites"]
    assert found["tools"] == ["optimised", "unoptimised", "volatile weak"]
    assert found["rows"] == [
        ["ScoR", "race", "1", "1", "0", "1"],
        ["ScoR", "clean", "1", "0", "0", "1"],
        ["Indigo", "out of bounds race", "1", "1", "1", "1"],
        ["Indigo", "race", "1", "1", "1", "1"],
        ["Indigo", "clean", "1", "0", "0", "0"],
    ]
    scor = {"faulty": "1", "correct": "1", "ptx_found": "0", "cpp_found": "1", "ptx_accused": "0"}
    assert scor.items() <= found["found"]["ScoR"].items()
    assert found["found"]["Indigo"]["ptx_found"] == "2"
    assert found["found"]["Indigo"]["ptx_unoptimised_found"] == "1"
    assert "have not been recorded on the suites" in " ".join(prose_of(drawn).split())
    (drawn[0] / "nvidia-h200/suites.csv").write_text(CHECKED)
    found = contents(*drawn)["suites"]
    alone = ["0 (1)"] * 4  # of these programs no checker of the GPU has run any
    assert found["rows"] == [
        ["Indigo", "race", "1", "0", "1", "0", "0 (1)", "1", "1", "1"],
        ["ScoR", "race", "1", *alone, "1", "0", "1"],
        ["ScoR", "clean", "1", *alone, "0", "0", "1"],
        ["Indigo", "out of bounds race", "1", *alone, "1", "1", "1"],
        ["Indigo", "clean", "1", *alone, "0", "0", "0"],
    ]


def test_the_appendix_has_only_what_is_recorded(drawn):
    found = {row["claim"]: row for row in contents(*drawn)["artifact"]["rows"]}
    assert [found["work"][key] for key in ("counting", "recording", "again")] == [None, 1.5, None]
    (drawn[0] / "simt/seconds.csv").write_text("claim,seconds,machine\nwork,2.5,a laptop\n")
    again = drawn[0] / "nvidia-h200/repeat/work.jsonl"
    again.parent.mkdir()
    shutil.copy(drawn[0] / "nvidia-h200/work.jsonl", again)
    found = contents(*drawn)["artifact"]
    assert found["counted_on"] == "a laptop"
    row = next(row for row in found["rows"] if row["claim"] == "work")
    cases = len(recorded_times("work"))
    again = row["again"]
    assert (row["counting"], again["agree"], again["cases"], again["nine_of_ten"]) == (2.5, cases, cases, 1)


def test_the_model_of_time_has_a_part_if_there_is_one(drawn):
    assert "What decides the time" not in headings(drawn)
    for name in ("model.json", "model.svg"):
        shutil.copy(ROOT / "figures" / name, drawn[1])
    sample = json.loads((ROOT / "figures/model.json").read_text())["sample"]
    assert "What decides the time" in headings(drawn)
    assert f"cases on long vectors are of {sample['kernels']} kernels" in " ".join(prose_of(drawn).split())


def test_a_cause_stands_on_the_claims_page(drawn):
    path = drawn[1] / "padding.json"
    made = json.loads(path.read_text()) | {"cause": ["Issue decides.", "Open: why."]}
    path.write_text(json.dumps(made))
    assert "Issue decides. Open: why." in prose_of(drawn)


def test_quotations_are_of_claims_and_of_known_notes():
    found = (ROOT / "paper/supplement/quotations.toml").read_text()
    known = set(claims.names())
    assert set(re.findall(r"^\[\[(\w+)\]\]", found, re.MULTILINE)) <= known
    notes = set(re.findall(r'^notes = "(\w+)"', found, re.MULTILINE))
    assert all(f"@misc{{notes-{each}," in (ROOT / "paper/references.bib").read_text() for each in notes)
