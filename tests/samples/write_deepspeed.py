# SPDX-License-Identifier: Apache-2.0
"""Writes tests/samples/deepspeed: checkpoints of DeepSpeed's ZeRO of two ranks, at steps 2 and 4.

usage: write_deepspeed.py FOLDER    (deepspeed 0.19 and torch 2.15, without a GPU)
"""
import os
import sys

import deepspeed
import torch
import torch.multiprocessing as mp


class Plain(torch.optim.SGD):
    """With momentum, in Python: the C++ optimizers of DeepSpeed need a compiler."""


def train(rank, folder):
    os.environ.update(MASTER_ADDR="localhost", MASTER_PORT="29873", RANK=str(rank), WORLD_SIZE="2", LOCAL_RANK=str(rank))
    deepspeed.init_distributed("gloo", rank=rank, world_size=2)
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Linear(3, 2))
    engine, _, _, _ = deepspeed.initialize(
        model=model, optimizer=Plain(model.parameters(), lr=0.1, momentum=0.9),
        config={"train_batch_size": 4, "zero_optimization": {"stage": 1}, "bf16": {"enabled": True}, "zero_allow_untested_optimizer": True})
    for step in range(1, 5):
        loss = engine(torch.randn(2, 4, dtype=torch.bfloat16)).float().pow(2).mean()
        engine.backward(loss)
        engine.step()
        if step % 2 == 0:
            engine.save_checkpoint(folder)
    torch.distributed.barrier()


if __name__ == "__main__":
    mp.spawn(train, args=(sys.argv[1],), nprocs=2)
