#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Types keys into the dashboard and compares the screen. Each tests/screens/NAME.keys starts with
# "# WxH LOCALE TRIAL [OPTION...]"; the rest are keys (tui/terminal/keyscript.h). The final screen must equal NAME.screen.
# UPDATE=1 overwrites NAME.screen.
program=$1
here=tests/screens
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for keys in "$here"/*.keys; do
    name=$(basename "$keys" .keys)
    read -r _ size locale trial options <"$keys"
    { sed 1d "$keys"; echo "wait save:$work/$name.screen"; } >"$work/keys"
    env -i PATH="$PATH" HOME=/nonexistent TERM=xterm-256color LC_ALL="$locale" \
        "$program" -n --tui --wait --no-follow $options --keys "$work/keys" --size "$size" "tests/trials/$trial" </dev/null >"$work/out" 2>&1
    if [ -n "${UPDATE:-}" ]; then
        cp "$work/$name.screen" "$here/$name.screen"
    fi
    if diff -u "$here/$name.screen" "$work/$name.screen"; then
        passed=$((passed + 1))
    else
        echo "FAILED: $keys"
        cat "$work/out"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
