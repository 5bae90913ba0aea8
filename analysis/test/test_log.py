"""The log: invalid lines are reported; outcomes, steps and text follow from the lines."""

import csv
import json
from pathlib import Path

import pytest

from analysis.__main__ import main
from analysis.core.errors import EvidenceError
from analysis.core.evidence import Evidence
from analysis.report.log import document, rounds
from analysis.report.log.rounds import COLUMNS, MET, MISSED, NO_CHANGE, PART, REFUTED
from analysis.report.printed import typesetting
from analysis.report.printed.contents import contents
from analysis.test.claims import recorded_counts, recorded_times
from analysis.test.made_up import changed, evidence, timed_rows, write
from analysis.test.made_up import document as results_of
from analysis.test.test_supplement import SOURCE, headings, prose_of
from experiments.fast import by_targets

ROOT = Path(__file__).resolve().parents[2]
COMMITTED = ROOT / "results/nvidia-h200/log.csv"
VECTOR = ("int32", 1 << 20)
pytestmark = pytest.mark.usefixtures("without_layout")


def line(number: int, time: float, copy: float, outcome: str = MET, name: str = "", **others) -> dict:
    """A line for the ring with warm cache, the first of its round."""
    texts = {"name": name or f"name {number}", "change": f"change {number}", "prediction": "faster"}
    case = f"scan/ring/type:{VECTOR[0]}/cache:warm/n:{VECTOR[1]}"
    times = {"time_us": time, "beside": "copy", "beside_us": copy}
    made = {"round": number, "learnt": "", "case": case, "clearing": "", "outcome": outcome}
    return made | texts | times | others


def cold(number: int, time: float, copy: float, clearing: str, **others) -> dict:
    case = f"scan/ring/type:{VECTOR[0]}/cache:cold/n:{VECTOR[1]}"
    return line(number, time, copy, case=case, clearing=clearing, **others)


def written(path: Path, lines: list[dict]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows(lines)
    return path


def log_of(tmp_path, *lines: dict):
    return rounds.read_log(written(tmp_path / "log.csv", list(lines)))


def committed_lines() -> list[dict]:
    with COMMITTED.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def no_records() -> list[by_targets.Outcome]:
    return by_targets.outcomes(document.SPEED, Evidence({}, None, None))


def told(tmp_path, lines: list[dict], recorded=None) -> dict:
    """What the supplement tells of these lines."""
    log = rounds.read_log(written(tmp_path / "log.csv", lines))
    return document.told(log, no_records() if recorded is None else recorded)


def test_the_committed_document_is_that_of_the_committed_log():
    made = json.loads((ROOT / "figures/log.json").read_text())
    expected = document.describe(rounds.read_log(COMMITTED), *document.recorded(ROOT / "results"))
    assert made == json.loads(json.dumps(expected))
    assert sum(made["numbers"]["outcomes"].values()) == len(made["rounds"])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"round": "3"}, "line 3: it does not follow the round before"),
        ({"round": "1"}, "line 3: it is not the first of its round"),
        ({"name": ""}, "line 3: its round begins without a name, a change or a prediction"),
        ({"prediction": ""}, "without a name, a change or a prediction"),
        ({"time_us": "fast"}, "line 3: a time is none"),
        ({"beside_us": "0"}, "a time is none"),
        ({"time_us": "inf"}, "a time is none"),
        ({"outcome": "good"}, "line 3: its outcome is none of met, in part"),
        ({"case": "scan"}, "the case 'scan' is not operation/algorithm"),
        ({"name": "name 1"}, "line 3: another round has this name"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(tmp_path, changes, said):
    right = line(2, 10.0, 9.0)
    assert len(log_of(tmp_path, line(1, 10.0, 9.0), right)) == 2
    with pytest.raises(EvidenceError, match="log.csv") as error:
        log_of(tmp_path, line(1, 10.0, 9.0), right | changes)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_rounds_words_stand_in_all_of_its_lines(tmp_path):
    log = log_of(tmp_path, line(1, 10.0, 9.0), cold(1, 10.0, 8.0, "first") | dict.fromkeys(rounds.TEXTS, ""))
    assert log["name"].tolist() == ["name 1", "name 1"]
    assert log["share"].tolist() == [0.9, 0.8]


def test_outcomes_of_rounds(tmp_path):
    quiet = dict.fromkeys(rounds.TEXTS, "")
    log = log_of(
        tmp_path,
        line(1, 10.0, 9.0, MISSED),
        line(2, 10.0, 9.0, MET),
        cold(2, 10.0, 9.0, "first", outcome=REFUTED) | quiet,
        line(3, 10.0, 9.0, NO_CHANGE),
    )
    made = document.describe(log, [], "")
    assert made["numbers"]["outcomes"] == {PART: 1, NO_CHANGE: 1, MISSED: 1}
    times = made["rounds"][1]["times"]
    assert [(each["vector"], each["share"], each["outcome"]) for each in times] == [
        ("2²⁰ ints", 0.9, MET),
        ("2²⁰ ints", 0.9, REFUTED),
    ]


def test_a_slow_copy_is_no_step(tmp_path):
    log = log_of(tmp_path, line(1, 10.0, 8.0), line(2, 9.0, 8.1), line(3, 9.1, 9.0), line(4, 8.9, 8.05))
    rows = rounds.shown(log)[VECTOR]
    assert rounds.best_so_far(rows) == pytest.approx([0.8, 0.9, 0.9, 8.05 / 8.9])
    assert rounds.steps(rows) == {2: pytest.approx((0.8, 0.9))}
    assert rounds.made_the_difference(log) == [2]
    assert rounds.confounded(rows) == []
    assert [(each["round"], each["least"]) for each in rounds.flattered(rows)] == [(3, 9.0)]
    (slow,) = document.told(log, [])["flattered"]
    assert (slow["round"], slow["vector"], slow["share"], slow["least"]) == (3, "2²⁰ ints", "0.99", "9.0")


def test_times_are_compared_with_the_cache_in_one_state_only(tmp_path):
    log = log_of(tmp_path, cold(1, 10.0, 8.0, "first"), cold(2, 12.0, 11.4, "second"))
    assert rounds.steps(rounds.shown(log)[VECTOR]) == {2: (0.8, 11.4 / 12.0)}
    assert rounds.confounded(rounds.shown(log)[VECTOR]) == [2]
    (step,) = document.told(log, [])["steps"]
    assert (step["rises"], step["doubtful"]) == ({"2²⁰ ints": ["0.80", "0.95"]}, ["2²⁰ ints"])


def test_what_is_told_follows_the_lines(tmp_path):
    lines = committed_lines()
    before = told(tmp_path, lines)
    assert before["standing"]["2²⁴ ints"] == {"recorded": "", "target": "0.92"}
    assert before["live"] == {} and before["out_of_reach"] == []
    for each in lines:
        each["beside_us"] = str(float(each["beside_us"]) / 2)
    assert told(tmp_path, lines)["first"]["2²⁸ ints"] == "0.43"


def typeset_with(folders, lines: list[dict]) -> bytes:
    written(folders[0] / "nvidia-h200/log.csv", lines)
    drawn(folders)
    return typesetting.typeset(SOURCE, contents(*folders))


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("deferred look-ahead", {"name": "haste"}, "dictionary does not contain key"),
        ("deferred look-ahead", {"learnt": ""}, "log.typ, line .*learnt"),
        ("other ends of the deferral", {"outcome": MET}, "log.typ, line .*met"),
    ],
)
def test_a_story_that_the_log_does_not_bear_is_an_error(name, change, said, folders):
    lines = committed_lines()
    (number,) = {each["round"] for each in lines if each["name"] == name}
    own = [each for each in lines if each["round"] == number]
    for each in own if "outcome" in change else own[:1]:
        each |= change
    with pytest.raises(EvidenceError, match=said):
        typeset_with(folders, lines)


