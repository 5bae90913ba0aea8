"""A class of submissions, some of them hostile: every verdict is right, and nothing escapes."""

import csv
import json
import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from experiments.test.project import ROOT
from paper.test.conftest import DESKTOP, PHONE
from paper.test.use import is_wider, picture
from simt.try_cuda.classroom import box
from simt.try_cuda.test.made_class import TEACHER, write

EXPECT = "expected.json"


def grade(folder: Path, *options: object) -> subprocess.CompletedProcess:
    command = [ROOT / "simt/try", "--class", folder / "handed in", "--expect", folder / EXPECT]
    command += ["--out", folder / "out", *map(str, options)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def table(folder: Path) -> dict[str, dict]:
    with (folder / "out/class.csv").open(encoding="utf-8", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def check(folder: Path, verdicts: dict[str, tuple]) -> None:
    rows = table(folder)
    assert set(rows) == {TEACHER, *verdicts}
    wrong = []
    for name, expected in verdicts.items():
        told = [rows[name][column] for column in ("built", "ran", "right", "findings")]
        if any(each is not None and each != is_told for each, is_told in zip(expected, told, strict=True)):
            wrong.append((name, expected, told))
    assert not wrong
    assert (rows[TEACHER]["right"], rows[TEACHER]["findings"]) == ("yes", "")
    number, unit = rows[TEACHER]["predicted"].split()
    assert unit == "us" and float(number) > 2  # an empty launch takes so long
    assert not (folder / "escaped").exists()


@pytest.mark.full
def test_every_verdict_is_right_and_a_second_run_has_nothing_to_do(tmp_path):
    verdicts = write(tmp_path, 17)
    done = grade(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    check(tmp_path, verdicts)
    before = (tmp_path / "out/class.jsonl").read_text()
    again = grade(tmp_path)
    assert again.returncode == 0 and " in 0 s" in again.stdout, again.stdout
    assert (tmp_path / "out/class.jsonl").read_text() == before
    page = (tmp_path / "out/class.html").read_text()
    assert "<script" not in page and "default-src 'none'" in page


@pytest.mark.full
@pytest.mark.parametrize("load, ending", [(1.0, "time"), (8.0, "")])
def test_a_crowded_machine_gives_more_time(monkeypatch, load, ending):
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)  # others go through
        place = Path(folder) / "box"
        place.mkdir()
        seconds, user = 2 * box.crowding(), box.own_user()
        why, status = box.shut_in(["/bin/sleep", "4"], place, seconds, 500, place / "output", user)
    assert why == ending and (status == 0) == (ending == "")


@pytest.mark.full
def test_two_hundred(tmp_path):
    verdicts = write(tmp_path, 200)
    done = grade(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    check(tmp_path, verdicts)


LINES = """cell => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getClientRects().length;
}"""
HOSTILE = "<img src=x onerror=alert(1)><script>alert(1)<|script>.cu"


@pytest.mark.xdist_group("page")
def test_names_and_outputs_are_told_as_text(tmp_path, browser):
    """What a name, a compiler's line or an output smuggles in is neither markup nor a formula."""
    (tmp_path / EXPECT).write_text(json.dumps({"prints": "1"}))
    handed_in = tmp_path / "handed in"
    handed_in.mkdir()
    (handed_in / f"={HOSTILE}").write_text("int main() { return <b>; }\n")
    says = f'#include <csignal>\n#include <cstdio>\nconst char* line = "SIMT machine: {HOSTILE}\\n";\n'
    (handed_in / "says.cu").write_text(f"{says}int main() {{ std::fputs(line, stderr), raise(SIGSEGV); }}\n")
    assert grade(tmp_path).returncode == 0
    assert f"'={HOSTILE}" in table(tmp_path) and HOSTILE in table(tmp_path)["says.cu"]["note"]
    wrong = []
    for viewport in (DESKTOP, PHONE):
        page = browser.new_page(viewport=viewport)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
        page.goto((tmp_path / "out/class.html").as_uri())
        assert page.locator("img, script, td b").count() == 0
        assert page.locator("td.name").all_inner_texts() == [f"={HOSTILE}", "says.cu"]
        assert page.locator("td.ran.no").all_inner_texts() == ["", "signal SIGSEGV"]
        assert page.locator("td.ran.no").last.evaluate(LINES) == 1  # no verdict is broken
        assert not is_wider(page)
        picture(page, "class")
        page.close()
    assert wrong == []


@pytest.mark.parametrize(
    "content, line",
    [
        ("[]", "an object with prints"),
        ('{"prints": "1", "second": 3}', "an object with prints"),
        ("{", "Expecting"),
    ],
)
def test_what_is_expected_must_be_understood(tmp_path, content, line):
    write(tmp_path, 10)
    (tmp_path / EXPECT).write_text(content)
    done = grade(tmp_path)
    assert done.returncode == 2 and line in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_no_submissions(tmp_path):
    (tmp_path / "handed in").mkdir()
    (tmp_path / EXPECT).write_text(json.dumps({"prints": "1"}))
    done = grade(tmp_path)
    assert done.returncode == 2 and "no .cu files" in done.stderr
