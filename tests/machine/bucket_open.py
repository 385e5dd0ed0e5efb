# SPDX-License-Identifier: Apache-2.0
"""What is opened by an address of a bucket: runs of all kinds, single objects, and while the server does not answer."""
import fcntl
import hashlib
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import urllib.parse
from xml.sax.saxutils import escape

from s3_server import ACCESS, SECRET, TRIAL, BucketTest, Handler
from talk import ENVIRONMENT, PROGRAM

SAMPLES = "tests/samples"
PAGE = 1000


class Gated(Handler):
    """Waits while the gate is shut, and answers lists in pages as S3 does."""

    def do_GET(self):
        self.server.any.set()
        self.server.gate.wait()
        try:
            self.handle_request()
        except (BrokenPipeError, ConnectionResetError):
            pass

    def listing(self, q):
        prefix, delimiter = q.get("prefix", [""])[0], q.get("delimiter", [None])[0]
        after = q.get("continuation-token", q.get("start-after", [""]))[0]
        encoded = q.get("encoding-type") == ["url"]
        code = (lambda t: escape(urllib.parse.quote_plus(t, safe="/*-._"))) if encoded else escape
        found = {}
        for key, data in self.server.files.items():
            end = key.find(delimiter, len(prefix)) if delimiter else -1
            name = key if end < 0 else key[:end + 1]
            if key.startswith(prefix) and name > after and not (end >= 0 and after.startswith(name)):
                found[name] = None if end >= 0 else data
        names = sorted(found)
        text = "<EncodingType>url</EncodingType>" if encoded else ""
        for name in names[:PAGE]:
            data = found[name]
            text += (f"<CommonPrefixes><Prefix>{code(name)}</Prefix></CommonPrefixes>" if data is None else
                     f"<Contents><Key>{code(name)}</Key><Size>{len(data)}</Size><ETag>&quot;{hashlib.md5(data).hexdigest()}&quot;</ETag>"
                     "<LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>")
        if len(names) > PAGE:
            text += f"<NextContinuationToken>{escape(names[PAGE - 1])}</NextContinuationToken>"
        self.answer(200, f"<ListBucketResult>{text}</ListBucketResult>".encode())


def tables(text):
    """An answer with the paths that differ between a folder and a bucket as one."""
    return re.sub(rb"(s3://bkt/x|tests/samples|tests/trials)[^\s,\"]*", b"PATH", text)


class PagedTest(BucketTest):
    """A bucket that is empty at first, on a server that answers in pages."""

    def setUp(self):
        super().setUp()
        s = self.server
        s.RequestHandlerClass = Gated
        s.any, s.gate = threading.Event(), threading.Event()
        s.gate.set()
        s.files.clear()

    def put(self, folder, prefix):
        if os.path.isfile(folder):
            with open(folder, "rb") as f:
                self.server.files[prefix] = f.read()
            return
        for above, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(above, name)
                self.put(path, prefix + "/" + os.path.relpath(path, folder))

    def lists(self):
        return [q for _, _, q, _ in self.server.asked if "list-type" in q]


