#!/bin/bash
# Correctness first, then figures: bash run.sh FOLDER_OF_BINARIES; logs go to $OUT/logs.tgz.
# Pack: tar czf ring.tgz run.sh bench scan_calls scan_test core_*    Run: tar xzf ring.tgz && bash run.sh .
cd "$1" || exit 1
result=${OUT:-.}
OUT=$(mktemp -d)
trap 'tar czf "$result/logs.tgz" -C "$OUT" .' EXIT
nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv,noheader
failed=0
step() { # seconds, log, command
    local seconds=$1 log=$2; shift 2
    local start=$SECONDS
    timeout "$seconds" "$@" > "$OUT/$log" 2>&1
    local rc=$?
    echo "== $log rc $rc, $((SECONDS - start)) s"
    grep -E "FAILED|Failure|WRONG|OK \]|PASSED" "$OUT/$log" | grep -vE "OK \] Scan/" | head -12
    [ $rc -eq 0 ] || failed=1
}
# The smallest things first: a deadlock here costs 20 s, not all.
step 20 lengths_int.log ./scan_test --gtest_filter='Scan/4.Lengths'
[ $failed -eq 0 ] || { tail -20 "$OUT/lengths_int.log"; exit 1; }  # nothing else is worth its time
step 20 lengths_float.log ./scan_test --gtest_filter='Scan/8.*'
step 30 targets.log ./bench targets variants
cat "$OUT/targets.log"
step 20 small.log ./bench small
cat "$OUT/small.log"
for core in core_*; do step 12 "$core.log" "./$core"; cat "$OUT/$core.log"; done
step 20 bits.log ./scan_calls --gtest_filter='*Bits*:*FourStreams*:*Graphs*:*Epochs*:*Workspaces*'
step 20 order.log ./scan_calls --gtest_filter='*NeedNoOrder*'
step 20 beside.log ./scan_calls --gtest_filter='*Beside*'
step 60 all.log ./scan_test --gtest_filter='Scan/*'
step 30 long.log ./scan_test --gtest_filter='LongScan*'
# Wrong memory accesses and races, on short vectors only (slow).
if command -v compute-sanitizer > /dev/null; then
    step 30 memcheck.log compute-sanitizer --tool memcheck ./scan_test --gtest_filter='Scan/4.Lengths'
    tail -3 "$OUT/memcheck.log"
fi
echo "failed: $failed"
