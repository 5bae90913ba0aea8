#!/usr/bin/env bash
# Measure the README's commands on this machine and write the seconds into its table.
#
#     .ci/times.sh test                       in a fresh clone of HEAD: packages there, nothing compiled
#     .ci/times.sh bare                       in a bare Debian: .ci/bare.sh, which needs root
#     .ci/times.sh clean again test-again quick     and gpu
#     .ci/times.sh record                     not measured: read from results/nvidia-h200
#     .ci/times.sh counting                   not measured: what the last make all took, by claim, into
#                                                 results/simt/seconds.csv, for the supplement
# shellcheck disable=SC1091,SC2016,SC2153 # the backticks belong to the table; os-release defines NAME
set -euo pipefail
cd "$(dirname "$0")/.."

where="$(nproc) cores, $(. /etc/os-release && echo "$NAME ${VERSION_ID:-}")"

# write NAME SECONDS WHERE: replace the row of the README's table that begins with NAME.
write() {
    grep -qF "| $1 |" paper/readme.md || { echo "times: paper/readme.md has no row '$1'" >&2; exit 1; }
    awk -v name="| $1 |" -v row="| $1 | $2 | $3 |" 'index($0, name) == 1 { $0 = row } { print }' paper/readme.md > paper/.readme.md.new
    mv paper/.readme.md.new paper/readme.md
    .venv/bin/python -m analysis --readme > /dev/null
    echo "times     $1: $2 s"
}

# measure NAME COMMAND...: run the command and write its duration.
measure() {
    local name=$1 start=$EPOCHREALTIME
    shift
    "$@" > /dev/null
    write "$name" "$(awk -v s="$start" -v e="$EPOCHREALTIME" 'BEGIN { t = e - s; printf t < 3 ? "%.1f" : "%.0f", t }')" "$where"
}

for row in "$@"; do
    case "$row" in
        test)
            folder=$(mktemp -d)
            trap 'rm -rf "$folder"' EXIT
            git clone --quiet . "$folder/clone"
            CCACHE_DIR=$folder/cache measure '`make test` in a fresh clone, packages there, nothing compiled' \
                make -C "$folder/clone" test
            ;;
        bare)
            .ci/bare.sh | tee build/bare.log
            seconds=$(sed -n 's/^bare *make all took \([0-9]*\) s$/\1/p' build/bare.log | head -n 1)
            write '`make all` in a fresh clone, nothing there' "$seconds" "$where"
            ;;
        clean) make clean && measure '`make all` from clean, packages in place' make all ;;
        again) make all > /dev/null && measure '`make all` again' make all ;;
        test-again) make test > /dev/null && measure '`make test` again' make test ;;
        quick) rm -rf build/quick && measure '`make quick`' make quick ;;
        gpu) rm -rf build/gpu && measure '`make gpu`, from clean' make gpu ;;
        record)
            seconds=$(.venv/bin/python -c 'from pathlib import Path; from analysis.core.recorded import context_of
found = map(context_of, Path("results/nvidia-h200").glob("*.jsonl"))
print(round(sum(context.provenance["wall_seconds"] for context in found)))')
            write '`make record`' "$seconds" "NVIDIA H200"
            ;;
        counting)
            for path in build/times/*.json; do
                echo "$(basename "$path" .json),$(tr -cd '0-9.' < "$path"),\"$where\""
            done | sed '1i claim,seconds,machine' > results/simt/seconds.csv.new
            mv results/simt/seconds.csv.new results/simt/seconds.csv
            ;;
        *)
            echo "times: no such row: $row" >&2
            exit 1
            ;;
    esac
done
