"""What does not compile gets nvcc's own errors, and what the machine lacks one line at the user's line."""

import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
REFUSED = sorted((HERE / "refused").glob("*.cu"))


@pytest.mark.full
@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_what_does_not_run_is_said_in_one_line(path, attempt, stated):
    result = attempt(path, *(stated(path, "Options") or "").split())
    assert result.status == int(stated(path, "Status")), result.output + result.errors
    assert result.errors.count(stated(path, "Says")) == 1, result.errors


def test_a_missing_file(attempt):
    result = attempt("no/such.cu")
    assert (result.status, result.errors) == (2, "try: no/such.cu: no such file\n")


@pytest.mark.full
def test_a_program_that_launches_nothing(attempt, tmp_path):
    path = tmp_path / "nothing here.cu"
    path.write_text("int main() { return 0; }\n")
    assert attempt(path).errors == f"try: {path}: the program launched no kernel\n"


@pytest.mark.full
def test_a_library_for_the_host(attempt, tmp_path):
    """A stand-in for cuBLAS, which finds no GPU, either."""
    library, source = tmp_path / "libcublas.so.13", tmp_path / "cublas.cpp"
    source.write_text('extern "C" int cublasCreate_v2() { return 1; }\n')
    command = ["g++", "-shared", "-fPIC", f"-Wl,-soname,{library.name}", source, "-o", library]
    subprocess.run(command, check=True)
    path = tmp_path / "main.cu"
    for code, status in (("cublasCreate_v2()", 1), ("!cublasCreate_v2()", 2), ("0", 0)):
        path.write_text(f'extern "C" int cublasCreate_v2();\nint main() {{ return {code}; }}\n')
        result = attempt(path, f"-Xlinker={library}", f"-Xlinker=-rpath={tmp_path}")
        assert result.status == status
        told = "try: the program calls cublasCreate_v2 of libcublas.so.13, which needs a GPU" in result.errors
        assert told == (status != 0)


def test_a_kernel_or_a_launch_that_is_not_there(attempt):
    path = HERE / "programs/language/vector_add.cu"
    assert "no such kernel was launched; these were: add" in attempt(path, "--kernel", "copy").errors
    assert "--launch 2: the program has 1 launches" in attempt(path, "--launch", 2).errors


@pytest.mark.full
def test_what_was_counted_is_shown_when_time_is_up(attempt):
    result = attempt(HERE / "refused/endless.cu", "--limit", 5, "--once", counted=True)
    assert result.status == 124
    assert result.json["stopped"] == "time"
    assert result.json["launches"][0]["total"]["warp_instructions"] > 1000
    assert "while (atomicAdd(" in result.output
    assert "no time: not all of its blocks have ended" in result.output
    assert "try: the program has not ended after 5 s (--limit SECONDS allows more)" in result.errors


def test_help(attempt):
    result = attempt("--help")
    assert result.status == 0 and "--html" in result.output
