#!/usr/bin/env bash
# A test of kernels: natively if this machine has a GPU, else on the SIMT machine, which also looks for hazards:
# scripts/run_test.sh <program> [<argument>..]
set -euo pipefail
if [ -n "${GPU_ARCH-$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null || true)}" ]; then
    exec "$@"
fi
SIMT_CHECKS=1 exec "$(dirname "$0")/../build/simt-run" "$@"
