#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# screenshots/live.sh RECORD PROGRAM: records two minutes of a live training with a fault as screenshots/live.cast.
set -eu
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
env -i PATH="$PATH" LC_ALL=C.UTF-8 HOME="$here" COLORTERM=truecolor \
    "$1" screenshots/live.script "$here/cast" "$2" -n --demo overfit --speed 0.5
mv "$here/cast" screenshots/live.cast
