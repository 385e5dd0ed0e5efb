# SPDX-License-Identifier: Apache-2.0
"""Tests which steps smdbg.attach counts and what it records of them, beside values taken by plain means of torch.
Usage: tests/attach/steps.py BUILD"""

import copy
import os
import unittest
import warnings

import recorded
import torch
from torch import nn
from torch_case import TorchCase, batch, loss_of, net


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

    def test_mistakes_are_told_at_the_line_of_the_program(self):
        """Those that a hook finds, too: torch lies between."""
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        run = self.attach(model, optimizer, outputs="nothing_is_called_so")
        loss_of(model, 0).backward()
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            optimizer.step()
        self.assertEqual([(w.filename, "matches no name" in str(w.message)) for w in seen], [(__file__, True)])
        run.close()

    def test_several_optimizers_are_a_mistake_with_advice(self):
        model = net()
        both = [torch.optim.SGD(part.parameters(), lr=0.1) for part in (model[0], model[2])]
        with self.assertRaisesRegex(TypeError, "call attach for each"):
            self.attach(model, both)

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

    def test_an_optimizer_that_makes_no_step_is_told(self):
        for attached in (False, True):                     # the program has made another one
            self.trial = os.path.join(self.folder.name, f"attached{attached}")
            model = net()
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            run = self.attach(model, optimizer if attached else torch.optim.SGD(model.parameters(), lr=0.1))
            for i in range(3):
                loss_of(model, i).backward()
                optimizer.step()
            self.assertEqual(["made no step" in text for text in self.warned(run.close)], [] if attached else [True])

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


if __name__ == "__main__":
    unittest.main(verbosity=0)
