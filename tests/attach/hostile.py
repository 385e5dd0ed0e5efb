# SPDX-License-Identifier: Apache-2.0
"""Tests that nothing a model does reaches the training through smdbg.attach, and how a run ends.
Usage: tests/attach/hostile.py BUILD"""

import os
import subprocess
import sys
import unittest
import warnings

import recorded
import torch
from torch import nn
from torch_case import TorchCase, loss_of, net


class TestHostile(TorchCase):
    def train(self, model, inputs, **keywords):
        optimizer = torch.optim.SGD([p for p in model.parameters() if not hasattr(p, "materialize")] or [torch.ones(1, requires_grad=True)], lr=0.1)
        run = self.attach(model, optimizer, outputs=".", **keywords)
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            for _ in range(2):
                out = model(inputs)
                if isinstance(out, torch.Tensor) and out.requires_grad:
                    out.sum().backward()
                optimizer.step()
            run.close()
        return run

    def test_lazy_modules(self):
        model = nn.Sequential(nn.LazyLinear(3), nn.ReLU())
        self.train(model, torch.ones(2, 4))
        self.assertIn("0.weight", self.named())

    def test_types_that_cannot_be_saved(self):
        class Odd(nn.Module):
            def __init__(self, value):
                super().__init__()
                self.fc, self.value = nn.Linear(4, 2), value

            def forward(self, x):
                return self.fc(x), self.value

        nested = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])
        for i, value in enumerate((torch.ones(2, device="meta"), nested, torch.ones(2).to(torch.float8_e4m3fn), torch.ones(0, 3),
                                   torch.eye(3).to_sparse(), "text", object(), {"a": {"b": [torch.ones(1)]}})):
            self.trial = os.path.join(self.folder.name, f"odd{i}")
            self.train(Odd(value), torch.ones(2, 4))
            self.assertIn("fc_output_0", self.named())
            self.assertEqual(len(self.series("lr/group0")), 2)

    def test_transforms_of_functions(self):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, outputs=".")
        parameters = dict(model.named_parameters())

        def loss(p, x):
            return torch.func.functional_call(model, p, (x,)).sum()

        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0))(parameters, torch.ones(3, 4))
            torch.export.export(model, (torch.ones(2, 4),))
            torch.jit.trace(model, torch.ones(2, 4))
        loss_of(model, 0).backward()
        optimizer.step()
        run.close()
        self.assertEqual(len(self.series("grad_norm")), 1)

    def test_half_precision_and_sparse_gradients(self):
        class Mixed(nn.Module):
            def __init__(self):
                super().__init__()
                self.embedding = nn.Embedding(10, 4, sparse=True)
                self.fc = nn.Linear(4, 2).to(torch.bfloat16)

            def forward(self, x):
                return self.fc(self.embedding(x).to(torch.bfloat16)) * 300.0

        model = Mixed()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer)
        model(torch.tensor([1, 1, 2])).float().sum().backward()
        expected = torch.cat([p.grad.to_dense().double().flatten() for p in model.parameters()]).norm()
        optimizer.step()
        self.ended(run)
        self.assertAlmostEqual(float(self.value("grad_norm")) / float(expected), 1, delta=1e-4)

    def test_shared_memory_scripts_and_hooks_of_the_user(self):
        model = nn.Sequential(torch.jit.script(nn.Linear(4, 4)), nn.Linear(4, 2))
        model.share_memory()
        self.train(model, torch.ones(2, 4))
        self.assertIn("1_output_0", self.named())

    def test_defaults_of_new_tensors(self):
        """The memory of copies is the hook's own: here and of float32, whatever the program has chosen for new tensors."""
        for i, change in enumerate(("torch.set_default_device('meta')", "torch.set_default_dtype(torch.float16)")):
            self.trial = os.path.join(self.folder.name, f"default{i}")
            code = f"""
import torch, smdbg
model, x = torch.nn.Linear(512, 512), torch.ones(2, 512)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
run = smdbg.attach(model, optimizer, dir={self.trial!r}, every=1)
{change}
for i in range(3):
    before = model.weight.detach().clone()
    model(x).sum().backward()
    optimizer.step()
    run.log(ratio=float((model.weight.detach() - before).double().norm() / before.double().norm()))
assert not run.error, run.error
run.close()
"""
            done = subprocess.run([sys.executable, "-c", code], env=self.environment(), stderr=subprocess.PIPE, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), change)
            for (_, got), (_, expected) in zip(self.series("update_ratio/weight"), self.series("ratio"), strict=True):
                self.assertAlmostEqual(got / expected, 1, delta=1e-5)

    def test_a_model_of_torch_jit(self):
        self.train(torch.jit.script(net()), torch.ones(2, 4))
        self.assertEqual(len(self.series("grad_norm")), 2)

    def test_a_part_called_experts_that_is_none(self):
        class Odd(nn.Module):
            def __init__(self):
                super().__init__()
                self.experts = nn.Linear(4, 2)

            def forward(self, x):
                return self.experts(x)

        run = self.train(Odd(), torch.ones(2, 4))
        self.assertEqual(run.error, "")
        self.assertIn("experts_output_0", self.named())

    def test_a_folder_that_goes_away(self):
        import shutil
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer)
        for i in range(4):
            loss_of(model, i).backward()
            optimizer.step()
            if i == 1:
                shutil.rmtree(self.trial)
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            run.close()


class TestEnd(TorchCase):
    def run_program(self, end):
        """Steps that a program leaves which ends like this after its step 8 (of 0 to 8)."""
        code = f"""
import os, signal, sys, torch, smdbg
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
run = smdbg.attach(model, optimizer, dir={self.trial!r}, every=2)
for i in range(9):
    model(torch.ones(2, 4)).sum().backward()
    optimizer.step()
    run.log(i=i)
{end}
"""
        subprocess.run([sys.executable, "-c", code], env=self.environment(), stderr=subprocess.DEVNULL)
        return len(self.series("i")), os.path.exists(os.path.join(self.trial, "training_job_end.ts"))

    def test_ends_that_are_orderly(self):
        for i, end in enumerate(("", "run.close()", "raise SystemExit(3)", "raise RuntimeError", "os.kill(os.getpid(), signal.SIGINT)")):
            self.trial = os.path.join(self.folder.name, f"end{i}")
            self.assertEqual(self.run_program(end), (9, True), end)

    def test_ends_that_lose_the_step_in_hand(self):
        for i, end in enumerate(("os._exit(1)", "os.kill(os.getpid(), signal.SIGKILL)", "os.kill(os.getpid(), signal.SIGTERM)", "os.abort()")):
            self.trial = os.path.join(self.folder.name, f"end{i}")
            self.assertEqual(self.run_program(end), (8, False), end)


if __name__ == "__main__":
    unittest.main(verbosity=0)
