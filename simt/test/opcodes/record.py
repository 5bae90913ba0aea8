"""Run every operation of this folder on a GPU, and write what it printed into digests.<gpu>.txt.

record.py --binaries FOLDER [--out FOLDER]

FOLDER holds the families' programs, built as BUILD says. A line of the file: family, digest of all outputs,
digests of their chunks, name (operation.h). The outputs of the family APPROXIMATE, which no standard
defines, are kept too: all of them, compressed, in approximate.<gpu>.bin.xz.
"""

import argparse
import datetime
import lzma
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from experiments.record.recording import ask_gpu, slug

BUILD = "nvcc -std=c++17 -O3 -arch=sm_90 -lineinfo -cudart shared -I<repository>"
APPROXIMATE = "special"


def output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--binaries", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, metavar="FOLDER")
    arguments = parser.parse_args()
    gpu, driver = ask_gpu("name"), ask_gpu("driver_version")
    compiler = output_of("nvcc", "--version").rpartition(" V")[2].split()[0]
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    lines = [f"# {gpu}, driver {driver}, nvcc {compiler}, {date}: {BUILD}"]
    for binary in sorted(path.resolve() for path in arguments.binaries.iterdir() if os.access(path, os.X_OK)):
        with tempfile.NamedTemporaryFile() as outputs:
            printed = output_of(binary, "--outputs", outputs.name)
            lines += [f"{binary.name} {line}" for line in printed.splitlines()]
            if binary.name == APPROXIMATE:
                kept = arguments.out / f"approximate.{slug(gpu)}.bin.xz"
                contents = Path(outputs.name).read_bytes()
                kept.write_bytes(lzma.compress(contents, preset=9 | lzma.PRESET_EXTREME))
    (arguments.out / f"digests.{slug(gpu)}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"digests.{slug(gpu)}.txt: {len(lines) - 1} operations")
    return 0


if __name__ == "__main__":
    sys.exit(main())
