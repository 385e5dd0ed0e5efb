#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a command with TMPDIR in memory, unless it is set, where there is enough of it and programs may run there: the tests make many small files.
# Usage: tests/in_memory.sh COMMAND...
for kib in $(df -kP /dev/shm 2>/dev/null | awk 'NR == 2 && $1 == "tmpfs" { print $4 }'); do
    [ -z "${TMPDIR:-}" ] && [ "$kib" -ge 2097152 ] && [ "$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)" -ge 4194304 ] || continue
    scratch=$(mktemp -d /dev/shm/smdbg_check_XXXXXX) || continue
    trap 'rm -rf "$scratch"' EXIT
    cp /bin/true "$scratch/true" && "$scratch/true" 2>/dev/null || continue
    rm "$scratch/true"
    export TMPDIR="$scratch"
done
"$@"
