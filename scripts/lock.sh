#!/usr/bin/env bash
# Writes scripts/requirements.txt from scripts/requirements.in: pins every version and hash, for Python 3.10
# and later. Needs the network; `make all` and `make test` only read the lock file.
set -euo pipefail
cd "$(dirname "$0")/.."
uv=$(mktemp -d)
trap 'rm -rf "$uv"' EXIT
python3 -m venv "$uv"
"$uv/bin/python" -m pip install --quiet uv
{
    echo "# Written by scripts/lock.sh from scripts/requirements.in. Do not edit."
    "$uv/bin/uv" pip compile --quiet --universal --python-version 3.10 --generate-hashes --no-header \
        scripts/requirements.in
} > scripts/requirements.txt.new
mv scripts/requirements.txt.new scripts/requirements.txt
