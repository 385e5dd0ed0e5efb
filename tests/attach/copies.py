# SPDX-License-Identifier: Apache-2.0
"""Tests smdbg.attach with models that are compiled, copied, pickled or recorded twice.
Usage: tests/attach/copies.py BUILD"""

import copy
import io
import os
import pickle
import subprocess
import sys
import unittest

import recorded
import smdbg
import torch
from torch import nn
from torch_case import TorchCase, batch, loss_of, net


class TestCompile(TorchCase):
    def setUp(self):
        super().setUp()
        torch._dynamo.reset()

    def graphs(self):
        return torch._dynamo.utils.counters["stats"]["unique_graphs"]

    def train(self, model, compiled, steps=3, **keywords):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(keywords.pop("target", model), optimizer, **keywords)
        torch._dynamo.utils.counters.clear()
        weights = []
        for i in range(steps):
            optimizer.zero_grad()
            weights.append(model[0].weight.detach().clone())
            loss_of(compiled(model), i).backward()
            run.log(i=i)                                   # before optimizer.step()
            optimizer.step()
        self.ended(run)
        for i in range(steps):
            self.same("0.weight", weights[i], i)
        self.assertEqual(self.series("i"), [(i, float(i)) for i in range(steps)])
        return self.graphs()

    def test_no_graph_break_without_outputs(self):
        model = net()
        whole = torch.compile(model, backend="eager", fullgraph=True)
        self.assertEqual(self.train(model, lambda _: whole), 1)
        self.assertIn("gradient/0.weight", self.named())

    def test_attached_to_the_compiled_module(self):
        model = net()
        whole = torch.compile(model, backend="eager", fullgraph=True)
        self.assertEqual(self.train(model, lambda _: whole, target=whole), 1)
        self.assertEqual(recorded.members(self.trial, "weights"), ["0.weight", "2.weight"])

    def test_compiled_in_place(self):
        model = net()
        model.compile(backend="eager", fullgraph=True)
        self.assertEqual(self.train(model, lambda m: m), 1)

    def test_each_chosen_module_breaks_the_graph(self):
        model = net()
        whole = torch.compile(model, backend="eager")
        self.train(model, lambda _: whole, outputs="^1_output")
        self.assertEqual([s for s, _ in self.series("1_output_0")], [0, 1, 2])
        self.assertEqual([name for name in self.named() if "_output" in name], ["1_output_0"])

    def test_evaluation_of_a_compiled_module(self):
        model = net()
        whole = torch.compile(model, backend="eager")
        run = self.attach(whole, torch.optim.SGD(model.parameters(), lr=0.1), outputs="Sequential|2_output")
        whole.eval()
        for i in range(3):
            whole(batch(i)[0])
            run.log(val=i)
        self.ended(run)
        self.assertEqual(self.series("val", "EVAL"), [(i, float(i)) for i in range(3)])
        self.assertEqual([s for s, _ in self.series("2_output_0", "EVAL")], [0, 1, 2])

    def test_compiled_and_run_before(self):
        model = net()
        whole = torch.compile(model, backend="eager")
        whole(batch(0)[0])
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.attach(model, optimizer, outputs="1_output")

        def train():
            for i in range(3):
                loss_of(whole, i).backward()
                optimizer.step()

        told = self.warned(train)
        self.assertTrue([s for s, _ in self.series("1_output_0")] or len(told) == 1, told)

    def test_an_optimizer_that_is_compiled(self):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer)
        step = torch.compile(lambda: optimizer.step(), backend="eager")
        for i in range(3):
            loss_of(model, i).backward()
            step()
        self.ended(run)
        self.assertEqual(len(self.series("grad_norm")), 3)


class TestCopies(TorchCase):
    def test_copies_do_not_act(self):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, outputs="Sequential")
        buffer = io.BytesIO()
        torch.save(model, buffer)
        buffer.seek(0)
        averaged = torch.optim.swa_utils.AveragedModel(model)
        others = [copy.deepcopy(model), pickle.loads(pickle.dumps(model)), torch.load(buffer, weights_only=False), averaged,
                  pickle.loads(pickle.dumps(copy.deepcopy(model)))]
        for other in others:
            loss_of(other, 0).backward()
        second = copy.deepcopy(optimizer)
        second.step()
        loss_of(model, 0).backward()
        optimizer.step()
        averaged.update_parameters(model)
        averaged.eval()
        averaged(batch(1)[0])
        self.ended(run)
        self.assertEqual([(r.mode, r.mode_step) for r in recorded.load(self.trial) if r.name == "Sequential_output_0"], [("TRAIN", 0)])
        self.assertEqual(self.named("EVAL"), [])

    def test_a_saved_module_needs_no_smdbg(self):
        model = net()
        self.attach(model, torch.optim.SGD(model.parameters(), lr=0.1))
        path = os.path.join(self.folder.name, "model.pt")
        torch.save(model, path)
        code = f"import torch; m = torch.load({path!r}, weights_only=False); print(m(torch.ones(1, 4)).shape)"
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        subprocess.run([sys.executable, "-c", code], check=True, env=environment, stdout=subprocess.DEVNULL)

    def test_loaders_with_workers(self):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer)
        data = torch.utils.data.TensorDataset(*batch(0, 32))
        for x, y in torch.utils.data.DataLoader(data, batch_size=8, num_workers=2):
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        self.ended(run)
        self.assertEqual(len(self.series("grad_norm")), 4)

    def test_two_runs(self):
        pairs = []
        for name in ("a", "b"):
            model = net()
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            pairs.append((model, optimizer, smdbg.attach(model, optimizer, dir=os.path.join(self.folder.name, name))))
        for i in range(3):
            for model, optimizer, run in pairs[:i % 2 + 1]:
                loss_of(model, i).backward()
                optimizer.step()
                run.log(i=i)
        for _, _, run in pairs:
            run.close()
        self.trial = os.path.join(self.folder.name, "a")
        self.assertEqual(self.series("i"), [(0, 0.0), (1, 1.0), (2, 2.0)])
        self.trial = os.path.join(self.folder.name, "b")
        self.assertEqual(self.series("i"), [(0, 1.0)])

    def test_close_takes_all_hooks_off(self):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, outputs=".")
        run.close()
        left = [m for m in model.modules() if m._forward_hooks or m._forward_pre_hooks]
        self.assertEqual((left, len(optimizer._optimizer_step_pre_hooks), len(optimizer._optimizer_step_post_hooks)), ([], 0, 0))


if __name__ == "__main__":
    unittest.main(verbosity=0)
