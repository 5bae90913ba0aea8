#!/usr/bin/env bash
# Writes <name>.txt from each <name>.in beside it: pins every version and hash, for Python 3.10 and
# later. Needs the network; make only reads the lock files.
set -euo pipefail
cd "$(dirname "$0")/.."
uv=$(mktemp -d)
trap 'rm -rf "$uv"' EXIT
python3 -m venv "$uv"
"$uv/bin/python" -m pip install --quiet uv
printf "[tool.uv]\nenvironments = [\"sys_platform == 'linux'\"]\n" > "$uv/pyproject.toml" # the lock files serve Linux alone
for source in .setup/*.in simt/bench/*.in; do
    lock=${source%.in}.txt
    {
        echo "# Written by .setup/lock.sh from $source. Do not edit."
        "$uv/bin/uv" pip compile --project "$uv" --quiet --universal --python-version 3.10 --generate-hashes --no-header "$source"
    } > "$lock.new"
    mv "$lock.new" "$lock"
done
