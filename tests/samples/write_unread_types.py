#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/samples/checkpoints_torch/unread_types.pt: element types of torch that are not read, between others.

Usage: write_unread_types.py FILE       (torch 2.15.0 wrote the file that is kept)
"""
import sys
import warnings

import torch

warnings.filterwarnings("ignore")
values = torch.tensor([[0.1, -0.2], [0.3, 1.0]])
torch.save(
    {
        "before": torch.arange(3.0),
        "half_complex": torch.tensor([1 + 2j, -1j]).to(torch.complex32),
        "q": torch.quantize_per_tensor(values, 0.1, 3, torch.qint8),
        "q4": torch.quantize_per_channel(torch.ones(2, 4), torch.full((2,), 0.1), torch.zeros(2), 0, torch.quint4x2),
        "bits": torch.arange(4, dtype=torch.uint8).view(torch.bits8),
        "after": torch.ones(2, 2),
    },
    sys.argv[1],
)
