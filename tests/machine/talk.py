# SPDX-License-Identifier: Apache-2.0
"""Talks to smdbg-tui --interpreter=json; every line is checked against doc/protocol.schema.json. The program is the first argument."""
import importlib.util
import json
import os
import subprocess
import sys

from schema import check

PROGRAM = os.path.abspath(sys.argv.pop(1))
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "TZ": "UTC0",
               "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "detect_leaks=0")}
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
HEALTHY = "tests/trials/cnn_healthy"
with open("doc/protocol.schema.json", encoding="utf-8") as file:
    SCHEMA = json.load(file)


def load_client():
    spec = importlib.util.spec_from_file_location("client", "doc/examples/client.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def talk(requests, *arguments, status=0):
    """Sends the requests and returns all lines of the answer. A request is an object, or a string that is sent unchanged."""
    text = "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in requests)
    done = subprocess.run([PROGRAM, "-n", "-i", "json", *arguments], input=text.encode(), stdout=subprocess.PIPE,
                          env=ENVIRONMENT, timeout=600, check=False)
    lines = []
    for raw in done.stdout.splitlines(keepends=True):
        assert raw.endswith(b"\n") and len(raw) <= 1 << 20, len(raw)
        controls = [c for c in raw[:-1].decode("utf-8") if c < " " or "\x7f" <= c <= "\x9f" or c in BIDI]
        assert not controls, controls
        lines.append(json.loads(raw))
        wrong = check(lines[-1], SCHEMA, SCHEMA)
        assert wrong is None, f"{wrong}\n{raw[:500]}"
    assert done.returncode == status, done.returncode
    assert lines[0]["type"] == "hello"
    return lines[1:]


def results(lines):
    return {line["id"]: line for line in lines if line["type"] == "result"}


def events(lines, name):
    return [line for line in lines if line["type"] == "event" and line["class"] == name]
