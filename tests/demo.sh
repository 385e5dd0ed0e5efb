#!/bin/sh
# A trial from tests/trials is written again step by step, as if its job ran now, and the dashboard watches it.
# Without a terminal: a quick replay and a summary of the run as text.
set -eu
program=$1
trial=${2:-tests/trials/cnn_healthy}
dir=$(mktemp -d)
replay=
cleanup() {
    [ -z "$replay" ] || kill "$replay" 2>/dev/null || true
    rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP
if [ -t 0 ] && [ -t 1 ]; then
    "$program" --replay "$trial" "$dir/demo_run" --interval 700 2>/dev/null &
    replay=$!
    "$program" --wait "$dir/demo_run"
else
    "$program" --replay "$trial" "$dir/demo_run" --interval 10
    "$program" --inspect "$dir/demo_run"
fi
