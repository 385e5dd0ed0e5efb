# SPDX-License-Identifier: Apache-2.0
"""What the checks of make s3-check share: a small client that uploads, a proxy that counts and refuses, toxiproxy, the program."""
import concurrent.futures
import datetime
import hashlib
import hmac
import http.client
import http.server
import itertools
import json
import os
import re
import socket
import struct
import subprocess
import threading
import urllib.parse

KEY, SECRET = "smkey", "smsecret12345"


def sign(secret, parts):
    key = ("AWS4" + secret).encode()
    for part in parts:
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key


class Client:
    """Requests with the root key of a server, signed as AWS defines it."""

    def __init__(self, port, service="s3"):
        self.host, self.service, self.local = f"127.0.0.1:{port}", service, threading.local()

    def request(self, method, path, query=(), body=b"", headers=None):
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        given = {"host": self.host, "x-amz-date": now, "x-amz-content-sha256": hashlib.sha256(body).hexdigest(), **(headers or {})}
        path = urllib.parse.quote(path, safe="/-_.~")
        query = "&".join(sorted(f"{urllib.parse.quote(k, safe='-_.~')}={urllib.parse.quote(v, safe='-_.~')}" for k, v in query))
        names = ";".join(sorted(n for n in given if n == "host" or n.startswith("x-amz")))
        lines = "".join(f"{n}:{given[n]}\n" for n in names.split(";"))
        scope = f"{now[:8]}/us-east-1/{self.service}/aws4_request"
        text = "\n".join([method, path, query, lines, names, given["x-amz-content-sha256"]])
        text = "\n".join(["AWS4-HMAC-SHA256", now, scope, hashlib.sha256(text.encode()).hexdigest()])
        signature = hmac.new(sign(SECRET, scope.split("/")), text.encode(), hashlib.sha256).hexdigest()
        given["Authorization"] = f"AWS4-HMAC-SHA256 Credential={KEY}/{scope}, SignedHeaders={names}, Signature={signature}"
        if not hasattr(self.local, "connection"):
            self.local.connection = http.client.HTTPConnection(self.host, timeout=60)
        self.local.connection.request(method, path + ("?" + query if query else ""), body, given)
        answer = self.local.connection.getresponse()
        return answer.status, answer.read(), answer.headers

    def check(self, *arguments, **more):
        status, body, headers = self.request(*arguments, **more)
        assert status in (200, 204, 206), (arguments[:2], status, body[:300])
        return body, headers

    def make(self, bucket):
        self.request("PUT", "/" + bucket)

    def put(self, bucket, key, data):
        return self.check("PUT", f"/{bucket}/{key}", body=data)

    def upload(self, folder, bucket, prefix):
        """A folder, 8 objects at a time; returns how many."""
        files = [os.path.join(d, n) for d, _, names in os.walk(folder) for n in names]

        def one(path):
            with open(path, "rb") as f:
                self.put(bucket, prefix + "/" + os.path.relpath(path, folder), f.read())

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(one, files))
        return len(files)

    def objects(self, bucket):
        """{key: (ETag, size)} of all."""
        found, token = {}, []
        while True:
            body = self.check("GET", "/" + bucket, [("list-type", "2"), *token])[0].decode()
            for entry in re.findall(r"<Contents>(.*?)</Contents>", body, re.S):
                key, etag, size = (re.search(f"<{n}>([^<]*)", entry)[1] for n in ("Key", "ETag", "Size"))
                found[key] = (etag, size)
            after = re.search("<NextContinuationToken>([^<]*)", body)
            if not after:
                return found
            token = [("continuation-token", after[1])]


class Listener(http.server.ThreadingHTTPServer):
    request_queue_size = 128                        # connections come many at a time


