# SPDX-License-Identifier: Apache-2.0
"""Profiles and profiling reports in buckets read as those of a disk, also compressed ones and those that grow."""
import gzip
import json
import os
import subprocess
import time

from bucket_open import SAMPLES, Opening, PagedTest
from talk import ENVIRONMENT, PROGRAM

QUESTIONS = ("profile summary -json", "profile phases -json", "profile steps -json", "profile ops -json", "profile rules -csv", "info profiler")


def local(path, *commands):
    lines = [word for c in commands for word in ("-ex", c)]
    return subprocess.run([PROGRAM, "-n", "-batch", *lines, path], capture_output=True, env=ENVIRONMENT, timeout=600, check=True).stdout


class BucketProfiles(PagedTest):
    def ask(self, address, *commands):
        got = self.run_batch(*[word for c in commands for word in ("-ex", c)], address)
        self.assertEqual((got.returncode, got.stderr), (0, b""))
        return got.stdout

    def test_a_profile_alone(self):
        Opening.assert_as_local(self, SAMPLES + "/profile", *QUESTIONS)

    def test_a_compressed_profile(self):
        want = local(SAMPLES + "/profile", *QUESTIONS[:5])
        self.put(SAMPLES + "/profile", "x/p")
        for key in [k for k in self.server.files if k.endswith(".json")]:
            self.server.files[key + ".gz"] = gzip.compress(self.server.files.pop(key))
        self.assertEqual(self.ask("s3://bkt/x/p", *QUESTIONS[:5]), want)

    def test_the_profile_of_a_job(self):
        """Beside the trial, however the job is named: by itself or by its tensors."""
        want = local(SAMPLES + "/profile", "profile phases -csv")
        self.put("tests/trials/cnn_healthy", "x/job/debug-output")
        self.put(SAMPLES + "/profile", "x/job/profiler-output")
        for address in ("s3://bkt/x/job", "s3://bkt/x/job/debug-output"):
            with self.subTest(address):
                self.assertEqual(self.ask(address, "profile phases -csv"), want)

    def test_a_profile_in_a_trial(self):
        want = local(SAMPLES + "/profile_with_values", "profile phases -csv", "info trial")
        self.put(SAMPLES + "/profile_with_values", "x/profile_with_values")
        self.assertEqual(self.ask("s3://bkt/x/profile_with_values", "profile phases -csv", "info trial"), want)

    def test_reports(self):
        for name in ("profile_report", "profile_service"):
            with self.subTest(name):
                self.put(f"{SAMPLES}/{name}", "x/" + name)
                self.assertEqual(self.ask("s3://bkt/x/" + name, "profile rules", "profile report"),
                                 local(f"{SAMPLES}/{name}", "profile rules", "profile report"))

    def test_what_is_added_is_read(self):
        """A session sees the samples of a new file and of one that has become longer."""
        folder = f"{SAMPLES}/profile/system/incremental"
        files = sorted(os.path.join(above, n) for above, _, names in os.walk(folder) for n in names if n.endswith(".json"))
        self.put(SAMPLES + "/profile", "x/p")
        keys = ["x/p/" + os.path.relpath(f, SAMPLES + "/profile") for f in files]
        whole = {k: self.server.files[k] for k in keys}
        for k in keys[1:]:
            del self.server.files[k]
        half = whole[keys[0]].split(b"\n")
        self.server.files[keys[0]] = b"\n".join(half[:len(half) // 2]) + b"\n"
        program = subprocess.Popen([PROGRAM, "-n", "-i", "json", "s3://bkt/x/p"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment())

        def samples():
            program.stdin.write(json.dumps({"id": 1, "cli": "profile summary -json"}).encode() + b"\n")
            program.stdin.flush()
            answer = next(a for a in map(json.loads, program.stdout) if a["type"] == "result")
            self.assertEqual(answer["status"], "done", answer)
            return sum(m["count"] for m in answer["data"]["metrics"])

        try:
            first = samples()
            self.server.files.update(whole)
            want = sum(m["count"] for m in json.loads(local(SAMPLES + "/profile", "profile summary -json"))["metrics"])
            self.assertLess(first, want)
            patience = time.monotonic() + 600
            while samples() < want:     # a look for news comes each second or five
                self.assertLess(time.monotonic(), patience)
            self.assertEqual(samples(), want)
        finally:
            program.stdin.close()
            program.stdout.close()
            program.wait(60)
