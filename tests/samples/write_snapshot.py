#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the sample `traces/snapshots`: two snapshots of CUDA memory by hand, in the form of torch.cuda.memory._dump_snapshot of
torch 2.15 and with the names of torchtitan. The second one ran out of memory.

Usage: write_snapshot.py FOLDER
"""
import os
import pickle
import sys

CPP = {"filename": "c10/cuda/CUDACachingAllocator.cpp", "line": 0, "name": "malloc"}
TORCH = {"filename": "site-packages/torch/nn/modules/module.py", "line": 1775, "name": "_call_impl"}
PLACES = {name: [CPP, TORCH, {"filename": file, "line": line, "name": function}, {"filename": "train.py", "line": 90, "name": "main"}]
          for name, file, line, function in (("weights", "model.py", 12, "__init__"), ("activations", "model.py", 31, "forward"),
                                             ("kept", "metrics.py", 21, "log_outputs"), ("evaluation", "evaluate.py", 17, "collect"))}
MIB = 1 << 20


class Allocator:
    def __init__(self):
        self.time, self.next, self.events, self.live = 1700000000000000, 0x7F0000000000, [], {}
        self.add("segment_alloc", self.next, 256 * MIB, "weights")

    def add(self, action, address, size, place, **more):
        self.time += 10
        frames = PLACES[place] if place else [CPP]
        self.events.append(dict({"action": action, "addr": address, "size": size, "stream": 0, "time_us": self.time, "frames": frames}, **more))

    def allocate(self, size, place):
        self.next += size
        self.live[self.next] = size, place
        self.add("alloc", self.next, size, place)
        return self.next

    def free(self, address):
        size, place = self.live.pop(address)
        self.add("free_requested", address, size, place)
        self.add("free_completed", address, size, place)

    def dump(self, path):
        blocks = [{"address": a, "size": n, "requested_size": n, "state": "active_allocated", "frames": PLACES[p]} for a, (n, p) in self.live.items()]
        used = sum(b["size"] for b in blocks)
        blocks.append({"address": self.next + MIB, "size": 24 * MIB, "requested_size": 0, "state": "inactive", "frames": []})
        segment = {"device": 0, "address": 0x7F0000000000, "total_size": 256 * MIB, "allocated_size": used, "active_size": used,
                   "requested_size": used, "stream": 0, "segment_type": "large", "blocks": blocks}
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            pickle.dump({"segments": [segment], "device_traces": [self.events], "allocator_settings": {}}, file, 2)


def train(allocator, steps):
    for _ in range(steps):
        activations = [allocator.allocate(16 * MIB, "activations") for _ in range(3)]
        allocator.allocate(2 * MIB, "kept")
        for address in activations:
            allocator.free(address)


folder = os.path.join(sys.argv[1], "snapshots")
run = Allocator()
for _ in range(4):
    run.allocate(8 * MIB, "weights")
train(run, 2)
run.dump(os.path.join(folder, "iteration_2", "000000_step_2.pickle"))
train(run, 2)
run.add("oom", 0, 20 << 30, "evaluation", device_free=7 << 30)
run.add("snapshot", 0, 0, None)
run.dump(os.path.join(folder, "iteration_4", "000000_step_4.pickle"))
