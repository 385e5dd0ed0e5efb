# SPDX-License-Identifier: Apache-2.0
"""Tests smdbg_profile.py: the files that it writes, without a framework; and PyTorch's hooks where it is installed.
Usage: tests/hook_profile.py BUILD"""

import copy
import json
import os
import pathlib
import pickle
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import warnings

build, root = pathlib.Path(sys.argv.pop(1)), pathlib.Path(__file__).parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(root / "reader/hook/python"))
for name in ("RANK", "LOCAL_RANK", "SMDBG_NODE", "SMDBG_PROFILER_DIR", "SM_CURRENT_HOST", "GROUP_RANK", "NODE_RANK",
             "SLURM_NODEID", "SMPROFILER_CONFIG_PATH"):
    os.environ.pop(name, None)

import smdbg_profile  # noqa: E402
import smdbg_timeline  # noqa: E402

try:
    import torch
except ImportError:
    torch = None


def finished(folder):
    """The timelines of this process, oldest first."""
    return sorted(pathlib.Path(folder).glob(f"framework/pevents/*/*_{os.getpid()}-algo-1_pythontimeline.json"))


def events(path):
    """(phase, name, absolute start in us, duration, args) of a file, which must be whole JSON."""
    rows = json.loads(path.read_text())
    base, phases = rows[0]["args"]["start_time_since_epoch_in_micros"], {}
    found = []
    for row in rows:
        if row["ph"] == "M" and row["name"] == "process_name" and "name" in row["args"]:
            phases[row["pid"]] = row["args"]["name"]
        elif row["ph"] == "X":
            found.append((phases[row["pid"]], row["name"], base + row["ts"], row["dur"], row["args"]))
    return found


def all_events(folder):
    return [event for path in finished(folder) for event in events(path)]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = os.path.join(self.folder.name, "prof")

    def tearDown(self):
        self.folder.cleanup()


class Hostile:
    def __str__(self):
        raise RuntimeError("no text")


