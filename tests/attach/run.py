# SPDX-License-Identifier: Apache-2.0
"""Tests what smdbg.attach does that needs no framework: its keywords, folders, steps and numbers.
Usage: tests/attach/run.py BUILD"""

import decimal
import fractions
import os
import subprocess
import sys
import unittest

import recorded
import smdbg
from smdbg.options import Options
from smdbg.run import EVAL, TRAIN, Run


class TestKeywords(recorded.Case):
    def test_mistakes_raise(self):
        for wrong in ({"every": 0}, {"every": -1}, {"save": "weigths"}, {"save": ["weights", "x"]}, {"stats": "maen"}, {"stats": ""},
                      {"outputs": "("}, {"workers": "some"}, {"if_exists": "ignore"}, {"dir": ""}, {"dir": "a\0b"}):
            self.assertRaises(ValueError, Options, **wrong)
        for wrong in ({"every": 1.5}, {"every": "10"}, {"raw": 1}, {"optimizer_state": "yes"}, {"dir": 5}, {"evry": 5}, {"outputs": 3},
                      {"outputs": b"x"}, {"save": 5}, {"save": ["weights", 3]}, {"stats": [1]}):
            name, = wrong                                  # the message says which
            self.assertRaisesRegex(TypeError, name, Options, **wrong)
        self.assertRaises(TypeError, smdbg.attach, object(), object())
        self.assertRaises(OSError, Run, Options(dir="/proc/nowhere/run"))
        self.assertRaises(TypeError, smdbg.XGBoostCallback, evry=1)

    def test_names_of_statistics_are_those_of_the_hook(self):
        for name in ("mean", "abs_mean", "l1_norm", "median", "abs_max", "variance"):
            Run(Options(dir=f"{self.trial}-{name}", stats=name)).close()


class TestFolders(recorded.Case):
    def run_in(self, **keywords):
        run = Run(Options(dir=self.trial, **keywords))
        run.log(x=1)
        run.close()
        return run.dir

    def test_a_folder_that_holds_a_run(self):
        self.assertEqual([self.run_in(), self.run_in(), self.run_in()], [self.trial, f"{self.trial}-2", f"{self.trial}-3"])
        self.assertRaises(FileExistsError, self.run_in, if_exists="error")
        self.assertEqual(self.series("x"), [(0, 1.0)])

    def test_a_run_that_goes_on(self):
        def steps(n, **keywords):
            run = Run(Options(dir=self.trial, every=2, **keywords))
            for i in range(n):
                run.begin(TRAIN)
                run.log(i=i, due=run.is_due())
            run.begin(EVAL)
            run.log_in(EVAL, {"val": n})
            run.close()

        steps(3)
        steps(2, if_exists="resume")
        self.assertEqual(self.series("i"), [(0, 0), (1, 1), (2, 2), (3, 0), (4, 1)])
        self.assertEqual(self.series("due"), [(0, 1), (1, 0), (2, 1), (3, 0), (4, 1)])
        self.assertEqual(self.series("val", "EVAL"), [(0, 3), (1, 2)])
        self.assertEqual([r.step for r in recorded.load(self.trial) if r.name in ("i", "val")], list(range(7)))
        steps(1, if_exists="overwrite")
        self.assertEqual(self.series("i"), [(0, 0)])

    def test_a_second_writer(self):
        run = Run(Options(dir=self.trial))
        for how in ("error", "overwrite", "resume"):
            self.assertRaises(OSError, Run, Options(dir=self.trial, if_exists=how))
        run.close()

    def test_an_empty_folder_is_free(self):
        os.mkdir(self.trial)
        self.assertEqual(self.run_in(if_exists="error"), self.trial)

    def test_the_folder_of_its_own(self):
        command = "import smdbg.run, smdbg.options as o; r = smdbg.run.Run(o.Options()); print(r.dir); r.log(x=1)"
        out = subprocess.run([sys.executable, "-c", command], cwd=self.folder.name, stdout=subprocess.PIPE, check=True, text=True,
                             env={**os.environ, "PYTHONPATH": str(recorded.root / "reader/hook/python")}).stdout.strip()
        self.assertRegex(out, r"^smdbg-runs/\d{4}-\d\d-\d\d-\d{6}$")
        self.assertTrue(os.path.exists(os.path.join(self.folder.name, out, "training_job_end.ts")))   # written at exit


