"""A copy to the host of what nothing has written is a hint at its line; padding and parts are none."""

from pathlib import Path

import pytest

from experiments.test.rest import some

SOURCE = Path(__file__).with_name("unwritten.cu")
# What is said of it: bytes of N = 1,000 elements that three blocks of 256 leave, and where they begin.
TEXTS = {
    "too_few_blocks": "928 bytes that nothing has written, from byte 3072 to 3999 of data",
    "last_element": "4 bytes that nothing has written, from byte 3996 to 3999 of data",
    "through": "928 bytes that nothing has written, from byte 3072 to 3999 of data",
    "in_a_stream": "928 bytes that nothing has written, from byte 3072 to 3999 of data",
    "rows": "98 bytes that nothing has written, from byte 3100 to 3197 of data",
    "managed": "928 bytes that nothing has written, from byte 3072 to 3999 of out",
}
CORRECT = ("whole", "padding", "managed_padding", "part")
TRIED = ("in_a_stream", "padding")


def line_of(name: str) -> int:
    lines = enumerate(SOURCE.read_text().splitlines(), 1)
    return next(number for number, line in lines if name in line.partition(";  //")[2].split())


@pytest.mark.parametrize("name", some((*TEXTS, *CORRECT), TRIED))
def test_what_nothing_has_written_is_a_hint(name, attempt):
    result = attempt(SOURCE, "--strict", "--seeds", 2, "--", name)
    assert result.status == 0, result.errors
    hints = [line for line in result.errors.splitlines() if line.startswith("try: hint: ")]
    if name in CORRECT:
        assert not hints
    else:
        (hint,) = hints
        assert hint.startswith(f"try: hint: unwritten.cu:{line_of(name)}: ") and TEXTS[name] in hint
        assert "does the grid cover all n elements?" in hint


@pytest.mark.full
def test_a_hint_can_be_allowed_and_is_in_the_json(attempt):
    result = attempt(SOURCE, "--once", "--allow", "unwritten_copy", "--", "managed", counted=True)
    assert "try: allowed (--allow): unwritten.cu" in result.errors
    (finding,) = result.json["findings"]
    assert finding["hazard"] == "unwritten_copy"


@pytest.mark.full
def test_what_no_launch_has_touched_is_said_otherwise(attempt, written):
    text = "int main() { int *x, h; cudaMalloc(&x, 4); cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost); }"
    told = attempt(written("bare.cu", text), "--once", "--seeds", 1).errors
    assert "has 4 bytes that nothing has written, from byte 0 to 3" in told
    assert "has a kernel written to this pointer?" in told
