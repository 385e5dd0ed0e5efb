# SPDX-License-Identifier: Apache-2.0
"""Tests which steps smdbg.attach counts and what it records of them, beside values taken by plain means of torch.
Usage: tests/attach/steps.py BUILD"""

import copy
import dataclasses
import io
import os
import pickle
import signal
import subprocess
import sys
import unittest
import warnings

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


class TestSteps(TorchCase):
    def test_values_names_and_collections(self):
        model, steps = net(), []
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, optimizer_state=True, outputs="output")
        for i in range(3):
            before = copy.deepcopy(dict(model.named_parameters()))
            optimizer.zero_grad()
            loss = loss_of(model, i)
            loss.backward()
            optimizer.step()
            run.log(loss=loss, accuracy=0.5)
            gradients = {name: p.grad.clone() for name, p in model.named_parameters()}
            after = {name: p.detach().clone() for name, p in model.named_parameters()}
            state = {name: copy.deepcopy(optimizer.state[p]) for name, p in model.named_parameters()}
            steps.append((before, gradients, after, state, loss.item()))
        self.ended(run)
        for i, (before, gradients, after, state, loss) in enumerate(steps):
            for name in before:
                self.same(name, before[name], i)
                self.same(f"gradient/{name}", gradients[name], i)
                self.same(f"optimizer/{name}/exp_avg", state[name]["exp_avg"], i)
                self.close(f"update_ratio/{name}", (after[name] - before[name]).norm() / before[name].norm(), i)
            self.close("grad_norm", torch.cat([g.flatten() for g in gradients.values()]).norm(), i)
            self.close("loss", loss, i)
            self.close("lr/group0", 0.1, i)
        self.assertEqual(recorded.members(self.trial, "weights"), ["0.weight", "2.weight"])
        self.assertEqual(recorded.members(self.trial, "biases"), ["0.bias", "2.bias"])
        self.assertEqual(recorded.members(self.trial, "gradients"), sorted(f"gradient/{name}" for name in before))
        self.assertEqual(recorded.members(self.trial, "outputs"), ["0_output_0", "1_output_0", "2_output_0", "Sequential_output_0"])
        self.assertEqual(recorded.members(self.trial, "optimizer_variables"),
                         sorted(f"optimizer/{name}/{key}" for name in before for key in ("exp_avg", "exp_avg_sq")))
        self.assertEqual(recorded.members(self.trial, "scalars"),
                         sorted(["accuracy", "grad_norm", "loss", "lr/group0", *(f"update_ratio/{name}" for name in before)]))

    def test_series_at_every_step_tensors_at_every(self):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
        run = self.attach(model, optimizer, every=4)
        for i in range(10):
            loss_of(model, i).backward()
            optimizer.step()
            optimizer.zero_grad()
            scheduler.step()
            run.log(loss=i)                                # after step, zero_grad and the scheduler: the same step
        self.ended(run)
        self.assertEqual(self.series("lr/group0"), [(i, 0.1 * 0.5 ** i) for i in range(10)])
        self.assertEqual(self.series("loss"), [(i, float(i)) for i in range(10)])
        self.assertEqual(len(self.series("grad_norm")), 10)
        for name in ("0.weight", "gradient/0.weight", "update_ratio/0.weight"):
            self.assertEqual([step for step, _ in self.series(name)], [0, 4, 8])

    def test_statistics(self):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, raw=False)
        weight = model[0].weight.detach().clone()
        loss_of(model, 0).backward()
        optimizer.step()
        self.ended(run)
        for name, value in (("mean", weight.mean()), ("std", weight.std()), ("abs_max", weight.abs().max()), ("l2", weight.norm())):
            self.close(f"smdebug/reductions/{name}/0.weight", value)
        self.assertNotIn("0.weight", self.named())

    def test_accumulation_and_clipping(self):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, outputs="^Sequential_output")
        first, used = [], []
        for i in range(6):
            out = model(batch(i)[0])
            if i % 3 == 0:
                first.append(out.detach().clone())
            nn.functional.cross_entropy(out, batch(i)[1]).backward()
            if i % 3 == 2:
                nn.utils.clip_grad_norm_(model.parameters(), 0.01)
                used.append(model[0].weight.grad.clone())
                optimizer.step()
                optimizer.zero_grad()
        self.ended(run)
        self.assertEqual([step for step, _ in self.series("grad_norm")], [0, 1])
        for i in range(2):
            self.same("gradient/0.weight", used[i], i)
            self.same("Sequential_output_0", first[i], i)
            self.assertLess(float(self.value("grad_norm", i)), 0.0101)

    def test_closures(self):
        model = net()
        optimizer = torch.optim.LBFGS(model.parameters(), max_iter=4)
        run = self.attach(model, optimizer)
        weights, gradients = [], []

        def closure():
            optimizer.zero_grad()
            loss = loss_of(model, 0)
            loss.backward()
            weights.append(model[0].weight.detach().clone())
            gradients.append(model[0].weight.grad.clone())
            return loss

        firsts = []
        for i in range(2):
            firsts.append(len(weights))
            self.assertIsInstance(optimizer.step(closure) if i else optimizer.step(closure=closure), torch.Tensor)
            run.log(i=i)
        self.ended(run)
        self.assertGreater(len(weights), 4)
        self.assertEqual(self.series("i"), [(0, 0.0), (1, 1.0)])
        for i in range(2):
            self.same("0.weight", weights[firsts[i]], i)
            self.same("gradient/0.weight", gradients[firsts[i]], i)

    def test_an_optimizer_that_calls_its_base(self):
        class Optimizer(torch.optim.SGD):
            fails = False

            def step(self, closure=None):
                if self.fails:
                    raise KeyError(self)
                return super().step(closure)

        model = net()
        torch.optim.SGD(model.parameters(), lr=0.1)        # torch puts its hooks into the class of the first one
        optimizer = Optimizer(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer)
        for i in range(4):
            optimizer.fails = i == 1
            loss_of(model, i).backward()
            try:
                optimizer.step()
            except KeyError:
                pass
        self.ended(run)
        for name in ("lr/group0", "grad_norm"):
            self.assertEqual([s for s, _ in self.series(name)], [0, 1, 2, 3])      # an attempt is a step
        self.assertEqual([s for s, _ in self.series("update_ratio/0.weight")], [0, 2, 3])

    def test_evaluation(self):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, outputs="Sequential", every=2)
        for i in range(2):
            model.train()
            loss_of(model, i).backward()
            optimizer.step()
            model.eval()
            with torch.no_grad():
                outs = [model(batch(k)[0]) for k in range(3)]
            run.log(val=i)                                 # with the last EVAL step
            model.train()
            run.log(score=i)                               # with the TRAIN step that comes next
        run.close()
        self.assertEqual(self.series("val", "EVAL"), [(2, 0.0), (5, 1.0)])
        self.assertEqual(self.series("score"), [(1, 0.0), (2, 1.0)])
        self.assertEqual([step for step, _ in self.series("Sequential_output_0", "EVAL")], [0, 2, 4])
        self.same("Sequential_output_0", outs[1], 4, "EVAL")
        self.assertEqual(self.named("EVAL"), ["Sequential_output_0", "val"])
        self.assertEqual([(r.step, r.mode) for r in recorded.load(self.trial) if r.name in ("grad_norm", "val")],
                         [(0, "TRAIN"), (3, "EVAL"), (4, "TRAIN"), (7, "EVAL")])

    def test_evaluation_between_the_parts_of_a_step(self):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer)
        loss_of(model, 0).backward()
        model.eval()
        model(batch(1)[0])
        run.log(val=1)
        model.train()
        loss_of(model, 2).backward()
        optimizer.step()
        loss_of(model, 3).backward()
        optimizer.step()
        self.ended(run)
        self.assertEqual([step for step, _ in self.series("grad_norm")], [0, 1])
        self.assertEqual(self.series("val", "EVAL"), [(0, 1.0)])

    def test_no_forward_pass(self):
        """The step begins with optimizer.step() itself."""
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        with self.attach(model, optimizer) as run:
            for i in range(3):
                for p in model.parameters():
                    p.grad = torch.full_like(p, i + 1.0)
                optimizer.step()
                run.log(i=i)
        self.assertTrue(os.path.exists(os.path.join(self.trial, "training_job_end.ts")))
        self.assertEqual(self.series("i"), [(i, float(i)) for i in range(3)])
        for i in range(3):
            self.same("gradient/0.bias", torch.full((6,), i + 1.0), i)

    def test_steps_with_nothing_to_record(self):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer)
        loss_of(model, 0).backward()
        optimizer.step()
        model.eval()
        for i in range(3):                                 # no outputs: only the step with a logged value is on disk
            model(batch(i)[0])
            if i == 1:
                run.log(val=i)
        self.ended(run)
        steps = [name[:12] for _, _, names in os.walk(os.path.join(self.trial, "index")) for name in names]
        self.assertEqual(sorted(int(step) for step in steps), [0, 2])
        self.assertEqual(self.series("val", "EVAL"), [(1, 1.0)])

    def test_names_of_wrappers_and_of_the_user(self):
        from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper

        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.module = nn.Linear(4, 4)              # a name that DDP uses, too
                self.inner = checkpoint_wrapper(nn.Linear(4, 2))
                self.compiled = torch.compile(nn.Linear(2, 2), backend="eager")

            def forward(self, x):
                return self.compiled(self.inner(self.module(x)))

        model = Model()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, outputs="module|inner")
        for i in range(2):
            loss_of(model, i).backward()
            optimizer.step()
            optimizer.zero_grad()
        self.ended(run)
        self.assertEqual(recorded.members(self.trial, "weights"), ["compiled.weight", "inner.weight", "module.weight"])
        self.assertEqual(recorded.members(self.trial, "outputs"), ["inner_output_0", "module_output_0"])
        self.assertIn("gradient/module.weight", self.named())

    def test_log_before_the_first_step(self):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer)
        run.log(parameters=50)
        loss_of(model, 0).backward()
        optimizer.step()
        self.ended(run)
        self.assertEqual((self.series("parameters"), [s for s, _ in self.series("grad_norm")]), ([(0, 50.0)], [0]))

    def test_only_an_inner_module_is_called(self):
        model = nn.ModuleDict({"net": net(), "other": nn.Linear(2, 2)})
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, outputs="net")
        for i in range(3):
            loss_of(model["net"], i).backward()
            run.log(i=i)                                   # before optimizer.step(): the step has begun
            optimizer.step()
        self.ended(run)
        self.assertEqual(self.series("i"), [(i, float(i)) for i in range(3)])
        self.assertEqual([s for s, _ in self.series("net_output_0")], [0, 1, 2])

    def test_groups_frozen_and_tied_parameters(self):
        model = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4), nn.BatchNorm1d(4)])
        model[1].weight = model[0].weight
        model[2].weight.requires_grad_(False)
        optimizer = torch.optim.SGD(model[0].parameters(), lr=0.1)
        run = self.attach(model, optimizer)
        for i in range(2):
            x = model[3](model[2](model[1](model[0](batch(i)[0]))))
            x.sum().backward()
            optimizer.step()
            optimizer.zero_grad()
            if i == 0:
                optimizer.add_param_group({"params": [model[1].bias], "lr": torch.tensor(0.25)})
        self.ended(run)
        names = self.named()
        self.assertIn("2.weight", names)                   # frozen
        self.assertNotIn("gradient/2.weight", names)
        self.assertNotIn("1.weight", names)                # tied
        self.assertFalse([name for name in names if "running" in name])
        self.assertEqual(self.series("lr/group1"), [(1, 0.25)])

    def test_no_ratio_of_a_weight_that_is_zero(self):
        model = nn.Linear(4, 2)
        nn.init.zeros_(model.bias)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer)
        for i in range(2):
            loss_of(model, i).backward()
            optimizer.step()
        self.ended(run)
        self.assertEqual([s for s, _ in self.series("update_ratio/bias")], [1])

    def test_which_kinds_are_saved(self):
        for save, has in (("weights", (True, False)), (["gradients"], (False, True)), ((), (False, False))):
            self.trial = os.path.join(self.folder.name, str(len(save)) + str(save)[:3])
            model = net()
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            run = self.attach(model, optimizer, save=save)
            loss_of(model, 0).backward()
            optimizer.step()
            self.ended(run)
            self.assertEqual(("0.weight" in self.named(), "gradient/0.weight" in self.named()), has)
            self.assertIn("grad_norm", self.named())


