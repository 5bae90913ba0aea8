"""The report: all claims in order, all numbers from the results."""

import json
import re
import shutil
from pathlib import Path

import pytest
import typst

from analysis.__main__ import main
from analysis.common import paper
from analysis.common.errors import EvidenceError
from tests.analysis.made_up import CLAIMS, COUNTS, TIMES, counted_row, document, timed_rows, write
from tests.analysis.test_render import DEMO, use_analysis

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "paper/paper.typ"


@pytest.fixture
def drawn(folders):
    """The four claims, drawn; their order in the report is not that of their names."""
    for order, claim in enumerate(("work", "divergence", "padding", "block_sums")):
        write(folders[0], "simt", document(claim, COUNTS[claim](), order=order))
        write(
            folders[0],
            "nvidia-h200",
            document(claim, timed_rows(TIMES[claim]()), gpu="NVIDIA H200", order=order),
        )
    assert main([f"--results={folders[0]}", f"--figures={folders[1]}"]) == 0
    return folders


def headings(folders, build) -> list[str]:
    data = json.dumps(paper.contents(*folders, build))
    found = typst.query(SOURCE, "heading.where(level: 1)", root="/", sys_inputs={"report": data})
    return [heading_text(each["body"]) for each in json.loads(found)]


def heading_text(body: dict) -> str:
    return body.get("text", " ") if "children" not in body else "".join(map(heading_text, body["children"]))


def test_the_report_is_typeset(drawn, tmp_path):
    target = tmp_path / "paper.pdf"
    paper.typeset(SOURCE, target, *drawn, tmp_path)
    first = target.read_bytes()
    assert first.startswith(b"%PDF")
    paper.typeset(SOURCE, target, *drawn, tmp_path)
    assert target.read_bytes() == first


def test_a_new_claim_gets_a_section_in_its_place(drawn, tmp_path, monkeypatch):
    titles = [f"title of {claim}" for claim in ("work", "divergence", "padding", "block_sums")]
    assert [each for each in headings(drawn, tmp_path) if each.startswith("title of")] == titles

    analyses = tmp_path / "analysis"
    shutil.copytree(ROOT / "analysis", analyses)
    use_analysis(analyses, monkeypatch, "demo", DEMO)
    write(drawn[0], "simt", document("demo", [counted_row("scan/a/n:2", ops=1)], order=1))
    assert main(["demo", f"--results={drawn[0]}", f"--figures={drawn[1]}"]) == 0
    titles.insert(1, "title of demo")
    assert [each for each in headings(drawn, tmp_path) if each.startswith("title of")] == titles


def test_counts_alone_make_a_report(folders, tmp_path):
    write(folders[0], "simt", document("work", COUNTS["work"]()))
    main([f"--results={folders[0]}", f"--figures={folders[1]}"])
    paper.typeset(SOURCE, tmp_path / "paper.pdf", *folders, tmp_path)
    assert paper.contents(*folders, tmp_path)["gpus"] == []


def test_the_tally_agrees_in_number(drawn, tmp_path):
    contents = paper.contents(*drawn, tmp_path)
    assert contents["tally"] == "four hold"
    assert contents["how_many"] == "four"


def test_times_of_this_machine_are_read(drawn, tmp_path):
    (tmp_path / "times").mkdir()
    (tmp_path / "times/work.json").write_text('{"seconds": 2.5}')
    rows = [{"name": name, "lane_steps_per_second": rate} for name, rate in (("a", 3.2e7), ("b", 5.1e7))]
    speed = {"context": {"num_cpus": 2}, "benchmarks": rows}
    (tmp_path / "simt-speed.json").write_text(json.dumps(speed))
    contents = paper.contents(*drawn, tmp_path)
    assert {each["claim"]["id"]: each["counting_seconds"] for each in contents["claims"]} == {
        "work": 2.5,
        "divergence": None,
        "padding": None,
        "block_sums": None,
    }
    assert "2 cores" in contents["speed"] and "32 to 51 million lane-steps a second" in contents["speed"]


def test_wavefront_patterns_are_counted(drawn, tmp_path):
    (drawn[0] / "nvidia-h200/wavefronts.csv").write_text("bytes,mask\n4,1\n8,1\n")
    assert paper.contents(*drawn, tmp_path)["wavefronts"] == {"machine": "NVIDIA H200", "requests": 2}


def test_no_figures_is_one_clear_line(folders, tmp_path):
    with pytest.raises(EvidenceError, match="run make figures"):
        paper.contents(*folders, tmp_path)
    (folders[1] / "work.json").write_text("{")
    with pytest.raises(EvidenceError, match="not whole JSON"):
        paper.contents(*folders, tmp_path)


def test_what_typst_says_is_one_clear_line(drawn, tmp_path):
    source = tmp_path / "broken.typ"
    source.write_text("#nothing()")
    with pytest.raises(EvidenceError, match="Typst says: unknown variable"):
        paper.typeset(source, tmp_path / "out.pdf", *drawn, tmp_path)
    assert not (tmp_path / "out.pdf").exists()


def test_no_number_is_typed_into_the_prose():
    prose = (ROOT / "paper/text.typ").read_text()
    prose = re.sub(r"//.*", "", prose)
    prose = re.sub(r"@[a-z0-9-]+", "", prose)  # citations
    prose = re.sub(r"#if report\.gpus\.len\(\) [=>]=? 0", "", prose)
    digits = [line.strip() for line in prose.splitlines() if re.search(r"\d", line.replace("H200", "?"))]
    assert digits == []
    assert "H200" not in prose


def test_claims_are_not_named_in_the_papers_source():
    for path in ROOT.glob("paper/*.typ"):
        named = [claim for claim in CLAIMS if re.search(rf"[\"<]{claim}[\">]", path.read_text())]
        assert named == [], path
