# SPDX-License-Identifier: Apache-2.0
"""Tests smdbg_hook.py: numpy arrays of every type and layout, and a PyTorch model saved with the names of the original hook.
Usage: tests/hook.py BUILD. Tests whose package is not installed are skipped with a message."""

import array
import copy
import csv
import io
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import warnings

build, root = pathlib.Path(sys.argv.pop(1)), pathlib.Path(__file__).parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(root / "reader/hook/python"))
os.environ["SMDBG_HOOK_LIBRARY"] = str(build / "libsmdbg-hook.so.0")
for name in ("RANK", "WORLD_SIZE"):
    os.environ.pop(name, None)

import smdbg_hook  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None
try:
    import torch
except ImportError:
    torch = None
sys.modules["tensorboard.compat.notf"] = sys              # it reads files by itself: tensorflow does not fit to torch in one process
try:
    from tensorboard.backend.event_processing import event_multiplexer
except Exception:                                          # also if it does not fit to numpy
    event_multiplexer = None


def index(trial, step):
    path = f"index/{step // 1000:09}/{step:012}_worker_0.json"
    return json.loads((pathlib.Path(trial) / path).read_text())


def names(trial, step):
    return [entry["tensorname"] for entry in index(trial, step)["tensor_payload"]]


def record(trial, step, name):
    index_json = index(trial, step)
    entry = next(e for e in index_json["tensor_payload"] if e["tensorname"] == name)
    events = (pathlib.Path(trial) / index_json["meta"]["event_file_name"]).read_bytes()
    return events[entry["start_idx"]:entry["start_idx"] + entry["length"]]


def listed(trial):
    """{name: (dtype, shape)} as the program reads them"""
    command = [build / "smdbg-tui", "-n", "-batch", "-ex", "tensors -csv -field name,dtype,shape", trial]
    text = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    return {row["name"]: (row["dtype"], row["shape"]) for row in csv.DictReader(text.splitlines())}


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.trial = os.path.join(self.folder.name, "trial")

    def tearDown(self):
        self.folder.cleanup()


class Hostile:
    def __getattribute__(self, name):
        raise RuntimeError(f"no {name} \0 here")