class TestOutputs(TorchCase):
    def outputs(self, model, expression, steps=1, **keywords):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, outputs=expression, save=(), **keywords)
        for i in range(steps):
            loss_of(model, i).backward()
            optimizer.step()
        self.ended(run)
        return [name for name in self.named() if "_output_" in name]

    def test_mappings_tuples_and_repeated_calls(self):
        self.assertEqual(self.outputs(Block(), ".", 2),
                         ["Block_output_hidden.0", "Block_output_hidden.1", "Block_output_logits", "fc_output_0", "head_output_0",
                          "relu_output_0", "relu_output_1"])

    def test_the_expression_is_searched_in_names(self):
        self.assertEqual(self.outputs(Block(), "logits|relu_output_1"), ["Block_output_logits", "relu_output_1"])

    def test_attention_and_a_dataclass(self):
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.router = Router()

            def forward(self, x):
                return self.router(x).weights

        model = Model()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, outputs=".")
        x, _ = batch(0)
        seen = []
        model.router.register_forward_hook(lambda *values: seen.append(values[-1]))
        model(x).square().sum().backward()
        optimizer.step()
        self.ended(run)
        self.assertEqual(recorded.members(self.trial, "outputs"), [
            "Model_output_0", "router.attention_attention_entropy", "router.attention_attention_max_logit", "router.attention_output_0", "router.attention_output_1", "router.gate_output_0",
            "router_output_chosen", "router_output_weights"])
        self.same("router_output_chosen", seen[0].chosen)
        self.same("router_output_weights", seen[0].weights)

    def test_several_optimizers(self):
        model, other = net(), net()
        optimizers = [torch.optim.SGD(m.parameters(), lr=rate) for m, rate in ((model, 0.1), (other, 0.2))]
        runs = [self.attach(m, o, dir=f"{self.trial}-{i}") for i, (m, o) in enumerate(zip((model, other), optimizers))]
        for i in range(3):
            (loss_of(model, i) + loss_of(other, i)).backward()
            for optimizer in optimizers:
                optimizer.step()
                optimizer.zero_grad()
        for i, (run, rate) in enumerate(zip(runs, (0.1, 0.2))):
            self.trial = run.dir
            self.ended(run)
            self.assertEqual(self.series("lr/group0"), [(k, rate) for k in range(3)])

    def test_two_networks_that_train_each_other(self):
        """Each has a run of its own; a scaler may step both. The gradients are those that its optimizer used."""
        for scaler in (None, torch.amp.GradScaler("cpu", init_scale=64.0)):
            maker, judge = nn.Sequential(nn.Linear(3, 4)), net()
            first, second = (torch.optim.SGD(m.parameters(), lr=0.1) for m in (maker, judge))
            folders = [f"{self.trial}-{name}-{scaler is None}" for name in ("maker", "judge")]
            runs = [self.attach(m, o, dir=folder) for m, o, folder in zip((maker, judge), (first, second), folders)]
            used = ([], [])

            def update(loss, optimizer, kept, model):
                optimizer.zero_grad()
                (scaler.scale(loss) if scaler else loss).backward()
                kept.append(model[0].weight.grad / (scaler.get_scale() if scaler else 1))
                scaler.step(optimizer) if scaler else optimizer.step()

            for i in range(3):
                made = maker(torch.randn(8, 3, generator=torch.Generator().manual_seed(i)))
                update(judge(made.detach()).square().mean() + loss_of(judge, i), second, used[1], judge)
                update(-judge(made).mean(), first, used[0], maker)
                if scaler:
                    scaler.update()
                for run in runs:
                    run.log(i=i)
            for run, folder, kept in zip(runs, folders, used):
                self.trial = folder
                self.ended(run)
                self.assertEqual([s for s, _ in self.series("grad_norm")], [0, 1, 2])
                for i in range(3):
                    self.same("gradient/0.weight", kept[i], i)

    def test_nothing_matched_is_told_once(self):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, outputs="gelu")

        def train():
            for i in range(3):
                loss_of(model, i).backward()
                optimizer.step()

        told = self.warned(train)
        self.assertEqual(len(told), 1, told)
        self.assertIn("gelu", told[0])

    def test_no_recomputation(self):
        from torch.utils.checkpoint import checkpoint

        class Checkpointed(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc0, self.fc1 = nn.Linear(4, 4), nn.Linear(4, 2)

            def forward(self, x):
                return self.fc1(checkpoint(self.fc0, x, use_reentrant=False))

        self.assertEqual(self.outputs(Checkpointed(), "fc", 2), ["fc0_output_0", "fc1_output_0"])

    def test_a_forward_pass_that_raises(self):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, outputs="Sequential", save=())
        for i in range(3):
            with self.assertRaises(RuntimeError):
                model(torch.ones(3, 5))
            loss_of(model, i).backward()
            optimizer.step()
        model.eval()
        with self.assertRaises(RuntimeError):
            model(torch.ones(3, 5))
        model(batch(0)[0])
        run.log(val=1)
        self.ended(run)
        self.assertEqual([s for s, _ in self.series("grad_norm")], [0, 1, 2])
        self.assertEqual(self.series("val", "EVAL"), [(1, 1.0)])


