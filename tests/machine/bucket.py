# SPDX-License-Identifier: Apache-2.0
"""A trial in a bucket reads as a local one, also from a server that answers badly at times."""
import json
import os
import subprocess

from s3_server import BucketTest
from talk import PROGRAM


class Bucket(BucketTest):
    def test_a_trial_in_a_bucket_reads_as_a_local_one(self):
        self.assert_same()

    def test_the_region_is_learnt_from_the_server(self):
        self.server.region = "eu-west-3"
        self.assert_same()

    def test_busy_servers_and_torn_bodies_are_asked_again(self):
        self.server.faults = ["503", None, "503", "torn", None, "torn", "503"]
        self.assert_same()
        self.assertEqual(self.server.faults, [])

    def test_what_is_kept_on_disk_is_not_fetched_again(self):
        self.assert_same()
        first, self.server.requests = self.server.requests, 0
        self.assert_same()
        self.assertLess(self.server.requests, first)

    def test_what_was_asked_for_is_counted(self):
        shown = ("-ex", "set s3-price-gb 2", "-ex", "set s3-price-lists 5", "-ex", "set s3-price-gets 0.5", "-ex", "info session -json")
        for again in (False, True):
            self.server.asked.clear()
            got = self.run_batch("-ex", "tensors -csv > /dev/null", *shown, "s3://bkt/runs/a run+é")
            counts = json.loads(got.stdout)
            lists = [a for a in self.server.asked if "list-type" in a[2]]
            self.assertEqual((counts["requests"], counts["lists"], counts["logins"]), (len(self.server.asked), len(lists), 0))
            cost = (len(lists) * 5 + (counts["requests"] - counts["lists"]) * 0.5) / 1e3 + counts["bytes"] * 2 / 1e9
            self.assertAlmostEqual(counts["cost"], cost)
            self.assertEqual((counts["kept_bytes"] > 0, counts["requests"] == counts["lists"]), (again, again))

    def test_a_run_is_followed_for_longer_than_one_look(self):
        files, root = self.server.files, "runs/a run+é/"
        steps = sorted(int(os.path.basename(key).split("_")[0]) for key in files if key.startswith(root + "index/"))
        later = {key: files.pop(key) for key in list(files) if any(f"/{step:012}_" in key for step in steps[1:]) or key.endswith("training_job_end.ts")}
        program = subprocess.Popen([PROGRAM, "-n", "-i", "json", "--follow", "s3://bkt/runs/a run+é"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   env=self.environment())
        for step in steps[1:5]:
            for key in sorted(later):               # events/ before index/
                if f"/{step:012}_" in key:
                    files[key] = later[key]
            program.stdin.write(json.dumps({"id": step, "cli": f"wait step {step} -timeout 60s"}).encode() + b"\n")
            program.stdin.flush()
            answer = next(line for line in map(json.loads, program.stdout) if line["type"] == "result")
            self.assertEqual((answer["id"], answer["status"]), (step, "done"), answer)
        program.stdin.close()
        program.stdout.close()
        program.wait(60)

    def test_readonly_keeps_nothing_on_disk(self):
        got = self.run_batch("--readonly", "-ex", "tensors -csv", "s3://bkt/runs/a run+é")
        self.assertEqual(got.returncode, 0, got.stderr)
        self.assertEqual(os.listdir(self.home.name), [])

    def test_a_public_bucket_needs_no_login(self):
        self.server.public = True
        self.assert_same(AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="")

    def test_a_refusal_says_which_permission_is_missing(self):
        self.server.denied = True
        self.assert_refused("s3:ListBucket")

    def test_a_wrong_secret_is_said(self):
        self.assert_refused("SignatureDoesNotMatch", AWS_SECRET_ACCESS_KEY="wrong")
