# SPDX-License-Identifier: Apache-2.0
"""Measures the program beside safetensors and numpy on two checkpoints: opening, statistics, comparing.

usage: peer_checkpoints.py PROGRAM FOLDER [MIB]    (MIB: of each checkpoint; 1024 by default)

Writes the checkpoints into FOLDER unless they are there. Both take turns; the files are in the page cache.
The memory of a child begins with that of this program, which therefore imports nothing large.
"""
import os
import resource
import subprocess
import sys
import time

ROUNDS = 3


def write(folder, mib):
    import numpy as np
    from safetensors.numpy import save_file
    rng = np.random.default_rng(1)
    names = ["model.layers.%d.mlp.weight" % i for i in range(mib // 16)]
    first = {n: rng.standard_normal((2048, 2048), dtype=np.float32) for n in names}
    for step in (1, 2):
        path = os.path.join(folder, "step_%d" % step)
        os.makedirs(path, exist_ok=True)
        save_file(first, os.path.join(path, "model.safetensors"))
        first = {n: v + np.float32(1e-3) * rng.standard_normal(v.shape, dtype=np.float32) for n, v in first.items()}
    many = {"layers.%d.%d.weight" % (i // 10, i % 10): np.zeros((8, 8), np.float32) for i in range(1000)}
    os.makedirs(os.path.join(folder, "many"), exist_ok=True)
    save_file(many, os.path.join(folder, "many", "model.safetensors"))


def peer(what, folder):
    import numpy as np
    from safetensors import safe_open
    paths = [os.path.join(folder, "step_%d" % s, "model.safetensors") for s in (1, 2)]
    if what == "open":
        with safe_open(os.path.join(folder, "many", "model.safetensors"), "numpy") as f:
            print(len([f.get_slice(n).get_shape() for n in f.keys()]))
        return
    files = [safe_open(p, "numpy") for p in paths]
    for n in files[0].keys():
        x, y = files[0].get_tensor(n), files[1].get_tensor(n)
        if what == "stats":
            print([(float(v.min()), float(v.max()), float(v.mean(dtype=np.float64)), float(v.std(dtype=np.float64)),
                    int(np.isnan(v).sum())) for v in (x, y)])
        else:
            print(np.allclose(x, y), float(np.abs(x - y).max()), float(np.linalg.norm(y - x) / np.linalg.norm(x)))


def run(arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - began, cpu, usage.ru_maxrss / 1024


def main():
    if sys.argv[1] == "--peer":
        return peer(sys.argv[2], sys.argv[3])
    if sys.argv[1] == "--write":
        return write(sys.argv[2], int(sys.argv[3]))
    program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    if not os.path.isdir(os.path.join(folder, "many")):
        subprocess.run([sys.executable, __file__, "--write", folder, (sys.argv + ["1024"])[3]], check=True)
    ours = {"open": ["tensors -jsonl"], "stats": ["tensors -stats -jsonl"], "diff": ["diff @1 @2 -jsonl"], "updates": ["updates -jsonl"]}
    for what, command in ours.items():
        path = os.path.join(folder, "many") if what == "open" else folder
        peer_command = [sys.executable, __file__, "--peer", "diff" if what == "updates" else what, folder]
        own = [program, "-n", "-batch", "--no-follow", "-ex", *command, path]
        for who, arguments in (("safetensors + numpy", peer_command), ("smdbg-tui", own)):
            rounds = sorted(run(arguments) for _ in range(ROUNDS))
            seconds, cpu, mib = rounds[ROUNDS // 2]
            print("%-8s %-20s %8.3f s %8.3f s CPU %7.0f MiB" % (what, who, seconds, cpu, mib), flush=True)
    return None


main()
