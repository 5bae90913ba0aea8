#!/usr/bin/env bash
# mpirun on one host, in any environment: containers, root, more ranks than cores, no ssh or network:
# kernels/multi_gpu/mpirun.sh -np 4 <program> [<argument>..]
# No TCP between ranks: Open MPI 5 warns of each interface that it cannot pair with another.
set -euo pipefail
exec env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe --bind-to none --mca btl ^tcp \
    --mca btl_vader_single_copy_mechanism none "$@"