class TestNumbers(recorded.Case):
    def setUp(self):
        super().setUp()
        self.run_ = Run(Options(dir=self.trial, every=10))
        self.addCleanup(self.run_.close)

    def test_every_call_is_kept(self):
        for i in range(25):
            self.run_.begin(TRAIN)
            self.run_.log(loss=i / 3)
        self.run_.log(loss=100, last=True)
        self.run_.close()
        self.assertEqual(self.series("loss"), [(i, i / 3) for i in range(25)] + [(24, 100.0)])
        self.assertEqual(self.series("last"), [(24, 1.0)])
        self.assertEqual(recorded.members(self.trial, "scalars"), ["last", "loss"])

    def test_steps_of_numbers_share_files(self):
        for i in range(300):
            self.run_.begin(TRAIN)
            self.run_.log(loss=i)
        self.run_.close()
        events = [name for _, _, names in os.walk(os.path.join(self.trial, "events")) for name in names]
        self.assertLess(len(events), 5)
        self.assertEqual(len(self.series("loss")), 300)

    def test_what_is_a_number(self):
        good = {"int": 3, "float": 0.1, "bool": True, "nan": float("nan"), "fraction": fractions.Fraction(1, 4),
                "decimal": decimal.Decimal("0.5"), "val/loss": 2.5, "update_ratio/fc.weight": 1}
        self.run_.log(good)
        self.run_.close()
        self.assertEqual(self.named(), sorted(good))
        self.assertEqual(self.series("val/loss"), [(0, 2.5)])
        self.assertEqual(recorded.members(self.trial, "weights"), [])

    def test_losses_are_in_their_collection(self):
        """By names as in the program: rules and tables look there."""
        good = ("loss", "val_loss", "train/loss", "eval_loss", "Loss/test", "loss_epoch", "nll", "cross entropy", "d_losses")
        other = ("accuracy", "loss_scale", "loss weight", "lossless", "lr", "glossary", "nlll")
        for _ in range(2):
            self.run_.begin(TRAIN)
            self.run_.log({name: 1.0 for name in good + other})
        self.run_.close()
        self.assertEqual(recorded.members(self.trial, "losses"), sorted(good))
        self.assertEqual(recorded.members(self.trial, "scalars"), sorted(good + other))
        self.assertEqual(len(self.series("loss")), 2)

    def test_losses_of_training_and_validation_are_judged_together(self):
        """Under the names of the callbacks for Keras, Hugging Face and Lightning, with no argument to the rule."""
        for train, validation in (("loss", "val_loss"), ("loss", "eval_loss"), ("train_loss", "val_loss")):
            for gap, verdict in ((0.0, "NoIssuesFound"), (1.0, "IssuesFound")):
                run = Run(Options(dir=self.trial))
                for i in range(12):
                    run.begin(TRAIN)
                    run.log_in(TRAIN, {train: 1 - i / 24})
                    if i % 4 == 3:
                        run.begin(EVAL)
                        run.log_in(EVAL, {validation: 1 - i / 24 + gap})
                run.close()
                command = [recorded.build / "smdbg-tui", "-n", "-batch", "-ex", "rule add overfit", "-ex", "rule status -wait -field status", run.dir]
                out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
                self.assertEqual(out.split()[-1], verdict, (train, validation, gap, out))

    def test_what_is_none_is_told_once(self):
        class Hostile:
            def __getattribute__(self, name):
                raise RuntimeError("no")

        for value in (None, "1", [1], {}, object(), 1j, 2 ** 2000, Hostile(), lambda: 0):
            name = f"x{id(value)}"
            told = self.warned(self.run_.log, {name: value, "good": 1})
            self.assertEqual(len(told), 1, told)
            self.assertIn("no number", told[0])
            self.assertEqual(self.warned(self.run_.log, {name: value}), [])
            self.assertNotEqual(self.run_.error, "")
        for wrong in ({"": 1}, {"a\0b": 1}, {3: 1}, {"\ud800": 1}, {None: 1}):
            self.assertEqual(len(self.warned(self.run_.log, wrong)), 1, wrong)
        self.assertEqual(len(self.warned(self.run_.log, 5)), 1)
        self.warned(self.run_.close)
        self.assertEqual(self.named(), ["good"])

    def test_an_evaluation_inside_a_step(self):
        self.run_.begin(TRAIN)
        self.run_.log(a=1)
        for i in range(2):
            self.run_.begin(EVAL)
            self.run_._open_for_log(EVAL)
            self.run_.scalar("b", i)
        self.run_.log(a=2)                                 # the optimizer has not stepped: the same step
        self.run_.close()
        self.assertEqual(self.series("a"), [(0, 1.0), (0, 2.0)])
        self.assertEqual(self.series("b", "EVAL"), [(0, 0.0), (1, 1.0)])

    def test_a_warning_is_at_the_line_of_the_program(self):
        import warnings
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            self.run_.log(x="text")
        self.assertEqual([w.filename for w in seen], [__file__])

    def test_a_warning_that_is_an_error_does_not_raise(self):
        import warnings
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.run_.log(x="text")

    def test_after_the_end(self):
        self.run_.log(x=1)
        self.run_.close()
        self.run_.log(x=2)
        self.run_.close()
        self.assertEqual(self.series("x"), [(0, 1.0)])
        self.assertEqual(self.run_.error, "")

    def test_a_forked_child_neither_writes_nor_waits(self):
        self.run_.log(x=1)
        child = os.fork()
        if child == 0:
            self.run_.log(x=2)
            self.run_.close()
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.run_.close()
        self.assertEqual(self.series("x"), [(0, 1.0)])

    @unittest.skipIf(not __import__("importlib.util").util.find_spec("numpy"), "python3-numpy is not installed")
    def test_numbers_of_numpy(self):
        import numpy
        self.run_.log(a=numpy.float32(0.5), b=numpy.array([[2]]), c=numpy.bool_(True), d=numpy.int64(2 ** 53), e=numpy.array(1.5, "f2"))
        self.assertEqual(len(self.warned(self.run_.log, pair=numpy.zeros(2), none=numpy.zeros(0), text=numpy.array("a"))), 3)
        self.run_.close()
        self.assertEqual([self.series(name)[0][1] for name in "abcde"], [0.5, 2.0, 1.0, 2.0 ** 53, 1.5])


if __name__ == "__main__":
    unittest.main(verbosity=0)
