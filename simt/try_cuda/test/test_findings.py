"""What is allowed, the host's half, programs that are built, partial results."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from experiments.test.project import ROOT
from experiments.test.rest import some
from simt.try_cuda.build import OPTIMISED, Options, build

RACE = """
__global__ void turn(int* data) {
    __shared__ int tile[64];
    tile[threadIdx.x] = 0, __syncthreads();
    tile[threadIdx.x] = data[threadIdx.x];{comment}
    data[threadIdx.x] = tile[63 - threadIdx.x];
}
int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    turn<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
"""
HOST = """
#include <cstdio>
__global__ void fill(int* x) { x[threadIdx.x] = 1; }
int main(int argc, char**) {
    int *device, *managed;
    cudaMalloc(&device, 64 * sizeof(int));
    cudaMallocManaged(&managed, 64 * sizeof(int));
    fill<<<1, 64>>>(managed);
    std::printf("%d\\n", managed[3]);
    cudaMemset(device, 0, 1 << 20);
    cudaDeviceSynchronize();
    cudaFree(managed);
    if (argc > 1) std::printf("%d\\n", device[5]);
}
"""

OVER_THE_END = """
__global__ void set(int* word) { *word = 1; }
int main() {
    void* memory;
    cudaMalloc(&memory, 1);
    set<<<1, 1>>>(static_cast<int*>(memory));
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""
OF_LIBRARY = """
#include <cub/device/device_reduce.cuh>
int main() {
    int* all;
    cudaMalloc(&all, 4096);
    cudaMemset(all, 0, 4096);
    std::size_t bytes = 512;
    return cub::DeviceReduce::Sum(all + 512, bytes, all, all + 500, 100);
}
"""


@pytest.mark.parametrize(
    "comment, status",
    [
        ("  // simt: allow race it is a test", 0),
        pytest.param("", 3, marks=pytest.mark.full),
        pytest.param("  // simt: allow race", 3, marks=pytest.mark.full),
    ],
)
def test_a_line_may_allow_what_it_does_if_it_says_why(attempt, written, comment, status):
    result = attempt(written("turn.cu", RACE.replace("{comment}", comment)), "--seeds", 1)
    assert result.status == status
    races = [line for line in result.errors.splitlines() if "data race" in line]
    assert races and all(line.startswith("try: allowed (it is a test): ") == (status == 0) for line in races)
    assert ("cure: __syncthreads() between this line and turn.cu:" in result.errors) == (status != 0)


@pytest.mark.full
def test_a_place_may_be_allowed(attempt, written):
    path = written("turn.cu", RACE.replace("{comment}", ""))
    assert attempt(path, "--once", "--seeds", 1, "--allow", "turn.cu:4").status == 0
    wrong = attempt(path, "--allow", "nonsense")
    assert wrong.status == 2 and wrong.errors.count("\n") == 1


@pytest.mark.full
def test_the_host_is_followed(attempt, written):
    path = written("host.cu", HOST)
    result = attempt(path, "--leaks", "--once")
    told = result.errors
    assert result.status == 3
    assert re.search(
        r"host.cu:8: data race on memory of the host, byte 12 of managed, .*the host's read", told
    )
    assert "host.cu:9: nobody looks at the error of cudaMemset: cudaErrorInvalidValue" in told
    assert "host.cu:5: never freed: device, 256 bytes" in told
    ended = attempt(path, "--once", "--seeds", 1, "--", "more")
    assert ended.status == 3
    assert (
        "host.cu:12: the host accesses memory of the device: this read of byte 20 of device" in ended.errors
    )
    assert "try: the program was ended by SIGSEGV" in ended.errors
    told = attempt(path, "--once", "--seeds", 2, "--", "more").errors  # it is followed in one of the two
    assert "the host accesses memory" in told and "depends on the schedule" not in told


OF_HOST = """
#include <cstdlib>
#include <vector>
int global[64];
__device__ int variable[64];
__global__ void add(int* x) { x[threadIdx.x] += 1; }
int main(int, char** arguments) {
    int local[64] = {};
    std::vector<int> vector(64);
    int* const large = static_cast<int*>(std::malloc(1 << 22));
    int* const all[] = {local, vector.data(), large, global, variable, (int*)"a text in quotes"};
    add<<<1, 8>>>(all[arguments[1][0] - '0']);
    return cudaDeviceSynchronize();
}
"""
PLACES = (
    *("a variable on its stack", "its heap, as of malloc", "its heap, as of malloc"),
    *("a global variable", "a global variable", "a constant, as a text in quotes"),
)


@pytest.mark.parametrize("which", some(range(len(PLACES)), ["1"]))
def test_a_pointer_to_the_hosts_memory_is_no_matter_of_bounds(attempt, written, which):
    told = attempt(written("of_host.cu", OF_HOST), "--once", "--seeds", 1, "--", which).errors
    assert f"in the host's memory: {PLACES[which]}" in told
    assert "cure: cudaMalloc and cudaMemcpy" in told and "i < n" not in told
    assert ("cudaGetSymbolAddress" in told) == (which in (3, 4))


EVENTS = """
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { if ((x) != cudaSuccess) std::exit(1); } while (0)
__global__ void set(int* x) { x[threadIdx.x] = 1; }
int main(int, char** arguments) {
    const bool waits = arguments[1][0] == 'w';
    int* x;
    float ms;
    cudaEvent_t begin, idle, end;
    cudaStream_t stream;
    CHECK(cudaMalloc(&x, 128));
    for (cudaEvent_t* each : {&begin, &idle, &end}) CHECK(cudaEventCreate(each));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventRecord(idle, 0));
    CHECK(cudaEventRecord(begin, stream));
    set<<<1, 32, 0, stream>>>(x);
    CHECK(cudaEventRecord(end, stream));
    if (waits) CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&ms, idle, begin));
    if (arguments[1][0] == 'i')
        cudaEventElapsedTime(&ms, begin, end);
    else
        CHECK(cudaEventElapsedTime(&ms, begin, end));
    CHECK(cudaDeviceSynchronize());
}
"""


@pytest.mark.full
@pytest.mark.parametrize("way", ["waits", "too early", "ignored"])
def test_a_call_that_fails_in_some_schedules_is_named(attempt, written, way):
    """An event of an idle stream is ready at once; one behind a launch is not."""
    result = attempt(written("events.cu", EVENTS), "--once", "--seeds", 2, "--", way)
    not_ready = "cudaEventElapsedTime: cudaErrorNotReady, device not ready"
    if way == "waits":
        assert (result.status, result.errors) == (0, "")
    elif way == "ignored":
        assert result.status == 3
        assert f"events.cu:21: nobody looks at the error of {not_ready}" in result.errors
    else:
        assert result.status == 1
        assert f"with --seed 1 the program returned 1 (events.cu:23: {not_ready})" in result.errors
        assert (
            f"the program returned 1; its last call that failed: events.cu:23: {not_ready}" in result.errors
        )


TWO_CALLS = """
__global__ void set(int* x) { x[threadIdx.x] = 1; }
int main() {
    int* device;
    cudaMalloc(&device, 128); set<<<1, 2048>>>(device);
    cudaGetLastError();
    cudaMalloc(&device, 128); if (cudaMemset(device, 0, 1 << 20) == cudaSuccess) return 1;
    cudaMalloc(&device, 128); cudaMemset(device, 0, 1 << 20);
    cudaMalloc(&device, 128); set<<<1, 2048>>>(device);
}
"""


@pytest.mark.full
def test_of_several_calls_on_a_line_the_one_that_failed_is_named(attempt, written):
    told = attempt(written("calls.cu", TWO_CALLS), "--once", "--seeds", 1).errors
    named = re.findall(r"calls.cu:(\d+): nobody looks at the error of ([^:]*):", told)
    assert named == [("7", "cudaMemset"), ("8", "<<< >>>")]


@pytest.mark.full
def test_a_folder_and_a_program_that_is_built(attempt, written, tmp_path):
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "main.cu").write_text("int status();\nint main() { return status(); }\n")
    (folder / "other.cpp").write_text("int status() { return 7; }\n")
    assert attempt(folder, "--once").status == 7
    assert attempt(tmp_path / "a folder" / "nothing").status == 2
    program = build([written("turn.cu", RACE.replace("{comment}", ""))], Options(), OPTIMISED)
    told = attempt(program, "--seeds", 1).errors
    assert "turn.cu:4: data race" in told and "-lineinfo" not in told