class TestHook(Case):
    def test_settings_steps_and_numbers(self):
        with smdbg_hook.Hook(self.trial, save_interval=3) as hook:
            hook.collection("mine", ["a", "b"], save_steps=[1, 5])
            hook.set("eval.save_interval", 1)
            for i in range(5):
                self.assertTrue(hook.step(smdbg_hook.TRAIN))
                self.assertEqual(hook.wants("a"), i in (0, 1, 3))
                self.assertFalse(hook.wants("weight"))     # of a collection that is not saved
                hook.save("a", i)
                hook.save("b", 0.5)
            hook.step(smdbg_hook.EVAL)
            hook.save("a", 7)
            self.assertEqual(hook.error, "")
        self.assertEqual(listed(self.trial), {"a": ("int64", "(1,)"), "b": ("float64", "(1,)")})
        self.assertEqual([p.name[:12] for p in sorted(pathlib.Path(self.trial).glob("index/*/*"))],
                         ["000000000000", "000000000001", "000000000003", "000000000005"])
        self.assertEqual(index(self.trial, 5)["meta"]["mode"], "EVAL")
        self.assertIn((3).to_bytes(8, sys.byteorder), record(self.trial, 3, "a"))

    def test_errors(self):
        hook = smdbg_hook.Hook(self.trial, save_all=True)
        for name, value in (("nosuch", 1), ("save_interval", 0), ("reductions", "maen")):
            before = hook.counts.errors
            self.assertFalse(hook.set(name, value))
            self.assertNotEqual(hook.error, "")
            self.assertEqual(hook.counts.errors, before + 1)
        before = hook.counts.errors
        hook.step(smdbg_hook.TRAIN)
        self.assertFalse(hook.save("objects", [1, "a"]))
        self.assertIn("objects", hook.error)
        self.assertEqual(hook.counts.errors, before + 1)
        hook.close()
        self.assertFalse(hook.step())
        self.assertFalse(hook.wants("late"))

    def test_a_directory_that_holds_a_run(self):
        def run(value, **settings):
            with smdbg_hook.Hook(self.trial, save_all=True, save_interval=1, **settings) as hook:
                hook.step(smdbg_hook.TRAIN)
                hook.save("w", value)
                self.assertRaises(OSError, smdbg_hook.Hook, hook.dir, if_exists="resume")    # two at once
            return hook.dir

        self.assertEqual(run(1), self.trial)
        self.assertRaises(FileExistsError, run, 2)
        self.assertRaises(FileExistsError, run, 2, if_exists="error")
        self.assertRaises(ValueError, run, 2, if_exists="maybe")
        self.assertIn((1).to_bytes(8, sys.byteorder), record(self.trial, 0, "w"))
        self.assertEqual(run(3, if_exists="new"), self.trial + "-2")
        self.assertEqual(run(4, if_exists="resume"), self.trial)
        self.assertIn((4).to_bytes(8, sys.byteorder), record(self.trial, 1, "w"))
        run(5, if_exists="overwrite")
        self.assertIn((5).to_bytes(8, sys.byteorder), record(self.trial, 0, "w"))
        self.assertEqual(len(list(pathlib.Path(self.trial).glob("index/*/*"))), 1)

    def test_a_directory_that_cannot_be_written(self):
        self.assertRaises(FileNotFoundError, smdbg_hook.Hook, "/proc/nowhere/run")
        pathlib.Path(self.trial).write_text("a file")
        self.assertRaises(NotADirectoryError, smdbg_hook.Hook, self.trial)
        self.assertEqual(pathlib.Path(self.trial).read_text(), "a file")

    def test_every_scalar_is_kept(self):
        with smdbg_hook.Hook(self.trial, save_interval=10) as hook:
            hook.collection("weights")
            for i in range(100):
                hook.step(smdbg_hook.TRAIN)
                hook.save("weight", 1.0)
                hook.scalar("loss", i)
                hook.scalar("loss", i + 0.5)               # both
        self.assertEqual(names(self.trial, 10), ["weight", "scalar/loss", "scalar/loss"])
        self.assertEqual(names(self.trial, 99), ["scalar/loss", "scalar/loss"])
        self.assertEqual(len(list(pathlib.Path(self.trial).glob("index/*/*"))), 100)
        self.assertLess(len(list(pathlib.Path(self.trial).glob("events/*/*"))), 25)

    def test_processes_that_get_their_rank_late(self):
        program = """if True:
            import multiprocessing, sys, types
            sys.path.insert(0, sys.argv[1])
            import smdbg_hook

            def work(rank, folder, workers, late, barrier):
                distributed = types.SimpleNamespace(
                    is_available=lambda: True, is_initialized=lambda: True, get_rank=lambda: rank, get_world_size=lambda: 2)
                if not late:
                    sys.modules["torch.distributed"] = distributed
                hook = smdbg_hook.Hook(folder, save_all=True, save_interval=1, include_workers=workers)
                barrier.wait()                             # both have made their hook
                sys.modules["torch.distributed"] = distributed
                for _ in range(3):
                    hook.step(smdbg_hook.TRAIN)
                    hook.save("rank", rank)
                assert hook.close(), hook.error

            if __name__ == "__main__":
                context = multiprocessing.get_context("spawn")
                for workers, late in (("all", True), ("all", False), ("one", True), ("one", False)):
                    barrier = context.Barrier(2)
                    arguments = [(rank, f"{sys.argv[2]}{workers}{late}", workers, late, barrier) for rank in (0, 1)]
                    children = [context.Process(target=work, args=each) for each in arguments]
                    [child.start() for child in children]
                    [child.join() for child in children]
                    assert not any(child.exitcode for child in children)
        """
        path = pathlib.Path(self.folder.name) / "program.py"
        path.write_text(program)
        subprocess.run([sys.executable, "-B", path, root / "reader/hook/python", self.trial], check=True)
        for workers, count in (("allTrue", 2), ("allFalse", 2), ("oneTrue", 1), ("oneFalse", 1)):
            files = sorted(p.name for p in pathlib.Path(self.trial + workers).glob("index/*/*"))
            self.assertEqual(files, [f"{step:012}_worker_{rank}.json" for step in range(3) for rank in range(count)])

    def test_what_is_not_saved_is_told(self):
        def warned(function):
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                function()
            return [str(warning.message) for warning in seen]

        def early():
            for _ in range(3):
                hook.save("w", 1)

        def misspelt():
            with smdbg_hook.Hook(self.trial) as other:
                other.collection("wieghts")
                other.step()
                other.save("weight", 1)
                other.save("anything", 1)
            return other

        hook = smdbg_hook.Hook(self.trial, save_interval=1)
        self.assertEqual(warned(early), ["smdbg_hook: w: saved before the first step; smdbg_hook_step begins it"])
        self.assertFalse(hook.close())
        self.assertIn("first step", hook.error)
        message = "never saved, because of collections and steps: weight; collections without any tensor: wieghts"
        self.assertEqual(warned(misspelt), ["smdbg_hook: " + message])
        self.assertEqual(names(self.trial, 0), ["anything"])
        with warnings.catch_warnings():
            warnings.simplefilter("error")                 # nothing reaches the training
            self.trial += "-2"
            self.assertEqual(misspelt().error, message)
        program = ("import sys; sys.path.insert(0, sys.argv[1]); import smdbg_hook\n"
                   "hook = smdbg_hook.Hook(sys.argv[2]); hook.collection('none'); hook.step()")     # closed at exit
        run = subprocess.run([sys.executable, "-B", "-c", program, root / "reader/hook/python", self.trial + "-3"],
                             check=True, stderr=subprocess.PIPE, text=True)
        self.assertIn("collections without any tensor: none", run.stderr)

    def test_a_tensor_of_no_collection(self):
        with smdbg_hook.Hook(self.trial) as hook:          # no settings at all
            for i in range(20):
                hook.step(smdbg_hook.TRAIN)
                self.assertTrue(hook.save("weight", i))
                hook.scalar("acc", i / 20)
            self.assertEqual(hook.error, "")
        self.assertEqual(names(self.trial, 0), ["weight", "scalar/acc"])

    def test_strings(self):
        with smdbg_hook.Hook(self.trial, save_all=True) as hook:
            hook.step()
            self.assertTrue(hook.save("one", "softmax"))
            self.assertTrue(hook.save("some", ["a", "", "\u00e9"]))
        self.assertEqual(listed(self.trial), {"one": ("string", "(1,)"), "some": ("string", "(3,)")})
        self.assertIn(b"\x42\x07softmax", record(self.trial, 0, "one"))
        self.assertIn(b"\x42\x01a\x42\x00\x42\x02\xc3\xa9", record(self.trial, 0, "some"))

    def test_only_making_a_hook_raises(self):
        self.assertRaises(ValueError, smdbg_hook.Hook, self.trial, nosuch=1)
        self.assertRaises(ValueError, smdbg_hook.Hook, self.trial + "\0", save_all=True)
        self.assertRaises(TypeError, smdbg_hook.Hook, 5)
        self.assertRaises(TypeError, smdbg_hook.Hook.from_config, object())

    def test_no_setting_raises(self):
        class Nameless(Exception):
            def __str__(self):
                raise RuntimeError("no message")

        class Textless:
            def __str__(self):
                raise Nameless

        def broken():
            yield "before"
            raise Nameless

        hook = smdbg_hook.Hook(self.trial, save_interval=1)
        wrong = [None, -3, b"bytes", "", "a\0b", "\ud800", Hostile(), object()]
        calls = [(hook.set, (name, 1)) for name in wrong]
        calls += [(hook.set, ("save_interval", value)) for value in (*wrong, Textless(), [Textless()], "1\0", -1, 2 ** 70)]
        calls += [(hook.collection, (name,)) for name in wrong]
        calls += [(hook.collection, ("mine", tensors)) for tensors in (None, 3, [None], [3, Hostile()], broken(), Hostile())]
        calls += [(hook.collection_set, (name, "save_interval", 1)) for name in wrong]
        calls += [(hook.collection_set, ("mine", name, 1)) for name in wrong]
        calls += [(hook.collection_set, ("mine", "save_interval", value)) for value in (*wrong, Textless())]
        calls += [(method, ()) for method in (hook.set, hook.collection, hook.collection_set, hook.save, hook.scalar, hook.step_at)]
        for call, arguments in calls:
            before = hook.counts.errors
            self.assertFalse(call(*arguments), (call.__name__, arguments))
            self.assertGreater(hook.counts.errors, before, (call.__name__, arguments))
            self.assertNotEqual(hook.error, "")
        self.assertFalse(hook.collection("mine", ["a", 3, "b"], nosuch=1, end_step=1))    # what is right is done
        self.assertTrue(hook.collection("one", "whole"))   # one name, not its letters
        for _ in range(2):
            self.assertTrue(hook.step(smdbg_hook.TRAIN))
            for name in ("a", "b", "whole", "weight"):
                hook.save(name, 1)
        self.assertFalse(hook.close())
        self.assertEqual(names(self.trial, 0), ["a", "b", "whole"])
        self.assertEqual(names(self.trial, 1), ["whole"])

    def test_no_argument_raises(self):
        class Distributed:                                 # as a DTensor under fully_shard: no memory behind it
            dtype, layout, shape, is_quantized = "torch.float32", "torch.strided", (2,), False
            cpu = detach = resolve_conj = resolve_neg = lambda self: self

            def element_size(self):
                return 4

            def numel(self):
                return 2

            def data_ptr(self):
                return 0

        hook = smdbg_hook.Hook(self.trial, save_all=True)
        self.assertFalse(hook.step("train"))
        for mode in (2 ** 32 + 1, -2 ** 32 + 1, 1.0, None, Hostile()):
            self.assertFalse(hook.step(mode))              # C would see 1
            self.assertFalse(hook.step_at(mode, 1, 1))
        for step in (2 ** 64, 2 ** 70 + 1, -2 ** 64 + 1, 1.0, None, Hostile()):
            self.assertFalse(hook.step_at(smdbg_hook.TRAIN, step, 0))
            self.assertFalse(hook.step_at(smdbg_hook.TRAIN, 0, step))
        self.assertTrue(hook.step(smdbg_hook.TRAIN))
        values = [Hostile(), Distributed(), None, object(), {"a": 1}, [1, "a"], b"abc", 2 ** 70, lambda: 0, "\ud800", ["a\0b"]]
        for value in values:
            before = hook.counts.errors
            self.assertFalse(hook.save("value", value))
            self.assertEqual(hook.counts.errors, before + 1)
            self.assertIn("value", hook.error)
        for name in (None, 1, b"bytes", "", "a\0b", "\ud800", Hostile()):
            self.assertFalse(hook.save(name, 1.0))
            self.assertFalse(hook.wants(name) if name is not None else False)
            self.assertFalse(hook.scalar(name, 1.0))
        for value in (None, "1", [1], Hostile()):
            self.assertFalse(hook.scalar("value", value))
        self.assertTrue(hook.save("good", 1.0))
        self.assertFalse(hook.close())                     # something was not saved
        self.assertEqual(names(self.trial, 0), ["good"])

    def test_a_forked_child_neither_writes_nor_waits(self):
        hook = smdbg_hook.Hook(self.trial, save_all=True)
        hook.step(smdbg_hook.TRAIN)
        hook.save("a", 1)
        pid = os.fork()
        if pid == 0:
            answers = [hook.flush(), hook.save("b", 1), hook.step(), hook.scalar("c", 1), hook.wants("a")]
            os._exit(any(answers) or "parent" not in hook.error)
        self.assertEqual(os.waitpid(pid, 0)[1], 0)
        self.assertTrue(hook.close())
        self.assertEqual(names(self.trial, 0), ["a"])

    def test_a_forked_child_does_not_close_the_hook(self):
        hook = smdbg_hook.Hook(self.trial, save_all=True)
        hook.step(smdbg_hook.TRAIN)
        hook.save("a", 1)
        hook.flush()
        pid = os.fork()
        if pid == 0:
            hook.close()
            os._exit(0)
        self.assertEqual(os.waitpid(pid, 0)[1], 0)
        self.assertFalse(os.path.exists(os.path.join(self.trial, "training_job_end.ts")))
        self.assertTrue(hook.close())
        self.assertTrue(os.path.exists(os.path.join(self.trial, "training_job_end.ts")))

    def test_closes_at_exit(self):
        program = ("import sys; sys.path.insert(0, sys.argv[1]); import smdbg_hook\n"
                   "hook = smdbg_hook.Hook(sys.argv[2], save_all=True); hook.step(); hook.save('a', 1.5)")
        subprocess.run([sys.executable, "-B", "-c", program, root / "reader/hook/python", self.trial], check=True)
        self.assertEqual(names(self.trial, 0), ["a"])
        self.assertTrue(os.path.exists(os.path.join(self.trial, "training_job_end.ts")))


