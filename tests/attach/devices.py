# SPDX-License-Identifier: Apache-2.0
"""Tests the way of values that lie on a device to smdbg.attach, with values and streams of this machine.
Usage: tests/attach/devices.py BUILD"""

import os
import unittest

import recorded
import torch
from torch import nn
from torch_case import Block, TorchCase, batch


class TestDevices(TorchCase):
    """The way of values that lie on a device, taken by values of this machine."""

    def setUp(self):
        super().setUp()
        from smdbg import tensors
        self.tensors, self.here = tensors, tensors.is_remote
        tensors.is_remote = lambda tensor: True
        self.addCleanup(self.restore)

    def restore(self):
        self.tensors.is_remote = self.here

    def train(self, name, **keywords):
        self.trial = os.path.join(self.folder.name, name)
        model = Block()
        torch.manual_seed(0)
        for p in model.parameters():
            nn.init.normal_(p)
        model.double() if keywords.pop("double", False) else model
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, outputs=".", optimizer_state=True, **keywords)
        for i in range(3):
            optimizer.zero_grad()
            x, y = batch(i)
            loss = nn.functional.cross_entropy(model(x.to(model.fc.weight.dtype))["logits"], y)
            loss.backward()
            optimizer.step()
            run.log(loss=loss)
        self.ended(run)
        return {(r.mode_step, r.name): r.values for r in recorded.load(self.trial)}

    def compare(self, **keywords):
        there = self.train("there", **keywords)
        self.restore()
        here = self.train("here", **keywords)
        self.assertEqual(sorted(here), sorted(there))
        for key, values in here.items():
            for a, b in zip(values, there[key]):
                self.assertTrue(abs(a - b) <= 1e-5 * abs(a) + 1e-7 or a != a and b != b, (key, a, b))
        return here

    def test_values(self):
        self.assertIn((1, "fc.weight"), self.compare(raw=True))

    def test_statistics(self):
        names = [p + s for p in ("", "abs_") for s in "min max mean median std variance sum prod l1_norm l2_norm".split()]
        self.assertIn((2, "smdebug/reductions/abs_l1/gradient/fc.weight"), self.compare(raw=False, stats=names))


class FakeStream:
    """Does what it is told only when an event behind it is waited for."""

    def __init__(self):
        self.work, self.kept = [], []

    def record_event(self):
        return FakeEvent(self, len(self.work))


class FakeEvent:
    def __init__(self, stream, n):
        self.stream, self.n = stream, n

    def synchronize(self):
        for work in self.stream.work[:self.n]:
            work()
        self.stream.work = self.stream.work[self.n:]
        self.n = 0


class TestStreams(unittest.TestCase):
    """The order of copies, events and reads, with streams that are no device's."""

    def setUp(self):
        from smdbg import tensors
        self.present, self.taken = FakeStream(), []

        class Copies(tensors.Copies):
            _stream = lambda copies, tensor: self.present
            _room = lambda copies, tensor, stream: torch.full(tensor.shape, -1.0)

            def _copy(copies, host, tensor, stream):
                stream.work.append(lambda: host.copy_(tensor))
                stream.kept.append(tensor)
        self.copies = Copies()

    def add(self, value):
        self.copies.add(torch.tensor([value]), lambda host: self.taken.append(host.item()))

    def test_each_stream_is_waited_for(self):
        first = self.present
        self.add(1.0)
        self.present = FakeStream()                        # the program has changed the stream before the step ended
        self.add(2.0)
        self.copies.mark()
        self.copies.take_all()
        self.assertEqual(self.taken, [1.0, 2.0])
        self.assertEqual((first.work, self.present.work), ([], []))

    def test_copies_behind_the_mark(self):
        self.add(1.0)
        self.copies.mark()
        self.add(2.0)                                      # the same stream: its event is an older one
        self.copies.take_all()
        self.assertEqual(self.taken, [1.0, 2.0])


if __name__ == "__main__":
    unittest.main(verbosity=0)
