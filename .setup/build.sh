#!/usr/bin/env bash
# build.sh TARGET..: what nvcc compiles, by ninja in build/gpu, for sm_90, which the SIMT machine runs, and for
# this machine's GPU, GPU_ARCH. BUILD_FOLDER and BUILD_ARCHITECTURES name another folder and others, BUILD_OPTIONS
# more options of cmake.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${BUILD_FOLDER:-build/gpu}
architectures=90
if [ "${GPU_ARCH:-90}" != 90 ]; then architectures+=";$GPU_ARCH"; fi
architectures=${BUILD_ARCHITECTURES:-$architectures}
nvcc=$(.setup/cuda.sh)
options=(-DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_ARCHITECTURES="$architectures")
read -ra more <<< "${BUILD_OPTIONS:-}"
options+=("${more[@]}")

# With other options than before the folder is configured afresh.
if ! grep -qxsFe "${options[*]}" "$folder/options"; then
    rm -rf "$folder"
    cmake -S . -B "$folder" -G Ninja "${options[@]}" > /dev/null
    echo "${options[*]}" > "$folder/options"
fi

unset MAKEFLAGS # for which ninja 1.13 takes make for its job server, whose pipe is closed
start=$EPOCHSECONDS
NINJA_STATUS='build %f %t ' ninja -C "$folder" "$@" | while IFS= read -r line; do
    if [[ $line =~ ^build\ ([1-9][0-9]*)\ ([0-9]+)\ (.*) ]]; then
        k=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
        minutes=$(((EPOCHSECONDS - start) * (all - k) / k / 60 + 1))
        echo "build     $k of $all, about $minutes min left: ${BASH_REMATCH[3]}"
    elif ! [[ $line =~ ^(ninja: |-- )|Re-checking\ globbed ]]; then
        echo "$line"
    fi
done