@unittest.skipIf(numpy is None, "python3-numpy is not installed")
class TestArrays(Case):
    def test_objects_that_lie_about_their_memory(self):
        class Liar:
            def __init__(self, address, shape=(1 << 20,), **more):
                self.__array_interface__ = {"version": 3, "typestr": "<f4", "shape": shape, "data": (address, False), **more}

        class Pointer:
            shape, dtype, layout, is_quantized = (4,), "torch.float32", "torch.strided", False
            detach = cpu = resolve_conj = resolve_neg = lambda self: self
            data_ptr, numel, element_size = (lambda self: 12345), (lambda self: 4), (lambda self: 4)
            stride, storage_offset = (lambda self: (1,)), (lambda self: 0)

        class Struct:
            __array_struct__ = 12345

        grid = numpy.arange(6, dtype="f4").reshape(2, 3)
        where = grid.__array_interface__["data"][0]
        hook = smdbg_hook.Hook(self.trial, save_all=True)
        hook.step()
        for k, liar in enumerate((Liar(0), Liar(12345), Liar(1 << 62), Liar(-8), Liar(where, (1 << 40,)), Liar("a"), Pointer(), Struct(),
                                  Liar(where, (2, 3), strides=(1 << 45, 4)), Liar(where, (2, 3), strides=(-(1 << 45), 4)))):
            self.assertFalse(hook.save(f"liar{k}", liar), k)
        self.assertTrue(hook.save("honest", Liar(where, (2, 3))), hook.error)
        self.assertTrue(hook.save("backwards", Liar(where + 12, (2, 3), strides=(-12, 4))), hook.error)
        hook.close()
        self.assertEqual(names(self.trial, 0), ["honest", "backwards"])
        self.assertIn(grid.tobytes(), record(self.trial, 0, "honest"))
        self.assertIn(grid[::-1].tobytes(), record(self.trial, 0, "backwards"))

    def test_what_numpy_makes_an_array_of(self):
        class Convertible:
            def __array__(self, *_, **__):
                return numpy.ones(3)

        values = {"list": [1.0, 2.0], "tuple": (1, 2), "nested": [[1, 2], [3, 4]], "buffer": memoryview(numpy.ones(3)),
                  "array": array.array("d", [1, 2]), "convertible": Convertible()}
        with smdbg_hook.Hook(self.trial, save_all=True) as hook:
            hook.step()
            for name, value in values.items():
                self.assertTrue(hook.save(name, value), (name, hook.error))
            self.assertFalse(hook.save("ragged", [[1], [2, 3]]))
        self.assertEqual(set(listed(self.trial)), set(values))

    def test_every_type_and_layout(self):
        grid = numpy.arange(24).reshape(2, 3, 4)
        arrays = {code: grid.astype(code) for code in
                  "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 c8 c16".split()}
        arrays.update(turned=grid.T, backwards=grid[::-1, :, ::2], fortran=numpy.asfortranarray(grid), row=grid[1, 2],
                      swapped=grid.astype(">f4"), zero_d=numpy.array(7.5), broadcast=numpy.broadcast_to(numpy.float32(3), (4, 5)))
        arrays["nan"] = numpy.array([numpy.nan, numpy.inf, -0.0], "f4")
        with smdbg_hook.Hook(self.trial, save_all=True) as hook:
            hook.step(smdbg_hook.TRAIN)
            for name, array in arrays.items():
                self.assertTrue(hook.save(name, array), hook.error)
            hook.save("single", numpy.float32(2.5))
            hook.save("empty", numpy.zeros((0, 3)))
        read = listed(self.trial)
        self.assertEqual(read.pop("single"), ("float32", "(1,)"))
        self.assertEqual(set(read), set(arrays))
        for name, array in arrays.items():
            self.assertEqual(read[name], (array.dtype.name, str(array.shape)), name)
            native = array.astype(array.dtype.newbyteorder("="))
            self.assertIn(native.tobytes(), record(self.trial, 0, name), name)

    def test_reductions(self):
        x = numpy.linspace(-1, 2, 1000, dtype="f4")
        with smdbg_hook.Hook(self.trial, save_all=True, reductions=["mean", "std", "abs_max", "l2_norm"]) as hook:
            hook.step(smdbg_hook.TRAIN)
            hook.save("x", x)
        expected = {"mean": x.mean(), "std": x.std(ddof=1), "abs_max": abs(x).max(), "l2": numpy.linalg.norm(x)}
        self.assertEqual(names(self.trial, 0), [f"smdebug/reductions/{op}/x" for op in ("mean", "std", "l2", "abs_max")])
        for op, value in expected.items():
            name = f"smdebug/reductions/{op}/x"
            bytes_ = record(self.trial, 0, name).partition(b"\x12\x00\x22\x04")[2][:4]
            self.assertAlmostEqual(numpy.frombuffer(bytes_, "f4")[0], value, delta=1e-5 * abs(value))


