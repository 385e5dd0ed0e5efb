# SPDX-License-Identifier: Apache-2.0
"""How many requests something costs, and how many of them are on their way at a time."""
import io
import json
import subprocess
import threading
import zipfile

from bucket_open import Gated, PagedTest
from talk import PROGRAM

STEPS, LARGE = "tests/trials/many_steps", "tests/trials/cnn_healthy"   # small event files, and large ones


class Together(Gated):
    """Answers the requests for objects of a kind when so many of them wait, or when no more come for a long time. The first
    one is answered at once: a run is opened with the newest values."""

    def give(self, key, fault):
        s = self.server
        if s.part in key:
            with s.crowd:
                s.waiting += 1
                s.came += 1
                s.most = max(s.most, s.waiting)
                s.crowd.notify_all()
                s.crowd.wait_for(lambda: s.came == 1 or s.most >= s.wanted, timeout=60)
                s.waiting -= 1
        super().give(key, fault)


class BucketRequests(PagedTest):
    def start(self, *options):
        """The program for machines on the trial x/a. It is ended with the test."""
        program = subprocess.Popen([PROGRAM, "-n", "-i", "json", *options, "s3://bkt/x/a"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   env=self.environment())

        def end():
            program.stdin.close()
            program.stdout.close()
            program.wait(60)

        self.addCleanup(end)
        return program

    def ask(self, program, line):
        program.stdin.write(json.dumps({"id": 1, "cli": line}).encode() + b"\n")
        program.stdin.flush()
        answer = next(a for a in map(json.loads, program.stdout) if a["type"] == "result")
        self.assertEqual(answer["status"], "done", answer)
        return answer["data"]

    def count(self, asked, part):
        asked = [(path, query) for _, path, query, _ in asked if part in path + query.replace("%2F", "/")]
        return sum("list-type" in q for _, q in asked), sum("list-type" not in q for _, q in asked)

    def costs(self, program, line, part):
        """The lists and the objects that were asked for below a part of the trial."""
        before = len(self.server.asked)
        self.ask(program, line)
        return self.count(self.server.asked[before:], part)

    def put_steps(self, n):
        """A trial of n equal steps with large event files."""
        self.put(LARGE + "/collections", "x/a/collections")
        self.server.files["x/a/training_job_end.ts"] = b""
        with open(LARGE + "/index/000000000/000000000000_worker_0.json", encoding="utf-8") as f:
            index = f.read()
        self.put(f"{LARGE}/events/000000000000/000000000000_worker_0.tfevents", "events")
        events = self.server.files.pop("events")
        for i in range(n):
            name = f"{i:012}"
            self.server.files[f"x/a/index/000000000/{name}_worker_0.json"] = index.replace("000000000000", name).encode()
            self.server.files[f"x/a/events/{name}/{name}_worker_0.tfevents"] = events

    def assert_together(self, part, wanted, line):
        """A line asks for the objects of a part of a trial together; the number of lists of it."""
        s = self.server
        s.RequestHandlerClass, s.crowd, s.waiting, s.most, s.came = Together, threading.Condition(), 0, 0, 0
        s.part, s.wanted = part, wanted
        # a look for news while the first answers come would be more lists
        got = self.run_batch("--no-follow", "-ex", line + " > /dev/null", "s3://bkt/x/a")
        self.assertEqual((got.returncode, got.stderr), (0, b""))
        lists, objects = self.count(s.asked, part)
        self.assertEqual(objects, sum((len(data) + (1 << 20) - 1) >> 20 for key, data in s.files.items() if part in key))
        self.assertGreaterEqual(s.most, wanted)
        return lists

    def test_values_of_many_steps_are_asked_for_together(self):
        self.put_steps(120)
        self.assertLess(self.assert_together("/events/", 48, "tensors"), 6)

    def test_indexes_of_many_steps_are_asked_for_together(self):
        self.put(STEPS, "x/a")
        self.assertEqual(self.assert_together("/index/", 32, "info trial"), 3)

    def test_small_event_files_are_asked_for_together(self):
        self.put(STEPS, "x/a")
        self.assertLess(self.assert_together("/events/", 32, "info trial"), 6)

    def test_a_table_of_runs_is_listed_together(self):
        table = "step,loss\n" + "".join(f"{i},{1 / (i + 1)}\n" for i in range(20))
        for i in range(40):
            self.server.files[f"x/a/run{i:03}/metrics.csv"] = table.encode()
        got = self.run_batch("-ex", "runs -csv", "s3://bkt/x/a")
        self.assertEqual((got.returncode, len(got.stdout.splitlines())), (0, 41), got.stderr)
        self.assertLess(len(self.lists()), 12)

    def test_runs_of_a_table_are_looked_at_together(self):
        """Their tables, by whose first lines they are found, and the settings beside them."""
        table = "step,loss\n" + "".join(f"{i},{1 / (i + 1)}\n" for i in range(20))
        for part in ("/metrics.csv", "/hparams.yaml"):
            with self.subTest(part):
                self.server.files.clear()
                self.server.asked.clear()
                for i in range(40):
                    folder = f"x/a/{part[1]}{i:03}/version_0"
                    self.server.files.update({folder + "/metrics.csv": table.encode(), folder + "/hparams.yaml": f"lr: {i}\n".encode()})
                self.assertLess(self.assert_together(part, 12, "runs"), 12)

    def put_checkpoint(self, tensors, mebibytes, name="model", first=0):
        """A checkpoint of tensors of zeros, each of so many MiB."""
        n = mebibytes << 20
        head = json.dumps({f"w{first + i}": {"dtype": "F32", "shape": [n // 4], "data_offsets": [i * n, (i + 1) * n]} for i in range(tensors)}).encode()
        self.server.files[f"x/a/step_1/{name}.safetensors"] = len(head).to_bytes(8, "little") + head + bytes(tensors * n)

    def test_the_list_of_a_large_checkpoint_reads_no_values(self):
        self.put_checkpoint(3, 4)
        for options, reads in (((), 1), (("-stats",), 13)):
            self.server.asked.clear()
            got = self.run_batch("--readonly", "-iex", "set s3-survey-limit 1Mi", "-ex", " ".join(["tensors", *options]), "s3://bkt/x/a")
            self.assertEqual((got.returncode, got.stderr), (0, b""))
            self.assertEqual(b"larger than s3-survey-limit" in got.stdout, not options, got.stdout)
            self.assertEqual(self.count(self.server.asked, "model.safetensors")[1], reads)

    def test_a_checkpoint_in_parts_is_read_by_ranges(self):
        """Of four files of 12 MiB: the header of each, and then the blocks of one tensor."""
        for i in range(4):
            self.put_checkpoint(3, 4, f"model-{i + 1:05}-of-00004", 3 * i)
        parts = {f"w{i}": f"model-{i // 3 + 1:05}-of-00004.safetensors" for i in range(12)}
        self.server.files["x/a/step_1/model.safetensors.index.json"] = json.dumps({"metadata": {}, "weight_map": parts}).encode()
        program = self.start("--readonly", "-iex", "set s3-survey-limit 1Mi")
        self.assertEqual(len([row for row in self.ask(program, "info tensors") if row["kind"] == "tensor"]), 12)
        opened = list(self.server.asked)
        self.assertEqual([self.count(opened, name)[1] for name in sorted(set(parts.values()))], [1, 1, 1, 1])
        self.ask(program, "stat w7")
        reads = [self.count(self.server.asked[len(opened):], name)[1] for name in sorted(set(parts.values()))]
        self.assertEqual(reads[:2] + reads[3:], [0, 0, 0])
        self.assertLessEqual(reads[2], 9)           # 4 MiB behind a header are five blocks; as many again may be guessed
        self.assertEqual(sum("list-type" in a[2] for a in self.server.asked[len(opened):]), 0)

    def test_a_distributed_checkpoint_is_its_directory_and_its_files(self):
        """Two ranks of torch.distributed.checkpoint, each with its .metadata and its file: one request each."""
        self.put("tests/samples/dcp/ranks", "x/a")
        got = self.run_batch("-ex", "tensors -stats -csv", "s3://bkt/x/a")
        local = subprocess.run([PROGRAM, "-n", "-batch", "-ex", "tensors -stats -csv", "tests/samples/dcp/ranks"], capture_output=True, check=True)
        self.assertEqual((got.returncode, got.stdout), (0, local.stdout), got.stderr)
        self.assertEqual(self.count(self.server.asked, ".metadata")[1], 2)
        self.assertEqual(self.count(self.server.asked, ".distcp")[1], 2)
        self.assertLess(len(self.server.asked), 10)

    def test_the_list_of_a_large_zip_file_reads_the_headers_of_its_members(self):
        n, pieces = 1 << 20, io.BytesIO()
        head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({n},), }}".ljust(117).encode() + b"\n"
        with zipfile.ZipFile(pieces, "w") as z:
            for i in range(4):
                z.writestr(f"w{i}.npy", b"\x93NUMPY\1\0" + len(head).to_bytes(2, "little") + head + bytes(4 * n))
        self.server.files["x/a/step_1.npz"] = pieces.getvalue()
        got = self.run_batch("--readonly", "-iex", "set s3-survey-limit 1Mi", "-ex", "tensors -csv -field name,shape", "-ex", "info session -json", "s3://bkt/x/a")
        rows, counts = got.stdout.rsplit(b"\n", 2)[:2]
        self.assertEqual((got.returncode, got.stderr, rows.count(b"%d" % n)), (0, b"", 4), got.stdout)
        self.assertLess(json.loads(counts)["bytes"], 3 << 20)       # of 16 MiB

    def test_a_large_value_is_asked_for_ahead(self):
        self.put_checkpoint(1, 12)
        self.assert_together("model.safetensors", 2, "stat *")

    def test_a_value_costs_one_list_and_one_read(self):
        self.put_steps(16)
        program = self.start()
        first = next(row["name"] for row in self.ask(program, "info tensors") if row["kind"] == "tensor")
        at = 8
        lists, reads = self.costs(program, f"tensor {first} step {at}", "x/a/events/")
        self.assertEqual((lists <= 1, reads), (True, 1))
        self.assertEqual(self.costs(program, f"tensor {first} step {at}", "x/a/events/"), (0, 0))
        for i in (at + 1, at + 2, at - 1, 1, 14):      # one after the other, and far from each other
            lists, reads = self.costs(program, f"tensor {first} step {i}", "x/a/events/")
            self.assertEqual((lists <= 1, reads), (True, 1))
        self.assertEqual(self.costs(program, f"tensor {first} step {at}", "x/a/events/"), (0, 0))
