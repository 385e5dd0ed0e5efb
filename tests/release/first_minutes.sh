#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The first minutes of README.md with an installed program. Usage: first_minutes.sh PROGRAM TRIAL [PYTHON]
# TRIAL: a copy of tests/trials/cnn_dead_relu. PYTHON: one that has the modules; without, the hook is not tried.
set -eu
program=$1 trial=$2 python=${3:-}
fail() { echo "first minutes: $*" >&2; exit 1; }
"$program" --version | grep -q '^built with ' || fail "no version"
"$program" --demo healthy --speed 1000 </dev/null >/tmp/demo.out 2>&1 || fail "--demo: $(tail -3 /tmp/demo.out)"
grep -qi 'loss' /tmp/demo.out || fail "--demo prints no summary: $(cat /tmp/demo.out)"
"$program" -n -batch -ex tensors "$trial" | grep -q weight || fail "no tensors"
"$program" -n -batch -ex verdict "$trial" >/tmp/verdict.out || fail "no verdict"
status=0
"$program" -n -batch --rules dead_relu "$trial" >/dev/null || status=$?
[ "$status" = 3 ] || fail "a rule that fires ends with status $status, not 3"
[ -n "$python" ] || exit 0
cd "${TMPDIR:-/tmp}"
rm -rf first-run
"$python" -c '
import smdbg, smdbg_hook
with smdbg_hook.Hook("first-run", save_all=True) as hook:
    for i in range(3):
        hook.step()
        hook.scalar("loss", 1 / (i + 1))' || fail "the module"
[ "$("$program" -n -batch -ex 'tensors -csv -field name,steps' first-run | tail -1)" = loss,3 ] || fail "the module's trial"
