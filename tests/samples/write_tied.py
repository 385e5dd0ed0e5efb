# SPDX-License-Identifier: Apache-2.0
"""Writes step_1.pt and step_2.pt into FOLDER: weights that are tied, a copy of them, and two layers that are equal.

usage: write_tied.py FOLDER    (torch 2.15)
"""
import os
import sys

import torch

torch.manual_seed(0)
for step in (1, 2):
    weight, norm = torch.randn(3, 2) + step, torch.ones(4)
    torch.save({"wte.weight": weight, "lm_head.weight": weight, "copy.weight": weight.clone(), "ln1.weight": norm,
                "ln2.weight": norm.clone(), "rows": weight[1:]}, os.path.join(sys.argv[1], "step_%d.pt" % step))
