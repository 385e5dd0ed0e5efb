# SPDX-License-Identifier: Apache-2.0
# many_workers.sh DIR: 12 workers in DIR; worker_2 and those after it wrote what worker_1 wrote. Prints its path.
cp -r tests/trials/ddp_two_workers "$1/run" && cd "$1/run" || exit 1
for worker in 2 3 4 5 6 7 8 9 10 11; do
    for file in index/*/*worker_1.json events/*/*worker_1.tfevents; do
        sed "s/worker_1/worker_$worker/g" "$file" >"$(echo "$file" | sed "s/worker_1/worker_$worker/")"
    done
done
echo "$1/run"
