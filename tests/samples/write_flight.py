#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the sample `traces/flight`: dumps of torch.distributed's flight recorder of four ranks by hand, in the form of version 2.10.
Rank 2 never entered the last all_reduce. The dump of rank 3 is JSON.

Usage: write_flight.py FOLDER
"""
import json
import os
import pickle
import sys

BASE = 1700000000000000000
GROUPS = {"0": ("default_pg", [0, 1, 2, 3]), "1": ("mesh_tp", [0, 1])}


def entry(rank, number, group, seq, op, state, line):
    frames = [{"name": op, "filename": "site-packages/torch/distributed/distributed_c10d.py", "line": 4174},
              {"name": "step", "filename": "train/loop.py", "line": line}]
    return {"frames": frames, "record_id": number, "pg_id": int(group), "process_group": (group, GROUPS[group][0]), "collective_seq_id": seq,
            "p2p_seq_id": 0, "op_id": seq, "profiling_name": "nccl:" + op, "time_created_ns": BASE + 1000000 * number + 1000 * rank,
            "input_sizes": [[8, 16]], "input_dtypes": ["Float"], "output_sizes": [[8, 16]], "output_dtypes": ["Float"], "state": state,
            "time_discovered_started_ns": None, "time_discovered_completed_ns": None, "retired": state == "completed", "timeout_ms": 600000,
            "is_p2p": False}


def dump(rank):
    entries, number = [], 0
    for seq in (1, 2, 3):
        if rank < 2:
            entries.append(entry(rank, number, "1", seq, "_all_gather_base", "completed", 31))
        number += 1
        last = seq == 3
        if not (last and rank == 2):
            entries.append(entry(rank, number, "0", seq, "all_reduce", "started" if last else "completed", 40))
        number += 1
    config = {name: {"name": name, "desc": about, "ranks": str(ranks)} for name, (about, ranks) in GROUPS.items()}
    return {"version": "2.10", "pg_config": config, "comm_lib_version": "2.27.5", "pg_status": {}, "entries": entries}


folder = os.path.join(sys.argv[1], "flight")
os.makedirs(folder, exist_ok=True)
for rank in range(3):
    with open(os.path.join(folder, "rank_%d" % rank), "wb") as file:
        pickle.dump(dump(rank), file, 2)
with open(os.path.join(folder, "rank_3.json"), "w", encoding="utf-8") as file:
    last = dump(3)
    for e in last["entries"]:
        del e["frames"]
    json.dump(last, file)
