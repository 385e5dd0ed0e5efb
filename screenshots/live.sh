#!/bin/sh
# screenshots/live.sh RECORD PROGRAM: two minutes of a training with a fault, followed live, as screenshots/live.cast.
set -eu
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
env -i PATH="$PATH" LC_ALL=C.UTF-8 HOME="$here" COLORTERM=truecolor \
    "$1" screenshots/live.script "$here/cast" "$2" -n --demo overfit --speed 0.5
mv "$here/cast" screenshots/live.cast
