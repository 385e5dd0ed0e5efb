# SPDX-License-Identifier: Apache-2.0
"""Writes tests/samples/dcp: checkpoints of torch.distributed.checkpoint by its several writers, from several processes.

usage: write_dcp.py FOLDER    (torch 2.15 without a GPU)

Each folder holds a model of three tensors whose elements are their indices in C order, so that a test knows them:
weight (8, 6) sharded by rows or by both axes, odd (5,) sharded unevenly, whole (3,) on every rank.
"""
import json
import os
import sys

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from torch.distributed.checkpoint import HuggingFaceStorageWriter
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor


class Progress:
    """As torchtitan's: a part of a checkpoint that is no tensor."""

    def __init__(self, step):
        self.step = step

    def state_dict(self):
        return {"step": self.step, "ntokens_seen": torch.tensor(self.step * 128), "losses": [2.5, 2.25]}

    def load_state_dict(self, state):
        self.step = state["step"]


def counted(*shape, dtype=torch.float32):
    n = 1
    for size in shape:
        n *= size
    return torch.arange(n, dtype=dtype).reshape(shape)


def sharded(grid):
    mesh = init_device_mesh("cpu", grid)
    first = [Shard(0)] + [Shard(1)] * (len(grid) - 1)
    rows = [Shard(0)] + [Replicate()] * (len(grid) - 1)
    copies = [Replicate()] * len(grid)
    return {"model": {"weight": distribute_tensor(counted(8, 6), mesh, first),
                      "odd": distribute_tensor(counted(5, dtype=torch.bfloat16), mesh, rows),
                      "whole": distribute_tensor(counted(3), mesh, copies)}}


def write(rank, folder, grid, how):
    world = grid[0] * (grid[1] if len(grid) > 1 else 1)
    os.environ.update(MASTER_ADDR="localhost", MASTER_PORT="29871", RANK=str(rank), WORLD_SIZE=str(world))
    dist.init_process_group("gloo", rank=rank, world_size=world)
    state = sharded(grid)
    path = os.path.join(folder, how, "step-10")
    if how == "huggingface":
        dcp.save(state["model"], storage_writer=HuggingFaceStorageWriter(path, save_distributed=True))
    elif how == "ranks":
        dcp.save(state, checkpoint_id=path, use_collectives=False)
    elif how == "async":
        state["train_state"] = Progress(10)
        dcp.async_save(state, checkpoint_id=path).result()
    else:
        state["train_state"] = Progress(10)
        dcp.save(state, checkpoint_id=path)
    dist.barrier()
    dist.destroy_process_group()


def main():
    folder = sys.argv[1]
    for how, grid in (("grid", (2, 2)), ("huggingface", (3,)), ("ranks", (2,)), ("async", (2,))):
        os.makedirs(os.path.join(folder, how, "step-10"), exist_ok=True)
        mp.spawn(write, args=(folder, grid, how), nprocs=grid[0] * (grid[1] if len(grid) > 1 else 1))


if __name__ == "__main__":
    main()
