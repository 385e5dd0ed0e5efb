#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the sample `traces/ranks`: traces of three ranks by hand, in the form of torch.profiler 2.9 on GPUs. Rank 1 waits for
its data loader, and the others for it; clocks are apart; the trace of rank 2 is torn, that of rank 3 is missing.

Usage: write_traces.py FOLDER
"""
import gzip
import json
import os
import sys

STEPS = range(10, 14)
CLOCKS = [0, 3000.125, -1500.5]         # microseconds


def event(cat, name, tid, ts, dur, args):
    return {"ph": "X", "cat": cat, "name": name, "pid": 4000, "tid": tid, "ts": round(ts, 3), "dur": round(dur, 3), "args": args}


def work(out, number, cat, name, stream, launched, ts, dur, **args):
    call = "cudaMemcpyAsync" if cat == "gpu_memcpy" else "cudaLaunchKernel"
    out.append(event("cuda_runtime", call, 4000, launched, 4, {"External id": number, "cbid": 211, "correlation": number}))
    out.append(event(cat, name, stream, ts, dur, dict({"External id": number, "device": 0, "stream": stream, "correlation": number}, **args)))


def step(out, rank, number, at):
    loader = 4000 if rank == 1 else 200
    begin = at + loader
    base = 100 * number
    out.append(event("user_annotation", "ProfilerStep#%d" % number, 4000, at, 9900, {"Ev Idx": base}))
    out.append(event("user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 4000, at, loader, {}))
    out.append(event("cpu_op", "aten::linear", 4000, begin, 300, {"External id": base}))
    out.append(event("cpu_op", "aten::addmm", 4000, begin + 20, 250, {"External id": base, "Input Dims": [[64], [64, 64]]}))
    out.append({"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 4000, "tid": 4000, "ts": begin + 30,
                "args": {"Total Reserved": 4194304, "Total Allocated": 1048576 + 1024 * number, "Bytes": 1024, "Device Id": 0,
                         "Device Type": 1, "Addr": 94486706524352}})
    work(out, base + 1, "gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 7, begin + 5, begin + 20, 180, bytes=1 << 20)
    for i in range(6):
        work(out, base + 10 + i, "kernel", "ampere_bf16_s16816gemm_bf16_128x128", 7, begin + 40 + 10 * i, begin + 210 + 800 * i, 790 + i,
             **{"est. achieved occupancy %": float("nan") if rank == 0 and i == 0 else 50})
    start, end = begin + 210 + 800 * 5, at + 9800
    work(out, base + 30, "kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 20, begin + 120, start, end - start,
         **{"Collective name": "allreduce", "In msg nelems": 1 << 20, "Out msg nelems": 1 << 20, "Group size": 4, "dtype": "BFloat16",
            "Process Group Name": "0", "Process Group Description": "default_pg", "Process Group Ranks": "[0, 1, 2, 3]", "Seq": number})
    out.append({"ph": "s", "id": base + 30, "pid": 4000, "tid": 4000, "ts": begin + 120, "cat": "ac2g", "name": "ac2g"})


def trace(rank):
    out = [{"ph": "M", "name": "process_name", "pid": 4000, "tid": 0, "args": {"name": "python"}}]
    for number in STEPS:
        step(out, rank, number, 10000 * (number - STEPS[0]) + CLOCKS[rank])
    top = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-40GB"}],
           "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": 4}, "baseTimeNanoseconds": 1700000000000000000}
    text = json.dumps(top)[:-1] + ', "traceEvents": [\n' + ",\n".join(json.dumps(e) for e in out) + "\n]}\n"
    return text if rank != 2 else text[:int(len(text) * 0.8)]


folder = os.path.join(sys.argv[1], "ranks")
os.makedirs(folder, exist_ok=True)
for rank in range(3):
    path = os.path.join(folder, "rank%d_trace.json" % rank)
    if rank == 1:
        with open(path, "w", encoding="utf-8") as file:
            file.write(trace(rank))
    else:
        with open(path + ".gz", "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
            packed.write(trace(rank).encode())
