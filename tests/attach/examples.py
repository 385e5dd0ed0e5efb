# SPDX-License-Identifier: Apache-2.0
"""Runs the examples of doc/examples that record a training, unchanged, and opens what they have written with the program.
Usage: tests/attach/examples.py BUILD, with smdbg in PYTHONPATH. An example whose framework is not installed is skipped."""

import glob
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

root = pathlib.Path(__file__).resolve().parent.parent.parent
build = pathlib.Path(sys.argv.pop(1)).resolve()
os.environ.update(SMDBG_HOOK_LIBRARY=str(build / "libsmdbg-hook.so.0"), PYTHONPATH=str(root / "reader/hook/python"), HF_HUB_OFFLINE="1",
                  TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")
if not importlib.util.find_spec("tensorflow"):
    os.environ["KERAS_BACKEND"] = "torch"


def needs(*modules):
    missing = [name for name in modules if not importlib.util.find_spec(name)]
    return unittest.skipIf(missing, f"{', '.join(missing)}: not installed")


class TestExamples(unittest.TestCase):
    def run_example(self, name, series, steps):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-B", root / "doc/examples" / name], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE)
            run, = glob.glob(f"{folder}/smdbg-runs/*")
            self.assertTrue(os.path.exists(f"{run}/training_job_end.ts"))
            rows = self.ask(run, f"series {series}")
            self.assertEqual(len(rows.splitlines()), steps + 1, rows[:300])
            first, last = (float(row.rpartition(",")[2]) for row in (rows.splitlines()[1], rows.splitlines()[-1]))
            self.assertLess(last, first)
            self.assertNotIn("CAUSE", self.ask(run, "verdict", ""))
            self.assertRegex(self.ask(run, "runs -field metric").splitlines()[1], "loss|rmse")

    def ask(self, run, command, option=" -csv"):
        done = subprocess.run([build / "smdbg-tui", "-n", "-batch", "-ex", command + option, run], stdout=subprocess.PIPE, text=True)
        return done.stdout

    @needs("torch")
    def test_pytorch(self):
        self.run_example("attach_pytorch.py", "loss", 300)

    @needs("transformers", "accelerate")
    def test_huggingface(self):
        self.run_example("attach_huggingface.py", "loss", 200)

    @needs("lightning")
    def test_lightning(self):
        self.run_example("attach_lightning.py", "loss", 160)

    @needs("keras")
    def test_keras(self):
        self.run_example("attach_keras.py", "loss", 160)

    @needs("xgboost")
    def test_xgboost(self):
        self.run_example("attach_xgboost.py", "validation-rmse", 200)


if __name__ == "__main__":
    unittest.main(verbosity=0)
