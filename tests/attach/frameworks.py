# SPDX-License-Identifier: Apache-2.0
"""Tests the callbacks against the real frameworks, each as it installs today. What is not installed is skipped.
Usage: tests/attach/frameworks.py BUILD"""

import importlib.util
import os
import subprocess
import sys
import unittest
import warnings

import recorded
import smdbg

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1", HF_HUB_OFFLINE="1")


def needs(*modules):
    missing = [name for name in modules if not importlib.util.find_spec(name)]
    return unittest.skipIf(missing, f"{', '.join(missing)}: not installed")


@needs("torch", "transformers", "accelerate")
class TestHuggingFace(recorded.Case):
    def train(self, steps=4, **arguments):
        import torch
        import transformers

        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                torch.manual_seed(0)
                self.fc, self.head = torch.nn.Linear(4, 8), torch.nn.Linear(8, 2)

            def forward(self, x, labels=None):
                logits = self.head(self.fc(x).relu())
                return {"loss": torch.nn.functional.cross_entropy(logits, labels), "logits": logits}

        g = torch.Generator().manual_seed(0)
        data = [{"x": torch.randn(4, generator=g), "labels": i % 2} for i in range(64)]
        used = []

        class Optimizer(torch.optim.SGD):
            def step(self, closure=None):
                used.append([p.grad.clone() for group in self.param_groups for p in group["params"]])
                return super().step(closure)

        model = Model()
        callback = smdbg.HuggingFaceCallback(dir=self.trial, every=1, raw=True, outputs="Model_output_logits")
        arguments = transformers.TrainingArguments(
            os.path.join(self.folder.name, "out"), max_steps=steps, per_device_train_batch_size=4, report_to=[], logging_steps=2,
            use_cpu=True, disable_tqdm=True, **arguments)
        trainer = transformers.Trainer(model, arguments, train_dataset=data, eval_dataset=data[:16], callbacks=[callback],
                                       optimizers=(Optimizer(model.parameters(), lr=0.1), None))
        trainer.train()
        self.assertIsNone(callback.run)
        return used

    def check(self, used, steps=4):
        import torch
        self.assertEqual([s for s, _ in self.series("grad_norm")], list(range(steps)))
        found = {(r.mode_step, r.name): r for r in recorded.load(self.trial)if r.mode == "TRAIN"}
        for i, gradients in enumerate(used):
            got = found[i, "gradient/fc.weight"]
            self.assertTrue(torch.equal(torch.tensor(got.values).reshape(got.shape), gradients[0]))
        self.assertEqual([s for s, _ in self.series("Model_output_logits")], list(range(steps)))

    def test_steps_and_gradients(self):
        self.check(self.train())
        self.assertEqual([s for s, _ in self.series("loss")], [1, 3])
        self.assertIn("grad_norm_before_clip", self.named())

    def test_accumulation_clipping_and_evaluation(self):
        used = self.train(gradient_accumulation_steps=2, max_grad_norm=0.01, eval_strategy="steps", eval_steps=2, per_device_eval_batch_size=8)
        self.check(used)
        self.assertTrue(all(value < 0.0101 for _, value in self.series("grad_norm")))
        self.assertEqual([s for s, _ in self.series("Model_output_logits", "EVAL")], [0, 1, 2, 3])
        self.assertEqual([s for s, _ in self.series("eval_loss", "EVAL")], [1, 3])

    def test_attention_and_experts(self):
        """The same whatever the attention is computed by."""
        import torch
        import transformers
        expected, found = ["max_logit", "entropy"], {}
        for how in ("eager", "sdpa"):
            self.trial = os.path.join(self.folder.name, how)
            torch.manual_seed(0)
            model = transformers.MixtralForCausalLM(transformers.MixtralConfig(
                vocab_size=20, hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=4, num_key_value_heads=2,
                num_local_experts=4, attn_implementation=how))
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            run = smdbg.attach(model, optimizer, dir=self.trial, every=1, raw=True, save=(), outputs="_attention_(max|entropy)|expert_load")
            words = torch.arange(10).reshape(2, 5)
            model(input_ids=words, labels=words).loss.backward()
            optimizer.step()
            run.close()
            self.assertEqual(run.error, "")
            found[how] = {r.name: r.values for r in recorded.load(self.trial) if r.name in recorded.members(self.trial, "outputs")}
            self.assertEqual(sorted(found[how]), sorted(["model.layers.0.mlp_expert_load"] + [
                f"model.layers.0.self_attn_attention_{name}" for name in expected]))
            self.assertAlmostEqual(sum(found[how]["model.layers.0.mlp_expert_load"]), 1, places=5)
        for name, values in found["eager"].items():
            self.assertEqual([len(values)], [4])
            for a, b in zip(values, found["sdpa"][name]):
                self.assertAlmostEqual(a, b, places=4)

    def test_mistakes(self):
        self.assertRaises(ValueError, smdbg.HuggingFaceCallback, every=0)