class TestFiles(Case):
    def test_a_training_by_hand(self):
        begin = time.time_ns() // 1000
        with smdbg_profile.profile(self.root) as prof:
            for _ in prof.loader([1, 2, 3]):
                with prof.step():
                    with prof.forward("net"):
                        pass
                    with prof.backward("net"), prof.optimizer("SGD"):
                        pass
            with prof.step("EVAL"), prof.phase("Checkpoint", "save", path="a\"b"):
                pass
        end = time.time_ns() // 1000
        self.assertEqual(prof.errors, 0)
        path, = finished(self.root)
        found = events(path)
        step = ["DataLoaderIter", "Forward", "Optimizer", "Backward(post-forward)", "Step:ModeKeys.TRAIN"]
        self.assertEqual([e[0] for e in found],
                         ["DataLoaderIterInitialize"] + 3 * step + ["Checkpoint", "Step:ModeKeys.EVAL"])
        self.assertEqual([e[4]["step_num"] for e in found[1:16:5]], ["0", "1", "2"])
        self.assertEqual(found[-2][4], {"pid": os.getpid(), "step_num": "0", "path": "a\"b"})
        for _, _, start, duration, _ in found:
            self.assertTrue(begin <= start <= start + duration <= end)
        self.assertEqual(int(path.name.split("_")[0]), max(e[2] + e[3] for e in found))
        self.assertEqual(path.parent.name, time.strftime("%Y%m%d%H", time.gmtime(int(path.name[:10]))))
        self.assertTrue(os.path.exists(os.path.join(self.root, "framework/training_job_end.ts")))
        self.assertEqual(list(pathlib.Path(self.root).glob("framework/*.tmp")), [])

    def test_a_file_that_is_written_ends_with_a_comma(self):
        prof = smdbg_profile.profile(self.root)
        with prof.phase("A"):
            pass
        prof.flush()
        temporary, = pathlib.Path(self.root).glob("framework/*_pythontimeline.json.tmp")
        text = temporary.read_text()
        self.assertTrue(text.endswith("},\n"))
        self.assertEqual(len(json.loads(text[:-2] + "]")), 5)
        prof.close()
        prof.close()
        self.assertEqual(len(all_events(self.root)), 1)

    def test_the_same_phase_is_named_in_each_file(self):
        prof = smdbg_profile.profile(self.root)
        prof.timeline.config.file_bytes = 1
        for _ in range(3):
            with prof.phase("A"):
                pass
            prof.flush()
        for _ in range(2):
            prof.event("B", "b", 0, 1000)                  # two files that end at the same time
            prof.flush()
        prof.close()
        self.assertEqual(len(finished(self.root)), 5)
        self.assertEqual(sorted(e[0] for e in all_events(self.root)), ["A"] * 3 + ["B"] * 2)

    def test_a_full_disk_leaves_no_half_of_an_event(self):
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            prof = smdbg_profile.profile(self.root)
            for phase in "ABC":
                with prof.phase(phase):
                    pass
                limit = prof.timeline.size + 10 if phase == "B" else before[0]
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
                prof.flush()
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            prof.close()
        signal.signal(signal.SIGXFSZ, handler)
        self.assertEqual(prof.errors, 1)
        self.assertEqual([e[0] for e in all_events(self.root)], ["A", "C"])

    def test_a_killed_process_of_the_same_number_is_kept(self):
        """In a container each attempt has the same process number."""
        killed = os.path.join(self.root, "framework", f"{os.getpid()}-algo-1_pythontimeline.json.tmp")
        os.makedirs(os.path.dirname(killed))
        pathlib.Path(killed).write_text("[\n{\"of\": \"the killed\"},\n")
        os.utime(killed, (1600000000, 1600000000))
        with smdbg_profile.profile(self.root) as prof, prof.phase("A"):
            pass
        old, new = finished(self.root)
        self.assertEqual((old.parent.name, old.name.split("_")[0]), ("2020091312", "1600000000000000"))
        self.assertIn("the killed", old.read_text())
        self.assertEqual(events(new)[0][0], "A")

    def test_nothing_happened(self):
        smdbg_profile.profile(self.root).close()
        self.assertEqual(finished(self.root), [])

    def test_names_are_escaped_and_hostile_ones_are_errors(self):
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            with smdbg_profile.profile(self.root) as prof:
                prof.event("a\"\n\\", "\ud800\x1b", 0, 1000, {"x": 2 ** 70, "y": float("nan")})
                prof.flush()
                prof.event(Hostile(), "x", 0, 1)
        self.assertEqual(prof.errors, 1)
        self.assertEqual(all_events(self.root)[0][:2], ("a\"\n\\", "\ud800\x1b"))

    def test_a_disk_that_fails_is_said_once_and_given_up(self):
        pathlib.Path(self.root).write_text("a file, not a directory")
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            prof = smdbg_profile.profile(self.root)
            for _ in range(60):
                with prof.step():
                    pass
                prof.flush()
            prof.close()
        self.assertEqual(len(said), 1)
        self.assertGreaterEqual(prof.errors, 50)
        self.assertIsNone(prof.timeline)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            smdbg_profile.profile(self.root).close()       # raises nothing, where warnings are errors, too

    def test_a_forked_child_writes_nothing(self):
        prof = smdbg_profile.profile(self.root)
        with prof.phase("before"):
            pass
        child = os.fork()
        if child == 0:
            with prof.phase("child"):
                pass
            prof.close()
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertFalse(os.path.exists(os.path.join(self.root, "framework/training_job_end.ts")))
        with prof.phase("after"):
            pass
        prof.close()
        self.assertEqual([e[0] for e in all_events(self.root)], ["before", "after"])

    def test_the_end_of_the_program_closes(self):
        code = ("import sys; sys.path.insert(0, sys.argv[1])\nimport smdbg_profile\n"
                "p = smdbg_profile.profile(sys.argv[2])\nwith p.step(): 1 / 0")
        run = subprocess.run([sys.executable, "-B", "-c", code, str(root / "reader/hook/python"), self.root],
                             stderr=subprocess.DEVNULL, check=False)
        self.assertEqual(run.returncode, 1)
        path, = pathlib.Path(self.root).glob("framework/pevents/*/*.json")
        self.assertEqual(events(path)[0][0], "Step:ModeKeys.TRAIN")

    def test_loaders_keep_what_they_are(self):
        class Loader:
            num_workers, pin_memory, other = 4, False, "kept"

            def __iter__(self):
                return iter("ab")

            def __len__(self):
                return 2

        with smdbg_profile.profile(self.root) as prof:
            loader = prof.loader(Loader(), mode="EVAL")
            self.assertEqual((len(loader), loader.other), (2, "kept"))
            self.assertEqual((list(loader), list(loader)), (["a", "b"], ["a", "b"]))
        first = all_events(self.root)[0]
        self.assertEqual((first[0], first[4]["num_workers"], first[4]["pin_memory"]), ("DataLoaderIterInitialize", 4, False))
        self.assertEqual([e[0] for e in all_events(self.root)].count("DataLoaderIter"), 4)

    def test_wrong_arguments(self):
        self.assertRaises(ValueError, smdbg_profile.profile, self.root, sample_ms=5)
        self.assertRaises(ValueError, smdbg_profile.profile, self.root, torch_steps=(-1, 2))
        prof = smdbg_profile.profile(self.root)
        self.assertRaises(ValueError, prof.step, "train")
        prof.close()

    def test_where(self):
        os.environ["SMDBG_PROFILER_DIR"], os.environ["SMDBG_NODE"] = self.root, "3"
        try:
            prof = smdbg_profile.profile(sample_ms=500)    # somebody samples already
            self.assertEqual((prof.root, prof.node, prof._sampler), (self.root, 3, None))
            prof.close()
        finally:
            del os.environ["SMDBG_PROFILER_DIR"], os.environ["SMDBG_NODE"]
        os.environ["SLURM_NODEID"] = "0"
        try:
            self.assertEqual(smdbg_timeline.node_of_environment(), 1)
        finally:
            del os.environ["SLURM_NODEID"]

    def test_sagemakers_configuration(self):
        path = os.path.join(self.folder.name, "profilerconfig.json")
        given = {"ProfilingParameters": {
            "ProfilerEnabled": "True", "LocalPath": self.root, "RotateMaxFileSizeInBytes": "99",
            "RotateFileCloseIntervalInSeconds": 5, "DetailedProfilingConfig": "{\"StartStep\": 5, \"NumSteps\": 2}"}}
        pathlib.Path(path).write_text(json.dumps(given))
        prof = smdbg_profile.profile(config=path)
        self.assertEqual((prof.root, prof._config.file_bytes, prof._config.file_seconds), (self.root, 99, 5))
        self.assertEqual(prof._config.detailed, (5, 2))
        prof.close()
        for text in (json.dumps({"DisableProfiler": "true"}), "{", json.dumps([1])):
            pathlib.Path(path).write_text(text)
            prof = smdbg_profile.profile(self.root, config=path)
            with prof.step():
                pass
            prof.close()
            self.assertEqual(prof.timeline, None)
        self.assertIsNone(smdbg_profile.profile(self.root, config=path + ".none").timeline)
        self.assertEqual(finished(self.root), [])

    def test_the_machine_is_recorded(self):
        os.environ["SMDBG_TUI"] = str((build / "smdbg-tui").resolve())
        try:
            with smdbg_profile.profile(self.root, sample_ms=100) as prof:
                found = []
                while not found and prof._sampler.poll() is None:      # its first sample
                    time.sleep(0.005)
                    found = [p for p in pathlib.Path(self.root).glob("system/incremental/*/*.algo-1.json") if p.stat().st_size]
        finally:
            del os.environ["SMDBG_TUI"]
        self.assertEqual(prof.errors, 0)
        self.assertTrue(os.path.exists(os.path.join(self.root, "system/training_job_end.ts")))
        lines = [json.loads(line) for line in found[0].read_text().splitlines()]
        self.assertIn("tree", [line["Name"] for line in lines])


