#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Asks the completions of bash as a shell does. Usage: tests/completions.sh FILE
# shellcheck source=/dev/null
source "$1"
failed=0
expect() { # expect WANTED WORD...    the last word is being completed; WANTED must be among the answers, "!X" must not
    local wanted=$1 got
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _smdbg_tui 2>/dev/null
    got=" ${COMPREPLY[*]} "
    case $wanted in
        !*) [[ $got != *" ${wanted#!} "* ]] ;;
        *) [[ $got = *" $wanted "* ]] ;;
    esac || { echo "completions: \"$*\" offers$got, not $wanted" >&2; failed=1; }
}
expect --no-follow smdbg-tui --no-f
expect !--follow smdbg-tui --no-f
expect json smdbg-tui --interpreter j
expect runs smdbg-tui --layout ru
expect overfit smdbg-tui --rules ov
expect dead_relu smdbg-tui --demo d
expect health smdbg-tui --layout = heal
expect health smdbg-tui --layout =
expect overfit,dead_relu smdbg-tui --rules overfit,dead
expect !tests smdbg-tui --rules overfit,tes
expect tensors smdbg-tui -batch -ex tens
expect sample smdbg-tui sam
expect --interval smdbg-tui sample --in
expect !--demo smdbg-tui sample --
expect tests smdbg-tui tes
exit $failed
