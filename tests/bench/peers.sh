#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures the program beside TensorBoard's data server and wandb leet on the same numbers, each in the
# format of its own logger (make bench-peers). Peers come from PyPI, into $B/peers/venv; what cannot be
# installed is said and left out. In each round peer and program take turns; medians are printed.
#   PEERS_RUNS=1000   runs of row c (2 MB each as event files, as much again for W&B)
#   PEERS_ROUNDS=3    rounds
#   PEERS_ROWS="a b c d"   d: checkpoints, beside safetensors and numpy
#   PEERS_MIB=1024    of each of the two checkpoints of row d
set -u
B=${B:-build}
runs=${PEERS_RUNS:-1000}
rounds=${PEERS_ROUNDS:-3}
rows=${PEERS_ROWS:-a b c d}
peers=$B/peers
data=$peers/data
program=$B/smdbg-tui
screen=$B/bench/peer_screen
BENCH_SCRATCH=$peers/home
export BENCH_SCRATCH
mkdir -p "$data" "$BENCH_SCRATCH" "$peers/scratch"
figures=$peers/figures
: >"$figures"

# ---- peers ----
install_peers()
{
    [ -x "$peers/venv/bin/python" ] || python3 -m venv "$peers/venv" || return 1
    for package in tensorboard grpcio wandb numpy safetensors; do
        "$peers/venv/bin/python" -m pip show -q "$package" >/dev/null 2>&1 ||
            "$peers/venv/bin/python" -m pip install -q --disable-pip-version-check "$package" >"$peers/pip.log" 2>&1 ||
            echo "$package could not be installed: $(tail -1 "$peers/pip.log")"
    done
}
install_peers || echo "no virtual environment: python3-venv is missing"
packages=$(echo "$peers"/venv/lib/python3*/site-packages)
server=$packages/tensorboard_data_server/bin/server
leet=$packages/wandb/bin/wandb-core
[ -x "$server" ] && "$peers/venv/bin/python" -c 'import grpc' 2>/dev/null || { echo "without TensorBoard's data server"; server=; }
[ -x "$leet" ] || { echo "without wandb leet"; leet=; }
for package in tensorboard tensorboard-data-server wandb; do
    "$peers/venv/bin/python" -m pip show "$package" 2>/dev/null | sed -n 's/^Name: //p; s/^Version: //p' | paste -sd' ' - | sed '/^$/d'
done

# ---- numbers ----
shape_of() # row: runs scalars steps
{
    case $1 in
    a) echo "1 20 100000" ;;
    b) echo "1 1000 1000" ;;
    c) echo "$runs 20 2000" ;;
    esac
}
formats_of()
{
    case $1 in
    c) echo "tensorboard wandb" ;;
    *) echo "tensorboard wandb trial" ;;
    esac
}
generate() # row format
{
    dir=$data/$1.$2
    [ "$1" != c ] || dir=$dir.$runs
    echo "$dir"
    [ -d "$dir" ] && return
    need=$((1200000 + ($([ "$1" = c ] && echo "$runs" || echo 1) * 2100)))
    free=$(df -Pk "$data" | awk 'NR == 2 {print $4}')
    if [ "$free" -lt "$need" ]; then
        echo "$dir: needs $need KB of disk, $free are free" >&2
        return
    fi
    rm -rf "$dir.new"
    # shellcheck disable=SC2046
    "$B/bench/gen_scalars" "$2" "$dir.new" $(shape_of "$1") && mv "$dir.new" "$dir"
}

# ---- measuring: lines "row who text chart quiet cpu peak idle-cpu idle-bytes [whole]" ----
# "rules: 1 of 1000 runs judged" is on the screen when all of the table is read.
show() # row who first-text command...
{
    row=$1 who=$2 text=$3
    shift 3
    echo "$row $who $("$screen" -t "$text" -w "rules:" -i 5 "$@")" >>"$figures"
}
batch() # row who command dir
{
    echo "$1 $2 $("$screen" -b 1 "$program" -n -batch -ex "$3" "$4")" >>"$figures"
}
measure_row()
{
    row=$1
    case $row in # what is on the screen when the last step is read; of row c the first table
    a) seen='step 99999' seen_wandb=$seen ;;
    b) seen='step 999' seen_wandb=$seen ;;
    c) seen=run_0000 seen_wandb=bench000 ;;
    esac
    if [ -n "$server" ]; then
        # shellcheck disable=SC2046
        echo "$row data-server $("$peers/venv/bin/python" tests/bench/peer_server.py "$server" "$tensorboard" $(shape_of "$row"))" >>"$figures"
    fi
    show "$row" ours "$seen" "$program" -n "$tensorboard"
    batch "$row" ours-batch "$([ "$row" = c ] && echo 'runs -sort best' || echo 'tensors -stats')" "$tensorboard"
    [ -z "$leet" ] || show "$row" leet "$seen" "$leet" leet run --no-observability "$wandb"
    show "$row" ours-on-wandb "$seen_wandb" "$program" -n "$wandb"
    [ -z "${trial:-}" ] || show "$row" ours-on-trial "$seen" "$program" -n "$trial"
    [ -z "${trial:-}" ] || batch "$row" batch-on-trial "tensors -stats" "$trial"
}
for row in $rows; do
    [ "$row" != d ] || continue
    trial=
    for format in $(formats_of "$row"); do
        dir=$(generate "$row" "$format")
        [ -d "$dir" ] || continue 2
        eval "$format=\$dir"
    done
    i=0
    while [ $((i += 1)) -le "$rounds" ]; do
        measure_row "$row"
    done
done

# ---- the report ----
awk -f tests/bench/peers.awk "$figures"
rm -rf "$peers/scratch/runs"
case " $rows " in
*" d "*) "$peers/venv/bin/python" tests/bench/peer_checkpoints.py "$program" "$data/d.checkpoints" "${PEERS_MIB:-1024}" || echo "row d could not be measured" ;;
esac
[ -z "$(echo "$rows" | grep c)" ] || BENCH_MANY=$runs BENCH_PROGRAM=$program BENCH_SCRATCH=$peers/scratch "$B/bench/bench_scalars" many
