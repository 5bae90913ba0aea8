"""Time kernels on the SIMT machine and on Numba's CUDA simulator.

    simt/bench/run.py --program BINARY --out results/simt/bench.csv

CPU time on one core, all counts on; the fastest of several runs, one process each. BINARY is
simt/bench/kernels.cu, built by nvcc. Numba is installed for this alone, into a folder that is removed. The
exit status is 1 if the SIMT machine misses a target.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MIB = 1 << 20
# The sizes of each machine: the slower it is, the fewer elements. What is compared is the time of an element.
KERNELS = ("matrix_product", "hillis_steele", "copy", "transpose", "saxpy")
SIZES = {
    "simt": dict(zip(KERNELS, (512, 1 << 20, 1 << 24, 1 << 22, 1 << 24), strict=True)),
    "numba": dict(zip(KERNELS, (32, 1 << 11, 1 << 12, 1 << 12, 1 << 12), strict=True)),
}
RUNS = {"simt": 5, "numba": 1}
# Targets of the SIMT machine: of the matrix product; and of every kernel.
SECONDS, LANE_INSTRUCTIONS = 0.6, 1e9
MEMORY_TIMES_DATA, MEMORY_BESIDE = 2, 60 * MIB


@dataclass
class Run:
    kernel: str
    machine: str
    seconds: float
    elements: int
    data: int  # bytes
    peak: int
    lane_instructions: int = 0  # of a launch

    @property
    def row(self) -> dict[str, object]:
        speed = self.lane_instructions / self.seconds / 1e6
        return {
            "kernel": self.kernel,
            "machine": self.machine,
            "elements": self.elements,
            "seconds": f"{self.seconds:.6f}",
            "ns_per_element": f"{self.seconds / self.elements * 1e9:.4g}",
            "million_lane_instructions_per_second": round(speed) if speed else "",
            "peak_mib": round(self.peak / MIB, 1),
            "data_mib": round(self.data / MIB, 1),
            "beside_data_mib": round((self.peak - self.data) / MIB, 1),
        }


def run(kernel: str, machine: str, command: list[object]) -> Run:
    """One process."""
    whole = [*command, kernel, str(SIZES[machine][kernel])]
    done = subprocess.run(
        whole, env=os.environ | {"SIMT_CORES": "1"}, stdout=subprocess.PIPE, text=True, check=True
    )
    seconds, elements, data, peak = done.stdout.split()
    return Run(kernel, machine, float(seconds), int(elements), int(data), int(peak))


def on_simt(machine: Path, program: Path, kernel: str) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.json"
        found = run(kernel, "simt", [machine, "--counts-only", "--json", counts, program])
        found.lane_instructions = json.loads(counts.read_text())["launches"][-1]["thread_instructions"]
    return found


def with_numba(folder: Path) -> list[object]:
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    install = [python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", HERE / "numba.txt"]
    subprocess.run(install, check=True)
    return [python, HERE / "numba_kernels.py"]


def measured(machine: Path, program: Path, folder: Path) -> list[Run]:
    numba = with_numba(folder / "numba")
    commands = {
        "simt": lambda kernel: on_simt(machine, program, kernel),
        "numba": lambda kernel: run(kernel, "numba", numba),
    }
    return [
        min((command(kernel) for _ in range(RUNS[name])), key=lambda each: each.seconds)
        for kernel in KERNELS
        for name, command in commands.items()
    ]


def missed(runs: list[Run]) -> list[str]:
    """The targets that the SIMT machine misses, a line each."""
    lines = []
    for each in runs:
        if each.machine != "simt":
            continue
        speed = each.lane_instructions / each.seconds
        if each.kernel == "matrix_product" and each.seconds > SECONDS:
            lines.append(f"{each.kernel}: {each.seconds:.2f} s, more than {SECONDS}")
        if speed < LANE_INSTRUCTIONS:
            lines.append(f"{each.kernel}: {speed / 1e6:.0f} million lane-instructions a second")
        if each.peak > MEMORY_TIMES_DATA * each.data + MEMORY_BESIDE:
            lines.append(f"{each.kernel}: {each.peak / MIB:.0f} MiB for {each.data / MIB:.0f} MiB of data")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--machine", type=Path, default=ROOT / "build" / "simt-run")
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = measured(options.machine, options.program, Path(folder))
    rows = [each.row for each in runs]
    with options.out.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    for row in rows:
        speed = row["million_lane_instructions_per_second"]
        print(
            f"bench     {row['kernel']:15} {row['machine']:6} {row['ns_per_element']:>9} ns an element, "
            f"{row['peak_mib']} MiB for {row['data_mib']} of data"
            f"{f', {speed} M lane-instructions/s' if speed else ''}"
        )
    lines = missed(runs)
    for line in lines:
        print(f"missed    {line}")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