@needs("torch", "lightning")
class TestLightning(recorded.Case):
    def train(self, calls_forward, **arguments):
        import lightning
        import torch

        class Module(lightning.LightningModule):
            def __init__(self):
                super().__init__()
                torch.manual_seed(0)
                self.net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
                self.used = []

            def forward(self, x):
                return self.net(x)

            def loss(self, batch):
                x, y = batch
                return torch.nn.functional.cross_entropy(self(x) if calls_forward else self.net(x), y)

            def training_step(self, batch, index):
                loss = self.loss(batch)
                self.log_dict({"train_loss": loss, "both": loss})
                return loss

            def validation_step(self, batch, index):
                loss = self.loss(batch)
                self.log_dict({"val_loss": loss, "both": loss})

            def configure_optimizers(self):
                return torch.optim.SGD(self.parameters(), lr=0.1)

            def optimizer_step(self, *arguments, **keywords):
                result = super().optimizer_step(*arguments, **keywords)
                self.used.append(self.net[0].weight.grad.clone())
                return result

        g = torch.Generator().manual_seed(0)
        data = torch.utils.data.TensorDataset(torch.randn(32, 4, generator=g), torch.randint(0, 2, (32,), generator=g))
        loader = torch.utils.data.DataLoader(data, batch_size=4)
        module = Module()
        callback = smdbg.LightningCallback(dir=self.trial, every=1, raw=True, outputs="net_output_0")
        arguments = {"max_epochs": 1, "accelerator": "cpu", "logger": False, "enable_checkpointing": False, "enable_progress_bar": False,
                     "enable_model_summary": False, "default_root_dir": self.folder.name, **arguments}
        trainer = lightning.Trainer(callbacks=[callback], **arguments)
        trainer.fit(module, loader, torch.utils.data.DataLoader(data, batch_size=16))
        self.assertIsNone(callback.run)
        return module.used

    def check(self, used, steps):
        import torch
        self.assertEqual([s for s, _ in self.series("grad_norm")], list(range(steps)))
        self.assertEqual([s for s, _ in self.series("net_output_0")], list(range(steps)))
        self.assertEqual([s for s, _ in self.series("net_output_0", "EVAL")], [0, 1])    # without the sanity check
        self.assertEqual([s for s, _ in self.series("val_loss", "EVAL")], [1])
        found = {(r.mode_step, r.name): r for r in recorded.load(self.trial)}
        for i, gradient in enumerate(used):
            got = found[i, "gradient/net.0.weight"]
            self.assertTrue(torch.equal(torch.tensor(got.values).reshape(got.shape), gradient), i)

    def test_modules_that_call_a_part_or_themselves(self):
        for calls_forward in (False, True):
            self.trial = os.path.join(self.folder.name, f"trial{calls_forward}")
            self.check(self.train(calls_forward), 8)
            self.assertEqual([s for s, _ in self.series("train_loss")], list(range(8)))

    def test_metrics_of_validation_are_recorded_once(self):
        """Those of an epoch stay in logged_metrics during the next one."""
        self.train(False, max_epochs=3)
        self.assertEqual([s for s, _ in self.series("train_loss")], list(range(24)))
        self.assertEqual((self.series("val_loss"), [s for s, _ in self.series("val_loss", "EVAL")]), ([], [1, 3, 5]))
        self.assertEqual([s for s, _ in self.series("both")], list(range(24)))
        self.assertEqual(self.series("both", "EVAL"), self.series("val_loss", "EVAL"))

    def test_several_optimizers_are_told(self):
        import lightning
        import torch

        class Module(lightning.LightningModule):
            def __init__(self):
                super().__init__()
                self.automatic_optimization = False
                self.a, self.b = torch.nn.Linear(4, 1), torch.nn.Linear(4, 1)

            def configure_optimizers(self):
                return [torch.optim.SGD(part.parameters(), lr=0.1) for part in (self.a, self.b)]

            def training_step(self, batch, _):
                for part, optimizer in zip((self.a, self.b), self.optimizers()):
                    optimizer.zero_grad()
                    self.manual_backward(part(batch[0]).square().mean())
                    optimizer.step()

        loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(12, 4)), batch_size=4)
        trainer = lightning.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
                                    enable_model_summary=False, callbacks=[smdbg.LightningCallback(dir=self.trial, every=1)])
        told = self.warned(trainer.fit, Module(), loader)
        self.assertEqual([text for text in told if "first optimizer" in text], told)
        self.assertEqual(len(told), 1)
        self.assertEqual([s for s, _ in self.series("grad_norm")], [0, 1, 2])

    def test_accumulation_and_clipping(self):
        self.check(self.train(False, accumulate_grad_batches=2, gradient_clip_val=0.01)[1::2] and [], 4)
        self.assertTrue(all(value < 0.0101 for _, value in self.series("grad_norm")))


