"""A claim's text is read from its experiment; what is missing or not understood there is one clear line."""

import pytest

from analysis.core.claims import FIELDS, stated
from analysis.core.errors import EvidenceError
from analysis.test.made_up import document, state, timed_rows, write

TEXTS = r"""
const harness::Claim CLAIM = {
    .order = 30,
    // A comment.
    .title = "A \"title\"",
    .claim =
        R"(One line,
           and "another", with i/32.)",
    .source = "one, "
              "two",
    .prediction = "",
    .method = "m",
    .fails_if = "f",  // why
};
"""


@pytest.fixture
def experiment(tmp_path):
    """Writes the experiment of the claim `demo`; returns a path beside it."""
    (tmp_path / "experiments/made_up/demo").mkdir(parents=True)

    def write(text: str):
        (tmp_path / "experiments/made_up/demo/demo.cu").write_text(text)
        return tmp_path / "results/gpu/demo.jsonl"

    return write


def test_strings_are_those_of_cpp(experiment):
    found = stated("demo", experiment(TEXTS))
    assert list(found) == ["id", *FIELDS]
    assert (found["id"], found["order"], found["title"]) == ("demo", 30, 'A "title"')
    assert found["claim"] == 'One line, and "another", with i/32.'
    assert (found["source"], found["prediction"], found["fails_if"]) == ("one, two", "", "f")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('.title = "A \\"title\\"",\n', "", "lacks title"),
        ("const harness::Claim CLAIM", "Claim C", "lacks order, title"),
        (".order = 30,", "30,", "not .member = value, : 30,"),
        ('.method = "m"', ".method = METHOD", "not .member = value, : .method = METHOD,"),
    ],
)
def test_what_is_not_understood_is_one_line(experiment, old, new, expected):
    assert old in TEXTS
    near = experiment(TEXTS.replace(old, new))
    with pytest.raises(EvidenceError, match="demo/demo.cu: ") as error:
        stated("demo", near)
    assert expected in str(error.value) and "\n" not in str(error.value)


def test_a_recording_of_no_experiment_says_so(folders):
    path = write(folders[0], "gpu", document("no_such_claim", timed_rows({"scan/a/n:1": 1.0}), gpu="GPU"))
    assert stated("no_such_claim", path)["order"] == 10
    (folders[0].parent / "experiments/made_up/no_such_claim/no_such_claim.cu").unlink()
    with pytest.raises(EvidenceError, match="no_such_claim.cu: cannot be read .*; it states the claim"):
        stated("no_such_claim", path)


def test_a_reworded_claim_is_read_anew(folders):
    claim = document("demo", [])["context"]["claim"]
    state(folders[0].parent / "experiments", claim)
    near = folders[0] / "simt/demo.jsonl"
    assert stated("demo", near)["title"] == "title of demo"
    state(folders[0].parent / "experiments", claim | {"title": "another one"})
    assert stated("demo", near)["title"] == "another one"
