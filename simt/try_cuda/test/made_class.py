"""A generated class: most submissions are right, some wrong in known ways, and ten are hostile."""

from pathlib import Path

TEACHER = "(teacher)"

TILE = """
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>
__global__ void sum(const int* in, int* out, int n) {
    __shared__ int part[256];
    int t = threadIdx.x, mine = 0;
    for (int i = t; i < n; i += blockDim.x) mine += in[i] * SCALE;
    part[t] = mine;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        BARRIER;
    }
    if (t == 0) *out = part[0];
}
int main() {
    BEFORE;
    const int n = 4096;
    int *in, *out, result = 0;
    std::vector<int> ones(n, 1);
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, ones.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sum<<<1, THREADS>>>(in, out, n);
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("sum %d\\n", result);
    cudaFree(in);
    cudaFree(out);
    return STATUS;
}
"""
DEFAULTS = {"SCALE": "1", "BARRIER": "__syncthreads()", "BEFORE": "", "THREADS": "256", "STATUS": "0"}
EXPECTED = '{"prints": "sum 4096", "teacher": "teacher.cu", "seconds": 8, "memory_mb": 700}'
# What is changed, and the verdict: built, ran, right, findings.
KINDS = {
    "right": ({}, ("yes", "yes", "yes", "")),
    "narrow": ({"THREADS": "128"}, ("yes", "yes", "yes", "")),
    "wrong": ({"SCALE": "2"}, ("yes", "yes", "no", "")),
    "race": ({"BARRIER": ""}, ("yes", "yes", None, "race 1")),
    "broken": ({"SCALE": "nothing"}, ("no", "", "", "")),
    "fails": ({"STATUS": "1"}, ("yes", "returned 1", "no", "")),
    "bounds": ({"THREADS": "512"}, ("yes", "yes", "no", "fault 1")),
}
HOSTILE = {
    "hangs": ("for (;;) pause()", "time"),
    "spins": ("for (volatile int i = 0;; i = i + 1) continue", "time"),
    "crashes": ("raise(SIGSEGV)", "signal SIGSEGV"),
    "fills_memory": (
        "for (;;) { char* p = (char*)malloc(1 << 24); for (int i = 0; i < 1 << 24; i += 4096) p[i] = 1; }",
        "memory",
    ),
    "forks": ("for (;;) fork()", "processes"),
    "prints": ('for (;;) std::puts("all work and no play")', "output"),
    "fills_disk": (
        'for (int k = 0;; ++k) { char name[16]; std::sprintf(name, "f%d", k); '
        'FILE* f = std::fopen(name, "w"); '
        "static char zeros[1 << 22]; if (f) { std::fwrite(zeros, 1, sizeof zeros, f); std::fclose(f); } }",
        "disk",
    ),
    "kills": ("kill(-1, SIGKILL)", None),  # if that is let, it kills itself
    "writes_outside": (
        'int f = open("OUTSIDE", O_WRONLY | O_CREAT, 0600); '
        "if (f >= 0 || socket(AF_INET, SOCK_STREAM, 0) >= 0) "
        'std::printf("escaped ")',
        "yes",
    ),
    "leaves_children": ("if (fork() == 0) { if (fork() == 0) for (;;) pause(); _exit(0); }", "yes"),
}


def source(**changes: str) -> str:
    macros = "".join(f"#define {name} {value}\n" for name, value in (DEFAULTS | changes).items())
    return macros + TILE


def write(folder: Path, count: int) -> dict[str, tuple]:
    """Writes `count` submissions, ten of them hostile, and what is expected. Returns the verdicts."""
    handed_in = folder / "handed in"
    handed_in.mkdir(parents=True)
    (folder / "expected.json").write_text(EXPECTED)
    (folder / "teacher.cu").write_text(source())
    verdicts = {}
    names = list(KINDS)
    for number in range(count - len(HOSTILE)):
        kind = (
            names[number] if number < len(names) else "narrow" if number % 3 else names[number % len(names)]
        )
        changes, verdict = KINDS[kind]
        name = f"{number:03d} {kind}.cu"
        (handed_in / name).write_text(source(**changes) + f"// {number}\n")
        verdicts[name] = verdict
    for kind, (code, ran) in HOSTILE.items():
        name = f"{kind}.cu"
        (handed_in / name).write_text(source(BEFORE=code.replace("OUTSIDE", str(folder / "escaped"))))
        verdicts[name] = ("yes", ran, None, "")
    return verdicts
