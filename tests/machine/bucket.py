# SPDX-License-Identifier: Apache-2.0
"""A trial in a bucket: a server of S3 that checks signatures, and answers badly at times."""
import hashlib
import hmac
import http.server
import os
import re
import subprocess
import tempfile
import threading
import unittest
import urllib.parse
from xml.sax.saxutils import escape

from talk import ENVIRONMENT, PROGRAM

SECRET = "wJalrXUtnFEMI/K7MDENG"
TRIAL = "tests/trials/cnn_dead_relu"


def signature(method, path, query, headers, names, when, region):
    """As AWS defines it, version 4."""
    lines = "".join(f"{n}:{headers[n]}\n" for n in names.split(";"))
    request = "\n".join([method, path, query, lines, names, headers["x-amz-content-sha256"]])
    scope = f"{when[:8]}/{region}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", when, scope, hashlib.sha256(request.encode()).hexdigest()])
    key = ("AWS4" + SECRET).encode()
    for part in (when[:8], region, "s3", "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status, code, message="", **headers):
        self.answer(status, f"<Error><Code>{code}</Code><Message>{message}</Message></Error>".encode(), **headers)

    def do_GET(self):
        s = self.server
        path, _, query = self.path.partition("?")
        with s.lock:
            s.requests += 1
            fault = s.faults.pop(0) if s.faults else None
        said = re.search(r"Credential=(\w+)/\d+/([\w-]+)/.*SignedHeaders=([^,]+), Signature=(\w+)", self.headers.get("Authorization", ""))
        if fault == "503":
            return self.refuse(503, "SlowDown")
        if s.denied:
            return self.refuse(403, "AccessDenied")
        if not s.public and not said:
            return self.refuse(403, "AccessDenied")
        if said:
            headers = {k.lower(): v for k, v in self.headers.items()}
            when = headers["x-amz-date"]
            if said[2] != s.region:
                return self.refuse(400, "AuthorizationHeaderMalformed", f"the region is wrong; expecting '{s.region}'")
            if said[4] != signature("GET", path, query, headers, said[3], when, s.region):
                return self.refuse(403, "SignatureDoesNotMatch")
        if path == "/bkt":
            return self.listing(urllib.parse.parse_qs(query))
        return self.give(urllib.parse.unquote(path[len("/bkt/"):]), fault)

    def listing(self, q):
        prefix, after = q.get("prefix", [""])[0], q.get("start-after", [""])[0]
        keys, folders = [], []
        for key in sorted(self.server.files):
            rest = key[len(prefix):]
            if not key.startswith(prefix) or key <= after:
                continue
            if "/" in rest:
                folder = prefix + rest.split("/")[0] + "/"
                if folder not in folders:
                    folders.append(folder)
            else:
                keys.append(key)
        items = "".join(f"<Contents><Key>{escape(k)}</Key><Size>{len(self.server.files[k])}</Size><ETag>&quot;{hashlib.md5(self.server.files[k]).hexdigest()}&quot;</ETag>"
                        "<LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>" for k in keys)
        items += "".join(f"<CommonPrefixes><Prefix>{escape(f)}</Prefix></CommonPrefixes>" for f in folders)
        self.answer(200, f"<ListBucketResult>{items}</ListBucketResult>".encode())

    def give(self, key, fault):
        data = self.server.files.get(key)
        if data is None:
            return self.refuse(404, "NoSuchKey")
        first, last = re.match(r"bytes=(\d+)-(\d+)", self.headers["Range"]).groups()
        part = data[int(first):int(last) + 1]
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(data)}")
        self.send_header("ETag", '"' + hashlib.md5(data).hexdigest() + '"')
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        if fault == "torn":
            self.wfile.write(part[:len(part) // 2])
            self.close_connection = True
        else:
            self.wfile.write(part)


@unittest.skipIf(b"without libcurl" in subprocess.run([PROGRAM, "-n", "-batch", "-ex", "info trial", "s3://x/y"], capture_output=True,
                 env={**ENVIRONMENT, "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:9"}, check=False).stderr, "the program has no S3")
class Bucket(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        s = self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        s.daemon_threads = True
        s.lock, s.requests, s.faults = threading.Lock(), 0, []
        s.public, s.denied, s.region = False, False, "us-east-1"
        s.files = {}
        for folder, _, names in os.walk(TRIAL):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as f:
                    s.files["runs/a run+é/" + os.path.relpath(path, TRIAL)] = f.read()
        threading.Thread(target=s.serve_forever, daemon=True).start()

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()
        self.home.cleanup()

    def run_batch(self, *arguments, **variables):
        environment = {**ENVIRONMENT, "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{self.server.server_port}", "HOME": self.home.name,
                       "XDG_CACHE_HOME": self.home.name, "AWS_EC2_METADATA_DISABLED": "true", "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
                       "AWS_SECRET_ACCESS_KEY": SECRET, **variables}
        return subprocess.run([PROGRAM, "-n", "-batch", *arguments], capture_output=True, env=environment, timeout=600, check=False)

    def assert_same(self, **variables):
        command = ("-ex", "tensors -csv")
        local = subprocess.run([PROGRAM, "-n", "-batch", *command, TRIAL], capture_output=True, env=ENVIRONMENT, timeout=600, check=True)
        got = self.run_batch(*command, "s3://bkt/runs/a run+é", **variables)
        self.assertEqual((got.returncode, got.stderr), (0, b""))
        self.assertEqual(got.stdout, local.stdout)

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

    def test_readonly_keeps_nothing_on_disk(self):
        got = self.run_batch("--readonly", "-ex", "tensors -csv", "s3://bkt/runs/a run+é")
        self.assertEqual(got.returncode, 0, got.stderr)
        self.assertEqual(os.listdir(self.home.name), [])

    def test_a_public_bucket_needs_no_login(self):
        self.server.public = True
        self.assert_same(AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="")

    def test_keys_of_a_profile(self):
        os.mkdir(os.path.join(self.home.name, ".aws"))
        with open(os.path.join(self.home.name, ".aws", "credentials"), "w", encoding="utf-8") as f:
            f.write(f"[other]\naws_access_key_id = X\n\n[mine] # a comment\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = {SECRET}\n")
        self.assert_same(AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="", AWS_PROFILE="mine")
        got = self.run_batch("-ex", "tensors", "s3://bkt/runs", AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="", AWS_PROFILE="nobody")
        self.assertIn(b"there is no profile nobody", got.stdout + got.stderr)

    def test_a_refusal_says_which_permission_is_missing(self):
        self.server.denied = True
        got = self.run_batch("-ex", "tensors", "s3://bkt/runs/a run+é")
        self.assertNotEqual(got.returncode, 0)
        self.assertIn(b"s3:ListBucket", got.stdout + got.stderr)

    def test_a_wrong_secret_is_said(self):
        got = self.run_batch("-ex", "tensors", "s3://bkt/runs/a run+é", AWS_SECRET_ACCESS_KEY="wrong")
        self.assertNotEqual(got.returncode, 0)
        self.assertIn(b"SignatureDoesNotMatch", got.stdout + got.stderr)
