#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the given benchmarks one after another. Fails if one could not measure, never because of a figure.
set -eu
[ -z "${BENCH_JSON:-}" ] || : >"$BENCH_JSON"
printf '%-32s %12s %12s %8s  %-10s\n' figure value floor ratio bar
failed=0
for bench in "$@"; do
    rm -rf "$BENCH_SCRATCH"
    mkdir -p "$BENCH_SCRATCH"
    "$bench" || { echo "$(basename "$bench") could not measure"; failed=1; }
done
rm -rf "$BENCH_SCRATCH"
exit $failed
