#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the jobs of doc/cluster on a Slurm that tests/cluster/slurm.sh has started, with runs in a bucket of the server that
# tests/s3/servers.sh has started, and compares the joined results with those of a single run.
# Usage: tests/cluster/check.sh PROGRAM DIR BUCKETS PORT   BUCKETS: the server's folder, whose folders are its buckets
set -eu
cd "$(dirname "$0")/../.."
SMDBG=$(realpath "$1")
W=$(realpath "$2")
BUCKETS=$3
N=${CLUSTER_RUNS:-200}
TASKS=8
export SMDBG AWS_ENDPOINT_URL="http://127.0.0.1:$4" AWS_ACCESS_KEY_ID=smkey AWS_SECRET_ACCESS_KEY=smsecret12345 AWS_REGION=us-east-1
export XDG_CACHE_HOME="$W/cache"
jobs=$PWD/doc/cluster
rm -rf "$W/results" "$W/cache" "$W/jobs"
mkdir -p "$W/results" "$W/jobs"

fail() {
    echo "cluster-check: $1" >&2
    exit 1
}

# make_runs FOLDER N: N runs of eight kinds
make_runs() {
    set -- "$1" "$2" trials/cnn_healthy trials/cnn_dead_relu trials/mlp_overfit trials/cnn_class_imbalance \
        trials/ddp_two_workers samples/hf_trainer samples/keras_csv samples/tensorboard
    to=$1 n=$2 i=0
    shift 2
    mkdir -p "$to"
    while [ $i -lt "$n" ]; do
        cp -r "tests/$1" "$to/run-$i"
        set -- "$@" "$1"
        shift
        i=$((i + 1))
    done
}

# judge NAME TRIAL TASKS: the array and the job that joins its results, which ends with status 3
judge() {
    export TRIAL="$2" RESULTS="$W/results/$1"
    array=$(cd "$W/jobs" && sbatch --parsable --array="1-$3" "$jobs/judge.sbatch")
    status=0
    (cd "$W/jobs" && sbatch --wait --dependency="afterok:$array" --kill-on-invalid-dep=yes "$jobs/merge.sbatch") >/dev/null || status=$?
    [ $status -eq 3 ] || { tail -n 3 "$W/jobs"/slurm-"$array"_*.out >&2; fail "$1: the joined result ends with status $status, not 3"; }
    status=0
    "$SMDBG" -batch -n --rules auto --json "$TRIAL" >"$RESULTS/whole.json" || status=$?
    [ $status -eq 3 ] || fail "$1: a single run ends with status $status, not 3"
    cmp "$RESULTS/whole.json" "$RESULTS/verdict.json" || fail "$1: the joined parts differ from a single run"
    echo "$1: $3 tasks, equal to a single run"
}

PYTHONPATH=tests/s3 python3 -B -c "import sys, s3; s3.Client(int(sys.argv[1])).make('cluster')" "$4"
make_runs "$BUCKETS/cluster/runs" "$N"
make_runs "$W/jobs/few" 4
judge "a trial in 3 parts" "$PWD/tests/trials/cnn_dead_relu" 3
judge "4 runs, a task each" "$W/jobs/few" 4
judge "$N runs of a bucket" s3://cluster/runs $TASKS
judge "a run of a bucket in 2 parts" s3://cluster/runs/run-1 2

# A task that cannot read its trial fails, leaves no result, and nothing is joined.
export TRIAL=s3://cluster/nothing RESULTS="$W/results/bad"
(cd "$W/jobs" && sbatch --wait --array=1-2 "$jobs/judge.sbatch") >/dev/null && fail "a missing prefix is not an error"
[ -z "$(ls "$RESULTS"/part-?.json 2>/dev/null)" ] || fail "a task that failed left a result"
echo "a missing prefix: the tasks fail"
