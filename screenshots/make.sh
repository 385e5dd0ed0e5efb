#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# screenshots/make.sh PROGRAM NAME.keys: plays the keys and saves the screen as NAME.svg (and .png).
set -eu
name=$(basename "$2" .keys)
read -r _ size trial options <"$2"
keys=$(mktemp)
trap 'rm -f "$keys"' EXIT
{ sed 1d "$2"; echo "wait save:screenshots/$name.svg"; } >"$keys"
LC_ALL=C.UTF-8 TERM=xterm-256color "$1" -n --tui --no-follow --keys "$keys" --size "$size" $options "tests/trials/$trial" </dev/null
if command -v rsvg-convert >/dev/null; then
    rsvg-convert "screenshots/$name.svg" -o "screenshots/$name.png"
fi