@unittest.skipUnless(torch, "PyTorch is not installed")
class TestTorch(Case):
    def model(self):
        torch.manual_seed(1)
        return torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))

    def counts(self):
        found = {}
        for phase, name, *_ in all_events(self.root):
            found[phase, name] = found.get((phase, name), 0) + 1
        return found

    def test_steps_are_found(self):
        model = self.model()
        optimizer = torch.optim.AdamW(model.parameters())
        with smdbg_profile.profile(self.root) as prof:
            prof.watch(model, optimizer, modules="^[02]$")
            for _ in range(3):
                for _ in range(2):                         # accumulation: two passes, one step
                    model(torch.randn(5, 4)).sum().backward()
                optimizer.step()
            model.eval()
            with torch.no_grad():
                model(torch.randn(5, 4))
        self.assertEqual(prof.errors, 0)
        self.assertEqual(self.counts(), {
            ("Forward", "Sequential"): 7, ("Forward-SubModuleInternal", "0"): 7, ("Forward-SubModuleInternal", "2"): 7,
            ("Backward(post-forward)", "Sequential"): 6, ("Backward-SubModuleInternal", "2"): 6,
            ("Optimizer", "AdamW"): 3, ("Step:ModeKeys.TRAIN", "Step:ModeKeys.TRAIN"): 3,
            ("Step:ModeKeys.EVAL", "Step:ModeKeys.EVAL"): 1})
        steps = [e for e in all_events(self.root) if e[0] == "Step:ModeKeys.TRAIN"]
        self.assertEqual([e[4]["step_num"] for e in steps], ["0", "1", "2"])
        for phase in ("Forward", "Backward(post-forward)", "Optimizer"):
            for _, _, start, duration, args in [e for e in all_events(self.root) if e[0] == phase][:3]:
                step = steps[int(args["step_num"])]
                self.assertLessEqual(step[2], start)
                self.assertLessEqual(start + duration, step[2] + step[3])

    def test_without_an_optimizer_a_step_ends_with_backward(self):
        model = self.model()
        with smdbg_profile.profile(self.root) as prof:
            prof.watch(model)
            for _ in range(2):
                model(torch.randn(5, 4)).sum().backward()
        self.assertEqual(self.counts()["Step:ModeKeys.TRAIN", "Step:ModeKeys.TRAIN"], 2)

    def test_hooks_are_taken_off_and_copies_have_none(self):
        model = self.model()
        with smdbg_profile.profile(self.root) as prof:
            prof.watch(model, modules=True)
            for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
                other(torch.randn(5, 4)).sum().backward()
        self.assertFalse(model._forward_hooks or model[0]._forward_hooks)
        self.assertEqual(finished(self.root), [])

    def test_values_are_not_changed(self):
        inputs, gradients = torch.randn(5, 4), []
        for watched in (False, True):
            model = self.model()
            with smdbg_profile.profile(self.root) as prof:
                if watched:
                    prof.watch(model, modules=True)
                model(inputs).square().sum().backward()
            gradients.append([p.grad for p in model.parameters()])
        for a, b in zip(*gradients):
            self.assertTrue(torch.equal(a, b))

    def test_a_step_that_a_scaler_skips_is_a_step(self):
        model = self.model()
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        scaler = torch.amp.GradScaler("cpu")
        with smdbg_profile.profile(self.root) as prof:
            prof.watch(model, optimizer)
            for factor in (1, float("inf"), 1, float("inf"), float("inf"), 1):
                optimizer.zero_grad()
                scaler.scale(model(torch.randn(5, 4)).sum() * factor).backward()
                scaler.step(optimizer)
                scaler.update()
        steps = [e for e in all_events(self.root) if e[0] == "Step:ModeKeys.TRAIN"]
        self.assertEqual([e[4]["step_num"] for e in steps], ["0", "1", "2", "3", "4", "5"])
        self.assertEqual(self.counts()["Optimizer", "SGD"], 3)
        for before, after in zip(steps, steps[1:]):
            self.assertLessEqual(before[2] + before[3], after[2])

    def test_backward_has_the_waits_of_others(self):
        """DDP waits for the other ranks in a callback that it asks for after us."""
        model = self.model()

        def ask(_):
            torch.autograd.Variable._execution_engine.queue_callback(wait)

        def wait():
            with prof.phase("Wait"):
                pass

        with smdbg_profile.profile(self.root) as prof:
            prof.watch(model)
            model[0].weight.register_hook(ask)
            model(torch.randn(5, 4)).sum().backward()
        ends = {e[0]: e[2] + e[3] for e in all_events(self.root)}
        self.assertLessEqual(ends["Wait"], ends["Backward(post-forward)"])
        self.assertEqual([e[0] for e in all_events(self.root)][-3:-1], ["Wait", "Backward(post-forward)"])

    @unittest.skipUnless(torch and torch.distributed.is_available(), "needs torch.distributed")
    def test_waits_of_ddp_are_communication(self):
        store = torch.distributed.FileStore(os.path.join(self.folder.name, "store"), 1)
        torch.distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
        self.addCleanup(torch.distributed.destroy_process_group)
        model = torch.nn.parallel.DistributedDataParallel(self.model())
        with smdbg_profile.profile(self.root) as prof:
            prof.watch(model)
            for _ in range(3):
                model(torch.randn(5, 4)).sum().backward()
        found = all_events(self.root)
        waits = [e for e in found if e[0] == "Communication"]
        passes = [e for e in found if e[0] == "Backward(post-forward)"]
        self.assertEqual([e[4]["step_num"] for e in waits], ["0", "1", "2"])
        for wait, whole in zip(waits, passes):
            self.assertLessEqual(whole[2], wait[2])
            self.assertLessEqual(wait[2] + wait[3], whole[2] + whole[3])

    def test_workers_of_a_data_loader(self):
        data = torch.utils.data.TensorDataset(torch.randn(16, 4))
        loader = torch.utils.data.DataLoader(data, batch_size=4, num_workers=2)
        with smdbg_profile.profile(self.root) as prof:
            self.assertEqual(len(list(prof.loader(loader))), 4)
        self.assertIsNone(loader.worker_init_fn)
        paths = [p for p in pathlib.Path(self.root).glob("framework/pevents/*/*") if p not in finished(self.root)]
        found = [event for path in paths for event in events(path)]
        self.assertEqual([e[0] for e in found], ["DataLoaderWorker"] * 4)
        self.assertEqual({e[4]["worker_id"] for e in found}, {0, 1})
        self.assertEqual(len({e[4]["pid"] for e in found}), 2)

    def test_torch_profiler(self):
        model = self.model()
        with smdbg_profile.profile(self.root, torch_steps=(1, 2)) as prof:
            prof.watch(model)
            for _ in range(5):
                model(torch.randn(5, 4)).sum().backward()
        self.assertEqual(prof.errors, 0)
        path, = pathlib.Path(self.root).glob("framework/pytorch/detailed_profiling/*/000000001/*.pt.trace.json.gz")
        import gzip
        text = gzip.decompress(path.read_bytes()).decode()
        self.assertEqual(sorted(set(re.findall(r"ProfilerStep#\d+", text))), ["ProfilerStep#1", "ProfilerStep#2"])
        steps = {e[4]["step_num"]: e for e in all_events(self.root) if e[0] == "Step:ModeKeys.TRAIN"}
        operators = [e for e in all_events(self.root) if e[0] == "cpu_functions" and e[1] == "aten::addmm"]
        self.assertEqual([e[4]["step_num"] for e in operators], ["1", "1", "2", "2"])
        for _, _, start, duration, args in operators:
            step = steps[args["step_num"]]
            self.assertTrue(step[2] <= start and start + duration <= step[2] + step[3])

    def test_no_module(self):
        with smdbg_profile.profile(self.root) as prof:
            self.assertRaises(TypeError, prof.watch, 5)


if __name__ == "__main__":
    unittest.main()
