#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs one stage of make check. What it prints goes into a log and is shown if it fails; the time goes into the report.
# Usage: tests/stage.sh FOLDER NAME COMMAND...     tests/stage.sh FOLDER (prints the report)
folder=$1 name=$2
if [ -z "$name" ]; then
    sort -k2 -n -r "$folder/times" | awk '
        BEGIN { printf "%-16s %8s %8s\n", "stage", "seconds", "CPU" }
        { printf "%-16s %8.1f %8.1f\n", $1, $2, $3 + $4; cpu += $3 + $4 }
        END { printf "%-16s %8s %8.1f\n", "CPU of all", "", cpu }'
    exit
fi
shift 2
mkdir -p "$folder"
TIMEFORMAT="$name %R %U %S"
{ time "$@" >"$folder/$name.log" 2>&1; } 2>"$folder/$name.time"
status=$?
tail -n 1 "$folder/$name.time" >>"$folder/times"
if [ $status -ne 0 ]; then
    cat "$folder/$name.log"
    echo "FAILED: $name (the command was: $*)"
    exit 1
fi
awk '{ printf "passed: %-14s %6.1f s\n", $1, $2 }' "$folder/$name.time"
