#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The first five minutes of README.md with the smdbg-tui that is in PATH, in a folder that has README.md and tests/trials.
set -eu
fail() { echo "first minutes: $*" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work"

smdbg-tui --version | grep -q '^built with ' || fail "no version"
smdbg-tui --demo healthy --speed 1000 </dev/null >"$work/demo" 2>&1 || fail "--demo: $(tail -3 "$work/demo")"
grep -qi loss "$work/demo" || fail "--demo prints no summary: $(cat "$work/demo")"
printf 'step 1 loss 2.5\nstep 2 loss 2.25\n' | smdbg-tui -n -batch -ex 'tensors -csv -field name,steps' - | grep -qx 'loss,2' || fail "no log from a pipe"

# dashboard COMMAND WORD...: on a terminal; types q each time that the next WORD has been drawn
dashboard() {
    command=$1
    shift
    : >"$work/screen"
    for word; do
        n=0
        until grep -aq "$word" "$work/screen" || [ $((n += 1)) = 300 ]; do sleep 0.1; done
        printf q
    done | TERM=xterm-256color timeout 90 script -qfec "stty rows 30 cols 100; exec $command" "$work/screen" >/dev/null ||
        fail "dashboard of $command: $(tail -c 500 "$work/screen")"
    for word; do grep -aq "$word" "$work/screen" || fail "the dashboard of $command does not show $word"; done
}
dashboard "smdbg-tui --demo" weight "q again to quit"
dashboard "smdbg-tui --no-follow tests/trials/cnn_healthy" conv0 "q again to quit"

# the tour: a line of it is a command of the prompt, or one of the shell
sed -n '/^## Five-minute tour/,/^## /s/^    //p' README.md >"$work/tour"
[ "$(wc -l <"$work/tour")" -ge 30 ] || fail "README.md has no tour"
grep -v '^build/smdbg-tui' "$work/tour" | smdbg-tui -n -batch -x - tests/trials/cnn_healthy >"$work/out" || fail "the tour failed"
grep -q 'conv0.weight' "$work/out" || fail "the tour printed nothing"
sed -n 's/^build\/smdbg-tui -batch/smdbg-tui -n -batch/p' "$work/tour" >"$work/commands"
[ -s "$work/commands" ] || fail "README.md's tour has no batch"
status=0
sh "$work/commands" >"$work/out" || status=$?
[ "$status" = 3 ] || fail "a rule that fires ends with status $status, not 3"
