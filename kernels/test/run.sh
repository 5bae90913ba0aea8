#!/usr/bin/env bash
# A test of kernels: natively if this machine has a GPU, else on the SIMT machine, which also looks for hazards:
# kernels/test/run.sh [--gpu] <program> [<argument>..]. With --gpu it is skipped, status 77, if there is no GPU.
set -euo pipefail
needs_gpu=
if [ "$1" = --gpu ]; then
    needs_gpu=1
    shift
fi
if [ -n "${GPU_ARCH-$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null || true)}" ]; then
    exec "$@"
fi
[ -z "$needs_gpu" ] || exit 77
export SIMT_CHECKS=1 # also where a test sets the order of blocks: kernels/test/machine.h
exec "$(dirname "$(readlink -f "$0")")/../../build/simt-run" "$@"
