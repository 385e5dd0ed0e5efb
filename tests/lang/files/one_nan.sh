# SPDX-License-Identifier: Apache-2.0
# one_nan.sh DIR: two workers in DIR; from step 10 on the loss of worker_1 is NaN. With LOST, worker_0's is, worker_1 wrote nothing
# after step 6, and the job has not ended. Prints its path.
cp -r tests/trials/ddp_two_workers "$1/run" && cd "$1/run" || exit 1
worker=${LOST:+worker_0}
for step in 10 12 14 16 18; do
    printf '\000\000\300\177' |
        dd of="events/0000000000$step/0000000000${step}_${worker:-worker_1}.tfevents" bs=1 seek=3095 conv=notrunc 2>/dev/null
done
if [ "$LOST" ]; then
    rm training_job_end.ts
    for step in 08 10 12 14 16 18; do
        rm "index/000000000/0000000000${step}_worker_1.json" "events/0000000000$step/0000000000${step}_worker_1.tfevents"
    done
fi
echo "$1/run"
