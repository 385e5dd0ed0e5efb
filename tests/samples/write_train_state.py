#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/samples/checkpoints_torch/train_state: checkpoints with the numbers that a training keeps of itself.

Usage: write_train_state.py FOLDER      (torch 2.15.0 wrote the files that are kept)
"""
import os
import sys

import torch

for step in (10, 20, 30):
    folder = os.path.join(sys.argv[1], "step_%d" % step)
    os.makedirs(folder, exist_ok=True)
    torch.save(
        {
            "model": {"weight": torch.full((2, 2), float(step))},
            "train_state": {"step": step, "loss": 3.0 / step, "of": {"loss": 7.0}},
            "best_loss": 0.1,
            "loss_scale": 65536.0,
        },
        os.path.join(folder, "checkpoint.pt"),
    )
