#!/usr/bin/env bash
# Writes scripts/<name>.txt from each scripts/<name>.in: pins every version and hash, for Python 3.10 and
# later. Needs the network; make only reads the lock files.
set -euo pipefail
cd "$(dirname "$0")/.."
uv=$(mktemp -d)
trap 'rm -rf "$uv"' EXIT
python3 -m venv "$uv"
"$uv/bin/python" -m pip install --quiet uv
for source in scripts/*.in; do
    lock=${source%.in}.txt
    {
        echo "# Written by scripts/lock.sh from $source. Do not edit."
        "$uv/bin/uv" pip compile --quiet --universal --python-version 3.10 --generate-hashes --no-header "$source"
    } > "$lock.new"
    mv "$lock.new" "$lock"
done
