#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the jobs of doc/cluster as Slurm and Kubernetes do, every part and then the merge, and compares with a single run.
# Usage: tests/cluster/scripts.sh PROGRAM

cd "$(dirname "$0")/../.." || exit 2
case $1 in /*) SMDBG=$1 ;; *) SMDBG=$PWD/$1 ;; esac
export SMDBG
TRIAL=$PWD/tests/trials/cnn_dead_relu
W=$(mktemp -d) || exit 2
trap 'rm -rf "$W"' EXIT

fail() {
    echo "cluster: $1" >&2
    exit 1
}

# prints the script that the container of a job runs
script_of() {
    awk '/^ *- \|$/ { inside = 1; next } inside && !/^              / { inside = 0 } inside { print substr($0, 15) }' "$1"
}

same() {
    cmp -s "$W/whole.json" "$W/$1/verdict.json" || fail "$1: the merged parts differ from a single run"
}

"$SMDBG" -batch -n --rules auto --json "$TRIAL" >"$W/whole.json"
[ $? -eq 3 ] || fail "the trial's fault was not found"

for i in 1 2 3; do
    SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=3 SLURM_CPUS_PER_TASK=1 TRIAL=$TRIAL RESULTS=$W/slurm \
        sh doc/cluster/judge.sbatch || fail "part $i of Slurm failed"
done
RESULTS=$W/slurm sh doc/cluster/merge.sbatch >"$W/text"
[ $? -eq 3 ] || fail "the merge of Slurm does not end with status 3"
same slurm

script_of doc/cluster/judge.yaml >"$W/judge"
script_of doc/cluster/merge.yaml >"$W/merge"
[ -s "$W/judge" ] && [ -s "$W/merge" ] || fail "no script in the jobs for Kubernetes"
for i in 0 1 2 3; do
    JOB_COMPLETION_INDEX=$i PARTS=4 TRIAL=$TRIAL RESULTS=$W/kubernetes sh -c "$(cat "$W/judge")" || fail "pod $i failed"
done
RESULTS=$W/kubernetes sh -c "$(cat "$W/merge")" >"$W/text"
[ $? -eq 3 ] || fail "the merging pod does not end with status 3"
same kubernetes

# a part that cannot be judged fails and writes no result
SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=3 TRIAL=$W/nothing RESULTS=$W/bad sh doc/cluster/judge.sbatch 2>/dev/null &&
    fail "a missing trial is not an error"
[ ! -e "$W/bad/part-1.json" ] || fail "a part that failed left a result"
echo "cluster: the merged results of Slurm and of Kubernetes equal that of a single run"
