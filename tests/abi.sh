#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the interface of libsmdbg-hook (functions, types, values of enumerations) with what was promised.
# Usage: tests/abi.sh LIBRARY    built with -g. UPDATE=1 writes the promise anew: a function was added, or the SONAME is a new one.
set -eu
promised=reader/hook/smdbg-hook.abi
hidden=$(mktemp)
trap 'rm -f "$hidden"' EXIT
printf '[suppress_type]\nname = smdbg_hook\ndrop = yes\n' > "$hidden" # what the type consists of is not promised
if [ -n "${UPDATE:-}" ]; then
    abidw --suppressions "$hidden" --exported-interfaces-only --drop-undefined-syms --no-corpus-path --no-comp-dir-path --no-show-locs \
        --no-elf-needed --no-architecture --type-id-style hash "$1" > $promised
fi
abidiff --suppressions "$hidden" --exported-interfaces-only --no-architecture --no-show-locs $promised "$1" ||
    { echo "abi: the interface of $1 is not that of $promised; UPDATE=1 sh tests/abi.sh $1 after an addition" >&2; exit 1; }
echo "abi: the interface of the hook is the one that was promised"