KERAS = """
import os, sys
sys.path.insert(0, {tests!r}); sys.argv[1:] = [{build!r}]
import recorded, numpy
{imports}
import smdbg
keras.utils.set_random_seed(0)
model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(8, activation="relu", name="first"), keras.layers.Dense(2, name="last")])
model.compile(keras.optimizers.SGD(0.1, clipnorm=0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"],
              run_eagerly={eager})
x, y = numpy.random.randn(32, 4).astype("f4"), numpy.random.randint(0, 2, 32)
before = [numpy.array(w) for w in model.get_weights()]
callback = smdbg.KerasCallback(dir={trial!r}, every=2, raw=True)
history = model.fit(x, y, batch_size=8, epochs=2, verbose=0, validation_data=(x, y), callbacks=[callback])
assert callback.run is None
case = recorded.Case(); case.trial = {trial!r}
found = {{(r.mode, r.mode_step, r.name): r for r in recorded.load({trial!r})}}
name = next(n for _, _, n in found if n.endswith("first/kernel"))
assert numpy.array_equal(numpy.array(found["TRAIN", 0, name].values, "f4"), before[0].ravel())
assert [s for s, _ in case.series(name)] == [0, 2, 4, 6], case.series(name)
assert [s for s, _ in case.series("loss")] == list(range(8))
assert [s for s, _ in case.series("accuracy")] == list(range(8))
assert [s for s, _ in case.series("val_loss", "EVAL")] == list(range(8))
assert abs(case.series("loss")[-1][1] - history.history["loss"][-1]) < 1e-5
assert abs(case.series("lr/group0")[3][1] - 0.1) < 1e-6
gradients = {{n for m, s, n in found if n.startswith("gradient/")}}
assert bool(gradients) == {has_gradients}, gradients
if gradients:
    values = numpy.array(found["TRAIN", 0, "gradient/" + name].values)
    assert 0 < numpy.linalg.norm(values) <= 0.0101 or {legacy}, values
assert recorded.members({trial!r}, "biases")
print("good")
"""


@needs("keras", "numpy")
class TestKeras(recorded.Case):
    """Each in a process of its own: the backend cannot change."""

    def run_keras(self, backend, eager, has_gradients, legacy=False):
        imports = "import tf_keras as keras" if legacy else "import keras"
        code = KERAS.format(tests=os.path.dirname(os.path.abspath(__file__)), build=str(recorded.build), imports=imports, eager=eager,
                            trial=self.trial + backend + str(eager), has_gradients=has_gradients, legacy=legacy)
        environment = {**os.environ, "KERAS_BACKEND": backend, **({"TF_USE_LEGACY_KERAS": "1"} if legacy else {})}
        done = subprocess.run([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.stdout.strip()[-4:], "good", done.stdout + done.stderr)
        self.assertNotIn("smdbg:", done.stderr)

    @needs("torch")
    def test_torch(self):
        self.run_keras("torch", False, True)

    @needs("tensorflow")
    def test_tensorflow(self):
        self.run_keras("tensorflow", False, False)
        self.run_keras("tensorflow", True, True)

    @needs("jax")
    def test_jax(self):
        self.run_keras("jax", False, False)

    @needs("tf_keras")
    def test_keras_2(self):
        self.run_keras("tensorflow", False, False, legacy=True)
        self.run_keras("tensorflow", True, True, legacy=True)


@needs("xgboost", "numpy")
class TestXGBoost(recorded.Case):
    def train(self, **keywords):
        import numpy
        import xgboost
        random = numpy.random.default_rng(0)
        x = random.normal(size=(200, 4))
        data = xgboost.DMatrix(x, label=x[:, 0] * 2 + x[:, 1], feature_names=["a", "b", "c", "d"])
        history = {}
        callback = smdbg.XGBoostCallback(self.trial, every=5)
        booster = xgboost.train({"max_depth": 2}, data, num_boost_round=12, evals=[(data, "train"), (data, "validation")],
                                evals_result=history, verbose_eval=False, callbacks=[callback], **keywords)
        self.assertIsNone(callback.run)
        return booster, history

    def test_metrics_and_importance(self):
        booster, history = self.train()
        for name in ("train", "validation"):
            self.assertEqual(self.series(f"{name}-rmse", "GLOBAL"), list(enumerate(history[name]["rmse"])))
        total = self.series("feature_importance/gain/a", "GLOBAL")
        self.assertEqual([s for s, _ in total], [0, 5, 10])
        scores = booster[:11].get_score(importance_type="gain")
        self.assertAlmostEqual(total[-1][1], scores["a"] / sum(scores.values()))
        self.assertIn("feature_importance/weight/a", recorded.members(self.trial, "feature_importance"))

    def test_a_training_that_goes_on(self):
        booster, _ = self.train()
        self.trial += "b"
        self.train(xgb_model=booster)
        self.assertEqual([s for s, _ in self.series("train-rmse", "GLOBAL")], list(range(12, 24)))

    def test_cross_validation(self):
        import numpy
        import xgboost
        x = numpy.random.default_rng(0).normal(size=(60, 3))
        xgboost.cv({}, xgboost.DMatrix(x, label=x[:, 0]), 6, callbacks=[smdbg.XGBoostCallback(self.trial)])
        self.assertEqual(len(self.series("test-rmse", "GLOBAL")), 6)


if __name__ == "__main__":
    warnings.simplefilter("ignore", DeprecationWarning)
    unittest.main(verbosity=0)
