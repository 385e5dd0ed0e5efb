# SPDX-License-Identifier: Apache-2.0
"""What the tests of smdbg.attach with torch share: small networks, batches, and how values are looked up in a trial."""

import dataclasses
import os

import recorded
import smdbg
import torch
from torch import nn


@dataclasses.dataclass
class Experts:
    """What a router returns."""

    chosen: torch.Tensor
    weights: torch.Tensor
    loss: object = None


class Router(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 3)
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)

    def forward(self, x):
        x, shares = self.attention(x[:, None], x[:, None], x[:, None])
        scores = self.gate(x[:, 0]).softmax(-1)
        return Experts(scores.argmax(-1), scores)


class Block(nn.Module):
    """Outputs of every kind: a tuple, a mapping, None, a module that is called twice."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.relu = nn.ReLU()
        self.head = nn.Linear(4, 2)

    def forward(self, x, scale=1.0):
        y = self.relu(self.fc(x))
        y = self.relu(y * scale)
        return {"logits": self.head(y), "hidden": (y, x), "none": None}


def net():
    torch.manual_seed(7)
    return nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))


def batch(i, n=8):
    g = torch.Generator().manual_seed(i)
    return torch.randn(n, 4, generator=g), torch.randint(0, 2, (n,), generator=g)


def loss_of(model, i):
    x, y = batch(i)
    out = model(x)
    return nn.functional.cross_entropy(out["logits"] if isinstance(out, dict) else out, y)


class TorchCase(recorded.Case):
    def environment(self):
        """Of a program that uses smdbg."""
        return {**os.environ, "PYTHONPATH": str(recorded.root / "reader/hook/python")}

    def attach(self, model, optimizer, **keywords):
        run = smdbg.attach(model, optimizer, **{"dir": self.trial, "every": 1, "raw": True, **keywords})
        self.addCleanup(run.close)
        return run

    def value(self, name, mode_step=0, mode="TRAIN"):
        found = [r for r in recorded.load(self.trial) if (r.name, r.mode, r.mode_step) == (name, mode, mode_step)]
        self.assertEqual(len(found), 1, (name, mode_step, found))
        return torch.tensor(found[0].values, dtype=torch.float64).reshape(found[0].shape)

    def same(self, name, expected, mode_step=0, mode="TRAIN"):
        got = self.value(name, mode_step, mode)
        self.assertTrue(torch.equal(got, expected.detach().double()), (name, mode_step, got, expected))

    def close(self, name, expected, mode_step=0):
        got = float(self.value(name, mode_step))
        expected = float(torch.as_tensor(expected).detach())
        self.assertAlmostEqual(got, expected, delta=1e-6 * abs(expected), msg=name)

    def ended(self, run):
        self.assertEqual(run.error, "")
        run.close()
        self.assertTrue(os.path.exists(os.path.join(self.trial, "training_job_end.ts")))
