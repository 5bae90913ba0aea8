#!/usr/bin/env bash
# Prints the path of the CUDA compiler: NVCC if it is set; else a toolkit on PATH or in CUDA_HOME whose version is
# the pinned one, because another compiler makes other kernels; else the pinned one in .venv/cuda, which is then
# installed. Where there are several GPUs but no NCCL, that goes into .venv/nccl. Needs .venv (.setup/setup.sh).
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=.setup/wheels.sh
. .setup/wheels.sh

pinned=$(sed -n 's/^nvidia-cuda-nvcc==//p' .setup/cuda.in)

say() { echo "set-up    $*" >&2; }

stop() {
    say "$*"
    exit 1
}

# install NAME WHAT: the packages of .setup/NAME.txt into .venv/NAME, whole or not at all.
install() {
    local lock=.setup/$1.txt folder=.venv/$1
    if cmp -s "$lock" "$folder/requirements.txt"; then return; fi
    say "installing $2 into $folder"
    rm -rf "$folder.new"
    install_wheels .venv/bin/python "$lock" --target "$folder.new" >&2 ||
        stop "pip failed; once it works, run make again"
    ! [ -d "$folder.new/nvidia/cu13" ] || complete_toolkit "$folder.new/nvidia/cu13"
    cp "$lock" "$folder.new/requirements.txt"
    rm -rf "$folder"
    mv "$folder.new" "$folder"
}

# What nvcc and CMake look for, and the packages lack.
complete_toolkit() {
    ln -s lib "$1/lib64"
    ln -s libcudart.so.13 "$1/lib/libcudart.so"
}

is_pinned() { [[ "$("$1" --version 2> /dev/null)" == *"V$pinned"* ]]; }

installed_toolkit() {
    local nvcc
    for nvcc in "$(command -v nvcc)" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc"; do
        if is_pinned "$nvcc"; then
            echo "$nvcc"
            return
        fi
    done
    return 1
}

has_nccl() { # beside this compiler, or where g++ looks
    [ -f "$(dirname "$1")/../include/nccl.h" ] ||
        g++ -E -x c++ - <<< $'#if !__has_include(<nccl.h>)\n#error\n#endif' > /dev/null 2>&1
}

several_gpus() { [ "$(nvidia-smi -L 2> /dev/null | grep -c '^GPU ')" -gt 1 ]; }

if [ -n "${NVCC-}" ]; then
    nvcc=$(command -v "$NVCC") || stop "NVCC=$NVCC is no program"
elif ! nvcc=$(installed_toolkit); then
    install cuda "the CUDA compiler, nvcc $pinned (100 MB),"
    nvcc=$PWD/.venv/cuda/nvidia/cu13/bin/nvcc
fi
if several_gpus && ! has_nccl "$nvcc"; then
    install nccl "NCCL"
fi
echo "$nvcc"