class Heads(nn.Module):
    """Attention by one function of torch; kind: how it is called."""

    def __init__(self, kind, heads=4, shared=1):
        super().__init__()
        self.kind, self.heads, self.shared = kind, heads, shared
        self.q, self.kv = nn.Linear(8, 8), nn.Linear(8, 2 * 8 // shared)

    def parts(self, x):
        k, v = self.kv(x).chunk(2, -1)
        return (y.unflatten(-1, (-1, 8 // self.heads)).transpose(1, 2) for y in (self.q(x), k, v))

    def mask(self, n):
        keep = torch.ones(n, n, dtype=torch.bool).tril()
        return keep if self.kind == "bool" else torch.zeros(n, n).masked_fill(~keep, -torch.inf)

    def logits(self, x):
        """What is expected."""
        q, k, _ = self.parts(x)
        logits = q @ k.repeat_interleave(self.shared, 1).mT / (8 // self.heads) ** 0.5
        return logits if self.kind == "plain" else logits + torch.zeros(x.shape[1], x.shape[1]).masked_fill(
            ~torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril(), -torch.inf)

    def forward(self, x):
        q, k, v = self.parts(x)
        if self.kind == "softmax":
            return (nn.functional.softmax(self.logits(x), dim=-1) @ v).transpose(1, 2).flatten(2)
        how = {"plain": {}, "causal": {"is_causal": True}}.get(self.kind) or {"attn_mask": self.mask(x.shape[1])}
        how = {} if self.kind == "plain" else how
        out = nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=self.shared > 1, **how)
        return out.transpose(1, 2).flatten(2)


class CausalSelfAttention(Heads):
    """Its name says what it is, which a softmax needs."""


class Mixture(nn.Module):
    """Two of four experts for each token. fused: one module has all experts."""

    class Fused(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.randn(4, 8, 8))

        def forward(self, x, index, shares):
            return sum(shares[:, i, None] * torch.einsum("td,tde->te", x, self.weight[index[:, i]]) for i in range(2))

    def __init__(self, fused):
        super().__init__()
        self.gate = nn.Linear(8, 4)
        self.experts = Mixture.Fused() if fused else nn.ModuleList(nn.Linear(8, 8) for _ in range(4))

    def route(self, x):
        return self.gate(x).softmax(-1).topk(2)

    def forward(self, x):
        flat = x.flatten(0, 1)
        shares, index = self.route(flat)
        if isinstance(self.experts, Mixture.Fused):
            return self.experts(flat, index, shares).view_as(x)
        out = torch.zeros_like(flat)
        for i, expert in enumerate(self.experts):
            rows = (index == i).any(-1).nonzero()[:, 0]
            out = out.index_add(0, rows, expert(flat[rows]) * shares[rows].sum(-1, keepdim=True))
        return out.view_as(x)


class TestAttention(TorchCase):
    def train(self, part, expression="attention|expert_load", steps=2, **keywords):
        """Trains with the part as `block` of a model, and returns what the part was given at each step."""
        torch.manual_seed(3)
        model = nn.ModuleDict({"block": part, "head": nn.Linear(8, 2)})
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, outputs=expression, save=(), **keywords)
        seen = []

        class Whole(nn.Module):
            def forward(self, x):
                out = part(x)
                return model["head"](out[0] if isinstance(out, tuple) else out).sum()

        whole = Whole()
        for i in range(steps):
            x = torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(i))
            seen.append((x, copy.deepcopy(part)))
            optimizer.zero_grad()
            whole(x).backward()
            optimizer.step()
        self.ended(run)
        return seen

    def check(self, logits, step, name="block"):
        shares = logits.softmax(-1)
        entropy = -(shares * shares.clamp(min=1e-30).log()).sum(-1).mean((0, 2))
        for statistic, expected in (("max_logit", logits.amax((0, 2, 3))), ("entropy", entropy)):
            got = self.value(f"{name}_attention_{statistic}", step)
            self.assertTrue(torch.allclose(got, expected.detach().double(), atol=1e-5), (statistic, step, got, expected))

    def test_the_product(self):
        for kind in ("plain", "causal", "bool", "float"):
            for heads, shared in ((4, 1), (4, 2), (1, 1)):
                self.trial = os.path.join(self.folder.name, f"{kind}{heads}{shared}")
                for step, (x, part) in enumerate(self.train(Heads(kind, heads, shared))):
                    self.check(part.logits(x), step)
                self.assertEqual(recorded.members(self.trial, "outputs"), ["block_attention_entropy", "block_attention_max_logit"])

    def test_a_softmax(self):
        for step, (x, part) in enumerate(self.train(CausalSelfAttention("softmax"))):
            self.check(part.logits(x), step)

    def test_the_module_of_torch(self):
        for need in (True, False):
            self.trial = os.path.join(self.folder.name, f"module{need}")

            class Part(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.mha = nn.MultiheadAttention(8, 2, batch_first=True)

                def forward(self, x):
                    return self.mha(x, x, x, need_weights=need)

            for step, (x, part) in enumerate(self.train(Part())):
                q, k, _ = (y.unflatten(-1, (2, 4)).transpose(1, 2) for y in nn.functional.linear(
                    x, part.mha.in_proj_weight, part.mha.in_proj_bias).chunk(3, -1))
                self.check(q @ k.mT / 2, step, "block.mha")

    def test_large_ones_in_parts(self):
        from smdbg import attention
        block, attention.BLOCK = attention.BLOCK, 40
        try:
            for step, (x, part) in enumerate(self.train(Heads("causal"))):
                self.check(part.logits(x), step)
        finally:
            attention.BLOCK = block

    def test_only_what_is_asked_for_and_when(self):
        self.train(Heads("plain"), "max_logit", 4, every=2)
        self.assertEqual(recorded.members(self.trial, "outputs"), ["block_attention_max_logit"])
        self.assertEqual([s for s, _ in self.series("block_attention_max_logit")], [0, 2])

    def test_torch_is_as_before(self):
        from smdbg import attention
        before = [(owner, name, getattr(owner, name), name in vars(owner)) for owner, name in attention.PLACES]

        class Raises(nn.Module):
            def forward(self, x):
                raise KeyError(x)

        model = nn.Sequential(Heads("plain"), Raises())
        run = self.attach(model, torch.optim.SGD(model.parameters(), lr=0.1), outputs=".")
        for _ in range(2):
            with self.assertRaises(KeyError):
                model(torch.ones(2, 5, 8))
            self.assertEqual([(owner, name, getattr(owner, name), name in vars(owner)) for owner, name in attention.PLACES], before)
        run.close()

    def test_a_call_that_torch_refuses(self):
        class Wrong(nn.Module):
            def forward(self, x):
                return nn.functional.scaled_dot_product_attention(x)

        model = nn.Sequential(nn.Linear(8, 8), Wrong())
        run = self.attach(model, torch.optim.SGD(model.parameters(), lr=0.1), outputs="attention")
        with self.assertRaises(TypeError):
            model(torch.ones(2, 5, 8))
        self.ended(run)

    def test_the_load_of_experts(self):
        for fused in (False, True):
            self.trial = os.path.join(self.folder.name, f"experts{fused}")
            for step, (x, part) in enumerate(self.train(Mixture(fused), steps=3)):
                _, index = part.route(x.flatten(0, 1))
                expected = torch.bincount(index.flatten(), minlength=4) / index.numel()
                self.assertTrue(torch.allclose(self.value("block_expert_load", step), expected.double()), step)
                self.assertAlmostEqual(float(self.value("block_expert_load", step).sum()), 1, places=5)
            self.assertEqual(recorded.members(self.trial, "outputs"), ["block_expert_load"])


class TestScaler(TorchCase):
    def train(self, fused=False, unscale=False, steps=4):
        model = net()
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, fused=fused)
        scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=1000)
        run = self.attach(model, optimizer)
        used, weights = [], []
        for i in range(steps):
            optimizer.zero_grad()
            weights.append(model[0].weight.detach().clone())
            scale = scaler.get_scale()
            loss = scaler.scale(loss_of(model, i))
            loss.backward()
            if i == 2:
                model[0].weight.grad[0, 0] = float("inf")
            used.append(model[0].weight.grad / scale)
            if unscale:
                scaler.unscale_(optimizer)
            scaler.step(optimizer)
            scaler.update()
            run.log(i=i)
        self.ended(run)
        self.assertEqual(self.series("loss_scale"), [(0, 1024.0), (1, 1024.0), (2, 1024.0), (3, 512.0)])
        self.assertEqual([v for _, v in self.series("skipped")], [0, 0, 1, 0])
        self.assertEqual(self.series("i"), [(i, float(i)) for i in range(steps)])
        for i in range(steps):
            self.same("gradient/0.weight", used[i], i)
            self.same("0.weight", weights[i], i)
        self.assertEqual(self.series("grad_norm")[2][1], float("inf"))
        self.assertEqual(self.series("update_ratio/0.weight")[2][1], 0)

    def test_steps_that_are_skipped(self):
        self.train()

    def test_unscaled_by_the_program(self):
        self.train(unscale=True)

    def test_an_optimizer_that_unscales(self):
        self.train(fused=True)

    def test_a_scaler_that_is_off_and_one_of_another_optimizer(self):
        model, other = net(), net()
        optimizer, second = (torch.optim.SGD(m.parameters(), lr=0.1) for m in (model, other))
        run = self.attach(model, optimizer)
        off, on = torch.amp.GradScaler("cpu", enabled=False), torch.amp.GradScaler("cpu")
        for i in range(2):
            loss_of(model, i).backward()
            off.step(optimizer)
            on.scale(loss_of(other, i)).backward()
            on.step(second)
            on.update()
        self.ended(run)
        self.assertEqual(self.series("loss_scale"), [])
        self.assertEqual(len(self.series("grad_norm")), 2)

    def test_the_class_is_as_before_afterwards(self):
        original = torch.amp.GradScaler.step
        model = net()
        run = self.attach(model, torch.optim.SGD(model.parameters(), lr=0.1))
        self.assertIsNot(torch.amp.GradScaler.step, original)
        run.close()
        self.assertIs(torch.amp.GradScaler.step, original)


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
        environment = {**os.environ, "PYTHONPATH": str(recorded.root / "reader/hook/python")}
        subprocess.run([sys.executable, "-c", code], env=environment, stderr=subprocess.DEVNULL)
        return len(self.series("i")), os.path.exists(os.path.join(self.trial, "training_job_end.ts"))

    def test_ends_that_are_orderly(self):
        for i, end in enumerate(("", "run.close()", "raise SystemExit(3)", "raise RuntimeError", "os.kill(os.getpid(), signal.SIGINT)")):
            self.trial = os.path.join(self.folder.name, f"end{i}")
            self.assertEqual(self.run_program(end), (9, True), end)

    def test_ends_that_lose_the_step_in_hand(self):
        for i, end in enumerate(("os._exit(1)", "os.kill(os.getpid(), signal.SIGKILL)", "os.kill(os.getpid(), signal.SIGTERM)", "os.abort()")):
            self.trial = os.path.join(self.folder.name, f"end{i}")
            self.assertEqual(self.run_program(end), (8, False), end)


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
        self.copies.take_all()
        self.assertEqual(self.taken, [1.0, 2.0])


if __name__ == "__main__":
    unittest.main(verbosity=0)
