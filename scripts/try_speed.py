"""Time three kernels on the SIMT machine, checked and unchecked, and on Numba's CUDA simulator.

    scripts/try_speed.py --out results/simt/try_speed.csv

CPU time, one core each. Numba is installed for this alone, into a folder that is removed. Unchecked: the same
machine and code, compiled without the hooks at memory accesses, so that nothing is counted or checked.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from try_cuda.build import Options, build

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "speed" / "kernels.cu"
ELEMENTS = 1 << 16
ELEMENTS_OF_NUMBA = 1 << 12  # it takes minutes for more


def seconds_by_kernel(command: list[object], environment: dict[str, str]) -> dict[str, float]:
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    return {name: float(value) for name, value in map(str.split, done.stdout.splitlines())}


def on_the_machine(folder: Path, checked: bool) -> dict[str, float]:
    """The fastest of five runs, in seconds an element."""
    program = build([SOURCE], Options(), folder, checked)
    runs = [seconds_by_kernel([program, str(ELEMENTS)], {"SIMT_CORES": "1"}) for _ in range(5)]
    return {name: min(run[name] for run in runs) / ELEMENTS for name in runs[0]}


def on_numba(folder: Path) -> dict[str, float]:
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    install = [python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", HERE / "numba.txt"]
    subprocess.run(install, check=True)
    run = seconds_by_kernel([python, HERE / "speed" / "numba_kernels.py", str(ELEMENTS_OF_NUMBA)], {})
    return {name: seconds / ELEMENTS_OF_NUMBA for name, seconds in run.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        places = [Path(folder) / name for name in ("checked", "unchecked", "numba")]
        for place in places[:2]:
            place.mkdir()
        checked, unchecked = on_the_machine(places[0], True), on_the_machine(places[1], False)
        numba = on_numba(places[2])
    rows = [
        {
            "kernel": name,
            "checked_ns_per_element": round(checked[name] * 1e9, 2),
            "unchecked_ns_per_element": round(unchecked[name] * 1e9, 2),
            "numba_ns_per_element": round(numba[name] * 1e9, 1),
            "times_faster_than_numba": round(numba[name] / checked[name]),
            "cost_of_checks": round(checked[name] / unchecked[name], 2),
        }
        for name in checked
    ]
    with options.out.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    for row in rows:
        print(
            f"speed     {row['kernel']}: {row['times_faster_than_numba']} times faster than Numba's simulator"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