PAIR = """#include <cstdio>
__global__ void pass_on(unsigned long long* words, unsigned long long* sum) {
    if (blockIdx.x == 0 && threadIdx.x < 2)
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(words + threadIdx.x), "l"(7ull) : "memory");
    if (blockIdx.x == 0) return;
    unsigned long long a = 0, b = 0;
    while (a == 0 || b == 0)
        asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(a), "=l"(b)
                     : "l"(words)
                     : "memory");
    if (threadIdx.x == 0) *sum = a + b;
}
int main() {
    unsigned long long *words, sum;
    cudaMalloc(&words, 24);
    cudaMemset(words, 0, 24);
    pass_on<<<2, 32>>>(words, words + 2);
    cudaMemcpy(&sum, words + 2, 8, cudaMemcpyDeviceToHost);
    std::printf("%llu\\n", sum);
    return cudaFree(words);
}
"""


@pytest.mark.full
def test_an_access_over_the_end_is_told_once(attempt, written):
    told = attempt(written("over.cu", OVER_THE_END)).errors.splitlines()
    (line,) = [line for line in told if "illegal address" in line]
    assert "begins in and ends beyond memory, 1 byte allocated at over.cu:4, block (0, 0, 0)" in line


def test_who_launches_a_librarys_kernels_alone_is_not_asked_for_lines(attempt, written):
    result = attempt(written("library.cu", OF_LIBRARY), "--once", "--untimed")
    assert (result.status, result.errors) == (0, "")


def test_without_lines_no_part_of_a_vector_races_and_it_is_said_what_is_not_known(attempt, written):
    program = build([written("pair.cu", PAIR)], Options(), [])
    result = attempt(program, "--seeds", 2)
    assert (result.status, result.output.splitlines()[0]) == (0, "14"), result.errors
    assert "nvcc -lineinfo keeps both" in result.errors
    assert attempt(written("pair.cu", PAIR), "--seeds", 2).status == 0


@pytest.mark.full
def test_what_was_counted_is_shown_after_an_interrupt(tmp_path):
    command = [ROOT / "simt/try", Path(__file__).parent / "refused/endless.cu", "--once"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    time.sleep(8)
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    assert "partial: interrupted" in output and "while (atomicAdd(" in output
    assert process.returncode == 130
    assert "interrupted; this is where the launch is" in errors and "time is up" not in errors


@pytest.mark.full
def test_what_was_counted_is_shown_when_memory_is_up(attempt, written):
    text = RACE.replace("{comment}", "").replace(
        "return cudaDeviceSynchronize();",
        "cudaDeviceSynchronize();"
        "for (;;) { char* p = new char[1 << 26]; for (int i = 0; i < 1 << 26; i += 4096) p[i] = 1; }",
    )
    result = attempt(written("fills.cu", text), "--once", "--memory", 1)
    assert "partial: the memory is used up" in result.output and "turn" in result.output
    assert "--memory GB allows more" in result.errors
