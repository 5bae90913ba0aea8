"""Time the scans of array libraries on this machine's GPU, into results/<gpu>/peers.csv: peers.py [--out DIR]

The libraries that are installed beside this Python are timed: PyTorch (torch.cumsum), CuPy (cupy.cumsum),
JAX (jax.numpy.cumsum, compiled); needs numpy. Each scan is first compared with numpy's, element by element:
integers from -7 to 7, whose sums are exact in every type. Beside it the same library copies the vector.

One sample: the host submits CALLS calls and waits for the GPU, then twice as many; the difference, divided
by CALLS, is the time of a call when calls follow one another. What a single call costs the host beyond that
cancels. Thrust is not timed apart: its scan is CUB's, which copy_speed times.
"""

import argparse
import csv
import importlib
import io
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from experiments.record import recording
from experiments.record.recording import RecordError

LENGTHS = (1 << 20, 1 << 28)
TYPES = ("int32", "int64", "float32", "float64")
SAMPLES = 7
SECONDS_OF_A_SAMPLE = 0.02
FIELDS = ("library", "version", "operation", "type", "n", "repetition", "us")


class Torch:
    name = "torch"

    def __init__(self):
        self.torch = importlib.import_module("torch")
        self.version = self.torch.__version__

    def to_gpu(self, values):
        return self.torch.from_numpy(values).cuda()

    def works(self, x) -> dict[str, Callable]:
        out = self.torch.empty_like(x)
        return {"scan": lambda: self.torch.cumsum(x, 0, dtype=x.dtype, out=out), "copy": lambda: out.copy_(x)}

    def to_host(self, result):
        return result.cpu().numpy()

    def wait(self, _result) -> None:
        self.torch.cuda.synchronize()


class CuPy:
    name = "cupy"

    def __init__(self):
        self.cupy = importlib.import_module("cupy")
        self.version = self.cupy.__version__

    def to_gpu(self, values):
        return self.cupy.asarray(values)

    def works(self, x) -> dict[str, Callable]:
        out = self.cupy.empty_like(x)

        def copy():
            out.data.copy_from_device_async(x.data, x.nbytes)
            return out

        return {"scan": lambda: self.cupy.cumsum(x, dtype=x.dtype, out=out), "copy": copy}

    def to_host(self, result):
        return result.get()

    def wait(self, _result) -> None:
        self.cupy.cuda.Device().synchronize()


class Jax:
    name = "jax"

    def __init__(self):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        self.jax = importlib.import_module("jax")
        self.jax.config.update("jax_enable_x64", True)
        if self.jax.default_backend() != "gpu":
            raise ImportError("it has no GPU backend")
        self.version = self.jax.__version__

    def to_gpu(self, values):
        return self.jax.device_put(values)

    def works(self, x) -> dict[str, Callable]:
        scan = self.jax.jit(lambda v: self.jax.numpy.cumsum(v, dtype=v.dtype))
        copy = self.jax.jit(lambda v: self.jax.numpy.copy(v))
        return {"scan": lambda: scan(x), "copy": lambda: copy(x)}

    def to_host(self, result):
        return self.jax.device_get(result)

    def wait(self, result) -> None:
        result.block_until_ready()


LIBRARIES = (Torch, CuPy, Jax)


def seconds_of(library, work: Callable, calls: int) -> float:
    library.wait(work())
    start = time.perf_counter()
    for _ in range(calls):
        result = work()
    library.wait(result)
    return time.perf_counter() - start


def calls_for(library, work: Callable) -> int:
    """Calls that take as long as a sample should."""
    seconds_of(library, work, 3)
    return max(1, round(SECONDS_OF_A_SAMPLE / (seconds_of(library, work, 10) / 10)))


def check(library, numpy, work: Callable, operation: str, values) -> None:
    expected = numpy.cumsum(values, dtype=values.dtype) if operation == "scan" else values
    if not numpy.array_equal(library.to_host(work()), expected):
        raise RecordError(
            f"{library.name}: wrong {operation} of {values.size} {values.dtype}; nothing recorded"
        )


def rows_of(library, numpy) -> list[dict]:
    """All samples of a library."""
    random, rows = numpy.random.default_rng(1), []
    for kind in TYPES:
        for n in LENGTHS:
            values = random.integers(-7, 8, n).astype(kind)
            for operation, work in library.works(library.to_gpu(values)).items():
                check(library, numpy, work, operation, values)
                calls = calls_for(library, work)
                for repetition in range(SAMPLES):
                    once, twice = (seconds_of(library, work, factor * calls) for factor in (1, 2))
                    found = (library.name, library.version, operation, kind, n, repetition)
                    us = f"{(twice - once) / calls * 1e6:.3f}"
                    rows.append(dict(zip(FIELDS, (*found, us), strict=True)))
    return rows


def installed() -> list:
    found = []
    for make in LIBRARIES:
        try:
            found.append(make())
        except ImportError as error:
            print(f"peers     {make.name} is left out: {error}", file=sys.stderr)
    if not found:
        raise RecordError("none of torch, cupy and jax is installed for this Python; install one of them")
    return found


def record(out: Path) -> None:
    folder = out / recording.slug(recording.ask_gpu("name"))
    try:
        numpy = importlib.import_module("numpy")
    except ImportError as error:
        raise RecordError(f"{error}: install numpy, torch, cupy or jax beside this Python") from None
    libraries, rows = installed(), []
    for place, library in enumerate(libraries):
        print(f"peers     {library.name} {library.version} ({place + 1} of {len(libraries)})", flush=True)
        rows += rows_of(library, numpy)
    text = io.StringIO()
    table = csv.DictWriter(text, FIELDS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / ".peers.csv.part"
    part.write_text(text.getvalue(), encoding="utf-8")
    os.replace(part, folder / "peers.csv")
    print(f"peers     {len(rows)} samples, in {folder / 'peers.csv'}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument(
        "--out", type=Path, default=recording.ROOT / "results", help="folder in which <gpu>/ is written"
    )
    arguments = parser.parse_args()
    return recording.run("peers", lambda: record(arguments.out))


if __name__ == "__main__":
    sys.exit(main())
