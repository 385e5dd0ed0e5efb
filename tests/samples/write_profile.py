#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the sample `profile`: a profiler's tree by hand, with what real trees have: two nodes, GPUs, lines that are torn or
no JSON, NaN, a timeline without its end, one that is being written, pairs of events, data loaders, operators.

Usage: write_profile.py FOLDER
"""
import json
import os
import sys

START = 1600000020                      # seconds
ROOT = sys.argv[1]


def put(path, text):
    path = os.path.join(ROOT, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def row(kind, name, dimension, value, node, time):
    return '{"Type":"%s","Name":"%s","Dimension":"%s","Value":%s,"NodeId":"%s","Timestamp":%s}\n' % (kind, name, dimension, value, node, time)


def tick(node, i, busy):
    time = "%d.%09d" % (START + i // 2, 500000000 * (i % 2) + 1234567)
    late = "%d.%09d" % (START + i // 2, 500000000 * (i % 2) + 3234567)
    text = ""
    for core in range(2):
        text += row("cpu", "cpu%d" % core, "CPUUtilization", 40 + 20 * core + i % 5, node, time)
        text += row("cpu", "cpu%d" % core, "I/OWaitPercentage", 2.5 * core, node, time)
    for gpu in range(2):
        text += row("gpu", "gpu%d" % gpu, "GPUUtilization", busy if gpu == 0 else busy / 2, node, late)
        text += row("gpu", "gpu%d" % gpu, "GPUMemoryUtilization", 30 + i, node, late)
    text += row("memory", "MemoryUsedPercent", "", 12.5, node, time)
    text += row("network", "ReceiveBytesPerSecond", "Algorithm", 1000 * i, node, time)
    text += row("network", "TransmitBytesPerSecond", "Algorithm", 500, node, time)
    return text


def metrics():
    for node in ("algo-1", "algo-2"):
        first = "".join(tick(node, i, 80 if i % 4 else 5) for i in range(8))
        last = "".join(tick(node, i, 90) for i in range(8, 12))
        if node == "algo-1":
            first += "not JSON\n" + row("cpu", "cpu0", "CPUUtilization", "NaN", node, START + 4)
            last += '{"Type":"cpu","Name":"cpu0","Dimension":"CPUUtil'
        put("system/incremental/2020091312/%d.%s.json" % (START - START % 60, node), first)
        put("system/incremental/2020091312/%d.%s.json" % (START - START % 60 + 60, node), last)


def event(name, process, ts, dur, **args):
    return json.dumps({"name": name, "pid": process, "ph": "X", "ts": ts, "dur": dur, "args": args})


def names(phases, base):
    yield json.dumps({"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": base}})
    for i, phase in enumerate(phases):
        yield json.dumps({"name": "process_name", "ph": "M", "pid": i + 1, "args": {"name": phase}})


def timelines():
    phases = ["Step:ModeKeys.TRAIN", "Step:ModeKeys.EVAL", "Forward", "Backward(post-forward)", "cpu_functions", "gpu_functions-dev:0",
              "DataLoaderIter", "DataLoaderIterInitialize", "Checkpoint"]
    base = START * 1000000
    lines = list(names(phases, base))
    lines.append(event("DataLoaderIterInitialize", 8, 1000, 20, num_workers=2, pin_memory="False"))
    for step in range(12):
        at, long = 100000 + step * 400000, 900000 if step == 7 else 300000
        at += 600000 if step > 7 else 0
        lines.append(event("step", 7, at - 50000, 50000, pid=77, worker_id=0))
        lines.append(event("Net", 3, at, long // 3, pid=41, step_num=str(step)))
        lines.append(event("conv2d", 5, at + 10, 20000 + step, step_num=step))
        lines.append(event("relu", 5, at + 30000, 5000, step_num=step))
        lines.append(event("sgemm", 6, at + 20, 40000, step_num=step, event_name="conv2d"))
        lines.append(event("Net", 4, at + long // 3, long // 2, pid=41, step_num=str(step)))
        lines.append(event("Step:ModeKeys.TRAIN", 1, at, long, pid=41, step_num=str(step)))
    half = len(lines) // 2
    put("framework/pevents/2020091312/%d_41-algo-1_pythontimeline.json" % (base + 3000000), "[\n" + ",\n".join(lines[:half]) + "\n]\n")
    put("framework/pevents/2020091312/%d_41-algo-1_pythontimeline.json" % (base + 6000000),
        "[\n" + ",\n".join(list(names(phases, base)) + lines[half:]) + ",\n")
    other = list(names(["Checkpoint", "Step:ModeKeys.EVAL"], base))
    other += ['{"name": "Save", "pid": 1, "ph": "B", "ts": 2000000}', '{"name": "fsync", "pid": 1, "ph": "B", "ts": 2100000}',
              '{"pid": 1, "ph": "E", "ts": 2200000}', '{"pid": 1, "ph": "E", "ts": 2500000, "args": {"step_num": 5}}',
              '{"name": "epoch", "pid": 1, "ph": "i", "s": "g", "ts": 2600000}', event("Step:ModeKeys.EVAL", 2, 5000000, 120000.5, step_num=0)]
    put("framework/42-algo-2_pythontimeline.json.tmp", "[\n" + ",\n".join(other) + ',\n{"name": "Step:Mod')


metrics()
timelines()
put("system/training_job_end.ts", "")
