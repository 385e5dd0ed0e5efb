# SPDX-License-Identifier: Apache-2.0
"""A server for the tests of buckets: S3 that checks signatures, and what hands out credentials (STS, SSO, containers, instances).

It takes plain requests, those of a proxy (a whole address in the first line), and tunnels (CONNECT)."""
import hashlib
import hmac
import http.server
import json
import os
import re
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse
from xml.sax.saxutils import escape

from talk import ENVIRONMENT, PROGRAM

ACCESS = "AKIDEXAMPLE"
SECRET = "wJalrXUtnFEMI/K7MDENG"
TRIAL = "tests/trials/cnn_dead_relu"
WITHOUT_S3 = b"without libcurl" in subprocess.run([PROGRAM, "-n", "-batch", "-ex", "info trial", "s3://x"], capture_output=True, check=False,
                                                  env=ENVIRONMENT).stderr


def signature(request, names, when, region, service, secret):
    """As AWS defines it, version 4. request: method, path, query, headers with names in small letters."""
    method, path, query, headers = request
    lines = "".join(f"{n}:{headers[n]}\n" for n in names.split(";"))
    text = "\n".join([method, path, query, lines, names, headers["x-amz-content-sha256"]])
    scope = f"{when[:8]}/{region}/{service}/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", when, scope, hashlib.sha256(text.encode()).hexdigest()])
    key = ("AWS4" + secret).encode()
    for part in (when[:8], region, service, "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def iso(seconds_from_now):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds_from_now))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

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

    def date_time_string(self, timestamp=None):
        return super().date_time_string(time.time() + self.server.clock_s)

    def handle_request(self):
        s = self.server
        if self.path.startswith("http://"):         # as a proxy
            parts = urllib.parse.urlsplit(self.path)
            s.proxied.append(parts.netloc)
            self.path = self.path[len("http://" + parts.netloc):]
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.small = {k.lower(): v.strip() for k, v in self.headers.items()}
        path, _, query = self.path.partition("?")
        asked = (self.command, path, query or self.body.decode(), self.small)
        with s.lock:
            s.requests += 1
            s.asked.append(asked)
        for start, service in s.services.items():
            given = path.startswith(start) and service(self, path, urllib.parse.parse_qs(asked[2]))
            if given:
                return self.answer(given[0], given[1].encode())
        return self.bucket(path, query)

    do_GET = do_PUT = do_POST = handle_request

    def do_CONNECT(self):
        """A tunnel to the server itself, whatever the name."""
        self.server.proxied.append(self.path)
        with socket.create_connection(("127.0.0.1", self.server.tunnel_port)) as other:
            self.send_response(200)
            self.end_headers()
            self.wfile.flush()

            def pump(a, b):
                try:
                    while part := a.recv(65536):
                        b.sendall(part)
                    b.shutdown(socket.SHUT_WR)
                except OSError:
                    pass

            back = threading.Thread(target=pump, args=(other, self.connection), daemon=True)
            back.start()
            pump(self.connection, other)
            back.join()
        self.close_connection = True

    def signed_wrongly(self, path, query, service, keys):
        """None, or the arguments of refuse."""
        s = self.server
        said = re.search(r"Credential=(\w+)/\d+/([\w-]+)/(\w+)/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)",
                         self.headers.get("Authorization", ""))
        if not said:
            return None if s.public and service == "s3" else (403, "AccessDenied")
        when = self.small["x-amz-date"]
        age = abs(time.mktime(time.strptime(when + "UTC", "%Y%m%dT%H%M%SZ%Z")) - time.timezone - time.time() - s.clock_s)
        if age > 900:
            return 403, "RequestTimeTooSkewed", "The difference between the request time and the current time is too large."
        if said[2] != s.region and service == "s3":
            return 400, "AuthorizationHeaderMalformed", f"the region is wrong; expecting '{s.region}'"
        if said[1] in s.expired:
            return 400, "ExpiredToken", "The provided token has expired."
        if said[1] not in keys:
            return 403, "InvalidAccessKeyId"
        secret, token = keys[said[1]]
        if (token or "") != self.small.get("x-amz-security-token", "") or (token and "x-amz-security-token" not in said[4]):
            return 403, "InvalidToken"
        digest = hashlib.sha256(self.body).hexdigest()
        if self.small.get("x-amz-content-sha256", "" if service == "s3" else digest) != digest:
            return 400, "XAmzContentSHA256Mismatch"
        request = (self.command, path, query, {**self.small, "x-amz-content-sha256": digest})
        return None if said[5] == signature(request, said[4], when, said[2], service, secret) else (403, "SignatureDoesNotMatch")

    def bucket(self, path, query):
        s = self.server
        with s.lock:
            fault = s.faults.pop(0) if s.faults else None
        if fault == "503":
            return self.refuse(503, "SlowDown")
        if isinstance(fault, tuple):                # status, code, message, headers
            return self.refuse(*fault[:3], **fault[3])
        if s.denied:
            return self.refuse(403, "AccessDenied")
        wrong = self.signed_wrongly(path, query, "s3", s.keys)
        if wrong:
            return self.refuse(*wrong)
        if not path.startswith(s.root):
            return self.refuse(404, "NoSuchBucket")
        key = urllib.parse.unquote(path[len(s.root):]).removeprefix("/")
        if not key:
            return self.listing(urllib.parse.parse_qs(query))
        return self.refuse(403, "AccessDenied") if s.denied_keys else self.give(key, fault)

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


class Listener(http.server.ThreadingHTTPServer):
    request_queue_size = 128                        # connections come many at a time


def start_server(certificate=None):
    """certificate: a file with a key, for TLS."""
    s = Listener(("127.0.0.1", 0), Handler)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        s.socket = context.wrap_socket(s.socket, server_side=True)
    s.daemon_threads = True
    s.lock, s.requests, s.faults, s.asked, s.proxied = threading.Lock(), 0, [], [], []
    s.public, s.denied, s.denied_keys, s.region = False, False, False, "us-east-1"
    s.root = "/bkt"                                 # path of the bucket
    s.keys = {ACCESS: (SECRET, None)}               # access: secret, session token
    s.expired, s.clock_s = set(), 0                 # keys that are refused; what its clock is ahead
    s.services = {}                                 # start of a path: function(handler, path, query) -> status, text, or None
    s.tunnel_port = s.server_port
    s.files = {}
    for folder, _, names in os.walk(TRIAL):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as f:
                s.files["runs/a run+é/" + os.path.relpath(path, TRIAL)] = f.read()
    threading.Thread(target=s.serve_forever, daemon=True).start()
    return s


def stop_server(s):
    s.shutdown()
    s.server_close()


@unittest.skipIf(WITHOUT_S3, "the program has no S3")
class BucketTest(unittest.TestCase):
    """A bucket with a trial, and a home without files."""

    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.addCleanup(self.home.cleanup)
        self.server = start_server()
        self.addCleanup(stop_server, self.server)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def write(self, name, text):
        """A file below the home; returns its path."""
        path = os.path.join(self.home.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def environment(self, **variables):
        return {**ENVIRONMENT, "AWS_ENDPOINT_URL_S3": self.url, "HOME": self.home.name, "XDG_CACHE_HOME": self.home.name,
                       "AWS_EC2_METADATA_DISABLED": "true", "AWS_ACCESS_KEY_ID": ACCESS, "AWS_SECRET_ACCESS_KEY": SECRET, **variables}

    def run_batch(self, *arguments, **variables):
        return subprocess.run([PROGRAM, "-n", "-batch", *arguments], capture_output=True, env=self.environment(**variables), timeout=600, check=False)

    def assert_same(self, *options, **variables):
        """The trial in the bucket reads as the one of the disk."""
        command = ("-ex", "tensors -csv")
        local = subprocess.run([PROGRAM, "-n", "-batch", *command, TRIAL], capture_output=True, env=ENVIRONMENT, timeout=600, check=True)
        got = self.run_batch(*options, *command, "s3://bkt/runs/a run+é", **variables)
        self.assertEqual((got.returncode, got.stderr), (0, b""))
        self.assertEqual(got.stdout, local.stdout)

    def assert_refused(self, *texts, **variables):
        """It does not open, and the reason has these texts."""
        got = self.run_batch("-ex", "tensors", "s3://bkt/runs/a run+é", **variables)
        self.assertNotEqual(got.returncode, 0)
        for text in texts:
            self.assertIn(text, (got.stdout + got.stderr).decode())