def make_model(torch_):
    """The model of the trial cnn_healthy."""
    nn = torch_.nn

    class CNN(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv0, self.relu0 = nn.Conv2d(1, 2, 3), nn.ReLU()
            self.conv1, self.relu1 = nn.Conv2d(2, 3, 3), nn.ReLU()
            self.fc0, self.relu2, self.fc1 = nn.Linear(48, 5), nn.ReLU(), nn.Linear(5, 4)

        def forward(self, x):
            x = self.relu1(self.conv1(self.relu0(self.conv0(x))))
            return self.fc1(self.relu2(self.fc0(x.flatten(1))))

    return CNN()


@unittest.skipIf(event_multiplexer is None, "tensorboard is not installed")
class TestTensorBoard(Case):
    """TensorBoard's own code reads the files."""

    def test_runs_and_values(self):
        for rank in range(2):
            with smdbg_hook.Hook(self.trial, save_interval=5, export_tensorboard=True, include_workers="all", rank=rank,
                                 world_size=2) as hook:
                for mode, steps in ((smdbg_hook.TRAIN, 20), (smdbg_hook.EVAL, 3)):
                    for i in range(steps):
                        hook.step(mode)
                        hook.scalar("loss", i + rank / 2)
                        hook.save("w", numpy.arange(10.0))
        board = pathlib.Path(self.trial) / "tensorboard"
        self.assertEqual(len([p for p in board.rglob("*") if p.is_file()]), 4)
        runs = event_multiplexer.EventMultiplexer(size_guidance={"scalars": 0, "histograms": 0}).AddRunsFromDirectory(str(board))
        runs.Reload()
        self.assertEqual(set(runs.Runs()), {"worker_0", "worker_0/EVAL", "worker_1", "worker_1/EVAL"})
        values = runs.Scalars("worker_1", "scalar/loss")
        self.assertEqual([(v.step, v.value) for v in values], [(i, i + 0.5) for i in range(20)])
        self.assertEqual([v.step for v in runs.Scalars("worker_0/EVAL", "scalar/loss")], [20, 21, 22])
        self.assertEqual([v.step for v in runs.Histograms("worker_0", "default/w")], [0, 5, 10, 15])
        self.assertEqual(runs.GetAccumulator("worker_0").file_version, 2.0)


@unittest.skipIf(torch is None, "python3-torch is not installed")
class TestTorch(Case):
    def setUp(self):
        super().setUp()
        self.original = root / "tests/trials/cnn_healthy"

    def hook(self):
        hook = smdbg_hook.TorchHook(self.trial, save_interval=10)
        self.collections = json.loads((self.original / "collections/000000000/worker_0_collections.json").read_text())
        for name, saved in self.collections["collections"].items():
            if saved["tensor_names"]:
                hook.collection(name)
            if name not in ("weights", "biases", "gradients", "losses") and saved["include_regex"]:
                hook.collection_set(name, "include_regex", saved["include_regex"])
        return hook

    def train(self, hook, steps):
        model, loss = make_model(torch), torch.nn.CrossEntropyLoss()
        hook.register_module(model)
        hook.register_loss(loss)
        for i in range(steps):
            hook.set_mode(smdbg_hook.TRAIN)
            model.zero_grad()
            images, labels = torch.randn(6, 1, 8, 8), torch.randint(0, 4, (6,))
            weight = model.conv0.weight.detach().clone()
            predicted = model(images)
            value = loss(predicted, labels)
            hook.save("labels", labels)
            hook.save("probabilities", predicted.softmax(1))
            value.backward()
            if i % 10 == 0:                                # scalars of other steps are saved with the next saved step
                hook.scalar("accuracy", 0.5)
                hook.scalar("learning_rate", 0.1)
            if i == 0:
                self.seen = {"CNN_conv0.weight": weight, "gradient/CNN_fc0.weight": model.fc0.weight.grad.clone(),
                             "CrossEntropyLoss_output_0": value.detach(), "labels": labels, "conv0_input_0": images}
            with torch.no_grad():
                for parameter in model.parameters():
                    parameter -= parameter.grad * 0.1
        return model

    def test_names_order_and_values_equal_the_original(self):
        hook = self.hook()
        model = self.train(hook, 12)
        hook.set_mode(smdbg_hook.EVAL)
        with torch.no_grad():
            model(torch.randn(6, 1, 8, 8))
        self.assertTrue(hook.close())
        self.assertEqual(names(self.trial, 0), names(self.original, 0))
        self.assertEqual(names(self.trial, 10), names(self.original, 10))
        self.assertEqual(index(self.trial, 12)["meta"]["mode"], "EVAL")
        for name, value in self.seen.items():
            self.assertIn(value.numpy().tobytes(), record(self.trial, 0, name), name)

    def test_collections_equal_the_original(self):
        hook = self.hook()
        self.train(hook, 2)
        hook.close()
        path = pathlib.Path(self.trial) / "collections/000000000/worker_0_collections.json"
        ours = json.loads(path.read_text())["collections"]
        theirs = self.collections["collections"]
        self.assertEqual(list(ours), list(theirs))
        for name, saved in theirs.items():
            self.assertEqual(list(ours[name]), list(saved))
            for key in ("name", "include_regex", "tensor_names", "reduction_config", "save_histogram"):
                self.assertEqual(ours[name][key], saved[key], (name, key))

    def test_layouts_and_types(self):
        grid = torch.arange(12, dtype=torch.float32).reshape(3, 4)
        tensors = {"turned": grid.t(), "slice": grid[:, ::2], "half": grid.half(), "zero_d": torch.tensor(4), "flags": grid > 3,
                   "conjugate": torch.complex(grid, grid).conj(), "sparse": torch.eye(3).to_sparse(),
                   "leaf": grid.clone().requires_grad_()}
        with smdbg_hook.Hook(self.trial, save_all=True) as hook:
            hook.step()
            for name, tensor in tensors.items():
                self.assertTrue(hook.save(name, tensor), hook.error)
            self.assertTrue(hook.save("brain", grid.bfloat16()), hook.error)
        read = listed(self.trial)
        self.assertEqual(read["brain"], ("bfloat16", "(3, 4)"))
        for name, tensor in tensors.items():
            array = tensor.detach().to_dense().resolve_conj().numpy()
            self.assertEqual(read[name], (array.dtype.name, str(array.shape)), name)
            self.assertIn(array.tobytes(), record(self.trial, 0, name), name)

    def test_reductions_equal_torch(self):
        names_ = "min max mean median std variance sum prod l1 l2".split()
        x = torch.randn(3, 5) * 2
        with smdbg_hook.Hook(self.trial, save_all=True) as hook:
            hook.set("reductions", ",".join(names_ + [f"abs_{name}" for name in names_]))
            hook.step()
            hook.save("x", x)
            hook.save("one", x[:1, :1])
        for tensor, value in (("x", x), ("one", x[:1, :1])):
            for prefix, y in (("", value), ("abs_", value.abs())):
                expected = {"min": y.min(), "max": y.max(), "mean": y.mean(), "median": y.median(), "std": y.std(), "sum": y.sum(),
                            "variance": y.var(), "prod": y.prod(), "l1": y.norm(p=1), "l2": y.norm(p=2)}
                for name in names_:
                    saved = record(self.trial, 0, f"smdebug/reductions/{prefix}{name}/{tensor}").partition(b"\x12\x00\x22\x04")[2]
                    saved = torch.tensor(struct.unpack("<f", saved[:4])[0])
                    self.assertTrue(torch.isclose(saved, expected[name], rtol=1e-5, equal_nan=True), (prefix, name, tensor))

    def test_reductions_have_the_types_of_torch(self):
        grid = torch.arange(6.0).reshape(2, 3) - 2
        tensors = {"half": grid.half(), "double": grid.double(), "int": grid.int(), "flags": grid > 0, "complex": torch.complex(grid, -grid)}
        ops = {"min": "min", "max": "max", "mean": "mean", "std": "std", "variance": "var", "sum": "sum", "prod": "prod"}
        with smdbg_hook.Hook(self.trial, save_all=True, reductions=",".join([*ops, *(f"abs_{op}" for op in ops)])) as hook:
            hook.step()
            for name, value in tensors.items():
                self.assertTrue(hook.save(name, value), hook.error)
        checked = 0
        for name, value in tensors.items():
            for op, method in ops.items():
                for prefix, y in (("", value), ("abs_", value if value.dtype == torch.bool else value.abs())):
                    try:
                        expected = getattr(torch.Tensor, method)(y).numpy()
                    except RuntimeError:                   # torch does not support this type
                        continue
                    saved = record(self.trial, 0, f"smdebug/reductions/{prefix}{op}/{name}").partition(b"\x12\x00\x22")[2]
                    self.assertEqual(saved[0], expected.nbytes, (prefix, op, name))
                    got = numpy.frombuffer(saved[1:1 + expected.nbytes], expected.dtype)[0]
                    self.assertTrue(numpy.isclose(got, expected, rtol=1e-3, equal_nan=True), (prefix, op, name, got, expected))
                    checked += 1
        self.assertGreater(checked, 45)

    def test_copies_of_a_module_carry_no_hook_that_acts(self):
        model = torch.nn.Sequential(torch.nn.Linear(2, 2))
        hook = smdbg_hook.TorchHook(self.trial, save_all=True, save_interval=1)
        hook.register_module(model)
        buffer = io.BytesIO()
        torch.save(model, buffer)
        buffer.seek(0)
        for other in (copy.deepcopy(model), torch.load(buffer, weights_only=False)):
            other(torch.ones(1, 2)).sum().backward()
        self.assertTrue(hook.close())
        self.assertFalse(os.path.exists(os.path.join(self.trial, "events")))

    def test_what_torch_cannot_hand_over(self):
        model = torch.nn.Sequential(torch.nn.LazyLinear(2), torch.nn.ReLU())
        hook = smdbg_hook.TorchHook(self.trial, save_all=True, save_interval=1)
        hook.register_module(model)                        # uninitialised parameters
        model(torch.ones(1, 3)).sum().backward()
        parameters = dict(model.named_parameters())
        inputs = torch.ones(4, 1, 3)
        torch.func.vmap(lambda x: torch.func.functional_call(model, parameters, (x,)))(inputs)
        torch.func.grad(lambda p: torch.func.functional_call(model, p, (inputs[0],)).sum())(parameters)
        self.assertFalse(hook.save("meta", torch.empty(3, device="meta")))
        self.assertFalse(hook.save("float8", torch.ones(2).to(torch.float8_e4m3fn)))
        self.assertTrue(hook.save("uint16", torch.ones(2).to(torch.uint16)))
        hook.close()
        self.assertIn("gradient/Sequential_0.weight", names(self.trial, 0))

    def test_no_module_raises(self):
        class Torn(torch.nn.Module):
            def named_modules(self, *_, **__):
                raise RuntimeError("torn")

        hook = smdbg_hook.TorchHook(self.trial, save_all=True, save_interval=1)
        for wrong in (None, 3, "text", object(), torch.nn.functional.mse_loss, torch.nn.Linear, Hostile()):
            for register in (hook.register_module, hook.register_loss):
                before = hook.counts.errors
                self.assertFalse(register(wrong))
                self.assertEqual(hook.counts.errors, before + 1)
        self.assertFalse(hook.register_module(Torn()))
        self.assertFalse(hook.register_module())
        self.assertFalse(hook.step(1, 2))
        hook.set_mode("train")
        model = torch.nn.Linear(2, 2)
        self.assertTrue(hook.register_module(model))
        self.assertTrue(hook.register_loss(torch.nn.MSELoss()))
        model(torch.ones(1, 2))                            # no step of this mode: the training goes on
        hook.set_mode(smdbg_hook.TRAIN)
        model(torch.ones(1, 2)).sum().backward()
        self.assertFalse(hook.close())
        self.assertIn("gradient/Linear_weight", names(self.trial, 0))

    def test_a_storage_that_was_released(self):
        """FSDP releases the storage of what it has not gathered: nothing may be read behind its end."""
        hook = smdbg_hook.TorchHook(self.trial, save_all=True, save_interval=1)
        hook.step()
        for kept in (0, 4):
            tensor = torch.ones(1 << 20)
            tensor.untyped_storage().resize_(kept)
            self.assertFalse(hook.save("released", tensor))
        self.assertIn("storage", hook.error)
        self.assertTrue(hook.save("part", torch.arange(12.0).reshape(3, 4)[1:, ::2].t()))
        hook.close()
        self.assertEqual(names(self.trial, 0), ["part"])

    def test_sharded_parameters(self):
        """Under fully_shard (FSDP2) a parameter has no memory of its own: the training goes on, the error says so."""
        from torch.distributed.fsdp import fully_shard
        store = torch.distributed.FileStore(os.path.join(self.folder.name, "store"), 1)
        torch.distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
        self.addCleanup(torch.distributed.destroy_process_group)
        mesh = torch.distributed.device_mesh.init_device_mesh("cpu", (1,))
        model = torch.nn.Sequential(torch.nn.Linear(3, 3))
        fully_shard(model, mesh=mesh)
        hook = smdbg_hook.TorchHook(self.trial, save_all=True, save_interval=1)
        hook.register_module(model)
        for _ in range(3):
            model(torch.ones(2, 3)).sum().backward()
        self.assertFalse(hook.save("sharded", next(model.parameters())))
        self.assertIn("full_tensor()", hook.error)
        self.assertTrue(hook.save("whole", next(model.parameters()).full_tensor()))
        hook.close()

    def test_a_module_called_twice_in_a_step(self):
        shared = torch.nn.Linear(3, 3)
        model = torch.nn.Sequential(shared, torch.nn.Identity())
        hook = smdbg_hook.TorchHook(self.trial, save_all=True)
        hook.register_module(model)
        model(torch.ones(2, 3))
        shared(torch.ones(2, 3))
        hook.close()
        self.assertEqual(names(self.trial, 0)[2:], ["0_input_0", "0_output_0", "1_input_0", "1_output_0", "Sequential_input_0",
                                                    "Sequential_output_0", "0_input_1", "0_output_1"])

    def test_mappings_and_keywords(self):
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(3, 2)

            def forward(self, x=None, more=None):
                y = self.fc(x)
                return {"loss": y.sum(), "hidden": (y, more), "none": None}

        model = Model()
        hook = smdbg_hook.TorchHook(self.trial, save_all=True)
        hook.register_module(model)
        model(x=torch.ones(1, 3), more=torch.ones(2))
        hook.close()
        self.assertEqual(hook.error, "")
        self.assertEqual(names(self.trial, 0)[2:], ["fc_input_0", "fc_output_0", "Model_input_x", "Model_input_more",
                                                    "Model_output_loss", "Model_output_hidden.0", "Model_output_hidden.1"])


if __name__ == "__main__":
    for package, module in (("numpy", numpy), ("torch", torch), ("tensorboard", event_multiplexer)):
        if module is None:
            print(f"hook.py: {package} is not installed: its tests are skipped")
    unittest.main(verbosity=0)
