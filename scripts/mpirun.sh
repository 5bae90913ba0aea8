#!/usr/bin/env bash
# mpirun that works anywhere: in containers, as root, with more ranks than cores, without ssh or network:
# scripts/mpirun.sh -np 4 <program> [<argument>..]
set -euo pipefail
exec env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe --bind-to none \
    --mca btl_vader_single_copy_mechanism none "$@"
