"""Random kernels in six builds each: `python -m simt.test.fuzz --programs 100`; see README.md."""

import argparse
import itertools
import random
import sys
import time
from collections import Counter

from . import build
from .build import BATCH, FOLDER, HERE, WAYS, source
from .generate import draw
from .judge import Failure, judge
from .kernel import Kernel
from .reduce import reduced

FOUND = FOLDER / "found"


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m simt.test.fuzz", description=__doc__)
    parser.add_argument("--programs", type=int, default=0, help="how many; 0: until stopped")
    parser.add_argument("--seed", default="", help="the same programs again (default: one of the clock)")
    parser.add_argument("--arch", type=int, default=90, help="for -arch=sm_<..> (90)")
    parser.add_argument("--gpu", action="store_true", help="run every build on this computer's GPU, too")
    parser.add_argument("--seconds", type=float, default=240, help="to reduce a program, at most (240)")
    return parser.parse_args()


def standalone(kernel: Kernel, failure: Failure, origin: str) -> str:
    """A program of one file, with its expected results."""
    words = kernel.expected()
    rows = [", ".join(f"{word:#x}" for word in words[k : k + 16]) for k in range(0, len(words), 16)]
    says = "\n".join(f"// {line}" for line in failure.message.strip().splitlines()[:4])
    return (
        f"// Drawn by simt/test/fuzz, {origin}; fails with {failure.way}: {failure.kind}\n{says}\n"
        f"// Words are wrong if a build's differ from those that Python computes.\n{source([kernel])}\n"
        f'#include "run.h"\n\nint main() {{\nreturn compare({kernel.name}, {kernel.threads}, {{\n'
        + ",\n".join(rows) + "});\n}\n"
    )  # fmt: skip


def keep(kernel: Kernel, failure: Failure, origin: str, arch: int) -> None:
    """Write it down, and say where it lies and how to run it."""
    FOUND.mkdir(parents=True, exist_ok=True)
    path = FOUND / f"{origin.replace(' ', '_')}.cu"
    path.write_text(standalone(kernel, failure, origin), encoding="utf-8")
    flags = " ".join(each if not each.startswith("-I") else f"-I{HERE}" for each in build.FLAGS)
    where = failure.way + " on the GPU" * failure.gpu
    print(f"{where}, {failure.kind}: {failure.message.strip()[:600]}\n  {path}\n"
          f"  nvcc -arch=sm_{arch} -cudart=shared {flags} {failure.way} {path} -o build/fuzz/found/program\n"
          "  build/simt-run build/fuzz/found/program",
          flush=True)  # fmt: skip


def one_batch(seed: str, count: int, arch: int, gpu: bool, seconds: float) -> Counter[str]:
    """The number of kernels that failed, and of those at which the compiler crashed."""
    drawn = [draw(f"{seed}.{k}", f"kernel_{k}", arch) for k in range(count)]
    kernels, expected = [each for each, _ in drawn], [words for _, words in drawn]
    found = judge(kernels, expected, arch, list(WAYS), [False, True] if gpu else [False])
    crashes = {(each.kernel, each.way) for each in found if each.kind == "crash"}
    for k, way in sorted(crashes):
        print(f"seed {seed}.{k}: the compiler crashes ({way})", flush=True)
    failures = [each for each in found if each.kind != "crash"]
    first = {each.kernel: each for each in reversed(failures)}
    for k, failure in sorted(first.items()):
        ways = [each.way + " on the GPU" * each.gpu for each in failures if each.kernel == k]
        here, there = (
            {each.way: each.message for each in failures if each.kernel == k and each.gpu == on_gpu}
            for on_gpu in (False, True)
        )
        same = "; the GPU prints the same" if here == there else ""
        print(f"seed {seed}.{k} fails in {', '.join(ways)}{same}", flush=True)
        keep(reduced(kernels[k], failure, arch, seconds), failure, f"seed {seed}.{k}", arch)
    return Counter(failed=len(first), crashed=len({k for k, _ in crashes}))


def main() -> int:
    options = parse()
    seed = options.seed or f"{random.SystemRandom().getrandbits(32):x}"
    start, bad, done = time.monotonic(), Counter(), 0
    for turn in itertools.count():
        count = min(BATCH, options.programs - done) if options.programs else BATCH
        if count <= 0:
            break
        bad += one_batch(f"{seed}-{turn}", count, options.arch, options.gpu, options.seconds)
        done += count
        spent = time.monotonic() - start
        print(
            f"fuzz      {done} programs x {len(WAYS)} builds{' and a GPU' * options.gpu}, "
            f"{bad['failed']} failed, {bad['crashed']} crashed the compiler, {spent:.0f} s (seed {seed})",
            flush=True,
        )
    return int(bad["failed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
