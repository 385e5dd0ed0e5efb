#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Queries smdbg-tui about a trial through --interpreter=json, with jq. Usage: doc/examples/client.sh DIR [PROGRAM]
# Prints the modes of the trial, and each rule that fired with its first step.
set -e
trial=${1:?usage: client.sh DIR [PROGRAM]}
program=${2:-smdbg-tui}
for needed in "$program" jq; do
    command -v "$needed" >/dev/null || { echo "client.sh: $needed: not found" >&2; exit 1; }
done

# jq writes the requests, so that names are quoted correctly. The answers are one JSON object per line.
{
    jq -cn '{id: "modes", cmd: "info modes"}'
    jq -cn '{id: "rules", cmd: "rule auto"}'
    jq -cn '{id: "status", cmd: "rule status", args: {wait: true}}'
} | "$program" -n -i json "$trial" | jq -r '
    if .type == "result" and .status == "error" then "client.sh: \(.msg)\n" | halt_error(1)
    elif .id == "modes" then .data[] | "\(.mode): \(.steps) steps"
    elif .id == "status" then .data[] | select(.status == "IssuesFound") | "\(.rule): first at step \(.first_step)"
    else empty end'