def test_the_story_says_what_is_recorded(folders, tmp_path):
    times = recorded_times(document.SPEED)
    known = by_targets.outcomes(document.SPEED, evidence(folders[0], document.SPEED, None, times))
    said = told(tmp_path, committed_lines(), known)
    drawn = json.loads((ROOT / "figures/log.json").read_text())["told"]
    assert {part: said[part] for part in ("standing", "live", "out_of_reach")} == {
        part: drawn[part] for part in ("standing", "live", "out_of_reach")
    }

    slow = changed(
        times, **{"copy__type:int64__cold__n:268435456": 900, "ours__type:int64__cold__n:268435456": 950}
    )
    slow = changed(slow, **{"cub__type:int64__cold__n:268435456": 1000})
    known = by_targets.outcomes(document.SPEED, evidence(folders[0], document.SPEED, None, slow))
    (one,) = told(tmp_path, committed_lines(), known)["out_of_reach"]
    assert (one["work"].split(",")[0], one["target"], one["copy"]) == ("scan 2²⁸ int64", "1.25", "1.11")


def drawn(folders) -> dict:
    """Draw one claim, and the log if there is one."""
    write(folders[0], "simt", results_of("work", recorded_counts("work")))
    times = results_of("work", timed_rows(recorded_times("work")), gpu="NVIDIA H200")
    write(folders[0], "nvidia-h200", times)
    places = [f"--results={folders[0]}", f"--figures={folders[1]}"]
    assert main(places) == main(["--log", *places]) == 0
    return json.loads((folders[1] / "log.json").read_text())


@pytest.mark.full
def test_the_log_is_in_the_supplement(folders):
    written(folders[0] / "nvidia-h200/log.csv", committed_lines())
    made = drawn(folders)
    assert made["figure"]["name"] == "log"
    assert (folders[1] / "log.svg").read_text().rstrip().endswith("</svg>")
    assert "The log" in headings(folders)
    assert "the development of the kernels on one" in " ".join(prose_of(folders).split())
    assert typesetting.typeset(SOURCE, contents(*folders))
    first = (folders[1] / "log.svg").read_bytes()
    drawn(folders)
    assert (folders[1] / "log.svg").read_bytes() == first


@pytest.mark.full
def test_without_a_log_the_supplement_says_so(folders):
    path = written(folders[0] / "nvidia-h200/log.csv", committed_lines())
    drawn(folders)
    path.unlink()
    assert drawn(folders) == {"rounds": []}
    assert [each.name for each in folders[1].glob("log.*")] == ["log.json"]
    assert contents(*folders)["log"] is None
    assert "No log of the development was kept" in prose_of(folders)


def test_a_bad_log_is_one_clear_line(folders, capsys):
    written(folders[0] / "nvidia-h200/log.csv", [line(1, 10.0, 9.0, "good")])
    assert main(["--log", f"--results={folders[0]}", f"--figures={folders[1]}"]) == 1
    assert "line 2: its outcome is none of met" in capsys.readouterr().err
    assert list(folders[1].iterdir()) == []
