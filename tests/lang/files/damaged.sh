# SPDX-License-Identifier: Apache-2.0
# damaged.sh DIR: a trial in DIR with an event file cut, another missing, and an index file cut. Prints its path.
cp -r tests/trials/cnn_healthy "$1/damaged" && cd "$1/damaged" || exit 1
cut_file() {
    head -c "$2" "$1" >cut && mv cut "$1"
}
cut_file events/000000000020/000000000020_worker_0.tfevents 100000
cut_file index/000000000/000000000044_worker_0.json 100
rm events/000000000078/000000000078_worker_0.tfevents
echo "$1/damaged"