class Opening(PagedTest):
    def assert_as_local(self, path, *commands, key=None):
        """The answers to commands are those of the path here."""
        key = key or "x/" + os.path.basename(path)
        self.put(path, key)
        lines = [word for c in commands for word in ("-ex", c)]
        local = subprocess.run([PROGRAM, "-n", "-batch", *lines, path], capture_output=True, env=ENVIRONMENT, timeout=600, check=False)
        got = self.run_batch(*lines, "s3://bkt/" + key)
        self.assertEqual(tables(got.stderr), tables(local.stderr))
        self.assertEqual(tables(got.stdout), tables(local.stdout))
        self.assertEqual(got.returncode, local.returncode)
        return local

    # ---- kinds ----

    def test_runs_of_all_kinds_open(self):
        for folder in ("checkpoints", "checkpoints_torch", "csv_escapes", "hf_trainer", "jsonl_nested", "log", "mlflow_3_17", "mlflow_2_9_files",
                       "sweep", "tensorboard", "trackio_0_43", "wandb_0_31"):
            with self.subTest(folder):
                local = self.assert_as_local(f"{SAMPLES}/{folder}", "info trials -csv -field number,name,steps,tensors,loss", "tensors -csv")
                self.assertEqual(local.returncode, 0)

    def test_an_object_opens_as_a_file(self):
        for path in ("log/nanogpt.log", "jsonl_nested/metrics.jsonl", "csv_escapes/a/metrics.csv", "checkpoints/types/model.safetensors",
                     "checkpoints/arrays/step_1.npz", "checkpoints_torch/lightning/version_0/checkpoints/epoch=0-step=4.ckpt",
                     "tensorboard/tf2/events.out.tfevents.1790000036.host.77.0.v2", "mlflow_3_17/mlflow.db.zst"):
            with self.subTest(path):
                local = self.assert_as_local(f"{SAMPLES}/{path}", "tensors -csv")
                self.assertEqual(local.returncode, 0)

    def test_an_archive_opens(self):
        path = os.path.join(self.home.name, "x.smdz")
        subprocess.run([PROGRAM, "-n", "-batch", "-ex", f"snapshot save {path}", TRIAL], capture_output=True, env=ENVIRONMENT, check=True)
        self.put(path, "x/a.smdz")
        self.put(path, "x/more/b.smdz")
        command = ("-ex", "tensors -csv", "-ex", "tensor CNN_fc1.bias step 0")
        local = subprocess.run([PROGRAM, "-n", "-batch", *command, path], capture_output=True, env=ENVIRONMENT, check=True)
        got = self.run_batch(*command, "s3://bkt/x/a.smdz")
        self.assertEqual((got.stdout, got.stderr, got.returncode), (local.stdout, b"", 0))
        got = self.run_batch("-ex", "info trials -csv -field name,steps", "s3://bkt/x")
        self.assertEqual(len(got.stdout.splitlines()), 3, got.stdout + got.stderr)

    # ---- what is not there ----

    def test_nothing_there_is_an_error(self):
        got = self.run_batch("-ex", "tensors", "s3://bkt/x/nothing")
        self.assertEqual(got.returncode, 5)
        self.assertIn(b"s3://bkt/x/nothing: no such trial directory", got.stderr)

    def test_an_object_without_a_run_is_an_error(self):
        self.server.files["x/a.xyz"] = b"\1\2\3"
        got = self.run_batch("-ex", "tensors", "s3://bkt/x/a.xyz")
        self.assertEqual(got.returncode, 5, got.stdout + got.stderr)
        self.assertIn(b"no run", got.stderr)

    # ---- a server that does not answer ----

    def run_terminal(self, *arguments):
        """Starts the program on a terminal of 80x24. Returns it and its terminal."""
        pid, terminal = pty.fork()
        if pid == 0:
            environment = {**ENVIRONMENT, "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": self.home.name, "XDG_CACHE_HOME": self.home.name,
                           "AWS_ENDPOINT_URL_S3": self.url, "AWS_EC2_METADATA_DISABLED": "true", "AWS_ACCESS_KEY_ID": ACCESS,
                           "AWS_SECRET_ACCESS_KEY": SECRET}
            os.execve(PROGRAM, [PROGRAM, "-n", *arguments], environment)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        return pid, terminal

    def read_until(self, terminal, words):
        text = b""
        while words not in text:
            text += os.read(terminal, 4096)
        return text

    def end(self, pid, terminal):
        try:
            while os.read(terminal, 4096):
                pass
        except OSError:
            pass
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def test_the_dashboard_asks_in_the_background(self):
        self.server.gate.clear()
        pid, terminal = self.run_terminal("s3://bkt/x")
        self.read_until(terminal, b"asking s3://bkt ...")
        self.assertTrue(self.server.any.wait(60))
        os.write(terminal, b"Q")
        self.assertEqual(self.end(pid, terminal), 0)
        self.server.gate.set()

    def test_interrupting_the_dashboard_ends_the_question(self):
        self.server.gate.clear()
        pid, terminal = self.run_terminal("s3://bkt/x")
        self.read_until(terminal, b"asking s3://bkt ...")
        os.write(terminal, b"\3")
        self.read_until(terminal, b"no trial is open")
        self.server.gate.set()
        self.put(TRIAL, "x/run")
        os.write(terminal, b":open s3://bkt/x\r")
        self.read_until(terminal, b"CNN_")
        os.write(terminal, b"Q")
        self.assertEqual(self.end(pid, terminal), 0)

    def test_the_dashboard_judges_a_large_run_on_request(self):
        self.put(TRIAL, "x/run")
        pid, terminal = self.run_terminal("-iex", "set s3-survey-limit 1Ki", "s3://bkt/x")
        self.read_until(terminal, b"larger than s3-survey-limit")
        os.write(terminal, b":rule status\r")
        self.read_until(terminal, b"No rule is attached")
        os.write(terminal, b"\x1b:rule auto\r")
        self.read_until(terminal, b"DeadRelu")
        os.write(terminal, b"Q")
        self.assertEqual(self.end(pid, terminal), 0)

    def test_interrupting_a_batch_ends_it(self):
        self.server.gate.clear()
        environment = {**ENVIRONMENT, "AWS_ENDPOINT_URL_S3": self.url, "HOME": self.home.name, "AWS_EC2_METADATA_DISABLED": "true"}
        with subprocess.Popen([PROGRAM, "-n", "-batch", "-ex", "tensors", "s3://bkt/x"], env=environment,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as p:
            self.assertTrue(self.server.any.wait(60))
            p.send_signal(signal.SIGINT)
            self.assertEqual(p.wait(60), -signal.SIGINT)
        self.server.gate.set()

    # ---- how it is asked ----

    def test_many_small_folders_are_listed_together(self):
        self.assert_as_local("tests/trials/many_steps", "tensors -csv")
        self.assertGreater(len(os.listdir("tests/trials/many_steps/events")), 40)
        self.assertLess(len(self.lists()), 20)

    def test_a_large_folder_beside_is_not_listed_as_a_whole(self):
        self.server.files.update({f"x/{i:05}/data.bin": b"x" for i in range(10000)})
        self.assert_as_local(TRIAL, "tensors -csv", key="x/a")
        self.assertLess(len(self.lists()), 20)
        self.assertLess(sum("continuation-token" in q for q in self.lists()), 10)

    def test_only_reads(self):
        self.put(TRIAL, "x/a")
        self.run_batch("-ex", "tensors", "-ex", "doctor", "s3://bkt/x/a")
        self.assertEqual({method for method, _, _, _ in self.server.asked}, {"GET"})

    def test_strange_keys(self):
        self.server.files.update({k: b"x" for k in ("x/..", "x/./y", "x//y", "x/a\1b", "x/", "x/..//..", "x/a%2Fb +&=é/")})
        self.assert_as_local(TRIAL, "tensors -csv", key="x/a%2Fb +&=é")
        got = self.run_batch("-ex", "info trials -csv -field steps", "s3://bkt/x/")
        self.assertEqual((got.returncode, got.stderr), (0, b""))
        self.assertEqual(len(got.stdout.splitlines()), 2)

    def test_folders_without_a_name(self):
        """s3://BUCKET/PREFIX//RUN is what a prefix that ends with '/' makes of runs."""
        for key in ("x//a", "/a"):
            with self.subTest(key):
                self.assert_as_local(TRIAL, "info trials -csv -field steps", "tensors -csv", key=key)

    def test_a_whole_bucket(self):
        self.put(TRIAL, "x/a")
        self.put("tests/trials/cnn_healthy", "b")
        for address in ("s3://bkt", "s3://bkt/"):
            got = self.run_batch("-ex", "info trials -csv -field name,steps", address)
            self.assertEqual(got.stdout, b"name,steps\nb,16\na,6\n", got.stderr)

    def test_an_object_of_the_name_of_a_folder(self):
        self.server.files.update({"x/a": b"x", "x/a/": b"", "x/a/index": b"y", "x/a/index/": b""})
        self.assert_as_local(TRIAL, "tensors -csv", key="x/a")

    # ---- commands that take paths ----

    def test_commands_take_addresses(self):
        other = "tests/trials/cnn_healthy"
        self.put(TRIAL, "x/a")
        self.put(other, "x/b")
        for lines in (["add-trial {b}", "diff 1 2"], ["open {b}", "tensors -csv"],
                      ["rule add SimilarAcrossRuns other_trials={b}", "rule status -wait"]):
            with self.subTest(lines):
                texts = []
                for a, b in ((TRIAL, other), ("s3://bkt/x/a", "s3://bkt/x/b"), ("S3://bkt/x/a", "https://bkt.s3.eu-west-1.amazonaws.com/x/b")):
                    words = [w for line in lines for w in ("-ex", line.format(b=b))]
                    got = self.run_batch(*words, a)
                    texts.append(re.sub(rb"\b(a|b|cnn_\w+)\b", b"NAME", tables(got.stdout + got.stderr)).split())
                self.assertEqual(texts[0], texts[1])
                self.assertEqual(texts[0], texts[2])
                self.assertGreater(len(texts[0]), 5)

    def test_check_and_snapshots(self):
        self.put(TRIAL, "x/a")
        path = os.path.join(self.home.name, "a.smdz")
        got = self.run_batch("-ex", f"snapshot save {path}", "s3://bkt/x/a")
        self.assertEqual(got.returncode, 0, got.stderr)
        self.assertTrue(os.path.exists(path))
        environment = {**ENVIRONMENT, "AWS_ENDPOINT_URL_S3": self.url, "HOME": self.home.name, "AWS_EC2_METADATA_DISABLED": "true",
                       "AWS_ACCESS_KEY_ID": ACCESS, "AWS_SECRET_ACCESS_KEY": SECRET}
        got = subprocess.run([PROGRAM, "-n", "--check", "s3://bkt/x/a"], capture_output=True, env=environment, check=False)
        self.assertEqual(got.returncode, 0, got.stdout + got.stderr)
        self.assertIn(b" 0 unreadable", got.stdout)
