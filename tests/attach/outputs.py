# SPDX-License-Identifier: Apache-2.0
"""Tests what smdbg.attach records of modules: their outputs, attention, the load of experts.
Usage: tests/attach/outputs.py BUILD"""

import copy
import os
import unittest

import recorded
import torch
from torch import nn
from torch_case import Block, Router, TorchCase, batch, loss_of, net


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
        block = attention.BLOCK_CPU                        # 200 logits: some queries at once, one element of the batch, all
        try:
            for attention.BLOCK_CPU in (40, 100, 200):
                for kind in ("plain", "causal", "bool", "float"):
                    self.trial = os.path.join(self.folder.name, f"{kind}{attention.BLOCK_CPU}")
                    for step, (x, part) in enumerate(self.train(Heads(kind))):
                        self.check(part.logits(x), step)
                self.trial = os.path.join(self.folder.name, f"softmax{attention.BLOCK_CPU}")
                for step, (x, part) in enumerate(self.train(CausalSelfAttention("softmax"))):
                    self.check(part.logits(x), step)
        finally:
            attention.BLOCK_CPU = block

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


if __name__ == "__main__":
    unittest.main(verbosity=0)
