#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A Slurm of one node, this machine, for make cluster-check: munged, slurmctld and slurmd with their own keys, ports and folders.
# Needs Debian's slurm-wlm and munge, and root.
# Usage: tests/cluster/slurm.sh start DIR   DIR/slurm.conf is for sbatch and the others: SLURM_CONF=DIR/slurm.conf
#        tests/cluster/slurm.sh stop DIR
set -eu
mkdir -p "$2"
DIR=$(cd "$2" && pwd)
PORT=${SLURM_PORT:-9400}
SOCKET=$DIR/munge.socket
export SLURM_CONF=$DIR/slurm.conf

stop()
{
    for name in slurmd slurmctld munged; do
        [ ! -f "$DIR/$name.pid" ] || kill "$(cat "$DIR/$name.pid")" 2>/dev/null || true
    done
}

write_conf()
{
    host=$(hostname -s)
    cat >"$SLURM_CONF" <<END
ClusterName=smdbg
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$PORT
SlurmdPort=$((PORT + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$SOCKET
CredType=cred/munge
StateSaveLocation=$DIR/state
SlurmdSpoolDir=$DIR/spool
SlurmctldPidFile=$DIR/slurmctld.pid
SlurmdPidFile=$DIR/slurmd.pid
SlurmctldLogFile=$DIR/slurmctld.log
SlurmdLogFile=$DIR/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MaxArraySize=2001
$(slurmd -C | head -1) NodeAddr=127.0.0.1 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
}

start()
{
    stop
    rm -rf "$DIR"
    mkdir -p "$DIR/state" "$DIR/spool"
    chmod 755 "$DIR"
    (umask 077 && dd if=/dev/urandom of="$DIR/munge.key" bs=128 count=1 status=none)
    munged --force --key-file="$DIR/munge.key" --socket="$SOCKET" --log-file="$DIR/munged.log" --pid-file="$DIR/munged.pid" \
        --seed-file="$DIR/munge.seed"
    write_conf
    slurmctld
    slurmd
    tries=0
    until sinfo -h -t idle -o %n | grep -q .; do
        tries=$((tries + 1))
        [ $tries -lt 150 ] || { echo "the node does not become idle: see $DIR/*.log" >&2; exit 1; }
        sleep 0.2
    done
}

case $1 in
start | stop) $1 ;;
*)
    echo "usage: tests/cluster/slurm.sh start|stop DIR" >&2
    exit 2
    ;;
esac
