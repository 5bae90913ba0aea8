#!/bin/bash
# Variants of the scan, one factor each: binaries core_<name> in this folder.
tree=$(dirname $(readlink -f $0))/../..; copy=$(mktemp -d)
cd $(dirname $(readlink -f $0))
variant() { # name, file, sed expression
    rm -rf $copy/*; cp -r $tree/kernels $copy
    [ -z "$2" ] || { sed -i "$3" $copy/kernels/device/$2; diff -rq $tree/kernels $copy/kernels > /dev/null && echo "$1 changes nothing"; }
    nice nvcc -std=c++17 -O3 -arch=sm_90 -I$copy -DCORE="\"$1\"" bench.cu -o core_$1 2>&1 | grep -E "error"
}
variant base
variant late_tickets ring_roles.cuh '/if (lane == 0 \&\& k > 0) ticket = kept.take_ticket();/d; s/            ticket = __shfl_sync(ALL_LANES, ticket, 0);/            if (lane == 0 \&\& k > 0) ticket = kept.take_ticket();\n            ticket = __shfl_sync(ALL_LANES, ticket, 0);/'
variant no_tile_prefetch scan_ring.cuh 's/if (produces) roles.prefetch();//'
variant no_status_prefetch scan_one_wave.cuh '/EpochStatus<T>::prefetch/d'