class Proxy:
    """In front of a server: notes requests, and answers some of them itself. refuse(n, path): None, or a status and a body."""

    def __init__(self, port, refuse=lambda n, path: None):
        self.asked, self.times, lock, outer = [], [], threading.Lock(), self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *_):
                pass

            def do_GET(self):
                with lock:
                    outer.asked.append(f"{self.command} {urllib.parse.unquote(self.path)}")
                    outer.times.append(datetime.datetime.now().timestamp())
                    no = refuse(len(outer.asked), self.path)
                if no:
                    self.send_response(no[0])
                    self.send_header("Content-Length", str(len(no[1])))
                    self.end_headers()
                    self.wfile.write(no[1])
                    return
                if not hasattr(self, "other"):
                    self.other = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                self.other.request(self.command, self.path, None, dict(self.headers.items()))
                answer = self.other.getresponse()
                body = answer.read()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("connection", "server", "date", "transfer-encoding", "content-length"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_PUT = do_POST = do_DELETE = do_HEAD = do_GET

        self.server = Listener(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # a program that has ended
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def lists(self):
        return [a for a in self.asked if "list-type=" in a]


class Resets:
    """In front of a server: each third connection is reset (RST) after so many bytes of answers."""

    def __init__(self, port, limit):
        self.port, self.limit, self.resets = port, limit, 0
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.socket.close()

    def accept(self):
        for i in itertools.count():
            try:
                here, _ = self.socket.accept()
                there = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                return
            threading.Thread(target=self.pump, args=(here, there, None), daemon=True).start()
            threading.Thread(target=self.pump, args=(there, here, self.limit if i % 3 == 2 else None), daemon=True).start()

    def pump(self, source, sink, limit):
        try:
            while part := source.recv(65536 if limit is None else min(limit, 65536)):
                sink.sendall(part)
                limit = limit if limit is None else limit - len(part)
                if limit == 0:
                    self.resets += 1
                    sink.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    sink.shutdown(socket.SHUT_RD)   # the other thread reads it
                    sink.close()
                    return
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Toxics:
    """Slow and broken connections, as toxiproxy makes them, for a with statement: Toxics(port, latency={"latency": 50}).
    A toxicity among the attributes is the share of connections that it is for."""

    def __init__(self, port, **toxics):
        self.port, self.toxics = port, toxics

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, json.dumps(body) if body is not None else None)
        answer = connection.getresponse()
        assert answer.status < 300, answer.read()
        connection.close()

    def __enter__(self):
        self.ask("POST", "/reset")                  # what an interrupted check has left
        for kind, attributes in self.toxics.items():
            share = attributes.pop("toxicity", 1)
            self.ask("POST", "/proxies/s3/toxics", {"name": kind, "type": kind, "stream": "downstream", "toxicity": share, "attributes": attributes})

    def __exit__(self, *_):
        for kind in self.toxics:
            self.ask("DELETE", "/proxies/s3/toxics/" + kind)


class Runner:
    """Runs the program with an own home and cache."""

    def __init__(self, program, home, url):
        self.program, self.home, self.url = program, home, url

    def environment(self, **more):
        return {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC0", "HOME": self.home, "XDG_CACHE_HOME": self.home + "/cache",
                "AWS_ENDPOINT_URL_S3": self.url, "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true", "AWS_ACCESS_KEY_ID": KEY,
                "AWS_SECRET_ACCESS_KEY": SECRET, **more}

    def run(self, *arguments, fresh=True, **more):
        """fresh: without what is in the cache."""
        if fresh:
            subprocess.run(["rm", "-rf", self.home + "/cache"], check=True)
        return subprocess.run([self.program, "-n", "-batch", *arguments], capture_output=True, env=self.environment(**more), timeout=600, check=False)

    def lines(self, place, *lines, **more):
        return self.run(*(word for line in lines for word in ("-ex", line)), place, **more)

    def asked(self, place, *lines, **more):
        """The counts of info session after these lines."""
        got = self.lines(place, *(line + " > /dev/null" for line in lines), "info session -json", **more)
        assert got.returncode == 0, got.stderr
        return json.loads(got.stdout)
